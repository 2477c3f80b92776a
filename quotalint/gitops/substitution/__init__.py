"""Flux's variable substitution: `spec.postBuild` of a Kustomization.

fluxcd/pkg (July 2026): kustomize/kustomize_varsub.go, `SubstituteVariables`, and envsubst, a fork of drone/envsubst.

Flux writes an object as YAML, replaces `${…}` in that text and reads it again. So a value may become a number, null or
a mapping, depending on the quotes that the writer used. Here the same is done for each scalar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from quotalint.gitops.substitution.envsubst import Expansion
from quotalint.gitops.substitution.parsing import BadSubstitutionError, shortened_text
from quotalint.kube.fields import dig
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.loader import Trouble, load
from quotalint.text.place import Path

MAX_DEPTH = 100
"""The largest nesting of values. The deepest served schemas have fewer than 50 levels."""


class Substituted(NamedTuple):
    """The result of a substitution."""

    value: object
    """The value with variables replaced; the same object if there was nothing to replace."""
    changed: tuple[Path, ...] = ()
    """The paths, in the input, of changed scalars (values or keys)."""
    missing: tuple[str, ...] = ()
    """The variables without value or default, sorted and distinct."""
    error: str = ""
    """Why Flux fails the Kustomization (an invalid expression, result or name), or why it is not tried here. `value` is
    then the input."""


def is_disabled(body: Mapping[str, object]) -> bool:
    """Whether a label or annotation of the object disables substitution in it."""
    metadata = body.get("metadata")
    return "disabled" in (dig(metadata, "labels", _MARKER), dig(metadata, "annotations", _MARKER))


_MARKER = "kustomize.toolkit.fluxcd.io/substitute"


def substitute_in_object(value: object, variables: Mapping[str, str], *, keep_missing: bool = False) -> Substituted:
    """The object with variables replaced, in keys too. Accepts any plain value and raises nothing.

    Flux replaces a missing variable with nothing. With `keep_missing` its expression is kept, for values that may be
    out of view.

    Flux substitutes only if there are variables, or with `substituteStrategy: Always`. The caller must check that, and
    `is_disabled`.
    """
    return substitution_with(variables, keep_missing=keep_missing)(value)


def substitution_with(variables: Mapping[str, str], *, keep_missing: bool = False) -> Callable[[object], Substituted]:
    """`substitute_in_object` as a function for many objects; equal strings are expanded once."""
    expansion = Expansion(variables, keep_missing=keep_missing)
    wrong = _wrong_name(variables)

    def substitute(value: object) -> Substituted:
        expansion.begin_object()
        changed: dict[Path, None] = {}
        if wrong:
            return Substituted(value, error=wrong)
        try:
            after = _replace_below(value, (), VALUE, expansion, changed)
        except BadSubstitutionError as bad:
            return Substituted(value, missing=expansion.missing_names, error=str(bad))
        return Substituted(after, tuple(changed), expansion.missing_names)

    return substitute


def substitute_text(text: str, variables: Mapping[str, str], *, keep_missing: bool = False) -> Substituted:
    """A plain string with variables replaced by envsubst, without YAML quoting rules."""
    expansion = Expansion(variables, keep_missing=keep_missing)
    wrong = _wrong_name(variables)
    if wrong:
        return Substituted(text, error=wrong)
    try:
        after, _ = expansion.expand_text(text)
    except BadSubstitutionError as bad:
        return Substituted(text, missing=expansion.missing_names, error=str(bad))
    return Substituted(after, ((),) if after != text else (), expansion.missing_names)


def _wrong_name(variables: Mapping[str, str]) -> str:
    """Why Flux refuses a variable name; empty if all are valid."""
    bad = next((name for name in variables if not _NAME.fullmatch(name)), None)
    return "" if bad is None else f"the variable name {shortened_text(bad)!r} is invalid: it must match {_NAME.pattern}"


_NAME = lazy_pattern("[_a-zA-Z][_a-zA-Z0-9]*")  # kustomize_varsub.go, `varsubRegex`


def _replace_below(value: object, path: Path, where: Where, expansion: Expansion, changed: dict[Path, None]) -> object:
    """A value with variables replaced; the same object if there are none. Adds to `changed`."""
    if isinstance(value, str):
        if "${" not in value and "$$" not in value:
            return value
        after = expansion.once((value, where), lambda: _substitute_scalar(value, where, expansion))
        if after == value:
            return value
        changed[path] = None
        return after
    if not isinstance(value, (dict, list)):
        return value
    if len(path) >= MAX_DEPTH:
        raise BadSubstitutionError(f"the object is more than {MAX_DEPTH} levels deep")
    expansion.spend_characters(4 * len(value))
    replaced: dict[object, tuple[object, object]] = {}
    child_where = VALUE if isinstance(value, dict) else ITEM
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        new_key, new = key, item
        if isinstance(key, str) and "$" in key:
            new_key = _replace_below(key, (*path, key), KEY, expansion, changed)
        # Skip most values: strings without a variable.
        if "$" in item if isinstance(item, str) else isinstance(item, (dict, list)):
            new = _replace_below(item, (*path, key), child_where, expansion, changed)
        if new is not item or new_key is not key:
            replaced[key] = new_key, new
    if not replaced:
        return value
    if isinstance(value, list):
        return [replaced[index][1] if index in replaced else item for index, item in enumerate(value)]
    entries = [(key, *replaced.get(key, (key, item))) for key, item in value.items()]
    after = {new: item for _, new, item in entries}
    if len(after) < len(entries):  # Go writes a sorted mapping, and the last duplicate key wins
        after = {new: item for _, new, item in sorted(entries, key=lambda entry: str(entry[0]))}
    return after


def _substitute_scalar(text: str, where: Where, expansion: Expansion) -> object:
    """The value that Flux makes of a string in an object; the same string if nothing is replaced.

    The result stays a string if it would alter the YAML around it. It also stays one if it may be unreadable only
    because a variable is missing.
    """
    expansion.spend_characters(100)  # most of it pays for parsing the result
    before = write_scalar(text, where)
    after, is_known = expansion.expand_text(before)
    if after == before:
        return text
    result = read_scalar(after, where)
    if isinstance(result, Trouble) and is_known:
        raise BadSubstitutionError(f"not YAML after substitution: {result.message}: {shortened_text(after)}")
    if isinstance(result, Trouble) or result is None:
        after, _ = expansion.expand_text(text)
        return text if after == text else after
    (value,) = result
    return text if value == text else value


# The YAML text of a string inside an object, in which Flux replaces variables, and the way back.
class Where(NamedTuple):
    """The YAML text around a scalar that affects how it is read."""

    before: str
    behind: str


VALUE = Where("k: ", "\n")
ITEM = Where("- ", "\n")
KEY = Where("k:\n  ", ": 0\n")


def read_scalar(text: str, where: Where) -> tuple[object] | Trouble | None:
    """The value or key that Kubernetes reads, in a tuple; None if there are several or a document end."""
    behind = where.behind.removeprefix("\n") if text.endswith("\n") else where.behind
    loaded = load((where.before + text + behind).encode(errors="replace"))
    if isinstance(loaded, Trouble):
        return loaded
    if loaded.dropped is not None:
        return None
    value = loaded.value
    if where is not ITEM and isinstance(value, dict) and list(value) == ["k"]:
        value = [value["k"]] if where is VALUE else list(value["k"]) if isinstance(value["k"], dict) else None
    return (value[0],) if isinstance(value, list) and len(value) == 1 else None


def write_scalar(text: str, where: Where) -> str:
    """A string that contains `$`, written as by go.yaml.in/yaml/v2; it is never quoted because of its type (encode.go,
    `stringv`; emitterc.go, `yaml_emitter_analyze_scalar`).

    Lines over 80 characters are not folded here; where Go folds them, they read the same.
    """
    multiline = "\n" in text
    if not all(map(_is_printable, set(text))) or (multiline and (where is KEY or " \n" in text or text.endswith(" "))):
        return _double_quoted(text)
    if multiline:
        return _write_literal(text)
    return "'" + text.replace("'", "''") + "'" if _INDICATOR.search(text) else text


def _is_printable(character: str) -> bool:
    """Whether YAML may print a character (yamlprivateh.go, `is_printable`). Not a regular expression: compiling such
    ranges takes 30 ms."""
    if character < "\x7f":
        return character >= " " or character == "\n"
    return "\xa0" <= character <= "\ufffd" and not "\ud800" <= character < "\ue000" and character not in _SPECIAL


_SPECIAL = "\u2028\u2029\ufeff"
_INDICATOR = lazy_pattern(
    r"""^[ #,\[\]{}&*!|>'"%@`] | ^[-?:](?:\ |$) | ^(?:---|\.\.\.) | :(?:\ |$) | \ \# | \ $""", re.VERBOSE
)


def _write_literal(text: str) -> str:
    indent = "2" if text[0] in " \n" else ""
    chomping = "+" if text == "\n" or text.endswith("\n\n") else "" if text.endswith("\n") else "-"
    return f"|{indent}{chomping}\n" + re.sub("^(?=.)", "  ", text, flags=re.MULTILINE)


def _double_quoted(text: str) -> str:
    return '"' + "".join(map(_escape_character, text)) + '"'


def _escape_character(character: str) -> str:
    if character in _ESCAPES:
        return "\\" + _ESCAPES[character]
    if _is_printable(character):
        return character
    code = ord(character)
    return f"\\x{code:02X}" if code <= 0xFF else f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


_ESCAPES = dict(zip('\0\a\b\t\n\v\f\r\x1b"\\\x85', '0abtnvfre"\\N', strict=True))
