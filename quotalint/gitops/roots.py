"""What is applied by itself, and everything that it brings along: a root is a folder that nothing else deploys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from quotalint.gitops.context import nowhere
from quotalint.gitops.deployers import is_deployer
from quotalint.gitops.layout import Kustomization, Layout
from quotalint.gitops.rendering import IN_CLUSTER, Rendering
from quotalint.gitops.units import Units
from quotalint.kube.objects import Object

_MAX_PARTS = 20_000  # Applications of Applications without end
_MAX_LOOKS = 1_000_000  # at objects, from all roots together: each of a thousand may deploy the other ones
_LIST_FIELDS = frozenset({"apiVersion", "kind", "metadata", "resources", "bases"})


class Part(NamedTuple):
    """A rendering on its way to a cluster."""

    rendering: Rendering
    destination: str
    """The cluster; empty: the one that the root is applied to."""
    is_deployed: bool = True
    """By an object; else by whoever applies the root."""


class Root(NamedTuple):
    """A folder that is applied, and what the objects in it deploy."""

    folder: str
    parts: tuple[Part, ...]
    """Its own objects first, unless it deploys them itself."""
    is_kustomization: bool

    @property
    def brought(self) -> frozenset[str]:
        """The folders and files of what its objects deploy."""
        deployed = (part.rendering for part in self.parts if part.is_deployed)
        return frozenset(name for one in deployed for name in (*one.units, *one.used))


Deployed = Callable[[Object], "tuple[Rendering, ...]"]


def roots(layout: Layout, units: Units, deployed: Deployed) -> tuple[tuple[Root, ...], tuple[str, ...]]:
    """The roots, and the folders of kustomizations that only list what is deployed one by one."""
    follow = _Follower(deployed)
    found = [_root(units.kustomization(folder), True, follow) for folder in layout.roots]
    found += [_root(units.plain(folder), False, follow) for folder in sorted(layout.plain)]
    brought = [root.brought for root in found]
    by_anyone = Counter(name for names in brought for name in names)
    kept: list[Root] = []
    cut_off: list[Root] = []
    lists: list[str] = []
    for root, mine in zip(found, brought, strict=True):
        by_others = _Others(by_anyone, mine)
        if not root.is_kustomization:
            left = [name for name in layout.plain[root.folder] if name not in by_others]
            if len(left) < len(layout.plain[root.folder]):
                cut_off.append(root)
                root = _root(units.files(left, root.folder), False, follow)
            if left:
                kept.append(root)
        elif root.folder in by_others:
            cut_off.append(root)
        elif _only_lists(layout.kustomizations[root.folder], by_others):
            lists.append(root.folder)
        else:
            kept.append(root)
    return (*kept, *_of_cycles(kept, cut_off)), tuple(lists)


class _Others(NamedTuple):
    """What roots other than one of them bring."""

    by_anyone: Counter[str]
    mine: frozenset[str]

    def __contains__(self, name: object) -> bool:
        return self.by_anyone[str(name)] > (name in self.mine)


def _of_cycles(kept: Sequence[Root], cut_off: Sequence[Root]) -> list[Root]:
    """Of roots that deploy each other, the first."""
    reached = {name for root in kept for name in root.brought}
    found = []
    for root in cut_off:
        own = root.parts[0].rendering
        if root.folder not in reached and not own.used <= reached:
            found.append(root)
            reached |= root.brought | own.units | own.used
    return found


def _only_lists(found: Kustomization, brought: _Others) -> bool:
    """It gathers what is deployed one by one; that it lists it as well makes no second copy."""
    return (
        bool(found.directories)
        and not found.files
        and _LIST_FIELDS.issuperset(found.body)
        and all(folder in brought for folder in found.directories)
    )


def _root(own: Rendering, is_kustomization: bool, follow: _Follower) -> Root:
    root = Root(own.folder, follow(own), is_kustomization)
    # What deploys its own folder is started by hand, once; from then on what it deploys counts.
    brought = root.brought
    if own.folder in brought and own.used <= brought | {own.folder}:
        return root._replace(parts=root.parts[1:])
    kept = tuple(obj for obj in own.objects if obj.place.made is not None or obj.place.source not in brought)
    return root._replace(parts=(Part(own._replace(objects=kept), "", False), *root.parts[1:]))


class _Follower:
    """What an own rendering deploys, and that deploys, and so on, as far as there is an end."""

    def __init__(self, deployed: Deployed) -> None:
        self._deployed = deployed
        self._left = _MAX_LOOKS

    def __call__(self, own: Rendering) -> tuple[Part, ...]:
        parts = [Part(own, "", False)]
        seen = set()
        for part in parts:  # grows while it is walked through
            self._left -= len(part.rendering.objects)
            for obj in filter(is_deployer, part.rendering.objects):
                key = (obj.ref, obj.place.real, part.destination)
                if key in seen:
                    continue
                if len(parts) > _MAX_PARTS or self._left < 0:
                    reason = f"{obj.kind} {obj.name} is not followed: too much deploys too much here"
                    return (*parts, Part(nowhere(obj, reason, ""), part.destination))
                seen.add(key)
                parts += [Part(one, _destination(one, part.destination)) for one in self._deployed(obj)]
        return tuple(parts)


def _destination(one: Rendering, above: str) -> str:
    # Applications live beside Argo CD, wherever what they deploy goes.
    return "" if one.destination == IN_CLUSTER else one.destination or above
