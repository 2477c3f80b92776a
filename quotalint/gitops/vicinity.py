"""Which namespaces the files around a file speak of: those that something unreadable may concern."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from quotalint.gitops.roots import Root


class Vicinity:
    """The namespaces by folder, gathered when the first one is asked for."""

    def __init__(self, roots: Iterable[Root]) -> None:
        self._roots = tuple(roots)
        self._known: dict[str, set[str]] | None = None

    def namespaces(self, name: str) -> tuple[str, ...]:
        """Those of the objects in the folder of a file; if nothing else is there, the one that is called like it."""
        folder = posixpath.dirname(name)
        if self._known is None:
            self._known = {}
            for root in self._roots:
                for part in root.parts:
                    for obj in part.rendering.objects:
                        own = obj.name if obj.kind == "Namespace" else obj.namespace
                        if own:
                            self._known.setdefault(posixpath.dirname(obj.place.real.source), set()).add(own)
        return tuple(sorted(self._known.get(folder) or {posixpath.basename(folder)} - {""}))
