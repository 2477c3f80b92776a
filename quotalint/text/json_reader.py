"""Reads JSON like Kubernetes: a stream of documents."""

from __future__ import annotations

from typing import Any

from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.scalars import number_value


class JsonDocument(NamedTuple):
    """One document of a stream; `start` and `end` are offsets in characters."""

    value: object
    start: int
    end: int
    repeats: bool
    """Whether some key is repeated; the last one wins."""


class JsonStream(NamedTuple):
    """The documents up to the end of the text, or up to `stop`, after which it is no JSON because of `problem`."""

    documents: tuple[JsonDocument, ...]
    stop: int
    problem: str = ""


def json_stream(text: str) -> JsonStream:
    """The JSON documents of a text; raises RecursionError if they are nested too deeply for Python's reader.

    Like apimachinery's YAMLOrJSONDecoder with encoding/json: NaN and infinity are errors, and half a surrogate pair
    becomes U+FFFD.
    """
    import json

    if _SURROGATE.search(text):
        text = _ESCAPE.sub(lambda escape: "\\ufffd" if escape["lone"] else escape[0], text)
    repeating = False

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeating
        value = dict(pairs)
        repeating = repeating or len(value) != len(pairs)
        return value

    decoder = json.JSONDecoder(
        object_pairs_hook=mapping, parse_int=_json_number, parse_float=_json_number, parse_constant=_refuse_constant
    )
    documents: list[JsonDocument] = []
    start = _skip_blank(text, 0)
    while start < len(text):
        repeating = False
        try:
            value, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            return JsonStream(tuple(documents), error.pos, f"no JSON: {error.msg}")
        except _NotANumberError as error:
            literal = str(error)
            stop = max(text.find(literal, start), start)
            return JsonStream(tuple(documents), stop, f"no JSON number: {literal[:40]}")
        documents.append(JsonDocument(value, start, end, repeating))
        start = _skip_blank(text, end)
    return JsonStream(tuple(documents), start)


def as_yaml(text: str) -> str:
    """JSON in a form that libyaml reads too, with unchanged positions. A few characters in strings change, so a key
    with such a character is not found."""
    if _SURROGATE.search(text):
        text = _ESCAPE.sub(lambda escape: "\\ufffd" * (len(escape[0]) // 6) or escape[0], text)
    return _ALIEN.sub(" ", text)


_SURROGATE = lazy_pattern(r"\\u[dD][89a-fA-F]")
_ESCAPE = lazy_pattern(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
_ALIEN = lazy_pattern(r"[\x7f-\x9f\u2028\u2029\ufffe\uffff]")  # forbidden in YAML, or line breaks
_BLANK = lazy_pattern(r"[ \t\n\r]*")


class _NotANumberError(ValueError):
    pass


def _skip_blank(text: str, start: int) -> int:
    match = _BLANK.match(text, start)
    return match.end() if match else start


def _json_number(text: str) -> int | float:
    value = number_value(text)
    if value is None:
        raise _NotANumberError(text)
    return value


def _refuse_constant(text: str) -> float:
    raise _NotANumberError(text)
