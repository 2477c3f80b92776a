"""Amounts in expressions: Kubernetes' quantity library, and the operators of policies.

Source: Kubernetes 1.36, apiserver/pkg/cel/library/quantity.go; apimachinery/pkg/api/resource/{quantity,amount}.go.

The engine stores an amount as a map with one key, the exact fraction in lowest terms, so its `==` compares amounts. A
second key, LEAST, marks a lower bound: a result that depends on the real amount is undecided.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from quotalint.kube.quantity import BadQuantity, parse
from quotalint.text.lazy_patterns import lazy_pattern

AMOUNT, LEAST = "@quantity", "@least"
"""The keys of such a map."""
UNDECIDED = "@undecided"
"""The prefix of an error for a result that depends on an unknown amount."""

Amount = Mapping[str, str]
_NANO = 10**9
_INTEGER = lazy_pattern(r"[+-]?0*([0-9]+)(k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|)\Z")
_BITS = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}


class Spellings:
    """Whether a quantity was read that Kubernetes does not store as an integer, although its value may be one:
    `isInteger()` is false for `1000m`. It is a class with one flag for the whole expression."""

    def __init__(self) -> None:
        self.odd = False


spellings = Spellings()


def amount(value: Fraction | int, *, least: bool = False) -> Amount:
    """An amount as the engine stores it."""
    exact = Fraction(value)
    encoded = {AMOUNT: f"{exact.numerator}/{exact.denominator}"}
    return {**encoded, LEAST: ""} if least else encoded


def value_of(value: object) -> Fraction:
    """The exact value of an amount or number. A double is its written decimal: 0.8 is four fifths."""
    if isinstance(value, Mapping):
        if AMOUNT not in value:
            raise TypeError("no such overload: it is a map, not a quantity")
        return Fraction(str(value[AMOUNT]))
    if isinstance(value, float):
        return Fraction(repr(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    raise TypeError(f"no such overload: {type(value).__name__} is not a quantity")


def is_least(value: object) -> bool:
    return isinstance(value, Mapping) and LEAST in value


def undecided_error() -> Exception:
    return ValueError(f"{UNDECIDED} it depends on an amount that is only known as a lower bound")


def read_quantity(text: str) -> Amount:
    """Reads `quantity("1Gi")`."""
    parsed = parse(text)
    if isinstance(parsed, BadQuantity) or text != text.strip():
        raise ValueError(parsed.message if isinstance(parsed, BadQuantity) else _WRONG_FORMAT)
    written = _INTEGER.match(text)
    # The number of digits for which ParseQuantity uses 64 bits.
    short = written and len(written[1]) + _BITS.get(written[2], 0) * 3 // 10 <= (14 if written[2] in _BITS else 18)
    spellings.odd = spellings.odd or not short
    return amount(Fraction(parsed.nano, _NANO))


def is_quantity(text: str) -> bool:
    return text == text.strip() and not isinstance(parse(text), BadQuantity)


_WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


def compare(left: object, right: object) -> int:
    """Negative, zero or positive, like `compareTo`."""
    if is_least(left) or is_least(right):
        raise undecided_error()
    a, b = value_of(left), value_of(right)
    return (a > b) - (a < b)


def is_below(left: object, right: object, *, strictly: bool) -> bool:
    """`<` and `<=`; a lower bound may be enough to decide."""
    a, b = value_of(left), value_of(right)
    if is_least(left) and is_least(right):
        raise undecided_error()
    if is_least(left):
        # The real amount is at least `a`.
        if a > b or (strictly and a == b):
            return False
        raise undecided_error()
    if is_least(right):
        if a < b or (not strictly and a == b):
            return True
        raise undecided_error()
    return a < b or (not strictly and a == b)


def add_amounts(left: object, right: object) -> Amount:
    return amount(value_of(left) + value_of(right), least=is_least(left) or is_least(right))


def subtract_amounts(left: object, right: object) -> Amount:
    if is_least(right):
        raise undecided_error()
    return amount(value_of(left) - value_of(right), least=is_least(left))


def multiply_amounts(left: object, right: object) -> Amount:
    a, b = value_of(left), value_of(right)
    if (is_least(left) and b < 0) or (is_least(right) and a < 0) or (is_least(left) and is_least(right)):
        raise undecided_error()
    return amount(a * b, least=is_least(left) or is_least(right))


def divide_amounts(left: object, right: object) -> Amount:
    if is_least(right) or (is_least(left) and value_of(right) < 0):
        raise undecided_error()
    if not value_of(right):
        raise ZeroDivisionError("division by zero")
    return amount(value_of(left) / value_of(right), least=is_least(left))


def negate_amount(value: object) -> Amount:
    if is_least(value):
        raise undecided_error()
    return amount(-value_of(value))


def sign(value: object) -> int:
    return compare(value, 0)


def as_integer(value: object) -> int:
    """AsInt64: an error if the value does not fit into 64 bits or is not whole."""
    exact = value_of(value)
    if is_least(value):
        raise undecided_error()
    if not is_integer(value):
        raise ValueError("cannot convert value to integer")
    return int(exact)


def is_integer(value: object) -> bool:
    exact = value_of(value)
    if is_least(value):
        raise undecided_error()
    whole = exact.denominator == 1 and -(2**63) <= exact < 2**63
    if whole and spellings.odd:
        raise ValueError(f"{UNDECIDED} whether Kubernetes takes it for an integer depends on how the amount is spelled")
    return whole


def as_double(value: object) -> float:
    if is_least(value):
        raise undecided_error()
    return float(value_of(value))


def total(amounts: object) -> Amount:
    """The sum of a list; an empty list gives 0."""
    if not isinstance(amounts, list):
        raise TypeError("no such overload: sum of something that is not a list")
    subtotal = amount(0)
    for item in amounts:
        subtotal = add_amounts(subtotal, item)
    return subtotal
