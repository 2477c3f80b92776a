"""Amounts in expressions: Kubernetes' own library of quantities, and the operators of policies.

Source: Kubernetes 1.36, apiserver/pkg/cel/library/quantity.go; apimachinery/pkg/api/resource/{quantity,amount}.go.

To the engine an amount is a map with one key, the exact fraction in lowest terms, so that its own `==` compares
amounts. A second key, LEAST, marks one that may be higher than what is known of it: what depends on how much is not
decided.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from quotalint.kube.quantity import BadQuantity, parse

AMOUNT, LEAST = "@quantity", "@least"
"""Keys."""
UNDECIDED = "@undecided"
"""How the failure begins of what depends on an amount that is not known."""

Amount = Mapping[str, str]
_NANO = 10**9
_INTEGER = re.compile(r"[+-]?0*([0-9]+)(k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|)\Z")
_BITS = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}


class Spellings:
    """Whether a text was read as a quantity that Kubernetes keeps as no integer, though it may come to one: of `1000m`
    `isInteger()` is false there. A class because one expression is about one such fact, wherever the text stands."""

    def __init__(self) -> None:
        self.odd = False


spellings = Spellings()


def amount(value: Fraction | int, least: bool = False) -> Amount:
    """An amount as the engine is given it."""
    exact = Fraction(value)
    found = {AMOUNT: f"{exact.numerator}/{exact.denominator}"}
    return {**found, LEAST: ""} if least else found


def value_of(one: object) -> Fraction:
    """How much an amount or number is. A double is the decimal that is written for it: 0.8 is four fifths."""
    if isinstance(one, Mapping):
        if AMOUNT not in one:
            raise TypeError("no such overload: it is a map, not a quantity")
        return Fraction(str(one[AMOUNT]))
    if isinstance(one, float):
        return Fraction(repr(one))
    if isinstance(one, int) and not isinstance(one, bool):
        return Fraction(one)
    raise TypeError(f"no such overload: {type(one).__name__} is not a quantity")


def is_least(one: object) -> bool:
    return isinstance(one, Mapping) and LEAST in one


def undecided() -> Exception:
    return ValueError(f"{UNDECIDED} it depends on an amount of which only a lower bound is known")


def read_quantity(text: str) -> Amount:
    """`quantity("1Gi")`."""
    found = parse(text)
    if isinstance(found, BadQuantity) or text != text.strip():
        raise ValueError(found.message if isinstance(found, BadQuantity) else _WRONG_FORMAT)
    written = _INTEGER.match(text)
    # As many digits as ParseQuantity trusts 64 bits with.
    short = written and len(written[1]) + _BITS.get(written[2], 0) * 3 // 10 <= (14 if written[2] in _BITS else 18)
    spellings.odd = spellings.odd or not short
    return amount(Fraction(found.nano, _NANO))


def is_quantity(text: str) -> bool:
    return text == text.strip() and not isinstance(parse(text), BadQuantity)


_WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


def compare(one: object, other: object) -> int:
    """Below zero, zero or above, as `compareTo` says it."""
    if is_least(one) or is_least(other):
        raise undecided()
    a, b = value_of(one), value_of(other)
    return (a > b) - (a < b)


def is_below(one: object, other: object, strictly: bool) -> bool:
    """`<` and `<=`, decided also where a lower bound decides them."""
    a, b = value_of(one), value_of(other)
    if is_least(one) and is_least(other):
        raise undecided()
    if is_least(one):
        # The true one is at least `a`.
        if a > b or (strictly and a == b):
            return False
        raise undecided()
    if is_least(other):
        if a < b or (not strictly and a == b):
            return True
        raise undecided()
    return a < b or (not strictly and a == b)


def added(one: object, other: object) -> Amount:
    return amount(value_of(one) + value_of(other), is_least(one) or is_least(other))


def subtracted(one: object, other: object) -> Amount:
    if is_least(other):
        raise undecided()
    return amount(value_of(one) - value_of(other), is_least(one))


def multiplied(one: object, other: object) -> Amount:
    a, b = value_of(one), value_of(other)
    if (is_least(one) and b < 0) or (is_least(other) and a < 0) or (is_least(one) and is_least(other)):
        raise undecided()
    return amount(a * b, is_least(one) or is_least(other))


def divided(one: object, other: object) -> Amount:
    if is_least(other) or (is_least(one) and value_of(other) < 0):
        raise undecided()
    if not value_of(other):
        raise ZeroDivisionError("division by zero")
    return amount(value_of(one) / value_of(other), is_least(one))


def negated(one: object) -> Amount:
    if is_least(one):
        raise undecided()
    return amount(-value_of(one))


def sign(one: object) -> int:
    return compare(one, 0)


def as_integer(one: object) -> int:
    """AsInt64: of what does not fit in 64 bits, or is no whole number, nothing."""
    found = value_of(one)
    if is_least(one):
        raise undecided()
    if not is_integer(one):
        raise ValueError("cannot convert value to integer")
    return int(found)


def is_integer(one: object) -> bool:
    found = value_of(one)
    if is_least(one):
        raise undecided()
    whole = found.denominator == 1 and -(2**63) <= found < 2**63
    if whole and spellings.odd:
        raise ValueError(f"{UNDECIDED} whether Kubernetes takes it for an integer depends on how the amount is spelled")
    return whole


def as_double(one: object) -> float:
    if is_least(one):
        raise undecided()
    return float(value_of(one))


def total(amounts: object) -> Amount:
    """The sum of a list; nothing is 0."""
    if not isinstance(amounts, list):
        raise TypeError("no such overload: sum of something that is not a list")
    found = amount(0)
    for one in amounts:
        found = added(found, one)
    return found
