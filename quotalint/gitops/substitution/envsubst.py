"""What a text with expressions comes to, given the variables: envsubst/template.go."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint import budget
from quotalint.gitops.substitution.envsubst_functions import FUNCTIONS, function_cost
from quotalint.gitops.substitution.parsing import DEFAULTS, BadSubstitutionError, VariableCall, parse_text

MAX_WORK = 4 * 1024 * 1024
"""How many characters may be written into one object, or as much other work be done as writing so many takes.
The API server takes requests of 3 MiB.
"""


class Expansion:
    """Expands one text after another, remembering what was missing and how much was done.

    Beyond `MAX_WORK`, `text` and `spend` raise `BadSubstitutionError`.
    """

    def __init__(self, variables: Mapping[str, str], *, strict: bool, keep_missing: bool) -> None:
        self._variables = variables
        self._strict = strict and not keep_missing
        self._keep_missing = keep_missing
        self._missing: set[str] = set()
        self._left = MAX_WORK

    @property
    def missing_names(self) -> tuple[str, ...]:
        """The variables that had neither value nor default, sorted."""
        return tuple(sorted(self._missing))

    def check_missing(self) -> None:
        """Raises `BadSubstitutionError` where strict mode does: if anything was missing."""
        if self._strict and self._missing:
            raise BadSubstitutionError(f"variable not set (strict mode): {', '.join(self.missing_names[:5])}")

    def expand_text(self, text: str) -> tuple[str, bool]:
        """The expanded text, and whether all of it is known; without `keep_missing`, it always is."""
        parts = [self._expand_part(part) for part in parse_text(text)]
        return "".join(part for part, _ in parts), all(is_known for _, is_known in parts)

    def spend_characters(self, characters: int) -> None:
        """Counts what is written, or other work in the characters that could be written instead."""
        self._left -= characters
        budget.spend(characters / 1000, "too much is substituted")
        if self._left < 0:
            raise BadSubstitutionError(f"variables would make the object larger than {MAX_WORK // 1024 // 1024} MiB")

    def _expand_part(self, part: str | VariableCall) -> tuple[str, bool]:
        result = (part, True) if isinstance(part, str) else self._expand_call(part)
        self.spend_characters(len(result[0]))
        return result

    def _expand_call(self, call: VariableCall) -> tuple[str, bool]:
        """`evalFunc`. What cannot be worked out for want of a variable stays as written."""
        value = self._variable_value(call.name)
        if value and call.operator in DEFAULTS and not self._strict:
            return value, True
        parts = [
            self._expand_part(argument) for argument in call.arguments
        ]  # in strict mode also of an unneeded default
        arguments = [argument for argument, _ in parts]
        known = all(known for _, known in parts)
        if call.operator in DEFAULTS:
            # `:+` and `:?` do no other than `:-` (`lookupFunc`), and an empty value is none
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
