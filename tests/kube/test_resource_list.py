from collections.abc import Mapping

import pytest
from amounts import amount
from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube import resource_list
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList

NAMES = ("cpu", "memory", "pods", "requests.cpu", "requests.nvidia.com/gpu")
quantities = st.builds(
    Quantity, st.integers(-(10**24), 10**24), st.sampled_from(["DecimalSI", "BinarySI"]), st.just("")
)
lists = st.dictionaries(st.sampled_from(NAMES), quantities)


def amounts(**written: str) -> dict[str, Quantity]:
    return {name: amount(text) for name, text in written.items()}


def values(a: ResourceList) -> dict[str, int]:
    return {name: amount.nano for name, amount in a.items()}


A = amounts(cpu="1500m", memory="1Gi", pods="3", services="0")
B = amounts(cpu="500m", memory="1024Mi", secrets="2")

ALGEBRA: dict[str, tuple[Mapping[str, Quantity], str]] = {
    "add": (resource_list.add(A, B), "cpu=2,memory=2Gi,pods=3,secrets=2,services=0"),
    "subtract": (resource_list.subtract(A, B), "cpu=1,memory=0,pods=3,secrets=-2,services=0"),
    "multiply": (resource_list.multiply(A, 3), "cpu=4500m,memory=3Gi,pods=9,services=0"),
    "multiply by zero": (resource_list.multiply(A, 0), "cpu=0,memory=0,pods=0,services=0"),
    "maximum": (resource_list.maximum(A, B), "cpu=1500m,memory=1Gi,pods=3,secrets=2,services=0"),
    "mask": (resource_list.mask(A, ("pods", "cpu", "unknown")), "cpu=1500m,pods=3"),
    "mask with the names of another list": (resource_list.mask(A, B), "cpu=1500m,memory=1Gi"),
    "remove_zeros": (resource_list.remove_zeros(A), "cpu=1500m,memory=1Gi,pods=3"),
    "total": (resource_list.total([A, B, A]), "cpu=3500m,memory=3Gi,pods=6,secrets=2,services=0"),
    "total of nothing": (resource_list.total([]), ""),
    "a name of one list keeps its spelling": (
        resource_list.add(amounts(storage="12.125G"), amounts(memory="1.5Gi")),
        "memory=1536Mi,storage=12.125G",
    ),
    "the first nonzero amount decides the format": (
        resource_list.total([amounts(memory="0"), amounts(memory="1Gi"), amounts(memory="1M")]),
        "memory=1074741824",
    ),
}


@pytest.mark.parametrize("case", ALGEBRA)
def test_lists_are_combined_name_by_name(case: str) -> None:
    result, shown = ALGEBRA[case]
    assert resource_list.show(result) == shown


def test_of_equal_amounts_the_maximum_is_that_of_the_second_list() -> None:
    assert resource_list.maximum(amounts(memory="1k"), amounts(memory="1e3")) == amounts(memory="1e3")


EXCEEDED: dict[str, tuple[ResourceList, ResourceList, tuple[str, ...]]] = {
    "all that exceed, sorted": (
        amounts(pods="3", cpu="2", memory="1"),
        amounts(pods="2", memory="1", cpu="1"),
        ("cpu", "pods"),
    ),
    "equal is within": (amounts(memory="1Gi"), amounts(memory="1024Mi"), ()),
    "names that hard lacks": (amounts(cpu="100"), amounts(memory="1"), ()),
    "names that only hard has": (amounts(), amounts(memory="-1"), ()),
    "by the smallest unit": (amounts(cpu="1000000001n"), amounts(cpu="1"), ("cpu",)),
}


@pytest.mark.parametrize("case", EXCEEDED)
def test_what_exceeds_is_named_in_order(case: str) -> None:
    a, hard, names = EXCEEDED[case]
    assert resource_list.exceeded_names(a, hard) == names


def test_the_arguments_stay_as_they_are() -> None:
    a, b = dict(A), dict(B)
    for function in (resource_list.add, resource_list.subtract, resource_list.maximum, resource_list.mask):
        function(a, b).clear()
    assert (a, b) == (A, B)


@given(lists, lists, lists)
def test_add_is_commutative_and_associative(a: ResourceList, b: ResourceList, c: ResourceList) -> None:
    assert (values(resource_list.add(a, b)), values(resource_list.add(resource_list.add(a, b), c))) == (
        values(resource_list.add(b, a)),
        values(resource_list.add(a, resource_list.add(b, c))),
    )


@given(lists, lists)
def test_subtract_undoes_add(a: ResourceList, b: ResourceList) -> None:
    there_and_back = resource_list.subtract(resource_list.add(a, b), b)
    assert values(resource_list.remove_zeros(there_and_back)) == values(resource_list.remove_zeros(a))


@given(lists, st.integers(1, 20))
def test_multiply_is_repeated_add(a: ResourceList, n: int) -> None:
    assert values(resource_list.multiply(a, n)) == values(resource_list.total([a] * n))


@given(lists, lists)
def test_maximum_is_idempotent_and_covers_both(a: ResourceList, b: ResourceList) -> None:
    both = resource_list.maximum(a, b)
    assert (
        resource_list.maximum(both, both),
        resource_list.exceeded_names(a, both),
        resource_list.exceeded_names(b, both),
        values(both),
    ) == (both, (), (), values(resource_list.maximum(b, a)))


@given(lists, lists)
def test_exceeded_says_what_the_difference_says(a: ResourceList, hard: ResourceList) -> None:
    rest = resource_list.subtract(resource_list.mask(a, hard), resource_list.mask(hard, a))
    assert resource_list.exceeded_names(a, hard) == tuple(
        sorted(name for name, amount in rest.items() if amount.nano > 0)
    )
