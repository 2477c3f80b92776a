"""Kubernetes quantities: exact amounts in units of 10^-9, parsed, added and printed like Kubernetes does.

Source: k8s.io/apimachinery 1.34, pkg/api/resource/{quantity,suffix,amount}.go.
"""

from __future__ import annotations

from functools import lru_cache

from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

DECIMAL_SI = "DecimalSI"
BINARY_SI = "BinarySI"
DECIMAL_EXPONENT = "DecimalExponent"

# Kubernetes has no such bound and would compute 1e999999999 until it fails. Below 640 digits, Python's configurable
# limit for converting integers to text never applies; the rest is room for nano units and sums.
MAX_DIGITS = 500


class Quantity(NamedTuple):
    """An exact amount and its spelling.

    Two quantities are equal amounts if their `nano` are equal; `==` compares the spelling too. Truth and `+` do not use
    the amount, as with every tuple: compare `nano` with 0, and add with `add`.
    """

    nano: int
    """The amount in 10^-9 units, the finest that Kubernetes stores."""
    format: str
    """DecimalSI, BinarySI or DecimalExponent: the kind of suffix."""
    text: str = ""
    """The original spelling that Kubernetes prints again (`12.125G`, `+1Gi`); empty if it prints the canonical form."""


class BadQuantity(NamedTuple):
    """Why a value is no quantity: the API server's message, or our own for a number of more than MAX_DIGITS digits."""

    message: str


ZERO = Quantity(0, DECIMAL_SI)


def parse(value: object) -> Quantity | BadQuantity:
    """The quantity that the API server reads from `value`, a YAML or JSON value.

    None (an empty value) is 0. A number is read from the text in which Go's YAML and JSON libraries pass it: 2.0 as
    `2`, 0.0000001 as `1e-7`, an integer above 64 bits as the nearest float. A number of more than MAX_DIGITS digits, as
    written or before the decimal point, is a BadQuantity. Never raises.
    """
    if isinstance(value, str):
        return _read_text(value)
    if value is None:
        return ZERO
    if isinstance(value, bool) or not isinstance(value, int | float):
        return BadQuantity(_WRONG_FORMAT)
    if isinstance(value, int) and -(2**63) <= value < 2**64:
        return _read_text(str(value))
    try:
        return _read_float(float(value))
    except OverflowError:
        return BadQuantity(_TOO_LONG)


def is_whole(value: object) -> bool:
    """Whether the API server accepts a quantity as a whole number: `MilliValue() % 1000 == 0`.

    It computes with 64 bits. If thousandths overflow, a number stored as an integer gives 0 (AsScaledInt64), any other
    the lowest 64 bits. So `1Ei` and 99999999999999999999 are not whole numbers.
    """
    read = parse(value)
    if isinstance(read, BadQuantity):
        return False
    thousandths = stored_quantity(read).nano // _MILLI
    if -(2**63) <= thousandths < 2**63:
        return thousandths % 1000 == 0
    if _is_short(value):
        return True
    lowest = (thousandths + 2**63) % 2**64 - 2**63
    return lowest % 1000 == 0


def of(count: int) -> Quantity:
    """A whole number as a quantity."""
    return Quantity(count * _ONE, DECIMAL_SI)


def in_usual_format(resource: str, nano: int) -> Quantity:
    """An amount of a resource as people write it: memory and storage in binary units."""
    is_binary = resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-")
    return Quantity(nano, BINARY_SI if is_binary else DECIMAL_SI)


def show(q: Quantity) -> str:
    """The quantity as Kubernetes prints it (Quantity.String).

    From 10^21 in DecimalSI and 2^70 in BinarySI, no suffix fits, and Kubernetes omits it: `1000E` is shown and stored
    as `1` (CanonicalizeBytes ignores that constructBytes found no suffix).
    """
    return q.text or _canonical_text(q.nano, q.format)


def stored_quantity(q: Quantity) -> Quantity:
    """Rounded away from zero to thousandths, as the defaults of every resource list do (SetDefaults_ResourceList).

    A spelling with more than three decimals is lost: Kubernetes keeps none that could have been rounded.
    """
    remainder = abs(q.nano) % _MILLI
    if remainder == 0:
        return q
    up = _MILLI - remainder
    return Quantity(q.nano + up if q.nano > 0 else q.nano - up, q.format)


