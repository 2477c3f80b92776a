"""Which namespaces the files around a file speak of: those that something unreadable may concern."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from quotalint.gitops.roots import Root


def nearby_namespaces(names: Iterable[str], roots: Iterable[Root]) -> dict[str, tuple[str, ...]]:
    """By file those of the objects in its folder; if nothing else is there, the one that is called like it."""
    folders = {name: posixpath.dirname(name) for name in names}
    namespaces_by_folder: dict[str, set[str]] = {}
    for root in roots if folders else ():
        for part in root.parts:
            for obj in part.rendering.objects:
                own = obj.name if obj.kind == "Namespace" else obj.namespace
                if own:
                    namespaces_by_folder.setdefault(posixpath.dirname(obj.place.real.source), set()).add(own)
    return {
        name: tuple(sorted(namespaces_by_folder.get(folder) or {posixpath.basename(folder)} - {""}))
        for name, folder in folders.items()
    }
