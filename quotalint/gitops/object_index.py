"""Finds the objects to which a deploying object refers: first those applied to the same cluster together with it, then
the nearest in the repository."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, partial

from quotalint.gitops.nodes import Node
from quotalint.gitops.rendering import Rendering
from quotalint.kube.objects import Object
from quotalint.runtime.recall import Memory, memory_in_use

Predicate = Callable[[Object], bool]
"""A module-level function, because it is a cache key."""


def every_object(_: Object) -> bool:
    """A predicate that accepts every object."""
    return True


class ObjectIndex:
    """The objects of some renderings; each kind is indexed on first use."""

    def __init__(self, renderings: Callable[[], Sequence[Rendering]], memory: Memory | None = None) -> None:
        """`memory` keeps the objects of each rendering by kind; indexes over the same renderings share it."""
        self._make_renderings = renderings
        self.memory = memory or memory_in_use() or Memory()
        self._known: dict[str, dict[str, list[Object]]] = {}
        self.matching = cache(self._matching)
        self._sorted = cache(self._sort)
        self._found = cache(self._find)

    def named(self, kind: str, namespace: str, name: str) -> Sequence[Object]:
        """The objects of a kind and name that are in a namespace or name none; an empty namespace means any."""
        objects = self.by_name(kind).get(name, ())
        return [obj for obj in objects if not obj.namespace or not namespace or obj.namespace == namespace]

    def find(self, asking: Object, kind: str, namespace: str, name: str) -> Object | None:
        """The referenced object; of several, as each cluster has its own, the one in the nearest folder. None if there
        is none, or if different ones are equally near."""
        return self._found(posixpath.dirname(asking.place.file), kind, namespace, name)

    def nearest(self, asking: Object, kind: str, predicate: Predicate) -> Sequence[Object]:
        """The objects of a kind that pass the predicate, nearest folders first."""
        return self._sorted(posixpath.dirname(asking.place.file), kind, predicate)

    def by_name(self, kind: str) -> Mapping[str, Sequence[Object]]:
        """The objects of a kind, by name."""
        if kind not in self._known:
            named_objects = self._known[kind] = {}
            for by_kind in self._by_kind:
                for obj in by_kind.get(kind, ()):
                    named_objects.setdefault(obj.name, []).append(obj)
        return self._known[kind]

    @cached_property
    def _by_kind(self) -> Sequence[Mapping[str, Sequence[Object]]]:
        return [
            self.memory.made("objects by kind", (rendering,), None, partial(_objects_by_kind, rendering))
            for rendering in self._make_renderings()
        ]

    def _matching(self, kind: str, predicate: Predicate) -> Sequence[Object]:
        return tuple(obj for objects in self.by_name(kind).values() for obj in objects if predicate(obj))

    def _sort(self, folder: str, kind: str, predicate: Predicate) -> Sequence[Object]:
        return tuple(sorted(self.matching(kind, predicate), key=lambda obj: -_shared_depth(folder, obj)))

    def _find(self, folder: str, kind: str, namespace: str, name: str) -> Object | None:
        candidates = self.named(kind, namespace, name)
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        most = max(_shared_depth(folder, obj) for obj in candidates)
        return _only([obj for obj in candidates if _shared_depth(folder, obj) == most])


def _shared_depth(folder: str, obj: Object) -> int:
    """How many folders above an object are also above, or are, another folder."""
    return len(posixpath.commonprefix((folder.split("/"), obj.folder.split("/"))))


def _only(objects: Sequence[Object]) -> Object | None:
    """The first object if all are equal copies of it; None if they differ."""
    return objects[0] if all(obj.body == objects[0].body for obj in objects) else None


def _objects_by_kind(rendering: Rendering) -> Mapping[str, Sequence[Object]]:
    by_kind: dict[str, list[Object]] = {}
    for obj in rendering.objects:
        by_kind.setdefault(obj.kind, []).append(obj)
    return by_kind


class RootIndex:
    """The objects of one root, by cluster; what its cluster does not have is looked up in the repository."""

    def __init__(self, nodes: Sequence[Node], repository: ObjectIndex) -> None:
        self._nodes = nodes
        self._repository = repository
        self._in_cluster = cache(self._index_cluster)
        self.asked = False
        """Whether anything was looked up."""
        self.complete = False
        """Whether the root reaches everything in its cluster, so that objects elsewhere belong to other clusters."""

    def find_in(self, destination: str) -> Callable[[Object, str, str, str], Object | None]:
        """A `Context.find` for objects applied to a cluster."""

        def find(asking: Object, kind: str, namespace: str, name: str) -> Object | None:
            self.asked = True
            candidates = self._in_cluster(destination).named(kind, namespace, name)
            if candidates:
                return _only(candidates)
            return None if self.complete else self._repository.find(asking, kind, namespace, name)

        return find

    def nearest_in(self, destination: str) -> Callable[[Object, str, Predicate], Sequence[Object]]:
        """A `Context.nearest` for objects applied to a cluster."""

        def nearest(asking: Object, kind: str, predicate: Predicate) -> Sequence[Object]:
            self.asked = True
            index = self._in_cluster(destination)
            if index.by_name(kind):
                return index.matching(kind, predicate)
            return self._repository.nearest(asking, kind, predicate)

        return nearest

    def _index_cluster(self, destination: str) -> ObjectIndex:
        return ObjectIndex(partial(self._renderings_in, destination), self._repository.memory)

    def _renderings_in(self, destination: str) -> Sequence[Rendering]:
        return [node.rendering for node in self._nodes if node.destination == destination]
