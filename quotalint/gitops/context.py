"""What an object that deploys others may refer to: first what is applied to the same cluster on the same way, then what
lies near it in the repository."""

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
"""Whether an object counts; a function of a module, by which answers are found again."""


def every_object(_: Object) -> bool:
    """As `Counts`, where nothing is left out."""
    return True


class Context(NamedTuple):
    """The repository, as one that deploys from it sees it."""

    units: Units
    charts: Charts
    top: str
    """The name of the repository's root folder."""
    find: Callable[[Object, str, str, str], Object | None]
    """(who asks, kind, namespace, name) → an object of the repository."""
    nearest: Callable[[Object, str, Counts], Sequence[Object]]
    """(who asks, kind, which count) → the objects of a kind in the repository, the nearest in the folders first."""
    once: Memory
    """What is made of the very same objects is made once."""
    is_here: Callable[[str], bool]
    """Whether a URL is that of this repository."""
    clusters: tuple[ConfiguredCluster, ...] = ()
    """The clusters that the configuration names."""
    vendored: Callable[[str], str | None] = lambda _: None
    """(URL) → the folder that the configuration says stands for it."""
    above: Above = Above()
    """Where the object that deploys was taken from itself."""


def at_home(path: str, obj: Object, context: Context) -> str:
    """The name of what an object calls by its path from the root of the repository.

    The object may stand in a copy of a repository that is a folder of this one: of the folders around it, the
    outermost counts in which there is such a path.
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
    """What an object deploys and is not in view, with the reason as a clause. An empty namespace, or one that is a
    placeholder, may be any."""
    target = "" if is_placeholder(namespace) else namespace
    subject = f"{obj.kind} {obj.name}"
    reason = f"{subject} is not rendered: {why}"
    problem = Problem(obj.place, reason, MISSING, namespace=target, shared=cause_of(why), subject=subject)
    return Rendering(problems=(problem,), unseen=(Unseen(target, with_place(obj.place.file, reason, problem.shared)),))


class Neighbours:
    """Looks objects up; those of a kind are gathered when the first one is asked for."""

    def __init__(self, renderings: Callable[[], Sequence[Rendering]]) -> None:
        self._make_renderings = renderings
        self._known: dict[str, dict[str, list[Object]]] = {}
        self._found: dict[tuple[str, str, str, str], Object | None] = {}
        """By the folder that asks, and what it asks for: all that decides the answer."""
        self._counted = cache(self._gather)
        self._nearest = cache(self._sort)

    def nearest(self, asking: Object, kind: str, counts: Counts) -> Sequence[Object]:
        """The objects of a kind that count, the nearest first."""
        return self._nearest(posixpath.dirname(asking.place.file), kind, counts)

    def _sort(self, folder: str, kind: str, counts: Counts) -> Sequence[Object]:
        parts = folder.split("/")
        objects = self._counted(kind, counts)
        return tuple(sorted(objects, key=lambda obj: -len(posixpath.commonprefix((parts, obj.folder.split("/"))))))

    def _gather(self, kind: str, counts: Counts) -> Sequence[Object]:
        return [obj for named_objects in self._by_name(kind).values() for obj in named_objects if counts(obj)]

    def find(self, asking: Object, kind: str, namespace: str, name: str) -> Object | None:
        """The object that is meant; of several, as each cluster has its own, the one nearest in the folders. None
        where there is none, or several are as near."""
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
        """The objects of a kind."""
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
    """The objects of the parts of one root."""

    def __init__(self, parts: Sequence[DeployedPart], context: Context) -> None:
        self._parts = parts
        self._context = context
        self._known: dict[str, dict[str, dict[str, list[Object]]]] | None = None
        self._counted = cache(self._gather)
        self.asked = False
        """Whether anything was looked up."""
        self.complete = False
        """Whether everything of the cluster is reached from here, so that what lies elsewhere is of another one."""

    def find_in(self, destination: str) -> Callable[[Object, str, str, str], Object | None]:
        """As `Context.find`, for an object that is applied to a cluster."""

        def find(asking: Object, kind: str, namespace: str, name: str) -> Object | None:
            self.asked = True
            candidates = [
                obj
                for obj in self._by_name(destination, kind).get(name, ())
                if not obj.namespace or not namespace or obj.namespace == namespace
            ]
            if not candidates:
                return None if self.complete else self._context.find(asking, kind, namespace, name)
            # An object that is given twice is one, unless it differs.
            return candidates[0] if all(obj.body == candidates[0].body for obj in candidates) else None

        return find

    def nearest_in(self, destination: str) -> Callable[[Object, str, Counts], Sequence[Object]]:
        """As `Context.nearest`, for an object that is applied to a cluster."""

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
