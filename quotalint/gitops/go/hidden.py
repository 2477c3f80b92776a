"""Values that are not in view, inside templates. They propagate, are printed as placeholders, and conditions on them
take the branch that works. The assumptions are recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from quotalint.gitops.go.values import MAX_DEPTH, MISSING, GoError, Implementation, is_true


class TemplateMap(dict[str, object]):
    """A map that the template created or received as a copy, so that it may change it."""

    hidden_as: str = ""
    """The map's name in templates if part of it is not in view, so that missing keys may exist."""


class HiddenValue:
    """A value that is not in view."""

    __slots__ = ("expected", "likely", "name", "reason", "text")

    def __init__(
        self, name: str, reason: str = "", text: str = "", *, likely: bool = True, expected: bool = False
    ) -> None:
        """`name`: its name in the template. `reason`: a clause why it is not in view. `text`: how it is printed.

        `likely`: the assumed result of conditions on it. `expected`: whether that assumption needs no note.
        """
        self.name = name
        self.reason = reason or f"`{name}` is not in view"
        self.text = text or f"$({name[1:] if name[0] == '.' and name[1:2].isalpha() else name})"
        self.likely = likely
        self.expected = expected

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return self.likely

    def entry(self, name: str) -> HiddenValue:
        """The hidden value under a key."""
        return HiddenValue(f"{self.name}.{name}", self.reason if not self.name.startswith(".") else "")


def open_values(values: object) -> object:
    """A copy of `.Values` in which maps may have hidden keys, at any depth. Lists are complete, because values replace
    them as a whole."""
    return _open_map(values, ".Values", {}, 0)


def changeable_copy(value: object) -> object:
    """A copy whose maps a template may change; maps with hidden keys keep them."""
    return _copy_changeable(value, {}, 0)


def _copy_changeable(value: object, copies_by_id: dict[int, object], depth: int) -> object:
    if not isinstance(value, (dict, list)):
        return value
    if depth > MAX_DEPTH:
        raise GoError("a value is nested too deeply")
    known_value = copies_by_id.get(id(value))
    if known_value is None and isinstance(value, dict):
        changeable_map = TemplateMap(
            (key, _copy_changeable(below, copies_by_id, depth + 1)) for key, below in value.items()
        )
        changeable_map.hidden_as = getattr(value, "hidden_as", "")
        known_value = changeable_map
    elif known_value is None:
        known_value = [_copy_changeable(below, copies_by_id, depth + 1) for below in value]
    return copies_by_id.setdefault(id(value), known_value)


def _open_map(value: object, name: str, copies_by_id: dict[int, object], depth: int) -> object:
    if not isinstance(value, dict):
        return value
    if depth > MAX_DEPTH:
        raise GoError("a value is nested too deeply")
    known_value = copies_by_id.get(id(value))  # values shared by YAML aliases stay shared, which bounds the size
    if known_value is None:
        opened_map = TemplateMap(
            (key, _open_map(below, f"{name}.{key}", copies_by_id, depth + 1)) for key, below in value.items()
        )
        opened_map.hidden_as = name
        copies_by_id[id(value)] = known_value = opened_map
    return known_value


def entry_of(value: Mapping[str, object], name: str) -> object:
    """The value under a key; if absent, a HiddenValue for maps with hidden keys, else MISSING."""
    if name in value:
        return value[name]
    hidden_as = getattr(value, "hidden_as", "")
    return HiddenValue(f"{hidden_as}.{name}") if hidden_as else MISSING


def call_with_hidden(
    name: str, implementation: Implementation, arguments: Sequence[object], note: Callable[[str], None]
) -> object:
    """The result of a function with hidden arguments; `note` receives the assumptions."""
    special = _SPECIAL.get(name.removeprefix("must").lower() if name.startswith("must") else name.lower())
    if special is not None:
        return special(implementation, arguments, note)
    first = next(argument for argument in arguments if isinstance(argument, HiddenValue))
    if name in _WRITERS:
        shown = [str(argument) if isinstance(argument, HiddenValue) else argument for argument in arguments]
        return HiddenValue(first.name, first.reason, str(implementation(*shown)), likely=first.likely)
    return HiddenValue(first.name, first.reason)


_WRITERS = frozenset(
    (
        *("print", "printf", "println", "quote", "squote", "cat", "indent", "nindent"),
        *("toYaml", "toJson", "toString", "trim", "join", "html"),
    )
)
"""Functions that print their arguments."""

_Answer = Callable[[Implementation, Sequence[object], Callable[[str], None]], object]


def _negate_hidden(_: Implementation, arguments: Sequence[object], __: object) -> object:
    (value,) = arguments
    assert isinstance(value, HiddenValue)
    return HiddenValue(value.name, value.reason, likely=not value.likely, expected=value.expected)


def _and_hidden(_: Implementation, arguments: Sequence[object], __: object) -> object:
    """`and` with hidden values: the last known value if it is false, otherwise hidden."""
    last = arguments[-1]
    hidden = [argument for argument in arguments if isinstance(argument, HiddenValue)]
    if not isinstance(last, HiddenValue) and not is_true(last):
        return last
    return HiddenValue(
        hidden[0].name, hidden[0].reason, likely=all(unseen.likely for unseen in hidden), expected=_are_expected(hidden)
    )


