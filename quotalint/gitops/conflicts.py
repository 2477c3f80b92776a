"""Roots that give the same objects, and what their paths call the difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from quotalint.gitops.roots import Root

_KINDS = frozenset(
    (
        *("CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "ReplicationController", "StatefulSet"),
        *("LimitRange", "PersistentVolumeClaim", "ResourceQuota", "Service"),
        *("Application", "ApplicationSet", "HelmRelease", "Kustomization"),
    )
)
"""Kinds that tell clusters apart. Namespaces, roles and the like are given by many roots for one cluster."""
_MOST = 32  # roots that share an object; more of them need not be compared with each other

Key = tuple[str, ...]


class Group(NamedTuple):
    """Roots that cannot be applied to one cluster."""

    labels: Mapping[int, str]
    """By the number of the root, what sets its path apart."""
    namespaces: tuple[str, ...]
    """Where they put objects."""


def groups(roots: Sequence[Root]) -> tuple[Group, ...]:
    """The roots that conflict: of the smaller one, at least half is given by the other as well."""
    folders = [_keys(root) for root in roots]
    shared: Counter[tuple[int, int]] = Counter()
    holders: dict[Key, list[int]] = {}
    for number, keys in enumerate(folders):
        for key in keys:
            before = holders.setdefault(key, [])
            shared.update((other, number) for other in before)
            if len(before) < _MOST:
                before.append(number)
    leader = list(range(len(roots)))
    for (one, other), common in shared.items():
        if 2 * common >= min(len(folders[one]), len(folders[other])):
            leader[_lead(leader, other)] = _lead(leader, one)
    members: dict[int, list[int]] = {}
    for number in range(len(roots)):
        members.setdefault(_lead(leader, number), []).append(number)
    return tuple(_group(numbers, folders) for numbers in members.values() if len(numbers) > 1)


def _keys(root: Root) -> dict[Key, str]:
    """The objects that must be one of their kind in a cluster, with the folder that gives each."""
    return {
        (part.destination, *obj.ref): part.rendering.folder
        for part in root.parts
        for obj in part.rendering.objects
        if obj.kind in _KINDS and obj.name
    }


def _lead(leader: list[int], number: int) -> int:
    while leader[number] != number:
        leader[number] = leader[leader[number]]
        number = leader[number]
    return number


def _group(numbers: Sequence[int], folders: Sequence[Mapping[Key, str]]) -> Group:
    common = Counter(key for number in numbers for key in folders[number])
    paths = [next(folder for key, folder in folders[number].items() if common[key] > 1) for number in numbers]
    labels = dict(zip(numbers, _labels(paths), strict=True))
    namespaces = {key[3] for number in numbers for key in folders[number] if key[3]}
    return Group(labels, tuple(sorted(namespaces)))


def _labels(paths: Sequence[str]) -> Iterator[str]:
    """The segments in which the paths differ."""
    split = [path.split("/") for path in paths]
    before = _common(split)
    after = _common([segments[before:][::-1] for segments in split])
    for segments in split:
        label = "/".join(segments[before : len(segments) - after])
        yield label or segments[-1] or "."


def _common(split: Sequence[Sequence[str]]) -> int:
    """How many segments at the beginning are the same."""
    number = 0
    for segments in zip(*split, strict=False):
        if len(set(segments)) > 1:
            break
        number += 1
    return number
