"""Overlays that take the place of another: `production/eu-1` that of `production`, where both build on one base."""

from __future__ import annotations

from collections.abc import Iterable

from quotalint.gitops.roots import Root
from quotalint.gitops.units import is_within


def stand_ins(root: Root, others: Iterable[Root]) -> bool:
    """Whether one of the other roots is applied instead of a root: an overlay below it, of the same base or with the
    same objects."""
    if not root.is_kustomization or not root.folder or not root.parts:
        return False
    own = root.parts[0].rendering
    bases = own.units - {root.folder}
    names = {obj.ref for obj in own.objects}
    for other in others:
        if not other.is_kustomization or not other.parts or other.folder == root.folder:
            continue
        if is_within(other.folder, root.folder):
            theirs = other.parts[0].rendering
            if bases & theirs.units or names & {obj.ref for obj in theirs.objects}:
                return True
    return False
