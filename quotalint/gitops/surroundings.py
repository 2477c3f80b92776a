"""What objects find that refer to others by name: first what is applied to the same cluster on the same way, then what
lies near them in the repository."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from quotalint.kube.objects import Object

if TYPE_CHECKING:
    from quotalint.gitops.context import Context
    from quotalint.gitops.following import DeployedPart


class DeployerSurroundings:
    """The objects of the parts of one root."""

    def __init__(self, parts: Sequence[DeployedPart], context: Context) -> None:
        self._parts = parts
        self._context = context
        self._known: dict[str, dict[tuple[str, str], list[Object]]] | None = None
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
                for obj in self._objects_of(destination).get((kind, name), ())
                if not obj.namespace or not namespace or obj.namespace == namespace
            ]
            if not candidates:
                return None if self.complete else self._context.find(asking, kind, namespace, name)
            # An object that is given twice is one, unless it differs.
            return candidates[0] if all(obj.body == candidates[0].body for obj in candidates) else None

        return find

    def nearest_in(self, destination: str) -> Callable[[Object, str], list[Object]]:
        """As `Context.nearest`, for an object that is applied to a cluster."""

        def nearest(asking: Object, kind: str) -> list[Object]:
            self.asked = True
            objects_by_name = self._objects_of(destination)
            cluster_objects = [
                obj
                for (of_kind, _), named_objects in objects_by_name.items()
                if of_kind == kind
                for obj in named_objects
            ]
            return cluster_objects or self._context.nearest(asking, kind)

        return nearest

    def _objects_of(self, destination: str) -> dict[tuple[str, str], list[Object]]:
        if self._known is None:
            self._known = {}
            for part in self._parts:
                named_objects = self._known.setdefault(part.destination, {})
                for obj in part.rendering.objects:
                    named_objects.setdefault((obj.kind, obj.name), []).append(obj)
        return self._known.get(destination, {})
