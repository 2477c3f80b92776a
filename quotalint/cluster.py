"""Objects → what one cluster holds: each object once, found by namespace and kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from quotalint.kube.discovery import Discovery
from quotalint.kube.objects import Object, Ref

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Overwritten(NamedTuple):
    """An object that one folder gives several times; the last in path order is what the cluster ends up with."""

    winner: Object
    others: tuple[Object, ...]


class Parallel(NamedTuple):
    """Two folders that give the same objects: other clusters, stages or alternatives, as often as not."""

    folder: str
    winning_folder: str
    """The one whose objects are counted."""
    pairs: tuple[tuple[Object, Object], ...]
    """Each object with its winner."""


class Cluster(NamedTuple):
    """Everything that is applied to one cluster."""

    objects: tuple[Object, ...]
    overwritten: tuple[Overwritten, ...]
    parallel: tuple[Parallel, ...]
    discovery: Discovery
    by_namespace: Mapping[str, tuple[Object, ...]]
    """The namespaced objects."""
    by_kind: Mapping[tuple[str, str], tuple[Object, ...]]

    def of(self, group: str, kind: str) -> tuple[Object, ...]:
        """The objects of a kind, everywhere."""
        return self.by_kind.get((group, kind), ())


def cluster(objects: Iterable[Object], known: Discovery) -> Cluster:
    """The cluster that these objects are applied to, in their order."""
    objects = tuple(objects)
    # An object without a name (generateName) is a new one each time.
    last: dict[Ref, Object] = {obj.ref: obj for obj in objects if obj.name}
    kept: list[Object] = []
    lost: list[tuple[Object, Object]] = []
    for obj in objects:
        winner = last[obj.ref] if obj.name else obj
        if winner is obj:
            kept.append(obj)
        else:
            lost.append((obj, winner))
    return Cluster(
        tuple(kept),
        _overwritten(lost),
        _parallel(lost),
        known,
        _grouped((obj.namespace, obj) for obj in kept if obj.namespace),
        _grouped(((obj.group, obj.kind), obj) for obj in kept),
    )


def _overwritten(lost: Iterable[tuple[Object, Object]]) -> tuple[Overwritten, ...]:
    pairs = [(obj, winner) for obj, winner in lost if obj.folder == winner.folder]
    winners = {winner.place: winner for _, winner in pairs}
    grouped = _grouped((winner.place, obj) for obj, winner in pairs)
    return tuple(Overwritten(winners[place], others) for place, others in grouped.items())


def _parallel(lost: Iterable[tuple[Object, Object]]) -> tuple[Parallel, ...]:
    pairs = [(obj, winner) for obj, winner in lost if obj.folder != winner.folder]
    grouped = _grouped(((obj.folder, winner.folder), (obj, winner)) for obj, winner in pairs)
    return tuple(Parallel(*folders, alike) for folders, alike in grouped.items())


def _grouped(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, tuple[_Value, ...]]:
    groups: dict[_Key, list[_Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return {key: tuple(members) for key, members in groups.items()}
