"""The lines of a document that is edited, and how keys and values are written between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import takewhile

from quotalint.named_tuples import NamedTuple
from quotalint.text.scalars import UnreadableError, plain, plain_keys


class Writer(NamedTuple):
    """A text that is edited, and how things are written in it."""

    text: str
    json: bool

    def line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Where the line break is, or the text ends."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def column(self, offset: int) -> int:
        return offset - self.line_start(offset)

    def begins_line(self, offset: int) -> bool:
        return not self.text[self.line_start(offset) : offset].strip()

    def comments_above(self, offset: int) -> list[str]:
        """The lines directly above the line of an offset that are comments, from the lowest up."""
        lines = self.text[: self.line_start(offset)].split("\n")[-2::-1]
        return [*takewhile(lambda line: line.lstrip().startswith("#"), lines)]

    def is_one_line(self, start: int, end: int) -> bool:
        return "\n" not in self.text[start:end]

    def key(self, name: str, quote: str = "") -> str:
        """A key, in quotes where they are asked for or needed."""
        if self.json or quote == '"':
            return _double_quoted(name)
        if quote == "'":
            return _single_quoted(name)
        return name if _PLAIN.fullmatch(name) and plain_keys[name] == name else _double_quoted(name)

    def scalar(self, value: object, quote: str = "") -> str:
        """A value; one that would not stay itself without quotes gets them."""
        if not isinstance(value, str):
            return str(value)
        if self.json or quote == '"':
            return _double_quoted(value)
        if quote == "'":
            return _single_quoted(value)
        return value if _PLAIN.fullmatch(value) and plain_meaning(value) == value else _double_quoted(value)

    def flow(self, value: object) -> str:
        if not isinstance(value, Mapping):
            return self.scalar(value)
        return "{" + ", ".join(f"{self.key(key)}: {self.flow(below)}" for key, below in value.items()) + "}"

    def block(self, key: str, value: object, column: int) -> str:
        """The lines of an entry; the first one is indented already, and no line break ends the last."""
        if not isinstance(value, Mapping):
            return f"{self.key(key)}: {self.scalar(value)}"
        below = (self.block(inner_key, under, column + 2) for inner_key, under in value.items())
        return f"{self.key(key)}:" + "".join(f"\n{' ' * (column + 2)}{line}" for line in below)


def plain_meaning(value: str) -> object:
    """What a word means without quotes; None where it means nothing."""
    try:
        return plain[value]
    except UnreadableError:
        return None


_PLAIN = re.compile(r"[A-Za-z0-9/][A-Za-z0-9/._-]*")


def _double_quoted(value: str) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _single_quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
