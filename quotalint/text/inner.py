"""Manifests that stand as text in another one, with actions of a template in them (`{{ … }}`)."""

from __future__ import annotations

import re

_ACTION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_MASK = re.compile(r"\$\(_+\)")
_ONLY_ACTIONS = re.compile(r"(?m)^([ \t]*)\{\{[^\n]*\}\}[ \t]*$")


def mask_actions(text: str) -> bytes:
    """The text as YAML in which everything stands where it stood: an action becomes a placeholder of the same width,
    and a line of nothing but actions a comment."""
    if "{{" not in text:
        return text.encode("utf-8", "replace")
    lines = _ONLY_ACTIONS.sub(lambda match: match[1] + "#" + " " * (len(match[0]) - len(match[1]) - 1), text)
    return _ACTION.sub(_placeholder_of, lines).encode("utf-8", "replace")


def _placeholder_of(action: re.Match[str]) -> str:
    if "\n" in action[0]:
        return re.sub(r"[^\n]", " ", action[0])
    return f"$({'_' * (len(action[0]) - 3)})"  # plain text to YAML in every position


def show_operator_actions(value: object) -> object:
    """What the Flux Operator fills in (`<< … >>`) as actions like any other, each character where it stood."""
    if isinstance(value, str):
        return value.replace("<<", "{{").replace(">>", "}}") if "<<" in value and ">>" in value else value
    if isinstance(value, list):
        return [show_operator_actions(item) for item in value]
    if isinstance(value, dict):
        return {show_operator_actions(key): show_operator_actions(inner_value) for key, inner_value in value.items()}
    return value


def show_masked(value: object) -> object:
    """What was read of a masked text, with actions that look like actions."""
    if isinstance(value, str):
        return _MASK.sub("{{…}}", value)
    if isinstance(value, list):
        return [show_masked(item) for item in value]
    if isinstance(value, dict):
        return {show_masked(key): show_masked(inner_value) for key, inner_value in value.items()}
    return value
