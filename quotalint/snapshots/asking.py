"""What kubectl says of a cluster, kind by kind, so that one that is forbidden does not hide the others."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quotalint.deployed import About, Unread, snapshot
from quotalint.kube.listed_kinds import BUILT_IN, WANTED
from quotalint.kube.objects import Object
from quotalint.programs import Stopped, one_line, program, run, user_environment
from quotalint.text.documents import Failure
from quotalint.text.progress import Tell, untold

_TIMEOUT = 300.0  # seconds for one kind: a large cluster lists its pods in many pages
_MAX_OUTPUT = 1024 * 1024 * 1024
_DENIED = ("forbidden", "unauthorized")


class Refused(NamedTuple):
    """Why there is nothing to write, for whoever typed the command."""

    reason: str


class Answer(NamedTuple):
    """What a cluster holds, as far as it was said."""

    about: About
    objects: tuple[Object, ...]


class Kubectl(NamedTuple):
    """The program, and which cluster it is to ask."""

    path: str
    context: str
    root: str
    """The repository that must not bring programs."""


def kubectl(context: str, root: str) -> Kubectl | Refused:
    """The program on PATH; never one that lies in the repository."""
    found = program("kubectl", root)
    if found is None:
        return Refused(
            "kubectl, which asks the cluster, is not on PATH; its output from elsewhere will do: "
            "quotalint snapshot --from FILE"
        )
    return Kubectl(found, context, root)


def ask_cluster(of: Kubectl, namespaces: Sequence[str] = (), tell: Tell = untold) -> Answer | Refused:
    """Everything that a cluster holds and `--with` has a use for."""
    cluster = of.context or _text(_said(of, "config", "current-context"))
    served = _served(of)
    if isinstance(served, Refused):
        return served
    wanted = [name for name in WANTED if name in served]
    objects: list[Object] = []
    unread = [Unread(name, "the server did not say whether it has them") for name in BUILT_IN if name not in served]
    unread = unread if served.is_partial else []
    for at, name in enumerate(wanted):
        tell(f"asking for {name}", at, len(wanted))
        for namespace in namespaces or ("",):
            where = ("--namespace", namespace) if namespace else ("--all-namespaces",)
            found = _listed(_said(of, "get", name, *where, "-o", "json"), name)
            if isinstance(found, Refused):
                unread.append(Unread(name, found.reason, namespace))
            else:
                objects += found
    if wanted and len({one.resource for one in unread}) >= len(wanted) and not objects:
        return Refused(f"nothing could be read: {unread[0].reason}")
    missing = {one.resource for one in unread}
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
    """Some of its parts did not answer."""


def _served(of: Kubectl) -> Served | Refused:
    said = _said(of, "api-resources", "--verbs=list", "-o", "name")
    if isinstance(said, Stopped):
        return Refused(f"kubectl {said.reason}")
    status, output, errors = said
    names = Served(output.decode("utf-8", "replace").split())
    if not names:
        return Refused(f"kubectl cannot reach the cluster: {_reason(errors) or f'it ended with {status}'}")
    names.is_partial = status != 0
    return names


def _listed(said: tuple[int, bytes, bytes] | Stopped, name: str) -> tuple[Object, ...] | Refused:
    if isinstance(said, Stopped):
        return Refused(f"kubectl {said.reason}")
    status, output, errors = said
    if status != 0:
        reason = _reason(errors)
        denied = any(word in reason.lower() for word in _DENIED)
        return Refused(f"forbidden: {reason}" if denied and not reason.startswith("forbidden") else reason)
    found = read_objects(output, f"{name}.json")
    return found if isinstance(found, tuple) else Refused(f"what kubectl printed cannot be read: {found.reason}")


def read_objects(data: bytes, name: str) -> tuple[Object, ...] | Refused:
    """The objects of a dump, YAML or JSON."""
    found = snapshot(data, name)
    return Refused(f"line {found.line}: {found.message}") if isinstance(found, Failure) else found.objects


def _said(of: Kubectl, *arguments: str) -> tuple[int, bytes, bytes] | Stopped:
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


def _text(said: tuple[int, bytes, bytes] | Stopped) -> str:
    if isinstance(said, Stopped) or said[0] != 0:
        return ""
    return one_line(said[1].decode("utf-8", "replace"))


def _reason(errors: bytes) -> str:
    """What kubectl says that matters: the last line, the others being warnings."""
    lines = [line for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
    said = one_line(lines[-1]) if lines else ""
    return said.removeprefix("Error from server (Forbidden): ").removeprefix("error: ")


def _each_once(objects: Sequence[Object]) -> Iterator[Object]:
    """One without a namespace comes with each that is asked for."""
    yield from {obj.ref: obj for obj in objects}.values()
