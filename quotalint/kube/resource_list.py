"""Sums and comparisons of amounts by resource name; every function returns a new list.

Source: k8s.io/apiserver 1.34, pkg/quota/v1/resources.go.
"""

from collections.abc import Container, Iterable, Mapping
from typing import TypeAlias

from quotalint.kube import quantity
from quotalint.kube.quantity import ZERO, Quantity

ResourceList: TypeAlias = Mapping[str, Quantity]


def add(a: ResourceList, b: ResourceList) -> dict[str, Quantity]:
    """a + b; a name that only one list has is taken as it is (quota.Add)."""
    return total((a, b))


def subtract(a: ResourceList, b: ResourceList) -> dict[str, Quantity]:
    """a - b; a name that only `b` has becomes negative (quota.Subtract)."""
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
    """The list taken `n` times."""
    return {name: quantity.multiply(amount, n) for name, amount in a.items()}


def maximum(a: ResourceList, b: ResourceList) -> dict[str, Quantity]:
    """The larger amount of every name, of equal ones that of `b` (quota.Max)."""
    result = dict(a)
    for name, amount in b.items():
        if name not in result or result[name].nano <= amount.nano:
            result[name] = amount
    return result


def mask(a: ResourceList, names: Container[str]) -> dict[str, Quantity]:
    """What the list says of the given names (quota.Mask)."""
    return {name: amount for name, amount in a.items() if name in names}


def remove_zeros(a: ResourceList) -> dict[str, Quantity]:
    """The list without the amounts that are zero (quota.RemoveZeros)."""
    return {name: amount for name, amount in a.items() if amount.nano}


def nano_by_name(a: ResourceList) -> dict[str, int]:
    """The amounts as numbers, in units of 10^-9, which are equal however they are written."""
    return {name: amount.nano for name, amount in a.items()}


def exceeded_names(a: ResourceList, hard: ResourceList) -> tuple[str, ...]:
    """The names, sorted, of which `a` has more than `hard` allows; `hard` allows what it does not name.

    The names that quota.LessThanOrEqual returns.
    """
    return tuple(sorted(name for name, limit in hard.items() if name in a and a[name].nano > limit.nano))


def show(a: ResourceList) -> str:
    """`cpu=1,memory=2Gi`, sorted by name, as refusals print lists (prettyPrint of admission/plugin/resourcequota)."""
    return ",".join(f"{name}={quantity.show(a[name])}" for name in sorted(a))
