"""Lines and columns as the Language Server Protocol counts them: from 0, and in UTF-16 code units."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Span


class Position(NamedTuple):
    """A point between two characters."""

    line: int
    character: int


class Range(NamedTuple):
    """A stretch of text."""

    start: Position
    end: Position


def range_of(span: Span, lines: list[str]) -> Range:
    """A span of a report, in a file of these lines; what lies beyond them ends at the end of a line."""
    return Range(_position(span.line, span.column, lines), _position(span.end_line, span.end_column, lines))


def _position(line: int, column: int, lines: list[str]) -> Position:
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return Position(max(line - 1, 0), utf16_length(text[: max(column - 1, 0)]))


def utf16_length(text: str) -> int:
    """How many code units a text has."""
    return len(text) + sum(character > "\uffff" for character in text)
