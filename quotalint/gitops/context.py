"""Finds the objects to which a deploying object refers: first those applied to the same cluster together with it, then
the nearest in the repository."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING

from quotalint.gitops.charts import Charts
from quotalint.gitops.kustomize.problems import MISSING, Problem
from quotalint.gitops.origins import Above
from quotalint.gitops.rendering import Rendering, Unseen
from quotalint.gitops.tree import join_path, relative_path
from quotalint.gitops.units import Units
from quotalint.gitops.unseen_causes import cause_of, with_place
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import Memory, recalled_each
from quotalint.settings import ConfiguredCluster

if TYPE_CHECKING:
    from quotalint.gitops.following import DeployedPart


Counts = Callable[[Object], bool]
"""A predicate on objects; it must be a module-level function, because it is a cache key."""


def every_object(_: Object) -> bool:
    """A `Counts` that accepts every object."""
    return True


class Context(NamedTuple):
    """The repository, as seen by an object that deploys from it."""

    units: Units
    charts: Charts
    top: str
    """The repository's root folder."""
    find: Callable[[Object, str, str, str], Object | None]
    """find(asking object, kind, namespace, name): an object of the repository."""
    nearest: Callable[[Object, str, Counts], Sequence[Object]]
    """nearest(asking object, kind, predicate): the objects of a kind, nearest folders first."""
    once: Memory
    """Caches results by the identity of their inputs."""
    is_here: Callable[[str], bool]
    """Whether a URL is that of this repository."""
    clusters: tuple[ConfiguredCluster, ...] = ()
    """The clusters in the settings."""
    vendored: Callable[[str], str | None] = lambda _: None
    """The folder that replaces a URL in the settings; None if there is none."""
    above: Above = Above()
    """The source from which the deploying object itself was taken."""


def locate_path(path: str, obj: Object, context: Context) -> str:
    """The name in the tree of a path relative to the repository root of an object.

    The object may be in a copy of another repository, stored in a folder of this one. Of the folders above it, the
    outermost that contains the path is used.
    """
    path = path.lstrip("/") or "."
    whole = join_path(context.top, path)
    if context.units.tree.is_folder(whole) or context.units.tree.is_file(whole):
        return context.units.tree.canonical_name(whole)
    parts = relative_path(obj.place.file, context.top).split("/")
    for number in range(1, len(parts)):
        name = join_path(context.top, "/".join((*parts[:number], path)))
        if context.units.tree.is_folder(name) or context.units.tree.is_file(name):
            return context.units.tree.canonical_name(name)
    return whole


def not_in_view(obj: Object, why: str, namespace: str) -> Rendering:
    """The rendering of an object whose content is not in view, with the reason as a clause. An empty or placeholder
    namespace means any."""
    target = "" if is_placeholder(namespace) else namespace
    subject = f"{obj.kind} {obj.name}"
    reason = f"{subject} is not rendered: {why}"
    problem = Problem(obj.place, reason, MISSING, namespace=target, shared=cause_of(why), subject=subject)
    return Rendering(problems=(problem,), unseen=(Unseen(target, with_place(obj.place.file, reason, problem.shared)),))


