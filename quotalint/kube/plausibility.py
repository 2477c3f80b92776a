"""Amounts that are valid and absurd: bytes that were to be mebibytes, CPUs that were to be thousandths."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from quotalint.kube import quantity
from quotalint.kube.amounts import amount
from quotalint.kube.quantity import Quantity

_ONE = 10**9  # a quantity counts in units of 10^-9
_MEGABYTE = 10**6 * _ONE
_APART, _THOUSAND, _BINARY_THOUSAND = 300, 1000, 1024
_MANY_CPUS = 100 * _ONE
_WRITTEN = re.compile(r"\s*([+]?[0-9.]+)([A-Za-z]*)\s*")
_LARGER = {"m": "Mi", "k": "M", "Ki": "Mi", "": ""}
_SMALL_NUMBER = 16 * _ONE  # of gibibytes; nobody gives a namespace fewer mebibytes


class Absurd(NamedTuple):
    """An amount that nobody can have meant."""

    variant: str
    meaning: str
    """What it is, in words."""
    meant: str
    """What was probably meant."""


def unit_of(resource: str) -> str:
    """`cpu` or `bytes` for what is measured so; empty for counts, and for what comes in pages or pieces."""
    if "hugepages" in resource:
        return ""
    last = resource.rpartition("/")[2].removeprefix("requests.").removeprefix("limits.")
    if resource.rpartition("/")[1]:
        return "bytes" if last == "storage" and ".storageclass.storage.k8s.io" in resource else ""
    return "bytes" if last in ("memory", "storage", "ephemeral-storage") else "cpu" if last == "cpu" else ""


def absurd(resource: str, written: object, beside: Mapping[str, object]) -> Absurd | None:
    """Why an amount cannot be meant, by itself; `beside` are the other amounts that stand with it."""
    value, unit = amount(written), unit_of(resource)
    found = _WRITTEN.fullmatch(str(written))
    if not isinstance(value, Quantity) or value.nano <= 0 or not unit or found is None:
        return None
    number, suffix = found.groups()
    if unit == "cpu":
        if not suffix.endswith("i"):
            return None
        meant = f"{number}m" if suffix == "Mi" else number
        return Absurd("binary", f"{quantity.decimal(value)} CPUs", meant)
    if value.nano >= _MEGABYTE:
        if suffix not in ("m", "u", "n"):
            return None
        whole = -(-value.nano // _ONE)
        mebibytes, rest = divmod(whole, 1 << 20)
        return Absurd("default", f"{quantity.decimal(value)} bytes", str(whole) if rest else f"{mebibytes}Mi")
    meaning = "1 byte" if value.nano == _ONE else f"{quantity.decimal(value)} bytes"
    larger = _LARGER.get(suffix, "Mi") or _suffix_of(resource, value, beside)
    return Absurd("default", meaning, f"{number}{larger}")


def _suffix_of(resource: str, value: Quantity, beside: Mapping[str, object]) -> str:
    """The unit that was forgotten: that of the same resource beside it, else one that makes the number usual."""
    for name, written in beside.items():
        found = _WRITTEN.fullmatch(str(written))
        if name != resource and unit_of(name) == "bytes" and found and found[2] in ("Mi", "Gi", "Ti", "M", "G", "T"):
            return found[2]
    is_disk = "storage" in resource and "ephemeral" not in resource
    return "Gi" if value.nano < _SMALL_NUMBER or is_disk else "Mi"


def thousandfold(resource: str, written: object, others: Sequence[int]) -> Absurd | None:
    """Whether an amount is a thousand times what `others` (sorted, in units of 10^-9) are, or a thousandth, and would
    be one of them with another unit. One in ten of them may be as wrong."""
    value, unit = amount(written), unit_of(resource)
    found = _WRITTEN.fullmatch(str(written))
    if not isinstance(value, Quantity) or value.nano <= 0 or not unit or found is None:
        return None
    few = len(others) // 10
    low, high = others[few], others[-1 - few]
    number, suffix = found.groups()
    step = _THOUSAND if unit == "cpu" else _BINARY_THOUSAND
    if value.nano >= _APART * high and low <= 2 * value.nano // step <= 4 * high:
        meant = _meant(number, suffix, unit, -1)
        too_many = unit == "cpu" and value.nano >= _MANY_CPUS
        return Absurd("apart", f"{value.nano // high} times", meant) if too_many or "memory" in resource else None
    if value.nano * _APART <= low and low <= 2 * value.nano * step <= 4 * high:
        return Absurd("apart", f"1/{low // value.nano} of", _meant(number, suffix, unit, 1))
    return None


def _meant(number: str, suffix: str, unit: str, by: int) -> str:
    steps = ("m", "", "k") if unit == "cpu" else ("", "Ki", "Mi", "Gi", "Ti", "Pi")
    decimal = suffix in ("k", "M", "G", "T") and unit == "bytes"
    steps = ("", "k", "M", "G", "T", "P") if decimal else steps
    at = steps.index(suffix) + by if suffix in steps else -1
    return f"{number}{steps[at]}" if 0 <= at < len(steps) else "another unit"
