"""The objects of a repository, for those that refer to one of them by name."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable

from quotalint.kube.objects import Object


class Neighbours:
    """Looks objects up; the list of them is made when the first one is asked for."""

    def __init__(self, objects: Callable[[], Iterable[Object]]) -> None:
        self._objects = objects
        self._known: dict[tuple[str, str], list[Object]] | None = None

    def nearest(self, asking: Object, kind: str) -> list[Object]:
        """The objects of a kind, the nearest first."""
        candidates = [
            obj for (of_kind, _), named_objects in self._by_name().items() if of_kind == kind for obj in named_objects
        ]
        folder = posixpath.dirname(asking.place.real.source).split("/")
        return sorted(candidates, key=lambda obj: -len(posixpath.commonprefix((folder, obj.folder.split("/")))))

    def find(self, asking: Object, kind: str, namespace: str, name: str) -> Object | None:
        """The object that is meant; of several, as each cluster has its own, the one nearest in the folders. None
        where there is none, or several are as near."""
        candidates = [
            obj
            for obj in self._by_name().get((kind, name), ())
            if not obj.namespace or not namespace or obj.namespace == namespace
        ]
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        folder = posixpath.dirname(asking.place.real.source).split("/")
        near = [len(posixpath.commonprefix((folder, obj.folder.split("/")))) for obj in candidates]
        nearest = [obj for obj, common in zip(candidates, near, strict=True) if common == max(near)]
        alike = all(obj.body == nearest[0].body for obj in nearest)
        return nearest[0] if alike else None

    def _by_name(self) -> dict[tuple[str, str], list[Object]]:
        if self._known is None:
            self._known = {}
            for obj in self._objects():
                self._known.setdefault((obj.kind, obj.name), []).append(obj)
        return self._known