def add(a: Quantity, b: Quantity) -> Quantity:
    """a + b, in the format of `a`, unless `a` is zero (Quantity.Add)."""
    return Quantity(a.nano + b.nano, a.format if a.nano else b.format)


def subtract(a: Quantity, b: Quantity) -> Quantity:
    """a - b, in the format of `a`, unless `a` is zero (Quantity.Sub)."""
    return Quantity(a.nano - b.nano, a.format if a.nano else b.format)


def multiply(q: Quantity, n: int) -> Quantity:
    """`q` times `n` (Quantity.Mul)."""
    return Quantity(q.nano * n, q.format)


def percent(part: Quantity, whole: Quantity) -> int:
    """The percentage of a part, rounded; `whole` is above zero. It is 100 only for equal amounts, so rounding hides
    neither a rest nor an excess."""
    rounded = (200 * part.nano + whole.nano) // (2 * whole.nano)
    return max(rounded, 101) if part.nano > whole.nano else min(rounded, 99) if part.nano < whole.nano else 100


def whole_number(q: Quantity) -> int | None:
    """The amount as an integer; None if it is not a whole number."""
    number, remainder = divmod(q.nano, _ONE)
    return None if remainder else number


def decimal(q: Quantity) -> str:
    """The amount in decimal digits, as short as possible: `1610612736`, `-0.1`."""
    whole, remainder = divmod(abs(q.nano), _ONE)
    fraction = f".{remainder:09d}".rstrip("0") if remainder else ""
    return f"{'-' if q.nano < 0 else ''}{whole}{fraction}"


_ONE = 10**9
_MILLI = 10**6
_MAX_BINARY = (2**63 - 1) * _ONE

_WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_BAD_NUMBER = "unable to parse numeric part of quantity"
_BAD_SUFFIX = "unable to parse quantity's suffix"
_TOO_LONG = f"the number has more than {MAX_DIGITS} digits, too many for quotalint"

# The grammar that parseQuantityString really scans: unlike in its message, the number may be missing. No part is
# optional twice, so a text of any length is matched in one pass; a rest after the match is an error.
_PARTS = lazy_pattern(r"([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)")
_EXPONENT = lazy_pattern(r"[eE]([+-]?)0*([0-9]{1,19})")

# UnmarshalJSON trims the *encoded* string, in which tabs and line ends are escaped and so remain. The value of a block
# scalar, which ends with a line end, is an error. Go escapes U+2028 and U+2029 too.
_SPACES = " \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"

_DECIMAL_SUFFIXES = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY_SUFFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SPELLINGS = {exponent: suffix for suffix, exponent in _DECIMAL_SUFFIXES.items()}
_BINARY_SPELLINGS = {exponent: suffix for suffix, exponent in _BINARY_SUFFIXES.items()}


@lru_cache(maxsize=16384)
def _read_text(value: str) -> Quantity | BadQuantity:
    """Parses a text (ParseQuantity); cached, because manifests repeat few spellings."""
    text = value.strip(_SPACES)
    parts = _PARTS.match(text)
    if not text or parts is None or parts.end() < len(text):
        return BadQuantity(_WRONG_FORMAT)
    sign, written, fraction, suffix = parts.groups(default="")
    whole = written.lstrip("0") or "0"

    # `fast`: the number is short enough for ParseQuantity to trust 64-bit integers, as it reckons. Only on that path
    # may the digits be missing and the spelling be kept.
    if suffix in _BINARY_SUFFIXES:
        exponent, format_, scale = _BINARY_SUFFIXES[suffix], BINARY_SI, 0
        fast = not fraction and len(whole) + exponent * 3 // 10 <= 14
    else:
        power = _power_of_ten(suffix)
        if power is None:
            return BadQuantity(_BAD_SUFFIX)
        exponent, format_ = power
        scale = exponent - len(fraction)
        fast = len(whole) + len(fraction) <= 18 and scale >= -9

    digits = whole + fraction
    if not fast and not written and not fraction:
        return BadQuantity(_BAD_NUMBER)
    if not digits.strip("0"):
        return Quantity(0, format_)
    if len(digits) > MAX_DIGITS or (format_ != BINARY_SI and len(whole) + exponent > MAX_DIGITS):
        return BadQuantity(_TOO_LONG)

    if format_ == BINARY_SI:
        nano = min(_scale_up(int(digits) << exponent, 9 - len(fraction)), _MAX_BINARY)
        if nano < _ONE:
            format_ = DECIMAL_SI
    else:
        nano = _scale_up(int(digits), 9 + scale)
    if sign == "-":
        nano = -nano

    if not fast or not _keeps_text(digits, scale, format_) or text == _canonical_text(nano, format_):
        text = ""
    return Quantity(nano, format_, text)


