"""Text for a terminal: colours, width, and no control characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from quotalint.named_tuples import NamedTuple

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}
SEVERITY_STYLES = {"error": "red", "warning": "yellow", "info": "blue"}


class Terminal(NamedTuple):
    """The device that shows a text report."""

    color: bool = False
    bars: bool = False
    """Draw bars: it is a terminal, not a program that reads columns."""
    width: int = 100
    """The width in columns."""
    wraps: bool = False
    """Wrap lines at the width. Otherwise lines stay whole, so that they can be searched."""

    def paint(self, text: str, *styles: str) -> str:
        """The text in these styles, if colours are on."""
        if not self.color or not text:
            return text
        return f"\x1b[{';'.join(_STYLES[style] for style in styles)}m{text}\x1b[0m"


def safe_text(text: str) -> str:
    """The text with escapes for characters that would move a cursor, change a colour, break a line or turn the writing
    direction, and for lone surrogates."""
    return text if text.isprintable() else _unsafe_characters().sub(lambda match: ascii(match[0])[1:-1], text)


@cache
def _unsafe_characters() -> re.Pattern[str]:
    return re.compile(
        "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
    )


def column_width(text: str) -> int:
    """How many columns the text takes: two for wide East Asian characters, none for combining ones."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def align_left(text: str, width: int) -> str:
    """The text, filled up on its right."""
    return text + " " * (width - column_width(text))


def align_right(text: str, width: int) -> str:
    """The text, filled up on its left."""
    return " " * (width - column_width(text)) + text


def align_rows(rows: Sequence[Sequence[str]], to_the_right: Iterable[int] = ()) -> list[str]:
    """Rows of cells as lines: columns as wide as their content, two spaces between them, nothing behind them."""
    numbers = frozenset(to_the_right)
    widths = [max(map(column_width, cells)) for cells in zip(*rows, strict=True)]
    return [
        "  ".join(
            align_right(cell, width) if index in numbers else align_left(cell, width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def wrap_text(text: str, width: int) -> Iterator[str]:
    """The text in lines of at most this many columns, broken at spaces; a longer word stands alone on its line."""
    line = ""
    for word in text.split():
        if line and column_width(line) + 1 + column_width(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def wrap_paragraph(text: str, width: int, first: str = "", then: str = "") -> str:
    """The text in lines of this width, the first behind `first` and the others behind `then`."""
    lines = list(wrap_text(text, max(20, width - max(column_width(first), column_width(then)))))
    return "\n".join((first + lines[0], *(then + line for line in lines[1:]))).rstrip()


def count_noun(number: int, singular: str, plural: str = "") -> str:
    """`1 file`, `2 files`."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"
