"""Expands texts with expressions, given the variables (envsubst/template.go)."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence

from quotalint.gitops.substitution.parsing import DEFAULTS, LENGTH, BadSubstitutionError, VariableCall, parse_text
from quotalint.runtime import budget
from quotalint.text.glob_dialects import envsubst
from quotalint.text.globs import places_after


# The functions behind the operators (envsubst/funcs.go). Lengths and positions count bytes.
def function_cost(operator: str, value: str, arguments: Sequence[str]) -> int:
    """The cost of a function in characters written, or equivalent time."""
    written = len(value) + sum(map(len, arguments))
    if operator[:1] == "/":
        written += value.count(arguments[0]) * len(arguments[-1])
    if operator[:1] in ("#", "%"):
        written += (len(value) + 10) * len(arguments[0])
    return written


def _byte_length(value: str) -> str:
    return str(len(value.encode(errors="replace")))


def _upper_case(value: str) -> str:
    """The text in capitals, per character; unlike Python, Go never turns one character into two."""
    return "".join(upper if len(upper := character.upper()) == 1 else character for character in value)


def _lower_case(value: str) -> str:
    return "".join(lower if len(lower := character.lower()) == 1 else character for character in value)


def _substring_of(value: str, position: str, length: str | None = None) -> str:
    data = value.encode(errors="replace")
    start, count = _parse_number(position), len(data) if length is None else _parse_number(length)
    if start is None or count is None:
        return value
    start = start if start >= 0 else max(len(data) + start, 0)
    end = start + count
    if end < min(start, len(data)):
        raise BadSubstitutionError("bad substitution: a substring of negative length")  # here, Go panics
    try:
        return data[start:end].decode()
    except UnicodeDecodeError:  # here, the YAML is unreadable
        raise BadSubstitutionError("bad substitution: a substring that cuts a character in two") from None


def _parse_number(text: str) -> int | None:
    """A number as strconv.Atoi reads it; None if invalid."""
    number = int(text) if re.fullmatch("[-+]?[0-9]{1,1000}", text) else None
    return number if number is not None and -(2**63) <= number < 2**63 else None


def _with_prefix(value: str, old: str, new: str | None = None) -> str:
    return value if new is None or not value.startswith(old) else new + value[len(old) :]


def _with_suffix(value: str, old: str, new: str | None = None) -> str:
    return value if new is None or not value.endswith(old) else value[: len(value) - len(old)] + new


def _without_suffix(value: str, pattern: str, *, longest: bool) -> str:
    """The value without a matching suffix. Go reverses the pattern as plain text, which breaks classes and escapes in
    it."""
    return without_prefix(value[::-1], pattern[::-1], longest=longest)[::-1]


FUNCTIONS: Mapping[str, Callable[..., str]] = {
    LENGTH: _byte_length,
    "^": lambda value: _upper_case(value[:1]) + value[1:],
    "^^": _upper_case,
    ",": lambda value: _lower_case(value[:1]) + value[1:],
    ",,": _lower_case,
    ":": _substring_of,
    "/": lambda value, old, new="": value.replace(old, new, 1),
    "//": lambda value, old, new="": value.replace(old, new),
    "/#": _with_prefix,
    "/%": _with_suffix,
    "#": lambda value, pattern: without_prefix(value, pattern, longest=False),
    "##": lambda value, pattern: without_prefix(value, pattern, longest=True),
    "%": lambda value, pattern: _without_suffix(value, pattern, longest=False),
    "%%": lambda value, pattern: _without_suffix(value, pattern, longest=True),
}
"""By operator: a function of the variable's value and the parsed arguments."""


def without_prefix(value: str, pattern: str, *, longest: bool) -> str:
    """The value without its shortest or longest non-empty prefix that matches the pattern."""
    glob = envsubst(pattern)
    ends = places_after(glob, value) & ~1 if glob is not None else 0
    if not ends:
        return value
    return value[(ends if longest else ends & -ends).bit_length() - 1 :]


MAX_WORK = 4 * 1024 * 1024
"""Work limit per object, in characters written or equivalent work. The API server accepts requests up to 3 MiB."""


class Expansion:
    """Expands texts, and counts missing variables and work.

    Beyond `MAX_WORK`, `expand_text` and `spend_characters` raise `BadSubstitutionError`.
    """

    def __init__(self, variables: Mapping[str, str], *, keep_missing: bool) -> None:
        self._variables = variables
        self._keep_missing = keep_missing
        self._missing: set[str] = set()
        self._left = MAX_WORK
        self._known: dict[Hashable, tuple[object, int, set[str]]] = {}

    def begin_object(self) -> None:
        """Reset the missing variables and the work for the next object."""
        self._missing, self._left = set(), MAX_WORK

    def once(self, what: Hashable, expand: Callable[[], object]) -> object:
        """The cached result of `expand` for a key; its cost is charged each time."""
        if what not in self._known:
            missing, left = self._missing, self._left
            self._missing = set()
            try:
                self._known[what] = expand(), left - self._left, self._missing
            finally:
                self._missing = missing | self._missing
            return self._known[what][0]
        value, characters, missing = self._known[what]
        self.spend_characters(characters)
        self._missing |= missing
        return value

    @property
    def missing_names(self) -> tuple[str, ...]:
        """The variables without value or default, sorted."""
        return tuple(sorted(self._missing))

    def expand_text(self, text: str) -> tuple[str, bool]:
        """The expanded text, and whether it is fully known; it always is without `keep_missing`."""
        parts = [self._expand_part(part) for part in parse_text(text)]
        return "".join(part for part, _ in parts), all(is_known for _, is_known in parts)

    def spend_characters(self, characters: int) -> None:
        """Charge characters written, or equivalent work."""
        self._left -= characters
        budget.spend(characters / 1000, "too much is substituted")
        if self._left < 0:
            raise BadSubstitutionError(f"variables would make the object larger than {MAX_WORK // 1024 // 1024} MiB")

    def _expand_part(self, part: str | VariableCall) -> tuple[str, bool]:
        result = (part, True) if isinstance(part, str) else self._expand_call(part)
        self.spend_characters(len(result[0]))
        return result

    def _expand_call(self, call: VariableCall) -> tuple[str, bool]:
        """The expansion of an expression (`evalFunc`); it is kept as written if a missing variable makes it unknown."""
        value = self._variable_value(call.name)
        if value and call.operator in DEFAULTS:
            return value, True
        parts = [self._expand_part(argument) for argument in call.arguments]
        arguments = [argument for argument, _ in parts]
        known = all(known for _, known in parts)
        if call.operator in DEFAULTS:
            # `:+` and `:?` act like `:-` (`lookupFunc`); an empty value counts as unset
            return (value, True) if value else ("".join(arguments), known)
        if value is None:
            self._missing.add(call.name)
        if not known or (value is None and self._keep_missing):
            return call.raw, False
        function = FUNCTIONS.get(call.operator)
        if function is None:
            return value or "", True
        self.spend_characters(function_cost(call.operator, value or "", arguments))
        return function(value or "", *arguments), True

    def _variable_value(self, name: str) -> str | None:
        value = self._variables.get(name)
        if value is None:
            return None
        self.spend_characters(len(value))
        return value.replace("\n", "")  # kustomize_varsub.go, `LoadVariables`
