"""Splits an expression into tokens: enough of CEL's grammar to distinguish names, texts and brackets.

Source: google/cel-spec, doc/langdef.md (Syntax).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

NAME, TEXT, QUOTED_NAME, OTHER = "name", "text", "quoted name", "other"
"""Kinds of tokens; a quoted name is in backticks."""

_TOKEN = lazy_pattern(
    r"""
      (?P<skip>\s+|//[^\n]*)
    | (?P<text>[rR]?[bB]?[rR]?(?:
          \"\"\"(?:\\.|[^\\])*?\"\"\" | '''(?:\\.|[^\\])*?''' | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
      ))
    | (?P<name>[_a-zA-Z][_a-zA-Z0-9]*)
    | (?P<quoted>`[^`\n]*`)
    | (?P<other>\d[\w.]*|==|!=|<=|>=|&&|\|\||.)
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN = lazy_pattern(r"""(?:"([^"\\]*)"|'([^'\\]*)')\Z""")


class Token(NamedTuple):
    """A token, and its offset in characters from 0."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def plain(self) -> str | None:
        """The value of a text without escapes and prefixes; None for other tokens."""
        match = _PLAIN.match(self.text) if self.kind == TEXT else None
        return None if match is None else match[1] if match[1] is not None else match[2]


def tokens_of(expression: str) -> tuple[Token, ...]:
    """The tokens of an expression in order, without spaces and comments. Works for any text."""
    kinds = {"text": TEXT, "name": NAME, "quoted": QUOTED_NAME, "other": OTHER}
    return tuple(
        Token(kinds[match.lastgroup], match[0], match.start())
        for match in _TOKEN.finditer(expression)
        if match.lastgroup and match.lastgroup != "skip"
    )


def is_root(tokens: Sequence[Token], index: int) -> bool:
    """Whether a name is a variable, not a field or function."""
    token = tokens[index]
    before = tokens[index - 1].text if index else ""
    if before == "?" and index > 1 and tokens[index - 2].text == ".":
        return False
    called = index + 1 < len(tokens) and tokens[index + 1].text == "("
    return token.kind == NAME and before != "." and not called


def names(tokens: Sequence[Token]) -> frozenset[str]:
    """Every name, and every text that could be the name of a field."""
    return frozenset(_names(tokens))


def _names(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.kind == NAME:
            yield token.text
        elif token.kind == QUOTED_NAME:
            yield token.text[1:-1]
        elif token.plain is not None:
            yield token.plain


def selected_names(tokens: Sequence[Token], elsewhere: Set[str]) -> frozenset[str]:
    """The names of the fields and keys that are read, except those of the variables `elsewhere`, and except names of
    labels and annotations."""
    selected = set()
    for index, token in enumerate(tokens):
        before = index - 1
        if before > 0 and tokens[before].text == "?":
            before -= 1
        if before < 1:
            continue
        if token.kind in (NAME, QUOTED_NAME) and tokens[before].text == ".":
            if index + 1 < len(tokens) and tokens[index + 1].text == "(":
                continue
        elif token.plain is None or tokens[before].text != "[":
            continue
        if tokens[before - 1].text in _FREE or _root_of(tokens, before - 1) in elsewhere:
            continue
        selected.add(token.text.strip("`") if token.plain is None else token.plain)
    return frozenset(selected)


_FREE = frozenset({"labels", "annotations"})


def _root_of(tokens: Sequence[Token], index: int) -> str:
    """The variable at the beginning of a field selection; empty if it begins with something else."""
    while index >= 2 and tokens[index].kind in (NAME, QUOTED_NAME) and tokens[index - 1].text in (".", "?"):
        index -= 3 if tokens[index - 1].text == "?" else 2
    return tokens[index].text if tokens[index].kind == NAME else ""


def closing(tokens: Sequence[Token], index: int) -> int:
    """The index of the bracket that closes the one at an index; the number of tokens if there is none."""
    depth = 0
    for at in range(index, len(tokens)):
        if tokens[at].kind == OTHER:
            depth += tokens[at].text in ("(", "[", "{")
            depth -= tokens[at].text in (")", "]", "}")
            if depth == 0:
                return at
    return len(tokens)


def uses(tokens: Sequence[Token], variable: str) -> bool:
    """Whether a variable is read, with any spaces around its dots."""
    wanted = re.split(r"(\.)", variable)
    texts = [token.text for token in tokens]
    return any(
        texts[index : index + len(wanted)] == wanted and (not index or texts[index - 1] != ".")
        for index in range(len(texts))
    )
