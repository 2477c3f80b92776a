"""HTML out of pieces: text becomes HTML in one place, where it is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from typing import TypeAlias

from quotalint.named_tuples import NamedTuple
from quotalint.reports.terminal import safe_text
from quotalint.text.lazy_patterns import lazy_pattern


class Html(NamedTuple):
    """Text that is HTML already. All other text is escaped."""

    pieces: tuple[str, ...]
    """One behind the other: what is large is put together once, and not for each element that it is in."""

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.pieces)


Piece: TypeAlias = Html | str
NOTHING = Html(("",))
_SMALL = 2000  # characters that are put together at once, since pieces take memory as well


def element(name: str, /, *inside: Piece, **attributes: str | bool) -> Html:
    """`<name attribute="…">…</name>`. An attribute that is False or empty is left out, one that is True has no value;
    `class_` is class, and `data_x` data-x."""
    end = "\n" if name in _LINES else ""
    start, end = f"<{name}{_attributes_text(attributes)}>", f"</{name}>{end}"
    pieces = join_pieces(inside).pieces
    if len(pieces) == 1 and len(pieces[0]) < _SMALL:
        return Html((f"{start}{pieces[0]}{end}",))
    return Html((start, *pieces, end))


def void(name: str, /, **attributes: str | bool) -> Html:
    """An element that has no content: `<meta …>`."""
    end = "\n" if name in _LINES else ""
    return raw(f"<{name}{_attributes_text(attributes)}>{end}")


def raw(text: str) -> Html:
    """Text that is HTML."""
    return Html((text,))


def join_pieces(pieces: Iterable[Piece], between: str = "") -> Html:
    """All pieces, one behind the other."""
    joined: list[str] = []
    for piece in pieces:
        if between and joined:
            joined.append(between)
        if isinstance(piece, Html):
            joined += piece.pieces
        else:
            joined.append(escape_text(piece))
    if len(joined) == 1 or sum(map(len, joined)) >= _SMALL:
        return Html(tuple(joined))
    return Html(("".join(joined),))


def escape_text(text: str) -> str:
    """The text with HTML escapes, also for quoted attributes. Control characters, characters that change the writing
    direction, and halves of surrogate pairs are written as escapes."""
    return text if _HARMLESS(text) else escape(safe_text(text))


def code(text: str, **attributes: str | bool) -> Html:
    """A name as it is written in a manifest."""
    return element("code", text, **attributes)


def prose(text: str) -> Html:
    """A sentence with plain names between backticks as code. Other backticks stay: they may be part of a name."""
    return join_pieces(code(part[1:-1]) if _PLAIN.fullmatch(part) else part for part in _QUOTED.split(text))


def _attributes_text(attributes: dict[str, str | bool]) -> str:
    return "".join(
        _attribute_name(name) + ("" if value is True else f'="{escape_text(str(value))}"')
        for name, value in attributes.items()
        if value is True or value
    )


@cache
def _attribute_name(name: str) -> str:
    return f" {name.rstrip('_').replace('_', '-')}"


_HARMLESS = lazy_pattern(r"[\w %./:;,()=#+-]*", re.ASCII).fullmatch  # most of what is written: it has nothing to escape
# Behind these a new line begins, so that two pages can be compared.
_LINES = frozenset(
    {
        *("head", "meta", "style", "script", "header", "nav", "form", "main", "section", "details", "summary"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "ul", "ol", "li", "dl", "dt", "dd", "div", "svg"),
        *("table", "caption", "colgroup", "thead", "tbody", "tr", "th", "td", "label", "button"),
    }
)
_QUOTED = lazy_pattern("(`[^`]*`)")
_PLAIN = lazy_pattern(r"`[\w./:=,<>$*()\[\]{}-]+(?: [\w./:=,<>$*()\[\]{}-]+)*`")
