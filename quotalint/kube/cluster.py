"""The objects of one cluster: each object once, indexed by namespace and kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from quotalint.kube.discovery import Discovery
from quotalint.kube.guess import MEMBERSHIP
from quotalint.kube.limited_resources import FILE_GROUPS
from quotalint.kube.objects import Object, Ref
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import are_same_items, memory_in_use

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Overwritten(NamedTuple):
    """An object that is applied several times with different contents; the last version stays."""

    winner: Object
    others: tuple[Object, ...]


class Cluster(NamedTuple):
    """Everything that is applied to one cluster."""

    objects: tuple[Object, ...]
    overwritten: tuple[Overwritten, ...]
    discovery: Discovery
    by_namespace: Mapping[str, tuple[Object, ...]]
    """The namespaced objects."""
    by_kind: Mapping[tuple[str, str], tuple[Object, ...]]
    live: tuple[Object, ...] = ()
    """The versions in a snapshot of objects that the repository applies; others may have added labels to them."""
    outline: tuple[Object, ...] = ()
    """All objects, for readers that need only kinds, names, metadata and places. It stays the same value if only the
    specs of workloads change, so these specs may be out of date."""
    replaced: tuple[Object, ...] = ()
    """The objects that a later object with the same name replaced, including equal ones."""

    def of(self, group: str, kind: str) -> tuple[Object, ...]:
        """The objects of a kind, everywhere."""
        return self.by_kind.get((group, kind), ())


Settle = Callable[[Object, Sequence[Object]], Object]


def settle_nothing(winner: Object, others: Sequence[Object]) -> Object:
    """The winner unchanged: no guess that the last object of a name counts."""
    del others
    return winner


def build_cluster(
    objects: Iterable[Object], discovery: Discovery, others: Iterable[Object] = (), settle: Settle = settle_nothing
) -> Cluster:
    """The cluster after these objects are applied in order. `others` are the objects of a snapshot; they stay unless
    the repository applies them. `settle` adds guesses to the last object of a name that has several."""
    objects = tuple(obj for obj in objects if obj.group not in FILE_GROUPS)
    others = tuple(others)
    applied = {obj.ref for obj in objects} if others else frozenset[Ref]()
    objects += tuple(obj for obj in others if obj.ref not in applied)
    # An object without a name (generateName) is a new one each time.
    named = [(obj.ref, obj) for obj in objects if obj.name]
    # An object that is only guessed to be applied does not replace one that surely is.
    named.sort(key=_is_surely_applied)
    last = dict(named)
    replaced = [(ref, obj) for ref, obj in named if last[ref] is not obj]
    gone = {obj.identity for _, obj in replaced}
    # The same value may occur twice, if two deployers reach it.
    unique_objects = list({obj.identity: obj for obj in objects if obj.identity not in gone}.values())
    lost: dict[Ref, list[Object]] = {}
    for ref, obj in replaced:
        if _is_another(last[ref], obj):
            lost.setdefault(ref, []).append(obj)
    if lost:
        instead = {id(last[ref]): settle(last[ref], contenders) for ref, contenders in lost.items()}
        unique_objects = list(_with(unique_objects, instead))
        last |= {ref: instead[id(last[ref])] for ref in lost}
    return Cluster(
        tuple(unique_objects),
        tuple(Overwritten(last[ref], tuple(others)) for ref, others in lost.items()),
        discovery,
        _group_pairs((obj.namespace, obj) for obj in unique_objects if obj.namespace),
        _group_pairs(((obj.group, obj.kind), obj) for obj in unique_objects),
        tuple(obj for obj in others if obj.ref in applied),
        tuple(unique_objects),
        tuple(obj for _, obj in replaced),
    )


def _is_surely_applied(named: tuple[Ref, Object]) -> bool:
    return not any(guess.about == MEMBERSHIP for guess in named[1].guesses)


def cluster_as_before(
    objects: Iterable[Object], discovery: Discovery, name: str, settle: Settle = settle_nothing
) -> Cluster:
    """The same as `build_cluster`, but it reuses the cluster of this name from the last look. If only bodies of objects
    have changed, that cluster is edited. Otherwise unchanged groups of objects keep their identity."""
    memory = memory_in_use()
    if memory is None:
        return build_cluster(objects, discovery, (), settle)
    objects = tuple(objects)
    earlier = memory.lasting(f"cluster {name}", _Earlier)
    earlier.made = _replace_edited_objects(earlier, objects, discovery) or _built_like(
        earlier.made, build_cluster(objects, discovery, (), settle)
    )
    earlier.objects = objects
    return earlier.made


class _Earlier:
    """The cluster of the last look. It is a class because the next look replaces its content."""

    def __init__(self) -> None:
        self.objects: tuple[Object, ...] = ()
        self.made: Cluster | None = None


def _built_like(before: Cluster | None, now: Cluster) -> Cluster:
    """The cluster `now`, with the groups of `before` wherever they have the same objects, so that caches by identity
    find them."""
    if before is None:
        return now
    return now._replace(
        by_namespace=_groups_as_before(before.by_namespace, now.by_namespace),
        by_kind=_groups_as_before(before.by_kind, now.by_kind),
    )


def _groups_as_before(
    before: Mapping[_Key, tuple[Object, ...]], now: Mapping[_Key, tuple[Object, ...]]
) -> dict[_Key, tuple[Object, ...]]:
    return {
        key: before[key] if key in before and are_same_items(before[key], members) else members
        for key, members in now.items()
    }


def _replace_edited_objects(earlier: _Earlier, objects: tuple[Object, ...], discovery: Discovery) -> Cluster | None:
    built = earlier.made
    if built is None or built.discovery is not discovery or len(objects) != len(earlier.objects):
        return None
    changed = [(old, new) for old, new in zip(earlier.objects, objects, strict=True) if old is not new]
    # If a name has several objects, which one counts must be decided again.
    contested = {overwritten.winner.ref for overwritten in built.overwritten}
    if any(new.ref in contested or not _is_edited(old, new) for old, new in changed):
        return None
    instead = {id(old): new for old, new in changed}
    if not instead.keys() <= {id(obj) for obj in built.objects}:
        return None
    is_outlined = all(_is_outlined(old, new) for old, new in changed)
    all_objects = _with(built.objects, instead)
    by_namespace, by_kind = dict(built.by_namespace), dict(built.by_kind)
    for namespace in {new.namespace for _, new in changed if new.namespace}:
        by_namespace[namespace] = _with(by_namespace[namespace], instead)
    for kind in {(new.group, new.kind) for _, new in changed}:
        by_kind[kind] = _with(by_kind[kind], instead)
    outline = built.outline if is_outlined else all_objects
    return built._replace(objects=all_objects, by_namespace=by_namespace, by_kind=by_kind, outline=outline)


_WORKLOADS = frozenset(
    {
        ("", "Pod"),
        ("", "ReplicationController"),
        *(("apps", kind) for kind in ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")),
        *(("batch", kind) for kind in ("CronJob", "Job")),
    }
)


def _is_edited(old: Object, new: Object) -> bool:
    """Whether two versions of an object differ only in the body and its places."""
    place = old.place._replace(made=new.place.made)
    return (old.place.made is None) == (new.place.made is None) and old._replace(body=new.body, place=place) == new


def _is_outlined(old: Object, new: Object) -> bool:
    """Whether two versions of a workload have the same metadata, at the same places."""
    if (new.group, new.kind) not in _WORKLOADS or repr(old.metadata) != repr(new.metadata):
        return False
    before, now = old.place.made, new.place.made
    if before is now or before is None or now is None:
        return before is now
    is_alike = (before.depth, before.via, before.patches) == (now.depth, now.via, now.patches)
    return is_alike and old.place.real == new.place.real and old.at("metadata").origin == new.at("metadata").origin


def _with(objects: Iterable[Object], instead: Mapping[int, Object]) -> tuple[Object, ...]:
    return tuple(instead.get(id(obj), obj) for obj in objects)


def _is_another(winner: Object, other: Object) -> bool:
    """Whether an object is not merely a copy of the winner. One object of a base may be rendered in two ways, so both
    place and body are compared."""
    if winner is other:
        return False
    return winner.place.real != other.place.real or winner.body != other.body


def _group_pairs(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, tuple[_Value, ...]]:
    groups: dict[_Key, list[_Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return {key: tuple(members) for key, members in groups.items()}
