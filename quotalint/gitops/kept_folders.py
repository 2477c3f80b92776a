"""What folders came to on which another one builds, as bytes: where a file has changed, the others are not built again.

An overlay may list hundreds of folders. Each of them is kept with what was looked at for it.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from typing import Any

from quotalint.gitops.kustomize.build import AccumulatedFolder, Built
from quotalint.gitops.kustomize.kustomize_resource import GroupVersionKind, Id, Resource, id_of
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.kustomize.transformer_config import KNOWN
from quotalint.gitops.plain_places import is_written, origin_of, plain_origin, plain_place
from quotalint.gitops.plain_problems import plain_problem, problem_of
from quotalint.gitops.tree import ANYTHING, CHART, Tree
from quotalint.text.place import Place

_MOST = 1_500_000
"""Bytes: whoever asks for anything that is noted of a state reads all of them."""

PackedFolders = dict[tuple[str, str], tuple[tuple[str, ...], str, bytes]]
"""By folder and the namespace that is given to it: who lists it, what was looked at for it, and what it came to."""


class KeptFolders:
    """What folders came to. A class because it remembers what it was asked for."""

    def __init__(self, packed: bytes, holds: Callable[[frozenset[str]], bool]) -> None:
        """`holds` says of what was looked at for a folder whether it is as it was."""
        self._packed = packed
        self._holds = holds
        self._given: list[str] = []

    @cached_property
    def _folders(self) -> PackedFolders:
        try:
            return dict(marshal.loads(self._packed)) if self._packed else {}
        except (ValueError, TypeError, EOFError):
            return {}

    def folder(self, folder: str, namespace: str) -> AccumulatedFolder | None:
        """What a folder came to in a namespace, where that still holds."""
        packed = self._folders.get((folder, namespace))
        if packed is None:
            return None
        listed_by, names, packed_build = packed
        read = _names(names)
        if not self._holds(read):
            return None
        try:
            build, cost = marshal.loads(packed_build)
            accumulated = AccumulatedFolder(listed_by, folder, namespace, read, _built_of(*build), cost)
        except (ValueError, TypeError, EOFError):
            return None
        self._given.append(folder)
        return accumulated

    def listed_below(self, folders: Iterable[str]) -> PackedFolders:
        """Those that these list, or one that was given: nobody has built them, and all of them still hold."""
        listed: PackedFolders = {}
        above = {*folders, *self._given}
        while above:
            below = {key: of for key, of in self._folders.items() if key not in listed and not above.isdisjoint(of[0])}
            listed.update(below)
            above = {folder for folder, _ in below}
        return listed


def pack_folders(folders: Iterable[AccumulatedFolder], tree: Tree, others: PackedFolders) -> bytes:
    """Folders of a tree, and others, as bytes, the smallest first and the largest left out; empty where there are none.
    Left out is also where something is no plain value, or was reached through a link, or by who does not ask the tree.
    """
    packed = dict(others)
    with tree.listening():  # whoever looks for links builds nothing
        for of in folders:
            if all(name == tree.canonical_name(name) and not _is_elsewhere(name) for name in of.read):
                with suppress(ValueError):
                    build = marshal.dumps((_plain_built(of.built), of.cost))
                    packed[of.folder, of.namespace] = (of.listed_by, "\0".join(sorted(of.read)), build)
    chosen, room = PackedFolders(), _MOST
    for key, (listed_by, names, build) in sorted(packed.items(), key=lambda item: (len(item[1][-1]), item[0])):
        room -= len(names) + len(build)
        if room >= 0:
            chosen[key] = listed_by, names, build
    return marshal.dumps(chosen) if chosen else b""


def _is_elsewhere(name: str) -> bool:
    return name == ANYTHING or name.startswith(CHART)


def _names(joined: str) -> frozenset[str]:
    return frozenset(joined.split("\0"))


def _plain_built(built: Built) -> tuple[Any, ...]:
    return list(map(_plain_resource, built.resources)), list(map(plain_problem, built.problems)), tuple(built.used)


def _built_of(resources: Iterable[Any], problems: Iterable[Any], used: Iterable[str]) -> Built:
    return Built(tuple(map(_resource_of, resources)), tuple(map(problem_of, problems)), frozenset(used), KNOWN)


def _plain_resource(resource: Resource) -> tuple[Any, ...]:
    traced, own, previous, prefixes, suffixes, behavior, is_hashed, via, patches, variables = resource
    if not is_written(traced.origin) or own != id_of(traced):
        raise ValueError("not as a build leaves it")
    ids = [(*identity.kind, identity.name, identity.namespace) for identity in previous]
    ways = tuple(map(plain_place, via)), tuple(map(plain_place, patches))
    return traced.value, plain_origin(traced.origin), ids, prefixes, suffixes, behavior, is_hashed, *ways, variables


def _resource_of(plain: tuple[Any, ...]) -> Resource:
    value, origin, ids, prefixes, suffixes, behavior, is_hashed, via, patches, variables = plain
    traced = Traced(value, origin_of(origin))
    previous = tuple(
        Id(GroupVersionKind(group, version, kind), name, namespace) for group, version, kind, name, namespace in ids
    )
    resource = Resource(traced, id_of(traced), previous, prefixes, suffixes, behavior, is_hashed, variables=variables)
    return resource._replace(via=tuple(Place(*at) for at in via), patches=tuple(Place(*at) for at in patches))
