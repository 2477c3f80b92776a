"""Values of Terraform: what JSON has, and what is unknown here."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.named_tuples import NamedTuple
from quotalint.runtime import budget
from quotalint.text.digits import whole_number
from quotalint.text.lazy_patterns import lazy_pattern


class RefusedError(Exception):
    """Terraform would refuse the expression."""


class Unknown(NamedTuple):
    """A value, or a text with parts, that is not written in the repository."""

    text: str
    """What stands for it in a manifest: its expression in `${…}`, between the known parts of a text."""
    causes: tuple[str, ...]
    """What it depends on: `var.team`, `data.aws_ssm_parameter.cpu.value`."""


TOO_MUCH = "files of Terraform expand to too much"


def unknowns_in(value: object) -> Iterator[Unknown]:
    """All unknown values in a value."""
    budget.spend(1 / budget.VALUES, TOO_MUCH)
    if isinstance(value, Unknown):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from unknowns_in(inner)


def causes_in(value: object) -> tuple[str, ...]:
    """What a value depends on that is unknown."""
    return tuple(dict.fromkeys(cause for unknown in unknowns_in(value) for cause in unknown.causes))


def plain_value(value: object) -> object:
    """The value with texts in place of what is unknown."""
    budget.spend(1 / budget.VALUES, TOO_MUCH)
    if isinstance(value, Unknown):
        return value.text
    if isinstance(value, dict):
        return {key: plain_value(inner) for key, inner in value.items()}
    return [plain_value(inner) for inner in value] if isinstance(value, list) else value


def with_unknowns(value: object, causes: tuple[str, ...]) -> object:
    """The opposite of `plain_value`, after a text was decoded."""
    if isinstance(value, str):
        return Unknown(value, causes) if causes and "${" in value else value
    if isinstance(value, dict):
        return {key: with_unknowns(inner, causes) for key, inner in value.items()}
    return [with_unknowns(inner, causes) for inner in value] if isinstance(value, list) else value


def as_text(value: object) -> str:
    """A primitive value as a string."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else format(value, ".15g")
    if isinstance(value, (int, str)):
        return str(value)
    raise RefusedError("a list or map is no text")


def as_number(value: object) -> int | float:
    """A number, or a string that is one."""
    if isinstance(value, str):
        if not _NUMBER.fullmatch(value):
            raise RefusedError(f"{value[:40]!r} is no number")
        number = whole_number(value)
        return as_number(float(value)) if number is None else number
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value - value != 0:  # infinite, or no number
        raise RefusedError("it is no number")
    return int(value) if value == int(value) else value


_NUMBER = lazy_pattern(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def as_condition(value: object) -> bool:
    """A boolean, or a string that is one."""
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return value == "true"
    raise RefusedError("it is neither true nor false")


def item_of(value: object, key: object) -> object:
    """The value at a key or index."""
    if isinstance(value, Unknown):
        return value
    if isinstance(key, Unknown):
        return key
    if isinstance(value, dict):
        name = as_text(key)
        if name in value:
            return value[name]
        raise RefusedError(f"there is no {name[:60]}")
    if isinstance(value, list):
        index = as_number(key)
        if isinstance(index, int) and -len(value) <= index < len(value):
            return value[index]
        raise RefusedError(f"there is no item {as_text(key)[:60]}")
    raise RefusedError("it has no attributes")
