"""Objects → what one cluster holds: each object once, found by namespace and kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from quotalint.kube.discovery import Discovery
from quotalint.kube.objects import Object, Ref

_Key = TypeVar("_Key")


class Duplicate(NamedTuple):
    """An object that is given twice; the later one in path order is what the cluster ends up with."""

    object: Object
    """The one that is overwritten."""
    winner: Object


class Cluster(NamedTuple):
    """Everything that is applied to one cluster."""

    objects: tuple[Object, ...]
    duplicates: tuple[Duplicate, ...]
    discovery: Discovery
    by_namespace: Mapping[str, tuple[Object, ...]]
    """The namespaced objects."""
    by_kind: Mapping[tuple[str, str], tuple[Object, ...]]

    def of(self, group: str, kind: str) -> tuple[Object, ...]:
        """The objects of a kind, everywhere."""
        return self.by_kind.get((group, kind), ())


def cluster(objects: Iterable[Object], known: Discovery) -> Cluster:
    """The cluster that these objects are applied to, in their order."""
    kept, duplicates = _once(tuple(objects))
    return Cluster(
        kept,
        duplicates,
        known,
        _grouped((obj.namespace, obj) for obj in kept if obj.namespace),
        _grouped(((obj.group, obj.kind), obj) for obj in kept),
    )


def _once(objects: tuple[Object, ...]) -> tuple[tuple[Object, ...], tuple[Duplicate, ...]]:
    last: dict[Ref, Object] = {obj.ref: obj for obj in objects if obj.name}
    kept, duplicates = [], []
    for obj in objects:
        winner = last.get(obj.ref, obj) if obj.name else obj
        if winner is obj:
            kept.append(obj)
        else:
            duplicates.append(Duplicate(obj, winner))
    return tuple(kept), tuple(duplicates)


def _grouped(pairs: Iterable[tuple[_Key, Object]]) -> dict[_Key, tuple[Object, ...]]:
    groups: dict[_Key, list[Object]] = {}
    for key, obj in pairs:
        groups.setdefault(key, []).append(obj)
    return {key: tuple(members) for key, members in groups.items()}
