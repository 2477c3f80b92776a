"""Reads resource lists of manifests into exact amounts, as the API server stores them; and rounds amounts to values
that people write, such as 34Gi instead of 34560Mi."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from quotalint.kube import quantity
from quotalint.kube.quantity import BINARY_SI, DECIMAL_SI, BadQuantity, Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Path

# Placeholders of template engines: ${VAR}, $(VAR), $VAR, {{ … }}, <% … %>, @VAR@, __VAR__; within a longer text, the
# last two only in capitals.
_PLACEHOLDER = lazy_pattern(
    r"\$\{|\$\(|^\$[A-Za-z_]|\{\{|<%|^@[A-Za-z_]+@$|^__[A-Za-z_]+__$|^<[^<>]+>$|@[A-Z][A-Z0-9_]*@|__[A-Z][A-Z0-9_]*__"
)
# Names that stand for another name. A name, or a part of it, in capitals is invalid (`SERVICE_NAME-dev`); among valid
# names, those that say that they must be replaced.
_STAND_IN = lazy_pattern(
    r"(^|-)[A-Z][A-Z0-9]*(_[A-Z0-9]+)+(-|$)|^[A-Z]{2,}$|^\[.*\]$|^%.+%$|^\*{2,}.*[A-Za-z].*\*{2,}$"
    r"|(?i:^(change|replace|fill)[-_ ]?(me|this|in)$)"
    r"|(?i:^(your|insert|enter|replace)[-_](your[-_])?(name|namespace|ns|team|project|tenant))"
)
_STAND_IN_WORDS = frozenset(
    ("CHANGE", "CHANGEME", "CLUSTER", "CUSTOMER", "ENV", "NAME", "NAMESPACE", "PROJECT", "REPLACE", "TEAM", "TENANT")
)
"""Parts of a name that stand for another, as in `tenant-REPLACE-prod`."""


class UnknownAmount(NamedTuple):
    """A value that is unknown here: a placeholder, or something that is no amount."""

    path: Path
    reason: str
    unreadable: str = ""
    """The API server's message for the invalid amount; empty for a placeholder."""
    for_all: str = ""
    """The whole reason as a clause, if it is the same for every object that has it."""


def is_placeholder(value: object) -> bool:
    """Whether a value is or contains a placeholder of a template engine."""
    return isinstance(value, str) and _holds_placeholder(value)


def is_stand_in(value: object) -> bool:
    """Whether a name stands for another name: a placeholder, `CHANGEME`, `TEAM_NAME`."""
    return isinstance(value, str) and _stands_for_another(value)


# Each object's name and namespace are checked several times.
@lru_cache(maxsize=4096)
def _holds_placeholder(text: str) -> bool:
    return _PLACEHOLDER.search(text) is not None


@lru_cache(maxsize=4096)
def _stands_for_another(name: str) -> bool:
    if _holds_placeholder(name) or _STAND_IN.search(name) is not None:
        return True
    return not name.islower() and not _STAND_IN_WORDS.isdisjoint(name.split("-"))


def amount(value: object) -> Quantity | BadQuantity:
    """One quantity, rounded up to thousandths as every stored resource list is (SetDefaults_ResourceList)."""
    if isinstance(value, str):
        return _stored_text(value)
    if isinstance(value, Hashable):
        return _stored_scalar(value, type(value).__name__)
    return quantity.parse(value)


class Listed(NamedTuple):
    """The amounts in a resource list."""

    known: dict[str, Quantity]
    unknowns: tuple[UnknownAmount, ...] = ()
    """The values that are no quantities."""


_NOTHING_LISTED = Listed({})


def amounts(value: object, path: Path) -> Listed:
    """The amounts in a resource list at this path."""
    if value is None:  # half of the lists are missing
        return _NOTHING_LISTED
    if not isinstance(value, dict):
        return Listed({}, (UnknownAmount(path, "is not a mapping of resource names to quantities"),))
    result = {}
    unknowns: list[UnknownAmount] = []
    for name, written in value.items():
        parsed = amount(written)
        if isinstance(parsed, Quantity):
            result[name] = parsed
        elif isinstance(written, UnknownAmount):
            unknowns.append(written._replace(path=(*path, name)))
        elif is_placeholder(written):
            unknowns.append(UnknownAmount((*path, name), f"is the placeholder {written!r}"))
        elif is_stand_in(written):
            unknowns.append(UnknownAmount((*path, name), f"stands for an amount: {written!r}", parsed.message))
        else:
            unknowns.append(UnknownAmount((*path, name), f"is not a quantity: {str(written)[:40]!r}", parsed.message))
    return Listed(result, tuple(unknowns))


@lru_cache(maxsize=65536)
def _stored_text(value: str) -> Quantity | BadQuantity:
    parsed = quantity.parse(value)
    return quantity.stored_quantity(parsed) if isinstance(parsed, Quantity) else parsed


@lru_cache(maxsize=4096)
def _stored_scalar(value: Hashable, kind: str) -> Quantity | BadQuantity:
    # `kind` distinguishes 1, 1.0 and True as cache keys.
    parsed = quantity.parse(value)
    return quantity.stored_quantity(parsed) if isinstance(parsed, Quantity) else parsed


_ONE = 10**9
_MILLI = 10**6
_CPU_STEPS = ((1000, (1,)), (10_000, (50, 125)), (100_000, (500,)))
"""Steps between the values that people write, by the upper bound in thousandths of a core; above, whole cores."""
_BINARY, _DECIMAL = 1024, 1000
_WHOLE_FROM = 10  # units: from here on, people write no fractions


def rounded_up(resource: str, amount: Quantity) -> Quantity:
    """The smallest amount that people write and that is not below this one: at most an eighth more. Numbers of objects
    and devices are only rounded to integers."""
    steps, format_ = _round_steps(resource, amount)
    return Quantity(min(-(-amount.nano // step) * step for step in steps), format_)


def rounded_down(resource: str, amount: Quantity) -> Quantity:
    """The largest amount that people write and that is not above this one."""
    steps, format_ = _round_steps(resource, amount)
    return Quantity(max(amount.nano // step * step for step in steps), format_)


def is_bytes(resource: str) -> bool:
    """Whether a resource is counted in bytes."""
    return resource.endswith(("memory", "storage")) or "hugepages-" in resource


def _round_steps(resource: str, amount: Quantity) -> tuple[tuple[int, ...], str]:
    """The steps, in 10^-9 units, between the values that people write near this amount, and their format."""
    if is_bytes(resource):
        # Bytes without a suffix rarely mean powers of ten.
        decimal = amount.format != BINARY_SI and amount.nano % (10**6 * _ONE) == 0
        base = _DECIMAL if decimal else _BINARY
        return tuple(step * _ONE for step in _byte_steps(amount.nano // _ONE, base)), (
            DECIMAL_SI if decimal else BINARY_SI
        )
    if resource.rpartition(".")[2] == "cpu":
        size = amount.nano // _MILLI
        steps = next((steps for below, steps in _CPU_STEPS if size < below), (1000,))
        return tuple(step * _MILLI for step in steps), DECIMAL_SI
    return (_ONE,), DECIMAL_SI


def _byte_steps(size: int, base: int) -> tuple[int, ...]:
    unit = 1
    while size >= unit * base:
        unit *= base
    if unit == 1 or size >= _WHOLE_FROM * unit:
        return (unit,)
    part = unit // base
    return (100 * part, 128 * part) if base == _BINARY else (100 * part,)
