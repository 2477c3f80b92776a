"""A string within an object as the YAML text that Flux replaces variables in, and the way back."""

from __future__ import annotations

import re

from quotalint.named_tuples import NamedTuple
from quotalint.text.loader import load
from quotalint.text.trouble import Trouble


class Where(NamedTuple):
    """What stands around a scalar in the text of an object, as far as it matters to reading it."""

    before: str
    behind: str


VALUE = Where("k: ", "\n")
ITEM = Where("- ", "\n")
KEY = Where("k:\n  ", ": 0\n")


def read_scalar(text: str, where: Where) -> tuple[object] | Trouble | None:
    """The value or key that Kubernetes reads; None if it reads more than one, or an end of the document."""
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
    """A string with a `$` in it as go.yaml.in/yaml/v2 writes it (encode.go, `stringv`; emitterc.go,
    `yaml_emitter_analyze_scalar`): such a string is never quoted for the sake of its type.

    Lines of more than 80 characters stay whole here: where Go folds them, it reads the same.
    """
    multiline = "\n" in text
    if not all(map(_is_printable, set(text))) or (multiline and (where is KEY or " \n" in text or text.endswith(" "))):
        return _double_quoted(text)
    if multiline:
        return _write_literal(text)
    return "'" + text.replace("'", "''") + "'" if _INDICATOR.search(text) else text


def _is_printable(character: str) -> bool:
    """yamlprivateh.go, `is_printable`. No pattern: one with such ranges takes 30 ms to compile."""
    if character < "\x7f":
        return character >= " " or character == "\n"
    return "\xa0" <= character <= "\ufffd" and not "\ud800" <= character < "\ue000" and character not in _SPECIAL


_SPECIAL = "\u2028\u2029\ufeff"
_INDICATOR = re.compile(
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
