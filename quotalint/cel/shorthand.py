"""Syntax of policies beyond CEL's grammar, and its translation to CEL with a mapping of offsets.

- `namespace`, which CEL reserves, is a variable.
- `has(quota["limits.memory"])` asks for a key, as `has(quota.pods)` does.
- A label or annotation that is not there reads as an empty text; `has(namespace.labels.tier)` tells the difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.cel.cel_tokens import NAME, Token, closing, is_root, tokens_of
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

_NAMESPACE = "_amespace"  # the same length
_FIELD = lazy_pattern(r"[a-zA-Z0-9_.\-/ ]+\Z")  # characters that are allowed in backticks


class Spelled(NamedTuple):
    """An expression as the engine reads it."""

    text: str
    written: str
    """The original expression."""
    moved: tuple[tuple[int, int], ...]
    """Pairs of offsets: from this one in `text`, the other in `written` applies."""

    def origin(self, offset: int) -> int:
        """The offset in `written` for an offset in `text`."""
        text_offset, written_offset = next(pair for pair in reversed(self.moved) if pair[0] <= offset)
        return min(written_offset + offset - text_offset, len(self.written))


class _Change(NamedTuple):
    start: int
    end: int
    text: str


def spell_out(expression: str) -> Spelled:
    """The CEL for a policy's expression."""
    tokens = tokens_of(expression)
    pieces: list[str] = []
    moved = [(0, 0)]
    at = length = 0
    for change in sorted(_changes(tokens)):
        for piece, start in ((expression[at : change.start], at), (change.text, change.start)):
            moved.append((length, start))
            pieces.append(piece)
            length += len(piece)
        at = change.end
        moved.append((length, at))
    pieces.append(expression[at:])
    return Spelled("".join(pieces), expression, tuple(moved))


def with_policy_names(message: str) -> str:
    """The engine's message with the names of the original expression."""
    return message.replace(_NAMESPACE, "namespace")


def _changes(tokens: Sequence[Token]) -> Iterator[_Change]:
    asked = set(_positions_of_keys(tokens))
    for index, token in enumerate(tokens):
        if token.text == "namespace" and is_root(tokens, index):
            yield _Change(token.start, token.end, _NAMESPACE)
        elif index in asked:
            key = tokens[index + 1].plain
            if key and _FIELD.match(key):
                yield _Change(token.start, tokens[index + 2].end, f".`{key}` ")
        elif token.text in ("labels", "annotations") and index and tokens[index - 1].text == ".":
            yield from _read_text(tokens, index, asked)


def _positions_of_keys(tokens: Sequence[Token]) -> Iterator[int]:
    """The positions of `["key"]` inside `has()`."""
    for index, token in enumerate(tokens):
        if token.text == "has" and tokens[index + 1 : index + 2] and tokens[index + 1].text == "(":
            end = closing(tokens, index + 1)
            if end - index > 4 and end < len(tokens):
                opening, key, closed = tokens[end - 3 : end]
                if opening.text == "[" and closed.text == "]" and key.plain is not None:
                    yield end - 3


def _read_text(tokens: Sequence[Token], index: int, asked: set[int]) -> Iterator[_Change]:
    """Rewrites `.labels.tier` and `.labels["tier"]`, except directly inside `has()`."""
    behind = tokens[index + 1 : index + 5]
    shape = [token.text for token in behind]
    if len(shape) > 1 and shape[0] == "." and behind[1].kind == NAME:
        after = shape[2] if len(shape) > 2 else ""
        if after != "(" and not (after == ")" and _closes_has(tokens, index + 3)):
            yield _Change(behind[0].start, behind[1].end, f'.at("{shape[1]}")')
    elif (
        len(shape) > 2 and (shape[0], shape[2]) == ("[", "]") and index + 1 not in asked and behind[1].plain is not None
    ):
        yield _Change(behind[0].start, behind[2].end, f".at({shape[1]})")


def _closes_has(tokens: Sequence[Token], end: int) -> bool:
    """Whether the bracket that closes here belongs to `has()`."""
    return any(
        token.text == "has" and tokens[index + 1].text == "(" and closing(tokens, index + 1) == end
        for index, token in enumerate(tokens[:end])
        if index + 1 < len(tokens)
    )
