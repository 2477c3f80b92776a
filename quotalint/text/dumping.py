"""Writes values as YAML that Kubernetes reads back unchanged, without characters that control a terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from quotalint.text.guards import MAX_DEPTH
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.scalars import UnreadableError, plain


def dump_yaml(documents: Iterable[Mapping[str, Any]]) -> str:
    """Documents as YAML that Kubernetes reads back unchanged."""
    before = sys.getrecursionlimit()
    # PyYAML recurses for nested values; the reader allows MAX_DEPTH levels.
    sys.setrecursionlimit(max(before, 12 * MAX_DEPTH))
    try:
        text: str = yaml.dump_all(documents, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
    finally:
        sys.setrecursionlimit(before)
    return _CONTROLLING.sub(lambda match: _escape_character(match[0]), text)


# Not a class statement, because PyYAML may be without libyaml's dumper.
_Dumper: type[yaml.SafeDumper] = type(
    "_Dumper",
    (yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper,),
    {"ignore_aliases": lambda *_: True},
)
_WIDTH = (1 << 31) - 1  # PyYAML breaks quoted lines at this width
# Characters that control terminals and CI logs. They are only written in double quotes, which have escapes.
_CONTROLLING = lazy_pattern("##\\[|[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_COMMAND = lazy_pattern(r"^\s*::", re.MULTILINE)


def _escape_character(character: str) -> str:
    return "#\\x23[" if character == "##[" else f"\\u{ord(character):04x}"


def _represent_text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    if _CONTROLLING.search(value) or _COMMAND.search(value):
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style='"')
    if "\n" in value and value.isascii() and not any(line.endswith((" ", "\t")) for line in value.split("\n")):
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|")
    # As a plain scalar it would be another value for Kubernetes, or for a reader of YAML 1.1.
    style = None if _is_plain(value) and value.lower() not in ("y", "n") else "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _is_plain(value: str) -> bool:
    """Whether Kubernetes reads the text unchanged if it is not quoted."""
    try:
        return plain[value] == value
    except UnreadableError:  # `.inf` is a number that JSON does not have
        return False


_Dumper.add_representer(str, _represent_text)
