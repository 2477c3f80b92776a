"""Amounts as people write them: 34Gi rather than 34560Mi. A repair names the nearest of these that does."""

from __future__ import annotations

from quotalint.kube.quantity import BINARY_SI, DECIMAL_SI, Quantity

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