class Neighbours:
    """Looks up objects of the repository; each kind is indexed on first use."""

    def __init__(self, renderings: Callable[[], Sequence[Rendering]]) -> None:
        self._make_renderings = renderings
        self._known: dict[str, dict[str, list[Object]]] = {}
        self._found: dict[tuple[str, str, str, str], Object | None] = {}
        """Keyed by everything that decides the answer: the asking folder, kind, namespace and name."""
        self._counted = cache(self._gather)
        self._nearest = cache(self._sort)

    def nearest(self, asking: Object, kind: str, counts: Counts) -> Sequence[Object]:
        """The objects of a kind that pass the predicate, nearest folders first."""
        return self._nearest(posixpath.dirname(asking.place.file), kind, counts)

    def _sort(self, folder: str, kind: str, counts: Counts) -> Sequence[Object]:
        parts = folder.split("/")
        objects = self._counted(kind, counts)
        return tuple(sorted(objects, key=lambda obj: -len(posixpath.commonprefix((parts, obj.folder.split("/"))))))

    def _gather(self, kind: str, counts: Counts) -> Sequence[Object]:
        return [obj for named_objects in self._by_name(kind).values() for obj in named_objects if counts(obj)]

    def find(self, asking: Object, kind: str, namespace: str, name: str) -> Object | None:
        """The referenced object; of several, as each cluster has its own, the one in the nearest folder. None if there
        is none, or if different ones are equally near."""
        question = posixpath.dirname(asking.place.file), kind, namespace, name
        if question not in self._found:
            self._found[question] = self._nearest_named(*question)
        return self._found[question]

    def _nearest_named(self, folder: str, kind: str, namespace: str, name: str) -> Object | None:
        candidates = [
            obj
            for obj in self._by_name(kind).get(name, ())
            if not obj.namespace or not namespace or obj.namespace == namespace
        ]
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        parts = folder.split("/")
        near = [len(posixpath.commonprefix((parts, obj.folder.split("/")))) for obj in candidates]
        most = max(near)
        nearest = [obj for obj, common in zip(candidates, near, strict=True) if common == most]
        alike = all(obj.body == nearest[0].body for obj in nearest)
        return nearest[0] if alike else None

    @cached_property
    def _by_kind(self) -> Sequence[Mapping[str, Sequence[Object]]]:
        return recalled_each("objects by kind", self._make_renderings(), (), _objects_by_kind)

    def _by_name(self, kind: str) -> Mapping[str, list[Object]]:
        """The objects of a kind, by name."""
        if kind not in self._known:
            named_objects = self._known[kind] = {}
            for by_kind in self._by_kind:
                for obj in by_kind.get(kind, ()):
                    named_objects.setdefault(obj.name, []).append(obj)
        return self._known[kind]


def _objects_by_kind(rendering: Rendering) -> Mapping[str, Sequence[Object]]:
    by_kind: dict[str, list[Object]] = {}
    for obj in rendering.objects:
        by_kind.setdefault(obj.kind, []).append(obj)
    return by_kind


class DeployerSurroundings:
    """Looks up objects among the parts of one root, then in the repository."""

    def __init__(self, parts: Sequence[DeployedPart], context: Context) -> None:
        self._parts = parts
        self._context = context
        self._known: dict[str, dict[str, dict[str, list[Object]]]] | None = None
        self._counted = cache(self._gather)
        self.asked = False
        """Whether anything was looked up."""
        self.complete = False
        """Whether the root reaches everything in its cluster, so that objects elsewhere belong to other clusters."""

    def find_in(self, destination: str) -> Callable[[Object, str, str, str], Object | None]:
        """A `Context.find` for objects applied to a cluster."""

        def find(asking: Object, kind: str, namespace: str, name: str) -> Object | None:
            self.asked = True
            candidates = [
                obj
                for obj in self._by_name(destination, kind).get(name, ())
                if not obj.namespace or not namespace or obj.namespace == namespace
            ]
            if not candidates:
                return None if self.complete else self._context.find(asking, kind, namespace, name)
            # Equal duplicates count as one object.
            return candidates[0] if all(obj.body == candidates[0].body for obj in candidates) else None

        return find

    def nearest_in(self, destination: str) -> Callable[[Object, str, Counts], Sequence[Object]]:
        """A `Context.nearest` for objects applied to a cluster."""

        def nearest(asking: Object, kind: str, counts: Counts) -> Sequence[Object]:
            self.asked = True
            if not self._by_name(destination, kind):
                return self._context.nearest(asking, kind, counts)
            return self._counted(destination, kind, counts)

        return nearest

    def _gather(self, destination: str, kind: str, counts: Counts) -> Sequence[Object]:
        named = self._by_name(destination, kind).values()
        return tuple(obj for named_objects in named for obj in named_objects if counts(obj))

    def _by_name(self, destination: str, kind: str) -> Mapping[str, list[Object]]:
        if self._known is None:
            self._known = {}
            for part in self._parts:
                by_kind = self._known.setdefault(part.destination, {})
                for obj in part.rendering.objects:
                    by_kind.setdefault(obj.kind, {}).setdefault(obj.name, []).append(obj)
        return self._known.get(destination, {}).get(kind, {})
