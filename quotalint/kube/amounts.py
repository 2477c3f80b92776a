"""Resource lists as manifests write them → exact amounts, as the API server stores them; and back: amounts as
people write them, 34Gi rather than 34560Mi, of which a repair names the nearest that does."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from quotalint.kube import quantity
from quotalint.kube.quantity import BINARY_SI, DECIMAL_SI, BadQuantity, Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Path

# What a template engine would have replaced: ${VAR}, $(VAR), $VAR, {{ … }}, <% … %>, @VAR@, __VAR__; of the last two
# only those in capitals within a longer text.
_PLACEHOLDER = lazy_pattern(
    r"\$\{|\$\(|^\$[A-Za-z_]|\{\{|<%|^@[A-Za-z_]+@$|^__[A-Za-z_]+__$|^<[^<>]+>$|@[A-Z][A-Z0-9_]*@|__[A-Z][A-Z0-9_]*__"
)
# What people write where another name is to stand. A name in capitals can be none, nor can one in which a part has them
# (`SERVICE_NAME-dev`); of valid ones, those that say so.
_STAND_IN = lazy_pattern(
    r"(^|-)[A-Z][A-Z0-9]*(_[A-Z0-9]+)+(-|$)|^[A-Z]{2,}$|^\[.*\]$|^%.+%$|^\*{2,}.*[A-Za-z].*\*{2,}$"
    r"|(?i:^(change|replace|fill)[-_ ]?(me|this|in)$)"
    r"|(?i:^(your|insert|enter|replace)[-_](your[-_])?(name|namespace|ns|team|project|tenant))"
)
_STAND_IN_WORDS = frozenset(
    ("CHANGE", "CHANGEME", "CLUSTER", "CUSTOMER", "ENV", "NAME", "NAMESPACE", "PROJECT", "REPLACE", "TEAM", "TENANT")
)
"""Parts of a name such as `tenant-REPLACE-prod`."""


class UnknownAmount(NamedTuple):
    """A value that cannot be known here: a placeholder nobody replaced, or something that is no amount."""

    path: Path
    reason: str
    unreadable: str = ""
    """In the API server's words, why it refuses whatever this stands in; empty for a placeholder."""
    for_all: str = ""
    """The whole reason as a clause, where it is the same for every object that has it."""


def is_placeholder(value: object) -> bool:
    """Whether a value is (or holds) something that a template engine would replace."""
    return isinstance(value, str) and _holds_placeholder(value)


def is_stand_in(value: object) -> bool:
    """Whether a name stands where somebody was to write another: a placeholder, `CHANGEME`, `TEAM_NAME`."""
    return isinstance(value, str) and _stands_for_another(value)


# Of every object its name and namespace are asked about, several times.
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
    """What a resource list says."""

    known: dict[str, Quantity]
    unknowns: tuple[UnknownAmount, ...] = ()
    """What of it is no quantity."""


_NOTHING_LISTED = Listed({})


def amounts(value: object, path: Path) -> Listed:
    """A resource list, which stands at the path."""
    if value is None:  # as half of them are
        return _NOTHING_LISTED
    if not isinstance(value, dict):
        return Listed({}, (UnknownAmount(path, "is not a mapping of resource names to quantities"),))
    result = {}
    unknowns: list[UnknownAmount] = []
    for name, written in value.items():
        parsed = amount(written)
        if isinstance(parsed, Quantity):
            result[name] = parsed
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
    # `kind` keeps 1, 1.0 and True apart in the cache.
    parsed = quantity.parse(value)
    return quantity.stored_quantity(parsed) if isinstance(parsed, Quantity) else parsed


_ONE = 10**9
_MILLI = 10**6
_CPU_STEPS = ((1000, (1,)), (10_000, (50, 125)), (100_000, (500,)))
"""Below so many thousandths of a core, the distances between those that people write; from there on whole cores."""
_BINARY, _DECIMAL = 1024, 1000
_WHOLE_FROM = 10  # of a unit: above, nobody writes a fraction of it


def rounded_up(resource: str, amount: Quantity) -> Quantity:
    """The least amount that people write and that is not below this one: at most an eighth more. Numbers of objects and
    devices stay as they are, but whole."""
    steps, format_ = _round_steps(resource, amount)
    return Quantity(min(-(-amount.nano // step) * step for step in steps), format_)


def rounded_down(resource: str, amount: Quantity) -> Quantity:
    """The largest that is not above this one."""
    steps, format_ = _round_steps(resource, amount)
    return Quantity(max(amount.nano // step * step for step in steps), format_)


def is_bytes(resource: str) -> bool:
    """Whether a resource is counted in bytes."""
    return resource.endswith(("memory", "storage")) or "hugepages-" in resource


def _round_steps(resource: str, amount: Quantity) -> tuple[tuple[int, ...], str]:
    """The distances, in 10^-9 units, between the amounts that people write of about this size, and how they write."""
    if is_bytes(resource):
        # Bytes without a suffix are seldom meant as powers of ten.
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
