"""Overlays that take the place of another: `production/eu-1` that of `production`, `prod` that of `default`, where both
build on one base."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from quotalint.gitops.labels import is_shared
from quotalint.gitops.roots import Root
from quotalint.gitops.units import is_within


def stand_ins(root: Root, others: Iterable[Root]) -> bool:
    """Whether one of the other roots is applied instead of a root: an overlay below it, of the same base or with the
    same objects, or one beside it that gives most of its objects, where it is for all that have none of their own."""
    if not root.is_kustomization or not root.folder or not root.parts:
        return False
    own = root.parts[0].rendering
    bases = own.units - {root.folder}
    names = {obj.ref for obj in own.objects}
    parent, last = posixpath.split(root.folder)
    for other in others:
        if not other.is_kustomization or not other.parts or other.folder == root.folder:
            continue
        theirs = other.parts[0].rendering
        common = names & {obj.ref for obj in theirs.objects}
        if is_within(other.folder, root.folder):
            if bases & theirs.units or common:
                return True
        elif is_shared((last,)) and is_within(other.folder, parent) and 2 * len(common) > len(names):
            return True
    return False
