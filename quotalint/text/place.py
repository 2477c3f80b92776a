"""Where something stands: a symbolic place that rules carry, and the concrete span it becomes once."""

from __future__ import annotations

from typing import NamedTuple

Path = tuple[str | int, ...]
"""The way from the root of a document to a value: mapping keys and sequence indexes."""


class Place(NamedTuple):
    """A value in a file, named without line numbers; the only thing rules know of position."""

    source: str
    """The file as the report names it (relative, `/`-separated), or `<stdin>`."""
    document: int = 0
    """Which document of the file, counted from 0."""
    path: Path = ()

    def at(self, *path: str | int) -> Place:
        """The place of something below this one."""
        return Place(self.source, self.document, self.path + path)


class Span(NamedTuple):
    """A stretch of a file. Lines and columns count from 1; the end is exclusive, as editors show it."""

    line: int
    column: int
    end_line: int
    end_column: int
