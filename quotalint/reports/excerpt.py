"""The line of a file that a finding is about, with carets under the place."""

from __future__ import annotations

from quotalint.reports.terminal import Terminal, columns, safe, wrapped
from quotalint.text.place import Span


def lines_of(data: bytes) -> tuple[str, ...]:
    """The lines of a file as spans count them: they end at a line feed alone. None of what is no text."""
    if b"\0" in data:
        return ()
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return tuple(line.removesuffix("\r") for line in text.split("\n"))


def excerpt(lines: tuple[str, ...], span: Span, label: str, style: str, to: Terminal) -> list[str]:
    """The first line of the span and the carets below it with the label; nothing where the file has no such line."""
    if not 1 <= span.line <= len(lines) or not lines[span.line - 1].strip():
        return []
    line = lines[span.line - 1].rstrip()
    start = min(span.column - 1, len(line))
    end = max(start, min(span.end_column - 1, len(line)) if span.end_line == span.line else len(line))
    number = str(span.line)
    room = max(40, to.width - len(number) - 6)
    before, within, after = _cut(
        # A line may be a whole minified file: what lies further away than this is never shown.
        _shown(line[max(0, start - 2 * room) : start]),
        _shown(line[start : min(end, start + 2 * room)]),
        _shown(line[end : end + 2 * room]),
        room,
    )
    indent = " " * columns(before)
    carets = "^" * max(1, columns(within))
    margin = f"   {' ' * len(number)} {to.paint('|', 'dim')} "
    label = safe(label)
    beside = columns(indent + carets) + 1 + columns(label) <= room
    below = [] if beside else [margin + "  " + to.paint(text, style) for text in wrapped(label, room - 2)]
    under = f"{carets} {label}" if label and beside else carets
    return [
        f"   {to.paint(f'{number} |', 'dim')} {before}{within}{after}".rstrip(),
        margin + indent + to.paint(under, style),
        *below,
    ]


def _shown(text: str) -> str:
    return safe(text.replace("\t", "    "))


def _cut(before: str, within: str, after: str, room: int) -> tuple[str, str, str]:
    """The three parts of the line, shortened around the carets until they fit."""
    # An empty span has a caret too, behind the last character if need be.
    if columns(before) + max(1, columns(within) + columns(after)) <= room:
        return before, within, after
    within = _head(within, room * 2 // 3)
    free = room - max(1, columns(within))
    before = _tail(before, max(free // 2, free - columns(after)))
    return before, within, _head(after, free - columns(before))


def _head(text: str, room: int) -> str:
    if columns(text) <= room:
        return text
    kept = text[: max(0, room - 1)]
    while kept and columns(kept) > room - 1:
        kept = kept[:-1]
    return kept + "…"


def _tail(text: str, room: int) -> str:
    if columns(text) <= room:
        return text
    kept = text[max(0, len(text) - room + 1) :]
    while kept and columns(kept) > room - 1:
        kept = kept[1:]
    return "…" + kept
