"""Semantic versions and constraints of them, as Helm compares them (Masterminds/semver v3, constraints.go)."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

_VERSION = lazy_pattern(
    r"v?([0-9]+|[xX*])(?:\.([0-9]+|[xX*]))?(?:\.([0-9]+|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?"
)
_CONSTRAINT = lazy_pattern(r"\s*(=<|=>|>=|<=|!=|~>|=|>|<|~|\^)?\s*([^\s,|<>=!~^]+)\s*,?")
_HYPHEN = lazy_pattern(r"\s*(\S+)\s+-\s+(\S+)\s*")
_WILD = ("x", "X", "*", None)


_MOST_DIGITS = 19  # the most digits of a 64-bit number


class SemverError(ValueError):
    """A version or constraint that cannot be read."""


class Version(NamedTuple):
    """A version, or the bound of a constraint."""

    numbers: tuple[int, int, int]
    prerelease: str
    """The prerelease; empty for a release."""
    written: int
    """How many of the three numbers are written; the others match anything."""


def parse_version(text: str, *, is_whole: bool = False) -> Version:
    """The version in a text. Raises SemverError."""
    match = _VERSION.fullmatch(text.strip())
    if match is None or (is_whole and any(part in ("x", "X", "*") for part in match.groups()[:3])):
        raise SemverError(f"{text} is not a semantic version")
    parts = match.groups()[:3]
    written = next((number for number, part in enumerate(parts) if part in _WILD), 3)
    if any(len(part or "") > _MOST_DIGITS for part in parts):
        raise SemverError(f"{text[:40]} is not a semantic version: a number in it is too large")
    numbers = [int(part) if number < written and part is not None else 0 for number, part in enumerate(parts)]
    return Version((numbers[0], numbers[1], numbers[2]), match[4] or "", written)


def order_of(version: Version) -> tuple[object, ...]:
    """A key that sorts versions by precedence."""
    # A prerelease precedes its release; numeric identifiers precede alphanumeric ones (semver.org, 11).
    parts = [
        (0, int(part), "") if part.isascii() and part.isdigit() and len(part) <= _MOST_DIGITS else (1, 0, part)
        for part in version.prerelease.split(".")
        if part
    ]
    return version.numbers, not version.prerelease, tuple(parts)


def satisfies(constraint: str, version: str) -> bool:
    """Whether a version satisfies a constraint such as `^1.2 || >=3`. Raises SemverError."""
    actual = parse_version(version, is_whole=True)
    return any(_fits_all(alternative, actual) for alternative in constraint.split("||"))


def _fits_all(constraint: str, actual: Version) -> bool:
    hyphen = _HYPHEN.fullmatch(constraint)
    if hyphen:
        return _fits_operator(">=", parse_version(hyphen[1]), actual) and _fits_operator(
            "<=", parse_version(hyphen[2]), actual
        )
    end, comparisons = 0, []
    last = len(constraint.rstrip(" ,"))
    while end < last:
        match = _CONSTRAINT.match(constraint, end)
        if match is None:
            raise SemverError(f"improper constraint: {constraint}")
        comparisons.append((match[1] or "", parse_version(match[2])))
        end = match.end()
    if not comparisons:
        raise SemverError(f"improper constraint: {constraint}")
    return all(_fits_operator(operator, wanted, actual) for operator, wanted in comparisons)


def _fits_operator(operator: str, wanted: Version, actual: Version) -> bool:
    if actual.prerelease and not wanted.prerelease:
        return False
    same = actual.numbers[: wanted.written] == wanted.numbers[: wanted.written]
    partly = wanted.written < 3
    below = order_of(actual) < order_of(wanted)
    if operator in ("", "="):
        return same if partly else order_of(actual) == order_of(wanted)
    if operator == "!=":
        return not same if partly else order_of(actual) != order_of(wanted)
    if operator == ">":
        return not below and not same if partly else order_of(actual) > order_of(wanted)
    if operator in (">=", "=>"):
        return not below
    if operator == "<":
        return below
    if operator in ("<=", "=<"):
        return below or (same if partly else order_of(actual) == order_of(wanted))
    if below:
        return False
    if operator in ("~", "~>"):
        depth = min(wanted.written, 2)
        return actual.numbers[:depth] == wanted.numbers[:depth]
    return _is_compatible(wanted, actual)


def _is_compatible(wanted: Version, actual: Version) -> bool:
    """`^`: the first non-zero number and those before it must be equal."""
    if wanted.written == 0:
        return True
    depth = next((number for number in range(wanted.written) if wanted.numbers[number]), wanted.written - 1) + 1
    return actual.numbers[:depth] == wanted.numbers[:depth]
