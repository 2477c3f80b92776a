"""The variables of Kyverno that are decided by the object: `{{ request.object.metadata.name }}`.

Source: Kyverno 1.15, pkg/engine/variables/vars.go. Of JMESPath: paths, indexes, lists of fields, and `||`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from quotalint.kube.fields import mapping, text
from quotalint.text.lazy_patterns import lazy_pattern


class Unresolved:
    """The type of UNRESOLVED; a class so that it differs from every value in YAML."""


UNRESOLVED: Final = Unresolved()
"""The value of a variable that nothing in view decides."""
_VARIABLE = lazy_pattern(r"\{\{((?:[^{}]|\{[^{}]*\})*)\}\}")
_STEP = lazy_pattern(
    r"\.?(?:(?P<key>[A-Za-z_][\w-]*)|\"(?P<quoted>[^\"]+)\"|\[(?P<index>[0-9]{1,9})\]"
    r"|\[(?P<keys>[\w, ]+)\]|(?P<all>\[\*?\]))"
)
_LITERAL = lazy_pattern(r"'([^']*)'|`\"?([^`\"]*)\"?`")
_KNOWN_METADATA = ("name", "namespace", "labels", "annotations")

Scope = Mapping[str, object]
"""The known variables by their first step: `request`, and in a loop `element` and `elementIndex`."""


def resolve_deep(value: object, scope: Scope) -> object:
    """A value with its variables replaced, in keys too; those that are not resolved stay as they are written."""
    if isinstance(value, str) and "{{" in value:
        resolved = resolve_text(value, scope)
        return value if resolved is None or isinstance(resolved, Unresolved) else resolved
    if isinstance(value, dict):
        return {text(resolve_deep(key, scope)): resolve_deep(inner, scope) for key, inner in value.items()}
    return [resolve_deep(inner, scope) for inner in value] if isinstance(value, list) else value


def resolve_text(written: str, scope: Scope) -> object:
    """A text with its variables replaced. One that is only a variable has the type of its value."""
    whole = _VARIABLE.fullmatch(written.strip())
    if whole is not None:
        return evaluate(whole[1], scope)
    parts: list[str] = []
    end = 0
    for variable in _VARIABLE.finditer(written):
        value = evaluate(variable[1], scope)
        if not isinstance(value, (str, int, float)):
            return UNRESOLVED
        parts += (written[end : variable.start()], text(value))
        end = variable.end()
    rest = written[end:]
    return UNRESOLVED if "{{" in rest else "".join((*parts, rest))


def evaluate(expression: str, scope: Scope) -> object:
    """The value of an expression: that of the first alternative that is there and not empty, or of the last; None if
    there is none."""
    value: object = None
    for alternative in expression.split("||"):
        literal = _LITERAL.fullmatch(alternative.strip())
        if literal is None:
            value = _value_at(alternative.strip(), scope)
        else:
            written = literal[1] if literal[1] is not None else literal[2]
            value = [] if written == "[]" and literal[1] is None else written
        if value not in (None, "", False, [], {}):
            break
    return value


def _value_at(path: str, scope: Scope) -> object:
    """The value at a path; None if there is none, UNRESOLVED if that is unknown."""
    value: object = scope
    keys: list[str] = []
    for step in _steps_of(path):
        if step is None:
            return UNRESOLVED
        key = step["key"] or step["quoted"]
        if key is not None:
            keys.append(key)
            if len(keys) == 1 and key not in scope:
                return UNRESOLVED  # a variable of the context
            if keys[:1] == ["request"] and (
                (len(keys) == 2 and key not in mapping(scope.get("request")))
                or (keys[1:-1] == ["object", "metadata"] and key not in _KNOWN_METADATA)
                or keys[1:3] == ["object", "status"]
            ):
                return UNRESOLVED
            if isinstance(value, list):
                value = [mapping(item)[key] for item in value if key in mapping(item)]
            else:
                value = mapping(value).get(key)
        elif step["index"] is not None:
            number = int(step["index"])
            value = value[number] if isinstance(value, list) and number < len(value) else None
        elif step["keys"] is not None:
            fields = mapping(value)
            value = [fields[name] for name in map(str.strip, step["keys"].split(",")) if name in fields]
        elif isinstance(value, list):
            value = [inner for item in value for inner in (item if isinstance(item, list) else [item])]
        if value is None or isinstance(value, Unresolved):
            break
    return value


def _steps_of(path: str) -> Iterator[Mapping[str, str | None] | None]:
    at = 0
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            yield None
            return
        at = step.end()
        yield step.groupdict()
