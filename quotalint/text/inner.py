"""Manifests as text inside other manifests, with template actions (`{{ … }}`) in them."""

from __future__ import annotations

import re
from collections.abc import Callable

from quotalint.text.lazy_patterns import lazy_pattern

_ACTION = lazy_pattern(r"\{\{.*?\}\}", re.DOTALL)
_MASK = lazy_pattern(r"\$\(_+\)")
_ONLY_ACTIONS = lazy_pattern(r"(?m)^([ \t]*)\{\{[^\n]*\}\}[ \t]*$")


def mask_actions(text: str) -> bytes:
    """The text as YAML with unchanged positions: an action becomes a placeholder of the same width, and a line of only
    actions a comment."""
    if "{{" not in text:
        return text.encode("utf-8", "replace")
    lines = _ONLY_ACTIONS.sub(lambda match: match[1] + "#" + " " * (len(match[0]) - len(match[1]) - 1), text)
    return _ACTION.sub(_placeholder_of, lines).encode("utf-8", "replace")


def _placeholder_of(action: re.Match[str]) -> str:
    if "\n" in action[0]:
        return re.sub(r"[^\n]", " ", action[0])
    return f"$({'_' * (len(action[0]) - 3)})"  # plain text in every YAML context


def show_operator_actions(value: object) -> object:
    """A value with the Flux Operator's actions (`<< … >>`) written as `{{ … }}`, with unchanged positions."""

    def show(text: str) -> str:
        return text.replace("<<", "{{").replace(">>", "}}") if "<<" in text and ">>" in text else text

    return _change_texts(value, show)


def show_masked(value: object) -> object:
    """The value of a masked text, with `{{…}}` for each placeholder."""
    return _change_texts(value, lambda text: _MASK.sub("{{…}}", text))


def _change_texts(value: object, change: Callable[[str], str]) -> object:
    """A value with all texts changed, including keys."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_change_texts(item, change) for item in value]
    if isinstance(value, dict):
        return {_change_texts(key, change): _change_texts(below, change) for key, below in value.items()}
    return value
