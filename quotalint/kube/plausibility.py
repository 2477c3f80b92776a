"""Valid but implausible amounts: bytes instead of mebibytes, CPUs instead of thousandths."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache

from quotalint.kube import quantity
from quotalint.kube.amounts import amount
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

_ONE = 10**9  # a quantity counts in units of 10^-9
_MEGABYTE = 10**6 * _ONE
_APART, _THOUSAND, _BINARY_THOUSAND = 300, 1000, 1024
_MANY_CPUS = 100 * _ONE
_WRITTEN = lazy_pattern(r"\s*([+]?[0-9.]+)([A-Za-z]*)\s*")
_LARGER = {"m": "Mi", "k": "M", "Ki": "Mi", "": ""}
_MANY = {"cpu": _MANY_CPUS, "memory": (100 << 30) * _ONE, "ephemeral-storage": (1 << 40) * _ONE}
_USELESS = {"cpu": 9 * _ONE // 1000, "memory": (8 << 20) * _ONE}
"""Limits with which nothing can run: the kernel gives at least one millisecond per tenth of a second."""
_ALIKE, _CERTAINLY = 20, 4
NEIGHBOURS = 2
"""How many other containers are needed for comparison; they must agree within a factor of twenty."""
_SMALL_NUMBER = 16 * _ONE  # gibibytes; no namespace has fewer mebibytes


class Absurd(NamedTuple):
    """An amount that was certainly not meant."""

    variant: str
    meaning: str
    """Its value in words."""
    meant: str
    """The amount that was probably meant."""


def unit_of(resource: str) -> str:
    """`cpu` or `bytes`, the unit of a resource; empty for counts, huge pages and devices."""
    if "hugepages" in resource:
        return ""
    last = resource.rpartition("/")[2].removeprefix("requests.").removeprefix("limits.")
    if resource.rpartition("/")[1]:
        return "bytes" if last == "storage" and ".storageclass.storage.k8s.io" in resource else ""
    return "bytes" if last in ("memory", "storage", "ephemeral-storage") else "cpu" if last == "cpu" else ""


def _parts_of(resource: str, written: object) -> tuple[Quantity, str, str, str] | None:
    """The parsed amount, the unit of the resource, and the number and suffix as they are written."""
    return _parts_of_scalar(resource, written) if isinstance(written, Hashable) else None


# A repository has only a few dozen different amounts.
@lru_cache(maxsize=1024, typed=True)
def _parts_of_scalar(resource: str, written: Hashable) -> tuple[Quantity, str, str, str] | None:
    value, unit, match = amount(written), unit_of(resource), _WRITTEN.fullmatch(str(written))
    if not isinstance(value, Quantity) or value.nano <= 0 or not unit or match is None:
        return None
    return value, unit, match[1], match[2]


def absurd_amount(resource: str, written: object, neighbours: Mapping[str, object]) -> Absurd | None:
    """Why an amount cannot be meant, considered alone; `neighbours` are the other amounts in its list."""
    parts = _parts_of(resource, written)
    if parts is None:
        return None
    value, unit, number, suffix = parts
    if unit == "cpu":
        if not suffix.endswith("i"):
            return None
        meant = f"{number}m" if suffix == "Mi" else number
        return Absurd("binary", f"{quantity.decimal(value)} CPUs", meant)
    if value.nano >= _MEGABYTE:
        if suffix not in ("m", "u", "n"):
            return None
        whole = -(-value.nano // _ONE)
        mebibytes, remainder = divmod(whole, 1 << 20)
        return Absurd("default", f"{quantity.decimal(value)} bytes", str(whole) if remainder else f"{mebibytes}Mi")
    meaning = "1 byte" if value.nano == _ONE else f"{quantity.decimal(value)} bytes"
    larger = _LARGER.get(suffix, "Mi") or _suffix_of(resource, value, neighbours)
    return Absurd("default", meaning, f"{number}{larger}")


def _suffix_of(resource: str, value: Quantity, neighbours: Mapping[str, object]) -> str:
    """The missing suffix: that of another amount of bytes in the list, else one that gives a usual value."""
    for name, written in neighbours.items():
        match = _WRITTEN.fullmatch(str(written))
        if name != resource and unit_of(name) == "bytes" and match and match[2] in ("Mi", "Gi", "Ti", "M", "G", "T"):
            return match[2]
    is_disk = "storage" in resource and "ephemeral" not in resource
    return "Gi" if value.nano < _SMALL_NUMBER or is_disk else "Mi"


def thousandfold_amount(resource: str, written: object, others: Sequence[int]) -> Absurd | None:
    """The mistake if an amount is a thousand times the `others` (sorted, in 10^-9 units) or a thousandth of them, and
    would be similar with another suffix; else None. One in ten of the others may be wrong too. Large amounts count only
    for CPU and memory, because one disk may be a thousand times another."""
    outlier, value = far_amount(resource, written, others), amount(written)
    if outlier is None or not isinstance(value, Quantity) or value.nano < others[len(others) // 2]:
        return outlier
    too_many = unit_of(resource) == "cpu" and value.nano >= _MANY_CPUS
    return outlier if too_many or "memory" in resource else None


def among_containers(path: tuple[str, str], written: object, others: Sequence[int], *, meant_so: bool) -> Absurd | None:
    """Whether a container's amount (field and resource) differs from `others` as in `thousandfold_amount`, while the
    others agree. It must exceed what nodes usually have, or be a limit with which nothing can run. `meant_so`: signs
    that it is intended; then it must exceed that several times."""
    side, resource = path
    outliers = len(others) // 10
    value, largest_usual = amount(written), _MANY.get(resource)
    if len(others) < NEIGHBOURS or others[-1 - outliers] > _ALIKE * others[outliers] or largest_usual is None:
        return None
    outlier = far_amount(resource, written, others)
    if outlier is None or not isinstance(value, Quantity):
        return None
    if value.nano > others[outliers]:
        return outlier if value.nano >= largest_usual * (_CERTAINLY if meant_so else 1) else None
    return outlier if side == "limits" and not meant_so and value.nano <= _USELESS.get(resource, 0) else None


def without_memory(name: str, written: object, beside: Mapping[str, object]) -> Absurd | None:
    """The mistake if an amount of CPUs has so little memory beside it in its list that thousandths must be meant."""
    parts = _parts_of(name, written)
    if parts is None or parts[1] != "cpu" or parts[3] or parts[0].nano < _MANY_CPUS:
        return None
    is_only = sum(unit_of(entry) == "cpu" for entry in beside) == 1
    others = ("memory", "requests.memory", "limits.memory") if is_only else ()
    sides = [entry for entry in (f"{name.removesuffix('cpu')}memory", *others) if entry in beside]
    memory = amount(beside[sides[0]]) if sides else None
    if not isinstance(memory, Quantity):
        return None
    each = memory.nano * _ONE // parts[0].nano  # bytes for each CPU, in 10^-9 units
    if not _LEAST_MEMORY <= each * _THOUSAND <= _MOST_MEMORY:
        return None
    words = quantity.show(Quantity(-(-each // (_ONE << 20)) * (_ONE << 20), quantity.BINARY_SI))
    return Absurd("memory", f"{words} of memory for each CPU ({sides[0]} {beside[sides[0]]})", f"{parts[2]}m")


_LEAST_MEMORY, _MOST_MEMORY = (128 << 20) * _ONE, (32 << 30) * _ONE
"""What people give to one CPU; a thousandth of it is a mistake."""


def is_extreme(side: str, resource: str, nano: int) -> bool:
    """Whether a container's amount (in 10^-9 units) is extreme enough for `among_containers`."""
    return nano >= _MANY.get(resource, nano + 1) or (side == "limits" and nano <= _USELESS.get(resource, 0))


