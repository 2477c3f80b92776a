"""Sums and comparisons of amounts by resource name; every function returns a new list.

Source: k8s.io/apiserver 1.34, pkg/quota/v1/resources.go.
"""

from collections.abc import Container, Iterable, Mapping
from typing import TypeAlias

from quotalint.kube import quantity
from quotalint.kube.quantity import ZERO, Quantity

ResourceList: TypeAlias = Mapping[str, Quantity]


def add(a: ResourceList, b: ResourceList) -> dict[str, Quantity]:
    """a + b; a name in only one list keeps its amount (quota.Add)."""
    return total((a, b))


def subtract(a: ResourceList, b: ResourceList) -> dict[str, Quantity]:
    """a - b; a name only in `b` becomes negative (quota.Subtract)."""
    result = dict(a)
    for name, amount in b.items():
        result[name] = quantity.subtract(result.get(name, ZERO), amount)
    return result


def total(lists: Iterable[ResourceList]) -> dict[str, Quantity]:
    """The sum of all lists."""
    result: dict[str, Quantity] = {}
    for resources in lists:
        for name, amount in resources.items():
            result[name] = quantity.add(result[name], amount) if name in result else amount
    return result


def multiply(a: ResourceList, n: int) -> dict[str, Quantity]:
    """Each amount times `n`."""
    return {name: quantity.multiply(amount, n) for name, amount in a.items()}


def maximum(a: ResourceList, b: ResourceList) -> dict[str, Quantity]:
    """The larger amount of each name; of equal ones that of `b` (quota.Max)."""
    result = dict(a)
    for name, amount in b.items():
        if name not in result or result[name].nano <= amount.nano:
            result[name] = amount
    return result


def mask(a: ResourceList, names: Container[str]) -> dict[str, Quantity]:
    """The amounts of the given names (quota.Mask)."""
    return {name: amount for name, amount in a.items() if name in names}


def remove_zeros(a: ResourceList) -> dict[str, Quantity]:
    """The list without the amounts that are zero (quota.RemoveZeros)."""
    return {name: amount for name, amount in a.items() if amount.nano}


def nano_by_name(a: ResourceList) -> dict[str, int]:
    """The amounts in units of 10^-9, so that equal amounts are equal in every spelling."""
    return {name: amount.nano for name, amount in a.items()}


def exceeded_names(a: ResourceList, hard: ResourceList) -> tuple[str, ...]:
    """The sorted names for which `a` exceeds `hard`; `hard` allows any amount of other names.

    The names that quota.LessThanOrEqual returns.
    """
    return tuple(sorted(name for name, limit in hard.items() if name in a and a[name].nano > limit.nano))


def show(a: ResourceList) -> str:
    """The list as refusals print it, sorted: `cpu=1,memory=2Gi` (prettyPrint of admission/plugin/resourcequota)."""
    return ",".join(f"{name}={quantity.show(a[name])}" for name in sorted(a))
