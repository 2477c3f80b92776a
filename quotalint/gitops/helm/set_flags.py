"""Parses the syntax of `--set`: `web.ports[0].name=a,list={x,y}` (helm pkg/strvals/parser.go)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress

_MAX_INDEX = 65536
_MAX_DEPTH = 30


class ParameterError(ValueError):
    """`--set` would refuse the text; the message says why."""


class _EndError(Exception):
    """The text ends at a position that Helm accepts as the end."""


def with_parameters(values: Mapping[str, object], written: str, *, is_string: bool = False) -> dict[str, object]:
    """The values after setting those of a `--set` text; with `is_string`, of a `--set-string` text.

    Raises ParameterError if helm would refuse the text.
    """
    result = _copy_values(values)
    reader = _ParameterReader(written, is_string=is_string)
    with suppress(_EndError):
        while not reader.is_at_end:
            _read_key(reader, result, 0)
    return result


def _copy_values(values: Mapping[str, object]) -> dict[str, object]:
    """A copy that may be changed: mappings and lists are new, their scalars shared."""
    return {key: _copied_value(value) for key, value in values.items()}


def _copied_value(value: object) -> object:
    if isinstance(value, Mapping):
        return _copy_values(value)
    return list(map(_copied_value, value)) if isinstance(value, (list, tuple)) else value


class _ParameterReader:
    """Reads a text character by character."""

    def __init__(self, text: str, *, is_string: bool) -> None:
        self.text = text
        self.position = 0
        self.is_string = is_string

    @property
    def is_at_end(self) -> bool:
        return self.position >= len(self.text)

    def read_until(self, stops: str) -> tuple[str, str]:
        """The text before one of these characters, without escaping backslashes, and that character; empty at the
        end."""
        taken: list[str] = []
        while not self.is_at_end:
            character = self.text[self.position]
            self.position += 1
            if character in stops:
                return "".join(taken), character
            if character == "\\":
                if self.is_at_end:
                    break
                character = self.text[self.position]
                self.position += 1
            taken.append(character)
        return "".join(taken), ""

    def accept_character(self, character: str) -> bool:
        """Whether the next character is this one; if so, it is skipped."""
        is_next = self.text.startswith(character, self.position)
        self.position += is_next
        return is_next

    def typed_value(self, text: str) -> object:
        if self.is_string:
            return text
        lower = text.lower()
        if lower in ("true", "false"):
            return lower == "true"
        if lower == "null":
            return None
        if text == "0":
            return 0
        # More digits do not fit into 64 bits.
        is_number = re.fullmatch(r"[+-]?[0-9]{1,25}", text) is not None and not text.startswith("0")
        return int(text) if is_number and -(2**63) <= int(text) < 2**63 else text


def _read_key(reader: _ParameterReader, values: dict[str, object], depth: int) -> None:
    key, last = reader.read_until("=[,.")
    if last == "":
        if not key:
            raise _EndError
        raise ParameterError(f"key {key} has no value")
    if last == "[":
        index = _read_index(reader)
        items = values.get(key, [])
        if not isinstance(items, list):
            raise ParameterError(f"{key} is not a list")
        items = list(items)
        try:
            items = _read_item(reader, items, index, depth)
        finally:
            _put_value(values, key, items)
    elif last == "=":
        is_empty = reader.is_at_end
        _put_value(values, key, _read_value(reader))
        if is_empty:
            raise _EndError
    elif last == ",":
        raise ParameterError(f"key {key} has no value (cannot end with ,)")
    else:
        if depth >= _MAX_DEPTH:
            raise ParameterError(f"value name nested level is greater than {_MAX_DEPTH}")
        inner = values.get(key)
        if inner is None:
            inner = {}
        if not isinstance(inner, dict):
            raise ParameterError(f"{key} is not a map")
        try:
            _read_key(reader, inner, depth + 1)
        finally:
            if inner:
                _put_value(values, key, inner)
        if not inner:
            raise ParameterError(f"key map {key} has no value")


def _put_value(values: dict[str, object], key: str, value: object) -> None:
    if key:
        values[key] = value


def _read_index(reader: _ParameterReader) -> int:
    written, last = reader.read_until("]")
    if not last:
        raise _EndError
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", written):
        raise ParameterError(f"error parsing index: {written}")
    index = int(written)
    if not 0 <= index <= _MAX_INDEX:
        raise ParameterError(f"the index {index} is out of bounds")
    return index


def _read_item(reader: _ParameterReader, items: list[object], index: int, depth: int) -> list[object]:
    key, last = reader.read_until("[.=")
    if key:
        raise ParameterError(f"unexpected data at end of array index: {key}")
    existing = items[index] if index < len(items) else None
    if last == "=":
        return _with_item(items, index, _read_value(reader))
    if last == "[":
        below = existing if existing is not None else []
        if not isinstance(below, list):
            raise ParameterError(f"the value at {index} is not a list")
        return _with_item(items, index, _read_item(reader, list(below), _read_index(reader), depth))
    if last == ".":
        inner = existing if isinstance(existing, dict) else {}
        _read_key(reader, inner, depth)
        return _with_item(items, index, inner)
    return items  # the text ends here; nothing is set


def _with_item(items: list[object], index: int, value: object) -> list[object]:
    items += [None] * (index + 1 - len(items))
    items[index] = value
    return items


def _read_value(reader: _ParameterReader) -> object:
    if reader.is_at_end:
        return ""
    if not reader.accept_character("{"):
        return reader.typed_value(reader.read_until(",")[0])
    items = []
    while True:
        text, last = reader.read_until(",}")
        if not last:
            raise ParameterError("list must terminate with '}'")
        items.append(reader.typed_value(text))
        if last == "}":
            reader.accept_character(",")
            return items
