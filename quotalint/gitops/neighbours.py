"""The objects of a repository, for those that refer to one of them by name."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from quotalint.gitops.rendering import Rendering
from quotalint.kube.objects import Object
from quotalint.recall import recalled_each


class Neighbours:
    """Looks objects up; those of a kind are gathered when the first one is asked for."""

    def __init__(self, renderings: Callable[[], Sequence[Rendering]]) -> None:
        self._make_renderings = renderings
        self._known: dict[str, dict[str, list[Object]]] = {}

    def nearest(self, asking: Object, kind: str) -> list[Object]:
        """The objects of a kind, the nearest first."""
        candidates = [obj for named_objects in self._by_name(kind).values() for obj in named_objects]
        folder = posixpath.dirname(asking.place.file).split("/")
        return sorted(candidates, key=lambda obj: -len(posixpath.commonprefix((folder, obj.folder.split("/")))))

    def find(self, asking: Object, kind: str, namespace: str, name: str) -> Object | None:
        """The object that is meant; of several, as each cluster has its own, the one nearest in the folders. None
        where there is none, or several are as near."""
        candidates = [
            obj
            for obj in self._by_name(kind).get(name, ())
            if not obj.namespace or not namespace or obj.namespace == namespace
        ]
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        folder = posixpath.dirname(asking.place.file).split("/")
        near = [len(posixpath.commonprefix((folder, obj.folder.split("/")))) for obj in candidates]
        nearest = [obj for obj, common in zip(candidates, near, strict=True) if common == max(near)]
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
