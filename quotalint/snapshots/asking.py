"""Reads the objects of a cluster with kubectl, kind by kind, so that one forbidden kind does not prevent the others."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from quotalint.kube.listed_kinds import BUILT_IN, WANTED
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.programs import Stopped, one_line, program, run, user_environment
from quotalint.snapshots.snapshot import read_snapshot
from quotalint.snapshots.snapshot_header import About, Unread
from quotalint.text.documents import Failure
from quotalint.text.progress import Tell

_TIMEOUT = 300.0  # seconds for one kind: a large cluster lists its pods in many pages
_MAX_OUTPUT = 1024 * 1024 * 1024
_DENIED = ("forbidden", "unauthorized")


class NoAnswer(NamedTuple):
    """Why nothing can be written, for the user."""

    reason: str


class Answer(NamedTuple):
    """The objects of a cluster, as far as they could be read."""

    about: About
    objects: tuple[Object, ...]


class Kubectl(NamedTuple):
    """The kubectl program, and its cluster context."""

    path: str
    context: str
    root: str
    """The repository, whose own programs are never run."""


def kubectl(context: str, root: str) -> Kubectl | NoAnswer:
    """The program on PATH, never one in the repository."""
    path = program("kubectl", root)
    if path is None:
        return NoAnswer(
            "kubectl, which asks the cluster, is not on PATH; its output from elsewhere will do: "
            "quotalint snapshot --from FILE"
        )
    return Kubectl(path, context, root)


def ask_cluster(of: Kubectl, namespaces: Sequence[str], tell: Tell) -> Answer | NoAnswer:
    """All objects of a cluster that `--with` uses."""
    cluster = of.context or _text(_ask_kubectl(of, "config", "current-context"))
    served = _ask_served(of)
    if isinstance(served, NoAnswer):
        return served
    wanted = [name for name in WANTED if name in served]
    objects: list[Object] = []
    unread = [Unread(name, "the server did not say whether it has them") for name in BUILT_IN if name not in served]
    unread = unread if served.is_partial else []
    for at, name in enumerate(wanted):
        tell(f"asking for {name}", at, len(wanted))
        for namespace in namespaces or ("",):
            where = ("--namespace", namespace) if namespace else ("--all-namespaces",)
            listing = _listed_objects(_ask_kubectl(of, "get", name, *where, "-o", "json"), name)
            if isinstance(listing, NoAnswer):
                unread.append(Unread(name, listing.reason, namespace))
            else:
                objects += listing
    if wanted and len({gap.resource for gap in unread}) >= len(wanted) and not objects:
        return NoAnswer(f"nothing could be read: {unread[0].reason}")
    missing = {gap.resource for gap in unread}
    about = About(
        cluster=cluster,
        namespaces=tuple(namespaces),
        read=tuple(name for name in WANTED if name not in missing),
        unread=tuple(unread),
    )
    return Answer(about, tuple(_each_once(objects)))


class Served(frozenset[str]):
    """The kinds that a server lists."""

    is_partial = False
    """Some API groups did not answer."""


def _ask_served(of: Kubectl) -> Served | NoAnswer:
    reply = _ask_kubectl(of, "api-resources", "--verbs=list", "-o", "name")
    if isinstance(reply, Stopped):
        return NoAnswer(f"kubectl {reply.reason}")
    status, output, errors = reply
    names = Served(output.decode("utf-8", "replace").split())
    if not names:
        return NoAnswer(f"kubectl cannot reach the cluster: {_reason(errors) or f'it ended with {status}'}")
    names.is_partial = status != 0
    return names


def _listed_objects(reply: tuple[int, bytes, bytes] | Stopped, name: str) -> tuple[Object, ...] | NoAnswer:
    if isinstance(reply, Stopped):
        return NoAnswer(f"kubectl {reply.reason}")
    status, output, errors = reply
    if status != 0:
        reason = _reason(errors)
        denied = any(word in reason.lower() for word in _DENIED)
        return NoAnswer(f"forbidden: {reason}" if denied and not reason.startswith("forbidden") else reason)
    parsed = read_objects(output, f"{name}.json")
    return parsed if isinstance(parsed, tuple) else NoAnswer(f"what kubectl printed cannot be read: {parsed.reason}")


def read_objects(data: bytes, name: str) -> tuple[Object, ...] | NoAnswer:
    """The objects in a YAML or JSON dump."""
    parsed = read_snapshot(data, name)
    return NoAnswer(f"line {parsed.line}: {parsed.message}") if isinstance(parsed, Failure) else parsed.objects


def _ask_kubectl(of: Kubectl, *arguments: str) -> tuple[int, bytes, bytes] | Stopped:
    context = (f"--context={of.context}",) if of.context else ()
    ended = run(
        (of.path, *context, *arguments),
        os.path.realpath("."),
        user_environment(of.root),
        _TIMEOUT,
        _MAX_OUTPUT,
        whole=True,
    )
    return ended if isinstance(ended, Stopped) else (ended.status, ended.output, ended.errors)


def _text(reply: tuple[int, bytes, bytes] | Stopped) -> str:
    if isinstance(reply, Stopped) or reply[0] != 0:
        return ""
    return one_line(reply[1].decode("utf-8", "replace"))


def _reason(errors: bytes) -> str:
    """The last line of kubectl's errors; the others are warnings."""
    lines = [line for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
    message = one_line(lines[-1]) if lines else ""
    return message.removeprefix("Error from server (Forbidden): ").removeprefix("error: ")


def _each_once(objects: Sequence[Object]) -> Iterator[Object]:
    """Each object once: a cluster-scoped object is listed for every namespace."""
    yield from {obj.ref: obj for obj in objects}.values()
