"""Which namespace an object lives in when it names none."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from quotalint.kube.discovery import Discovery, is_cluster_scoped
from quotalint.kube.objects import Object

DEFAULT = "default"


def placed(objects: Iterable[Object], known: Discovery, configured: Callable[[str], str | None]) -> tuple[Object, ...]:
    """The objects with their namespaces: written; configured for their file; the only one that their directory
    names (then `assumed`); else `default`. Cluster-scoped objects have none, whatever is written."""
    objects = tuple(objects)
    kinds = {(obj.group, obj.kind) for obj in objects}
    cluster_scoped = {kind for kind in kinds if is_cluster_scoped(known, *kind)}
    neighbours: dict[str, set[str]] = {}
    for obj in objects:
        if obj.namespace and (obj.group, obj.kind) not in cluster_scoped:
            neighbours.setdefault(obj.folder, set()).add(obj.namespace)

    def place(obj: Object) -> Object:
        if (obj.group, obj.kind) in cluster_scoped:
            return obj._replace(namespace="") if obj.namespace else obj
        if obj.namespace:
            return obj
        namespace = configured(obj.place.source)
        if namespace:
            return obj._replace(namespace=namespace)
        named = neighbours.get(obj.folder, set())
        if len(named) == 1:
            return obj._replace(namespace=next(iter(named)), assumed=True)
        return obj._replace(namespace=DEFAULT, homeless=True)

    return tuple(map(place, objects))
