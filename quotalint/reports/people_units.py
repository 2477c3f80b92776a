"""Amounts as people write them: one unit for all that are compared, and whole numbers of pods rather than `1k`."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.kube.amounts import is_bytes
from quotalint.kube.quantity import BINARY_SI, Quantity

_ONE = 10**9
_BINARY = tuple((1024**power, suffix) for power, suffix in ((5, "Pi"), (4, "Ti"), (3, "Gi"), (2, "Mi"), (1, "Ki")))
_DECIMAL = tuple((1000**power, suffix) for power, suffix in ((5, "P"), (4, "T"), (3, "G"), (2, "M")))
_PLACES = 3  # digits behind the point that are still read at a glance


def in_one_unit(resource: str, amounts: Sequence[Quantity | None]) -> list[str]:
    """The amounts of a resource, in the largest unit that says each of them exactly with three digits behind the point
    at most; empty where there is none."""
    written_amounts = [amount for amount in amounts if amount is not None]
    size, suffix = _common_unit(resource, written_amounts)
    return ["" if amount is None else _show_amount(amount.nano, size, suffix) for amount in amounts]


def in_people_units(resource: str, amount: Quantity) -> str:
    """One amount by itself."""
    return in_one_unit(resource, [amount])[0]


def _common_unit(resource: str, quantities: Sequence[Quantity]) -> tuple[int, str]:
    """How much of 10^-9 units one unit is, and what it is called."""
    amounts = [amount.nano for amount in quantities if amount.nano]
    if is_bytes(resource) or any(amount.format == BINARY_SI for amount in quantities):
        binary = any(amount.format == BINARY_SI for amount in quantities)
        largest = max((abs(nano) for nano in amounts), default=0)
        for size, suffix in _BINARY if binary else _DECIMAL:
            if size * _ONE <= largest and all(_is_short(nano, size * _ONE) for nano in amounts):
                return size * _ONE, suffix
    if any(nano % _ONE for nano in amounts):
        return (_ONE // 1000, "m") if not any(nano % (_ONE // 1000) for nano in amounts) else (1, "n")
    return _ONE, ""


def _is_short(nano: int, size: int) -> bool:
    return bool((nano * 10**_PLACES) % size == 0)


def _show_amount(nano: int, size: int, suffix: str) -> str:
    if not nano:
        return "0"
    sign, whole = ("-" if nano < 0 else ""), abs(nano)
    decimals = whole % size * 10**_PLACES // size
    digits = f".{decimals:0{_PLACES}d}".rstrip("0") if decimals else ""
    return f"{sign}{whole // size}{digits}{suffix}"