def _is_short(value: object) -> bool:
    """Whether ParseQuantity stores a quantity as a 64-bit integer and a power of ten (`fast` in _read_text)."""
    text = value.strip(_SPACES) if isinstance(value, str) else repr(value)
    parts = _PARTS.match(text)
    if parts is None:
        return False
    _, written, fraction, suffix = parts.groups(default="")
    whole = written.lstrip("0") or "0"
    if suffix in _BINARY_SUFFIXES:
        return not fraction and len(whole) + _BINARY_SUFFIXES[suffix] * 3 // 10 <= 14
    return len(whole) + len(fraction) <= 18


def _power_of_ten(suffix: str) -> tuple[int, str] | None:
    """The exponent and format of a decimal suffix (suffixHandler.interpret); None if it is invalid."""
    if suffix in _DECIMAL_SUFFIXES:
        return _DECIMAL_SUFFIXES[suffix], DECIMAL_SI
    written = _EXPONENT.fullmatch(suffix)
    exponent = int(written[1] + written[2]) if written else 2**63
    if not -(2**63) <= exponent < 2**63:
        return None
    # A 64-bit exponent is cut to 32 bits: 1e4294967296 is 1.
    return (exponent + 2**31) % 2**32 - 2**31, DECIMAL_EXPONENT


def _scale_up(amount: int, exponent: int) -> int:
    """amount * 10^exponent for a positive amount, rounded up."""
    if -exponent > MAX_DIGITS:  # then the result is below one for every parsed amount
        return 1
    power: int = 10 ** abs(exponent)
    return amount * power if exponent >= 0 else -(-amount // power)


def _keeps_text(digits: str, scale: int, format_: str) -> bool:
    """Whether ParseQuantity treats the spelling as canonical, by a rough rule."""
    if format_ == BINARY_SI:
        return int(digits) % 8 != 0
    return scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0"


def _read_float(value: float) -> Quantity | BadQuantity:
    """Reads a float from the text that Go's encoding/json writes for it (encode.go, floatEncoder)."""
    text = repr(value)
    if text in ("inf", "-inf", "nan"):
        return BadQuantity(f"json: unsupported value: {({'inf': '+Inf', '-inf': '-Inf'}).get(text, 'NaN')}")
    if "e" not in text:
        return _read_text(text.removesuffix(".0"))
    if 1e-6 <= abs(value) < 1e21:
        from decimal import Decimal

        return _read_text(f"{Decimal(text):f}")
    return _read_text(text.replace("e-0", "e-"))


def _canonical_text(nano: int, format_: str) -> str:
    """The number with the largest suffix that leaves an integer (CanonicalizeBytes)."""
    if nano == 0:
        return "0"
    if format_ == BINARY_SI:
        if abs(nano) >= 1024 * _ONE and nano % _ONE == 0:
            count, exponent = _without_factors(nano // _ONE, 1024)
            return f"{count}{_BINARY_SPELLINGS.get(exponent * 10, '')}"
        format_ = DECIMAL_SI
    count, exponent = _without_factors(nano, 1000)
    exponent = exponent * 3 - 9
    if format_ == DECIMAL_SI:
        return f"{count}{_DECIMAL_SPELLINGS.get(exponent, '')}"
    return f"{count}e{exponent}" if exponent else str(count)


def _without_factors(amount: int, factor: int) -> tuple[int, int]:
    """The amount divided by `factor` as often as possible, and the number of divisions."""
    times = 0
    while amount % factor == 0:
        amount //= factor
        times += 1
    return amount, times
