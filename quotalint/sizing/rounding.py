"""Amounts as people write them: 250m, 1500m, 12Gi. What is needed is rounded up to one, never down."""

from __future__ import annotations

from quotalint.kube.quantity import BINARY_SI, DECIMAL_SI, Quantity
from quotalint.kube.resources import is_extended_quota
from quotalint.named_tuples import NamedTuple

CPU, BYTES, DEVICES, COUNT = "cpu", "bytes", "devices", "count"
"""What an entry of `hard` is measured in."""

_ONE = 10**9
_MILLI = 10**6
_CPU_STEPS = ((100, 10), (500, 50), (1000, 100), (5000, 500), (20_000, 1000), (100_000, 5000))
"""Below so many thousandths of a core amounts are so many thousandths apart; above, they have two digits."""
_COUNT_STEPS = ((20, 1), (100, 5))
_LEAST_BYTES = 1 << 20
_GIBI, _TEBI = 1 << 30, 1 << 40


class Margin(NamedTuple):
    """What is added to what is needed: so many hundredths of it, as a fraction, so that it is exact."""

    numerator: int
    denominator: int = 1

    def above(self, needed: Quantity) -> Quantity:
        """What is needed and the headroom, in 10^-9 units rounded up."""
        whole = 100 * self.denominator
        return Quantity(-(-needed.nano * (whole + self.numerator) // whole), needed.format)


def measure(name: str) -> str:
    """What an entry of `hard` is measured in."""
    resource = name.removeprefix("requests.").removeprefix("limits.")
    if resource == "cpu":
        return CPU
    if resource in ("memory", "storage", "ephemeral-storage") or resource.startswith("hugepages-"):
        return BYTES
    if name.endswith(".storageclass.storage.k8s.io/requests.storage"):
        return BYTES
    return DEVICES if is_extended_quota(name) else COUNT


def rounded_up(name: str, needed: Quantity, like: Quantity | None = None) -> Quantity:
    """The least amount that people write and that is enough; `like` is the one that is written now, whose way of
    writing is kept: powers of ten, or of two."""
    kind = measure(name)
    if needed.nano <= 0:
        return Quantity(0, needed.format)
    if kind == CPU:
        return _to_step(needed.nano, _step_of(_CPU_STEPS, -(-needed.nano // _MILLI)) * _MILLI, DECIMAL_SI)
    if kind == BYTES:
        decimal = like is not None and like.nano >= _LEAST_BYTES * _ONE and like.format != BINARY_SI
        size = max(-(-needed.nano // _ONE), 1)
        step = _two_digits(size) if decimal else _binary_step(size)
        return _to_step(needed.nano, max(step, 10**6 if decimal else _LEAST_BYTES) * _ONE, *_format(decimal=decimal))
    number = -(-needed.nano // _ONE)
    return _to_step(needed.nano, (1 if kind == DEVICES else _step_of(_COUNT_STEPS, number)) * _ONE, DECIMAL_SI)


def _format(*, decimal: bool) -> tuple[str]:
    return (DECIMAL_SI if decimal else BINARY_SI,)


def _to_step(nano: int, step: int, format_: str) -> Quantity:
    return Quantity(-(-nano // step) * step, format_)


def _step_of(steps: tuple[tuple[int, int], ...], amount: int) -> int:
    return next((step for below, step in steps if amount < below), _two_digits(amount))


def _two_digits(amount: int) -> int:
    """The step of numbers of two digits and zeros."""
    return int(10 ** max(0, len(str(amount)) - 2))


def _binary_step(size: int) -> int:
    """A quarter of the power of two below; from 8Gi on, people write whole numbers of gibibytes, then of tebibytes."""
    for unit in (_TEBI, _GIBI):
        if size >= 8 * unit:
            return unit * _step_of(_COUNT_STEPS, -(-size // unit))
    return 1 << max(0, size.bit_length() - 3)