def far_amount(resource: str, written: object, others: Sequence[int]) -> Absurd | None:
    """The finding for an amount that is a thousand times the `others` (sorted, in 10^-9 units) or a thousandth, of any
    size; else None. One in ten of the others may be wrong too."""
    parts = _parts_of(resource, written)
    if parts is None:
        return None
    value, unit, number, suffix = parts
    outliers = len(others) // 10
    low, high = others[outliers], others[-1 - outliers]
    step = _THOUSAND if unit == "cpu" else _BINARY_THOUSAND
    if value.nano >= _APART * high and low <= 2 * value.nano // step <= 4 * high:
        return Absurd("apart", f"{value.nano // high} times", _meant_amount(number, suffix, unit, -1))
    if value.nano * _APART <= low and low <= 2 * value.nano * step <= 4 * high:
        return Absurd("apart", f"1/{low // value.nano} of", _meant_amount(number, suffix, unit, 1))
    return None


def _meant_amount(number: str, suffix: str, unit: str, by: int) -> str:
    steps = ("m", "", "k") if unit == "cpu" else ("", "Ki", "Mi", "Gi", "Ti", "Pi")
    decimal = suffix in ("k", "M", "G", "T") and unit == "bytes"
    steps = ("", "k", "M", "G", "T", "P") if decimal else steps
    at = steps.index(suffix) + by if suffix in steps else -1
    return f"{number}{steps[at]}" if 0 <= at < len(steps) else "another unit"
