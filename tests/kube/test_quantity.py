import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quotalint.kube.quantity import (
    ZERO,
    BadQuantity,
    Quantity,
    add,
    decimal,
    is_whole,
    multiply,
    of,
    parse,
    show,
    stored_quantity,
    subtract,
)

ONE = 10**9
FORMAT = BadQuantity("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
SUFFIX = BadQuantity("unable to parse quantity's suffix")
NUMBER = BadQuantity("unable to parse numeric part of quantity")
LONG = BadQuantity("the number has more than 500 digits, too many for quotalint")

formats = st.sampled_from(["DecimalSI", "BinarySI", "DecimalExponent"])
quantities = st.builds(Quantity, st.integers(-(10**40), 10**40), formats, st.just(""))
# Below the amounts that Kubernetes prints without the suffix they would need.
printable = st.builds(Quantity, st.integers(-(10**30) + 1, 10**30 - 1), formats, st.just(""))


def milli(count: int) -> Quantity:
    return Quantity(count * ONE // 1000, "DecimalSI")


def read(value: object) -> Quantity:
    result = parse(value)
    assert isinstance(result, Quantity), (value, result)
    return result


def shortest(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


ANSWERS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "conformance" / "quantities.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("answer", ANSWERS, ids=[repr(answer["input"]) for answer in ANSWERS])
def test_the_api_server_answers_the_same(answer: dict[str, Any]) -> None:
    expected = {key: value for key, value in answer.items() if key not in ("input", "plus")}
    if "decimal" in expected:
        expected["decimal"] = shortest(expected["decimal"])
    amount = parse(answer["input"])
    if isinstance(amount, BadQuantity):
        assert {"error": amount.message} == expected
        return
    result: dict[str, Any] = {
        "canonical": show(amount),
        "decimal": decimal(amount),
        "stored": show(stored_quantity(amount)),
    }
    if "plus" in answer:
        b = read(answer["plus"])
        result |= {"sum": show(add(amount, b)), "compare": (amount.nano > b.nano) - (amount.nano < b.nano)}
    assert result == expected


def test_there_are_answers() -> None:
    assert len(ANSWERS) == 500


# Each answer is that of ParseQuantity and String, compiled from Kubernetes 1.34, where not said otherwise.
READINGS: dict[str, tuple[object, Quantity | BadQuantity]] = {
    "nothing": (None, ZERO),
    "nothing written": ("", FORMAT),
    "spaces": ("   ", FORMAT),
    "spaces around": ("  1Gi ", Quantity(2**30 * ONE, "BinarySI")),
    "a no-break space around": ("1Gi\u00a0", Quantity(2**30 * ONE, "BinarySI")),
    "a line end, as a block scalar has": ("1Gi\n", FORMAT),
    "a tab": ("\t1Gi", FORMAT),
    "a line separator": ("1Gi\u2028", FORMAT),
    "digits of another script": ("٣", FORMAT),
    "zero": ("0", ZERO),
    "minus zero": ("-0", ZERO),
    "only a sign": ("-", ZERO),
    "only a point": (".", ZERO),
    "two signs": ("+-5", SUFFIX),
    "a sum": ("5+3", SUFFIX),
    "two points": ("1.2.3", FORMAT),
    "only a small binary suffix": ("Ki", Quantity(0, "BinarySI")),
    "only the last that 64 bits hold": ("Ti", Quantity(0, "BinarySI")),
    "only a big binary suffix": ("Pi", NUMBER),
    "only the biggest binary suffix": ("-Ei", NUMBER),
    "a point and the biggest suffix": (".Ei", NUMBER),
    "zero of the biggest suffix": ("0Ei", Quantity(0, "BinarySI")),
    "only a decimal suffix": ("m", ZERO),
    "only an exponent": ("e-9", Quantity(0, "DecimalExponent")),
    "only a deep exponent": ("e-10", NUMBER),
    "E alone is exa": ("1E", Quantity(10**18 * ONE, "DecimalSI")),
    "e alone is nothing": ("1e", SUFFIX),
    "an exponent of two letters": ("1Ee3", SUFFIX),
    "an exponent without digits": ("1e+", SUFFIX),
    "a suffix and digits": ("1k5", SUFFIX),
    "kilo in capitals": ("1K", SUFFIX),
    "a unit": ("1GB", FORMAT),
    "a suffix in the wrong case": ("4GI", FORMAT),
    "a placeholder": ("${CPU}", FORMAT),
    "an exponent of 32 bits": ("1e4294967296", Quantity(ONE, "DecimalExponent", "1e4294967296")),
    "an exponent of more than 32 bits": ("2e4294967299", Quantity(2000 * ONE, "DecimalExponent", "2e4294967299")),
    "an exponent of 64 bits": (
        "10e-9223372036854775808",
        Quantity(10 * ONE, "DecimalExponent", "10e-9223372036854775808"),
    ),
    "an exponent of more than 64 bits": ("1e9223372036854775808", SUFFIX),
    "an exponent of many zeros": ("10e+" + "0" * 40 + "2", Quantity(1000 * ONE, "DecimalExponent")),
    "zero of a vast exponent": ("0e999999999", Quantity(0, "DecimalExponent")),
    "a vast exponent, which Kubernetes would accept": ("1e999999999", LONG),
    "a deep exponent": ("-1e-999999999", Quantity(-1, "DecimalExponent")),
    "500 digits": ("1e499", Quantity(10**508, "DecimalExponent")),
    "501 digits, which Kubernetes would accept": ("1e500", LONG),
    "a hundred thousand digits, which Kubernetes would accept": ("9" * 100_000, LONG),
    "as many in binary units, which Kubernetes would cap": ("9" * 100_000 + "Ei", LONG),
    "as many after the point, which Kubernetes would round": ("0." + "3" * 100_000, LONG),
    "a hundred thousand zeros": ("0" * 100_000 + "1000", Quantity(1000 * ONE, "DecimalSI")),
    "a hundred thousand zeros and a mistake": ("0" * 100_000 + "x", FORMAT),
    "a hundred thousand zeros in the exponent": ("1000e" + "0" * 100_000, Quantity(1000 * ONE, "DecimalExponent")),
    "a hundred thousand suffixes": ("k" * 100_000, SUFFIX),
    "spelled with a plus": ("+1Gi", Quantity(2**30 * ONE, "BinarySI", "+1Gi")),
    "spelled with leading zeros": ("007E", Quantity(7 * 10**27, "DecimalSI", "007E")),
    "spelled with a point": ("12.125T", Quantity(12125 * 10**18, "DecimalSI", "12.125T")),
    "spelled with a point after it": ("1.Gi", Quantity(2**30 * ONE, "BinarySI", "1.Gi")),
    "spelled with a capital E": ("5E6", Quantity(5 * 10**15, "DecimalExponent", "5E6")),
    "spelled so that the point hides the suffix": ("12.5T", Quantity(12500 * 10**18, "DecimalSI")),
    "beyond 64 bits": ("123456789.1234567890", Quantity(123456789123456789, "DecimalSI")),
    "rounded away from zero": ("1.0000000001", Quantity(ONE + 1, "DecimalSI")),
    "rounded away from zero below it": ("-0.1n", Quantity(-1, "DecimalSI")),
    "capped": ("8Ei", Quantity((2**63 - 1) * ONE, "BinarySI")),
    "capped below zero": ("-100Ei", Quantity(-(2**63 - 1) * ONE, "BinarySI")),
    "not capped": ("10E", Quantity(10**28, "DecimalSI")),
    "less than one in binary units": ("0.0001Ki", Quantity(102400000, "DecimalSI")),
    "less than zero in binary units": ("-0.0001Ki", Quantity(-102400000, "DecimalSI")),
    "an integer": (3, of(3)),
    "the largest integer": (2**64 - 1, Quantity((2**64 - 1) * ONE, "DecimalSI")),
    "an integer that only a float holds": (10**22 + 1, Quantity(10**31, "DecimalExponent")),
    "an integer that no float holds": (10**400, LONG),
    "a float of an integer": (2.0, of(2)),
    "a float": (0.1, milli(100)),
    "minus zero as a float": (-0.0, ZERO),
    "a small float": (0.000001, Quantity(1000, "DecimalSI")),
    "a smaller float": (0.0000001, Quantity(100, "DecimalExponent")),
    "a large float": (1.5e20, Quantity(15 * 10**28, "DecimalSI")),
    "a larger float": (1e21, Quantity(10**30, "DecimalExponent", "1e+21")),
    "infinity": (float("inf"), BadQuantity("json: unsupported value: +Inf")),
    "minus infinity": (float("-inf"), BadQuantity("json: unsupported value: -Inf")),
    "not a number": (float("nan"), BadQuantity("json: unsupported value: NaN")),
    "true": (True, FORMAT),
    "false": (False, FORMAT),
    "a list": ([1], FORMAT),
    "a mapping": ({"cpu": 1}, FORMAT),
}


@pytest.mark.parametrize("case", READINGS)
def test_a_quantity_is_read_as_kubernetes_does(case: str) -> None:
    value, expected = READINGS[case]
    assert parse(value) == expected


SHOWN: dict[str, tuple[Quantity, str]] = {
    "zero": (ZERO, "0"),
    "zero in binary units": (Quantity(0, "BinarySI"), "0"),
    "a whole number": (of(3), "3"),
    "thousands": (of(1000), "1k"),
    "not thousands": (of(1500), "1500"),
    "thousandths": (milli(1500), "1500m"),
    "a billionth": (Quantity(-1, "DecimalSI"), "-1n"),
    "binary units": (Quantity(1536 * 2**20 * ONE, "BinarySI"), "1536Mi"),
    "below zero": (Quantity(-(2**30) * ONE, "BinarySI"), "-1Gi"),
    "too few for binary units": (Quantity(1000 * ONE, "BinarySI"), "1k"),
    "no whole number in binary units": (Quantity(1024 * ONE + 1, "BinarySI"), "1024000000001n"),
    "an exponent": (Quantity(1500 * ONE, "DecimalExponent"), "1500"),
    "a negative exponent": (Quantity(1, "DecimalExponent"), "1e-9"),
    "a large exponent": (Quantity(10**39, "DecimalExponent"), "1e30"),
    "as it was spelled": (Quantity(12125 * 10**18, "DecimalSI", "12.125T"), "12.125T"),
    "no suffix is left": (read("1000E"), "1"),
    "no binary suffix is left": (Quantity(2**70 * ONE, "BinarySI"), "1"),
}


@pytest.mark.parametrize("case", SHOWN)
def test_a_quantity_is_shown_as_kubernetes_does(case: str) -> None:
    amount, text = SHOWN[case]
    assert show(amount) == text


STORED: dict[str, tuple[str, Quantity]] = {
    "whole": ("2", of(2)),
    "thousandths": ("1500m", milli(1500)),
    "less than a thousandth": ("1n", milli(1)),
    "below zero": ("-1n", milli(-1)),
    "up": ("1000001u", milli(1001)),
    "a spelling that holds": ("+12.125T", Quantity(12125 * 10**18, "DecimalSI", "+12.125T")),
    "a spelling that does not": ("22.125m", milli(23)),
    "in binary units": ("1.0001Ki", Quantity(1024102400000 + 600000, "BinarySI")),
}


@pytest.mark.parametrize("case", STORED)
def test_a_stored_quantity_is_rounded_as_the_server_rounds_it(case: str) -> None:
    text, expected = STORED[case]
    assert stored_quantity(read(text)) == expected


ARITHMETIC: dict[str, tuple[Quantity, Quantity]] = {
    "the format of the first": (add(read("1Gi"), read("1G")), Quantity((2**30 + ONE) * ONE, "BinarySI")),
    "zero takes the other's": (add(read("0"), read("1Gi")), Quantity(2**30 * ONE, "BinarySI")),
    "two zeros": (add(read("0"), read("0Gi")), Quantity(0, "BinarySI")),
    "a sum forgets the spelling": (add(read("12.125T"), ZERO), Quantity(12125 * 10**18, "DecimalSI")),
    "a sum is not capped": (add(read("8Ei"), read("8Ei")), Quantity((2**64 - 2) * ONE, "BinarySI")),
    "subtract from zero": (subtract(ZERO, read("1Gi")), Quantity(-(2**30) * ONE, "BinarySI")),
    "subtract": (subtract(read("1Gi"), read("512Mi")), Quantity(2**29 * ONE, "BinarySI")),
    "multiply": (multiply(read("1.5Gi"), 2), Quantity(3 * 2**30 * ONE, "BinarySI")),
    "multiply by nothing": (multiply(read("1.5Gi"), 0), Quantity(0, "BinarySI")),
}


@pytest.mark.parametrize("case", ARITHMETIC)
def test_amounts_are_exact_and_keep_the_format(case: str) -> None:
    result, expected = ARITHMETIC[case]
    assert result == expected


@pytest.mark.parametrize(
    ("nano", "text"), [(0, "0"), (-100_000_000, "-0.1"), (1, "0.000000001"), (10 * ONE, "10"), (1_500_000_000, "1.5")]
)
def test_a_decimal_has_no_unit_and_no_zeros_behind(nano: int, text: str) -> None:
    assert decimal(Quantity(nano, "DecimalSI")) == text


@given(printable)
def test_what_is_shown_reads_back(amount: Quantity) -> None:
    capped = show(amount).endswith("i") and abs(amount.nano) >= 2**63 * ONE
    expected = (2**63 - 1) * ONE * (1 if amount.nano > 0 else -1) if capped else amount.nano
    assert read(show(amount)).nano == expected


# Biased towards what looks like a quantity: of arbitrary texts almost none is one.
texts = st.one_of(
    st.text(),
    st.text("0123456789.+-eEinumkKMGTPx \n\u00a0"),
    st.from_regex(r"\A[+-]?[0-9]{0,25}(\.[0-9]{0,25})?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,12})?\Z"),
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = scalars | st.lists(scalars, max_size=2) | st.dictionaries(st.text(max_size=3), scalars, max_size=2)


@settings(deadline=None)
@given(values)
@example("9" * 5000)
@example(10**5000)
@example("1e2147483647")
@example("1e-2147483648")
def test_parse_never_raises_and_what_it_reads_is_printed_and_stored(value: object) -> None:
    amount = parse(value)
    if isinstance(amount, BadQuantity):
        assert amount in (FORMAT, SUFFIX, NUMBER, LONG) or amount.message.startswith("json: unsupported value: ")
        return
    stored = stored_quantity(amount)
    assert (show(amount) != "", show(stored) != "", decimal(stored) != "", stored.nano % 10**6) == (True, True, True, 0)


@given(texts)
def test_a_kept_spelling_reads_as_itself(text: str) -> None:
    amount = parse(text)
    if isinstance(amount, Quantity) and amount.text:
        assert parse(amount.text) == amount


@given(quantities)
def test_stored_rounds_away_from_zero_once(amount: Quantity) -> None:
    stored = stored_quantity(amount)
    away = abs(stored.nano) - abs(amount.nano)
    assert (stored_quantity(stored), stored.nano % 10**6, 0 <= away < 10**6, stored.nano * amount.nano >= 0) == (
        stored,
        0,
        True,
        True,
    )


@given(quantities, quantities, quantities)
def test_add_is_commutative_and_associative(a: Quantity, b: Quantity, c: Quantity) -> None:
    assert (add(a, b).nano, add(add(a, b), c).nano) == (add(b, a).nano, add(a, add(b, c)).nano)


@given(quantities, quantities)
def test_subtract_undoes_add(a: Quantity, b: Quantity) -> None:
    assert subtract(add(a, b), b).nano == a.nano


@given(quantities, st.integers(0, 50))
def test_multiply_is_repeated_add(amount: Quantity, n: int) -> None:
    total = ZERO
    for _ in range(n):
        total = add(total, amount)
    assert multiply(amount, n).nano == total.nano


# As Kubernetes 1.36 answered for `pods`: it reckons in 64 bits, and big amounts overflow.
WHOLE = {
    "1": True,
    "1500m": False,
    "1.0": True,
    "0.5": False,
    "1E": True,
    "9E": True,
    "1Ei": False,
    "9223372036854775807": True,
    "99999999999999999999": False,
    "four": False,
}


@pytest.mark.parametrize("written", WHOLE)
def test_the_server_takes_these_for_whole_numbers(written: str) -> None:
    assert is_whole(written) is WHOLE[written]


@given(st.integers(-(2**53), 2**53))
def test_a_number_that_fits_is_whole(number: int) -> None:
    assert is_whole(number) and is_whole(str(number)) and not is_whole(f"{number}.5")
