"""The line of a file that a finding is about, with carets under the place."""

from __future__ import annotations

from quotalint.reports.terminal import Terminal, columns, safe
from quotalint.text.place import Span

_TAB = 4


def lines_of(data: bytes) -> tuple[str, ...]:
    """The lines of a file as spans count them: they end at a line feed alone. None of what is no text."""
    if b"\0" in data:
        return ()
    return tuple(line.removesuffix("\r") for line in data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").split("\n"))


def excerpt(lines: tuple[str, ...], span: Span, label: str, style: str, to: Terminal) -> list[str]:
    """The first line of the span and the carets below it with the label; nothing where the file has no such line."""
    if not 1 <= span.line <= len(lines) or not lines[span.line - 1].strip():
        return []
    line = lines[span.line - 1].rstrip()
    start = min(span.column - 1, len(line))
    end = min(span.end_column - 1, len(line)) if span.end_line == span.line else len(line)
    number = str(span.line)
    room = max(30, to.width - len(number) - 6)
    before, within, after = _cut(_cells(line[:start]), _cells(line[start:end]), _cells(line[end:]), room)
    carets = "^" * max(1, columns(within))
    indent = " " * columns(before)
    margin = " " * len(number)
    under = f"{carets} {safe(label)}".rstrip()
    return [
        f"   {to.paint(f'{number} |', 'dim')} {before}{within}{after}",
        f"   {margin} {to.paint('|', 'dim')} {indent}{to.paint(under, style)}",
    ]


def _cells(text: str) -> str:
    return safe(text.replace("\t", " " * _TAB))


def _cut(before: str, within: str, after: str, room: int) -> tuple[str, str, str]:
    """The three parts of the line, shortened around the carets until they fit."""
    if columns(before) + columns(within) + columns(after) <= room:
        return before, within, after
    within = _head(within, room * 2 // 3)
    free = room - columns(within)
    before = _tail(before, max(free // 2, free - columns(after)))
    return before, within, _head(after, free - columns(before))


def _head(text: str, room: int) -> str:
    if columns(text) <= room:
        return text
    kept = text[: max(0, room - 1)]
    while columns(kept) > room - 1 and kept:
        kept = kept[:-1]
    return kept + "…"


def _tail(text: str, room: int) -> str:
    if columns(text) <= room:
        return text
    kept = text[len(text) - max(0, room - 1) :]
    while columns(kept) > room - 1 and kept:
        kept = kept[1:]
    return "…" + kept
