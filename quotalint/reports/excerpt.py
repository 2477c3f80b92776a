"""The line of a file that a finding is about, with carets under the place."""

from __future__ import annotations

from quotalint.reports.terminal import Terminal, column_width, safe_text, wrap_text
from quotalint.text.place import Span


def lines_of(data: bytes) -> tuple[str, ...]:
    """The lines of a file as spans count them: only a line feed ends a line. Empty for a binary file."""
    if b"\0" in data:
        return ()
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return tuple(line.removesuffix("\r") for line in text.split("\n"))


def excerpt_lines(lines: tuple[str, ...], span: Span, label: str, style: str, to: Terminal) -> list[str]:
    """The first line of the span, and carets with the label below it; empty if the file has no such line."""
    if not 1 <= span.line <= len(lines) or not lines[span.line - 1].strip():
        return []
    line = lines[span.line - 1].rstrip()
    start = min(span.column - 1, len(line))
    end = max(start, min(span.end_column - 1, len(line)) if span.end_line == span.line else len(line))
    number = str(span.line)
    room = max(40, to.width - len(number) - 6)
    before, within, after = _shorten_line(
        # A line may be a whole minified file: text further away than this is never shown.
        _shown_text(line[max(0, start - 2 * room) : start]),
        _shown_text(line[start : min(end, start + 2 * room)]),
        _shown_text(line[end : end + 2 * room]),
        room,
    )
    indent = " " * column_width(before)
    carets = "^" * max(1, column_width(within))
    margin = f"   {' ' * len(number)} {to.paint('|', 'dim')} "
    label = safe_text(label)
    fits_beside = column_width(indent + carets) + 1 + column_width(label) <= room
    below = [] if fits_beside else [margin + "  " + to.paint(text, style) for text in wrap_text(label, room - 2)]
    under = f"{carets} {label}" if label and fits_beside else carets
    return [
        f"   {to.paint(f'{number} |', 'dim')} {before}{within}{after}".rstrip(),
        margin + indent + to.paint(under, style),
        *below,
    ]


def _shown_text(text: str) -> str:
    return safe_text(text.replace("\t", "    "))


def _shorten_line(before: str, within: str, after: str, room: int) -> tuple[str, str, str]:
    """The three parts of the line, shortened around the carets until they fit."""
    # An empty span has a caret too, behind the last character if need be.
    if column_width(before) + max(1, column_width(within) + column_width(after)) <= room:
        return before, within, after
    within = _shorten_end(within, room * 2 // 3)
    free = room - max(1, column_width(within))
    before = _shorten_start(before, max(free // 2, free - column_width(after)))
    return before, within, _shorten_end(after, free - column_width(before))


def _shorten_end(text: str, room: int) -> str:
    if column_width(text) <= room:
        return text
    shortened = text[: max(0, room - 1)]
    while shortened and column_width(shortened) > room - 1:
        shortened = shortened[:-1]
    return shortened + "…"


def _shorten_start(text: str, room: int) -> str:
    if column_width(text) <= room:
        return text
    shortened = text[max(0, len(text) - room + 1) :]
    while shortened and column_width(shortened) > room - 1:
        shortened = shortened[1:]
    return "…" + shortened