def _or_hidden(_: Implementation, arguments: Sequence[object], note: Callable[[str], None]) -> object:
    """`or` with hidden values: the last value if it is known and true, otherwise hidden."""
    last = arguments[-1]
    hidden = [argument for argument in arguments if isinstance(argument, HiddenValue)]
    if not isinstance(last, HiddenValue) and is_true(last):
        note(f"{hidden[0].reason}: another value stands in for it")
        return last
    return HiddenValue(
        hidden[0].name, hidden[0].reason, likely=any(unseen.likely for unseen in hidden), expected=_are_expected(hidden)
    )


def _are_expected(hidden: Iterable[HiddenValue]) -> bool:
    return all(unseen.expected for unseen in hidden)


def _default_hidden(_: Implementation, arguments: Sequence[object], note: Callable[[str], None]) -> object:
    default, *values = arguments
    if not values or not isinstance(values[0], HiddenValue):
        return values[0] if values and is_true(values[0]) else default
    if not isinstance(default, HiddenValue):
        note(f"{values[0].reason}: its default is assumed")
    return default


def _coalesce_hidden(_: Implementation, arguments: Sequence[object], note: Callable[[str], None]) -> object:
    hidden = next(argument for argument in arguments if isinstance(argument, HiddenValue))
    known_argument = next(
        (argument for argument in arguments if not isinstance(argument, HiddenValue) and is_true(argument)), None
    )
    if known_argument is not None and arguments.index(known_argument) > arguments.index(hidden):
        note(f"{hidden.reason}: another value stands in for it")
    return hidden if known_argument is None else known_argument


def _choose_hidden(_: Implementation, arguments: Sequence[object], note: Callable[[str], None]) -> object:
    first, second, condition = arguments
    if not isinstance(condition, HiddenValue):
        return first if condition else second
    note(condition_note(condition))
    return first if condition.likely else second


def _call_with_empty(
    implementation: Implementation, arguments: Sequence[object], note: Callable[[str], None]
) -> object:
    """The function with each hidden argument as an empty map with hidden keys."""
    open_arguments: list[object] = []
    for argument in arguments:
        if isinstance(argument, HiddenValue):
            note(f"{argument.reason}: it is assumed to be empty")
            empty_map = TemplateMap()
            empty_map.hidden_as = argument.name
            open_arguments.append(empty_map)
        else:
            open_arguments.append(argument)
    return implementation(*open_arguments)


def _keep_hidden(implementation: Implementation, arguments: Sequence[object], __: object) -> object:
    """The function on a list or map, which may contain hidden values; hidden if it is hidden itself."""
    try:
        return implementation(*arguments)
    except GoError:
        hidden = next(argument for argument in arguments if isinstance(argument, HiddenValue))
        return HiddenValue(hidden.name, hidden.reason)


def _absent_hidden(_: Implementation, arguments: Sequence[object], __: object) -> object:
    hidden = next(argument for argument in arguments if isinstance(argument, HiddenValue))
    return HiddenValue(hidden.name, hidden.reason, likely=False, expected=True)


def _get_hidden(implementation: Implementation, arguments: Sequence[object], __: object) -> object:
    """helmfile's `get PATH [DEFAULT] OBJECT` and sprig's `get MAP KEY`."""
    if not isinstance(arguments[0], HiddenValue) and not isinstance(arguments[-1], HiddenValue):
        return implementation(*arguments)
    if isinstance(arguments[-1], HiddenValue) and len(arguments) == 3:
        return arguments[1]
    hidden = next(argument for argument in arguments if isinstance(argument, HiddenValue))
    return HiddenValue(hidden.name, hidden.reason)


def _get_hidden_or_nil(_: Implementation, arguments: Sequence[object], __: object) -> object:
    return None if isinstance(arguments[-1], HiddenValue) else HiddenValue(str(arguments[0]))


_SPECIAL: Mapping[str, _Answer] = {
    "not": _negate_hidden,
    "and": _and_hidden,
    "or": _or_hidden,
    "default": _default_hidden,
    "coalesce": _coalesce_hidden,
    "ternary": _choose_hidden,
    "merge": _call_with_empty,
    "mergeoverwrite": _call_with_empty,
    "list": _keep_hidden,
    "tuple": _keep_hidden,
    "dict": _keep_hidden,
    "append": _keep_hidden,
    "push": _keep_hidden,
    "prepend": _keep_hidden,
    "set": _keep_hidden,
    "setvalueatpath": _keep_hidden,
    "haskey": _absent_hidden,
    "get": _get_hidden,
    "getornil": _get_hidden_or_nil,
}


def condition_note(value: HiddenValue) -> str:
    """The assumption made for a condition on a hidden value."""
    return f"{value.reason}: a condition on it is assumed {'to hold' if value.likely else 'not to hold'}"
