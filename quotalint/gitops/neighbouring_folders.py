"""Folders of plain manifests beside each other → whether both are applied to the same environments, by what they are
called."""

from __future__ import annotations

import posixpath
from collections.abc import Set

from quotalint.gitops.fixtures import is_generated, why_fixture
from quotalint.gitops.labels import Label, tells_apart


def are_applied_alike(folder: str, other: str, label: Label, telling: Set[str]) -> bool:
    """Whether a folder is applied where another one is that lies beside it, of which the path says `label`: neither is
    called like a stage, a fixture, or anything `telling` that names environments elsewhere."""
    parent = posixpath.dirname(folder)
    if posixpath.dirname(other) != parent or is_generated(folder):
        return False
    # What hides that one of them is a fixture may not hide it of the other.
    if why_fixture(other, (), (), label) or why_fixture(posixpath.basename(folder), (), (), ()):
        return False
    names = {posixpath.basename(folder), posixpath.basename(other)}
    return telling.isdisjoint(names) and not any(tells_apart(parent, name) for name in names)
