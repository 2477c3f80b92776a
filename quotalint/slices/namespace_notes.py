"""Which namespaces there are: what decides whether one may come or go with nothing but what is in it."""

from __future__ import annotations

import marshal
import posixpath
from collections.abc import Iterable, Iterator, Sequence

from quotalint.cache.packing import frame_values, parts, split_bytes
from quotalint.deployed import View, makes_project
from quotalint.facts import Facts
from quotalint.kube.fields import Body, mapping, text
from quotalint.kube.kinds import DECLARING, LIMITING, declares_namespace, is_built_in
from quotalint.kube.objects import Object, objects
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Place
from quotalint.text.reading import File
from quotalint.transcript import digest

SHORT = 8  # bytes that stand for a name
_DECLARING = frozenset(kind for _, kind in DECLARING)
_ANYWHERE = "\0"
"""Stands for the folder of what is not in view."""


class NamespaceNote(NamedTuple):
    """What is known of them."""

    known: frozenset[bytes]
    """What stands for each that anything declares, is of, or may be put into."""
    shared: frozenset[bytes]
    """Those of them of which not one folder alone says something."""
    strays: bool
    """Quotas or LimitRanges are of namespaces that nothing declares, or templates name theirs, which are not known."""

    def knows(self, namespace: str) -> bool:
        """Whether there is anything of a namespace."""
        return short_digest(namespace) in self.known

    def is_shared(self, namespace: str) -> bool:
        """Whether several folders say something of a namespace."""
        return short_digest(namespace) in self.shared


def noted_namespaces(environments: Sequence[Facts], files: Sequence[File], view: View) -> bytes:
    """What is known of them in a repository."""
    folders: dict[str, set[str]] = {}
    for namespace, folder in _mentions(environments, files, view):
        folders.setdefault(namespace, set()).add(folder)
    known = (short_digest(namespace) for namespace in folders)
    shared = (short_digest(namespace) for namespace, own in folders.items() if len(own) > 1)
    strays = any(makes_project(file.source.name) for file in files) or any(map(_has_strays, environments))
    return frame_values((b"".join(sorted(known)), b"".join(sorted(shared)), marshal.dumps(strays)))


def namespace_note(data: bytes) -> NamespaceNote:
    """What was noted. Raises ValueError, TypeError or EOFError where it has not this form."""
    *names, strays = parts(data)
    known, shared = (frozenset(split_bytes(own, SHORT)) for own in names)
    return NamespaceNote(known, shared, marshal.loads(strays))


def _mentions(environments: Sequence[Facts], files: Iterable[File], view: View) -> Iterator[tuple[str, str]]:
    """Namespaces, each with the folder of what is of it or says so, whether anybody applies that or not."""
    applied = (obj for facts in environments for obj in (*facts.cluster.objects, *facts.cluster.replaced))
    idle = (obj for environment in view.unapplied for obj in environment.objects)
    for all_objects in (applied, idle):
        for obj in all_objects:
            yield _home_of(obj), obj.folder
    for facts in environments:
        yield from ((unseen.namespace, _ANYWHERE) for unseen in facts.unseen)
    for file in files:
        folder = posixpath.dirname(file.source.name)
        for document in file.reading.documents:
            body = mapping(document.value)
            written = objects(body, Place(folder)) if "items" in body else ()
            bodies = (body, *(obj.body for obj in written))
            yield from ((namespace, folder) for own in bodies for namespace in _written_in(own))


def _written_in(body: Body) -> Iterator[str]:
    """The namespaces that an object says it is of, or declares."""
    metadata = mapping(body.get("metadata"))
    yield text(metadata.get("namespace"))
    if body.get("kind") in _DECLARING:
        yield text(metadata.get("name"))


def _home_of(obj: Object) -> str:
    return obj.name if declares_namespace(obj) else obj.namespace


def _has_strays(facts: Facts) -> bool:
    declared = {obj.name for obj in facts.repository.namespaces}
    limiting = (obj.namespace for kind in LIMITING for obj in facts.cluster.of(*kind))
    return any(namespace not in declared and not is_built_in(namespace) for namespace in limiting)


def short_digest(name: str) -> bytes:
    """What stands for a name among many."""
    return digest(name.encode("utf-8", "surrogatepass"))[:SHORT]
