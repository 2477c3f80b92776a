"""JSON and YAML as Go reads and writes them (encoding/json, sigs.k8s.io/yaml)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from quotalint.gitops.go.hidden import HiddenValue
from quotalint.gitops.go.values import (
    MAX_DEPTH,
    GoError,
    Implementation,
    as_decoded,
    go_float,
    join_limited,
    json_float,
    walk,
)
from quotalint.text.lazy_patterns import lazy_pattern


def to_json(value: object, *, html: bool = True, indent: str = "") -> str:
    """The value as JSON with sorted keys; `html` escapes the characters special in HTML."""
    return join_limited(_json_pieces(value, indent, 0, html=html))


def _json_pieces(value: object, indent: str, depth: int, *, html: bool) -> Iterator[str]:
    if depth > MAX_DEPTH:
        raise GoError("a value is nested too deeply")
    walk(1 + depth // 8)
    if isinstance(value, str):
        yield _json_text(value, html=html)
    elif isinstance(value, (dict, list)):
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        if not value:
            yield opening + closing
            return
        line = "\n" + indent * (depth + 1) if indent else ""
        keys = sorted(value) if isinstance(value, dict) else range(len(value))
        for number, key in enumerate(keys):
            yield ("," if number else opening) + line
            if isinstance(key, str):
                yield _json_text(key, html=html) + (": " if indent else ":")
            yield from _json_pieces(value[key], indent, depth + 1, html=html)
        yield ("\n" + indent * depth if indent else "") + closing
    else:
        yield _scalar_text(value)


def _scalar_text(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, HiddenValue):
        return _json_text(str(value), html=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    return json_float(value) if isinstance(value, float) else str(value)


def _json_text(value: str, *, html: bool) -> str:
    return '"' + (_HTML if html else _PLAIN).sub(_escape_character, value) + '"'


_PLAIN = lazy_pattern('["\\\\\x00-\x1f\u2028\u2029]')
_HTML = lazy_pattern('["\\\\\x00-\x1f\u2028\u2029<>&]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def _escape_character(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}"


def from_json(text: str) -> object:
    """The value of a JSON text. Raises GoError."""
    import json

    def refuse_constant(name: str) -> object:
        raise ValueError(name)

    try:
        return as_decoded(json.loads(text, parse_int=float, parse_constant=refuse_constant))
    except ValueError:
        raise GoError("a string is not JSON") from None


def from_yaml(text: str) -> object:
    """The value of the first document in a YAML text. Raises GoError."""
    from quotalint.text.loader import Trouble, load

    walk(len(text))
    loaded = load(text.encode("utf-8", "surrogatepass"))
    if isinstance(loaded, Trouble):
        raise GoError(f"a string is not YAML: {loaded.message}")
    return as_decoded(loaded.value)


def to_yaml(value: object) -> str:
    """The value as block YAML with sorted keys. It parses like Go's output, but strings may be quoted differently."""
    return join_limited(_yaml_pieces(value, 0, "")).removeprefix("\n").removesuffix("\n")


def _yaml_pieces(value: object, depth: int, margin: str) -> Iterator[str]:
    """The text after a key's colon or after a dash; a list is not indented below its key."""
    if depth > MAX_DEPTH:
        raise GoError("a value is nested too deeply")
    walk(1 + depth // 8)
    if isinstance(value, dict) and value:
        yield "\n"
        for key in sorted(value):
            yield f"{margin}{_yaml_text(key)}:"
            below = value[key]
            inner = margin if isinstance(below, list) else margin + "  "
            yield from _pieces_after_key(below, depth, inner)
    elif isinstance(value, list) and value:
        yield "\n"
        for item in value:
            yield f"{margin}-"
            if isinstance(item, (dict, list)) and item:
                nested = join_limited(_yaml_pieces(item, depth + 1, margin + "  "))
                yield " " + nested[1 + len(margin) + 2 :]
            else:
                yield from _pieces_after_key(item, depth, margin)
    else:
        yield ("{}" if isinstance(value, dict) else "[]" if isinstance(value, list) else _yaml_scalar(value)) + "\n"


def _pieces_after_key(value: object, depth: int, margin: str) -> Iterator[str]:
    if not isinstance(value, (dict, list)) or not value:
        yield " "
    yield from _yaml_pieces(value, depth + 1, margin)


def _yaml_scalar(value: object) -> str:
    if isinstance(value, str):
        return _yaml_text(value)
    return go_float(value) if isinstance(value, float) and abs(value) >= 1e21 else _scalar_text(value)


def _yaml_text(value: str) -> str:
    from quotalint.text.loader import Trouble, load

    if _BARE.fullmatch(value):
        walk(16 + len(value))
        loaded = load(value.encode())
        if not isinstance(loaded, Trouble) and loaded.value == value:
            return value
    return '"' + _UNSAFE.sub(_yaml_escaped, value) + '"'


_BARE = lazy_pattern(r"[A-Za-z0-9_./][A-Za-z0-9_./+@-]*(?:(?::| +)[A-Za-z0-9_./+@-]+)*")
_UNSAFE = lazy_pattern(r'["\\]|[^ -~\u00a0-\ud7ff]')


def _yaml_escaped(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\U{ord(match[0]):08x}"


def _base64_text(value: str, *, encode: bool) -> str:
    import base64
    import binascii

    if encode:
        return base64.b64encode(value.encode("utf-8", "surrogatepass")).decode()
    try:
        return base64.b64decode(value.replace("\n", "").replace("\r", ""), validate=True).decode()
    except (binascii.Error, ValueError):
        raise GoError("a string is not base64, or does not encode text") from None


def _hash_function(name: str) -> Callable[[str], str]:
    def hash_text(value: str) -> str:
        import hashlib

        return hashlib.new(name, value.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()

    return hash_text


def _adler32(value: str) -> str:
    import zlib

    return str(zlib.adler32(value.encode("utf-8", "surrogatepass")))


def _without_errors(implementation: Callable[[str], object]) -> Implementation:
    """A sprig function without `must`: it returns nil instead of failing."""

    def quiet(value: str) -> object:
        try:
            return implementation(value)
        except GoError:
            return None

    return quiet


def _yaml_of(kind: type) -> Callable[[str], object]:
    def read_yaml(value: str) -> object:
        decoded = from_yaml(value)
        if decoded is not None and not isinstance(decoded, kind):
            raise GoError(f"a YAML string is not a {kind.__name__}")
        return kind() if decoded is None else decoded

    return read_yaml


FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {
    "b64enc": ("s", lambda value: _base64_text(value, encode=True)),
    "b64dec": ("s", lambda value: _base64_text(value, encode=False)),
    "sha1sum": ("s", _hash_function("sha1")),
    "sha256sum": ("s", _hash_function("sha256")),
    "sha512sum": ("s", _hash_function("sha512")),
    "adler32sum": ("s", _adler32),
    "toJson": ("a", to_json),
    "mustToJson": ("a", to_json),
    "toRawJson": ("a", lambda value: to_json(value, html=False)),
    "mustToRawJson": ("a", lambda value: to_json(value, html=False)),
    "toPrettyJson": ("a", lambda value: to_json(value, indent="  ")),
    "mustToPrettyJson": ("a", lambda value: to_json(value, indent="  ")),
    "fromJson": ("s", _without_errors(from_json)),
    "mustFromJson": ("s", from_json),
    "toYaml": ("a", to_yaml),
    "fromYaml": ("s", _yaml_of(dict)),
    "fromYamlArray": ("s", _yaml_of(list)),
}
