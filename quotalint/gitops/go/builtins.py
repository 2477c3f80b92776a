"""The built-in functions of Go's text/template (Go 1.24, text/template/funcs.go), and fmt's verbs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.gitops.go.hidden import HiddenValue, entry_of
from quotalint.gitops.go.text_functions import replace_all
from quotalint.gitops.go.values import (
    MAX_TEXT,
    MISSING,
    GoError,
    Implementation,
    StringMap,
    go_quoted,
    go_text,
    is_true,
    join_limited,
    type_name,
)
from quotalint.text.lazy_patterns import lazy_pattern


def _index_into(item: object, *indices: object) -> object:
    if item is MISSING:
        raise GoError("index of untyped nil")
    for index in indices:
        if item is None:
            raise GoError("index of nil pointer")
        if isinstance(item, dict):
            if not isinstance(index, str):
                raise GoError(f"value has type {type_name(index)}; should be string")
            absent = "" if isinstance(item, StringMap) else None
            item = absent if (entry := entry_of(item, index)) is MISSING else entry
            continue
        if isinstance(item, HiddenValue):
            item = item.entry(str(index))
            continue
        if not isinstance(item, (list, str)):
            raise GoError(f"can't index item of type {type_name(item)}")
        if isinstance(index, bool) or not isinstance(index, int):
            raise GoError(f"cannot index slice/array with type {type_name(index)}")
        within: list[object] = [*item.encode("utf-8", "surrogatepass")] if isinstance(item, str) else item
        if not 0 <= index < len(within):
            raise GoError(f"index out of range: {index}")
        item = within[index]
    return item


def _length_of(item: object) -> int:
    if not isinstance(item, (str, list, dict)):
        raise GoError(f"len of type {type_name(item)}")
    return len(item.encode("utf-8", "surrogatepass")) if isinstance(item, str) else len(item)


def _equals_any(first: object, *others: object) -> bool:
    if not others:
        raise GoError("missing argument for comparison")
    return any(_equal_basic(first, other) for other in others)


def _equal_basic(first: object, second: object) -> bool:
    nothing = (MISSING, None)
    if first in nothing or second in nothing:
        return (first in nothing) == (second in nothing)
    kinds = _basic_kind(first), _basic_kind(second)
    if kinds[0] != kinds[1]:
        raise GoError("incompatible types for comparison")
    if not kinds[0]:
        raise GoError(f"non-comparable type {type_name(first)}")
    return first == second


def _basic_kind(value: object) -> str:
    name = type_name(value)
    return "int" if name == "int64" else name if name in ("bool", "string", "int", "float64") else ""


def _less_than(first: object, second: object) -> bool:
    kind = _basic_kind(first)
    if kind in ("", "bool") or _basic_kind(second) in ("", "bool"):
        raise GoError("invalid type for comparison")
    if kind != _basic_kind(second):
        raise GoError("incompatible types for comparison")
    if isinstance(first, str) and isinstance(second, str):
        return first < second
    return bool(first < second)  # type: ignore[operator]  # both are numbers of one kind


def _print_values(*values: object) -> str:
    """fmt.Sprint: adds a space between two values if neither is a string."""

    def pieces() -> Iterator[str]:
        before: object = ""
        for value in values:
            if not isinstance(before, str) and not isinstance(value, str):
                yield " "
            yield go_text(value)
            before = value

    return join_limited(pieces())


def _print_formatted(written: str, *values: object) -> str:
    return join_limited(_formatted_pieces(written, values))


def _formatted_pieces(written: str, values: tuple[object, ...]) -> Iterator[str]:
    at = used = 0
    for match in _VERB.finditer(written):
        yield written[at : match.start()]
        at = match.end()
        flags, width, precision, verb = match.groups()
        if verb == "%":
            yield "%"
            continue
        if verb is None or int(width or 0) > 1000 or int(precision or 0) > 100:
            raise GoError(f"the verb {match[0]!r} of printf is not supported here")
        if used == len(values):
            yield f"%!{verb}(MISSING)"
            continue
        text = _format_verb(verb, flags, precision, values[used])
        used += 1
        if "-" in flags:
            yield text.ljust(int(width or 0))
        elif "0" in flags and verb in "dxf":
            yield text.zfill(int(width or 0))
        else:
            yield text.rjust(int(width or 0))
    yield written[at:]
    if used < len(values):
        unused_values = (
            f"{type_name(argument)}={go_text(argument)}" if argument is not None else "<nil>"
            for argument in values[used:]
        )
        yield f"%!(EXTRA {', '.join(unused_values)})"


_VERB = lazy_pattern(r"%([-+# 0]*)([0-9]{0,5})(?:\.([0-9]{0,5}))?([A-Za-z%])?")


def _format_verb(verb: str, flags: str, precision: str | None, value: object) -> str:
    if isinstance(value, (list, dict)) and verb != "v" and not (verb == "s" and _all_texts(value)):
        raise GoError(f"the verb %{verb} of printf for {type_name(value)} is not supported here")
    if set(flags) - set("-0") and not (flags == "+" and verb == "v"):
        raise GoError(f"the flags {flags!r} of printf are not supported here")
    if precision is not None and verb not in "fs":
        raise GoError(f"the precision of %{verb} of printf is not supported here")
    if verb == "v" or (verb == "s" and isinstance(value, (str, list, dict))):
        text = go_text(value)
        return text if precision is None else text[: int(precision or 0)]
    if verb == "q" and isinstance(value, str):
        return go_quoted(value)
    if isinstance(value, int) and not isinstance(value, bool) and verb in "dxo":
        return format(int(value), verb)
    if verb == "x" and isinstance(value, str):
        return value.encode("utf-8", "surrogatepass").hex()
    if verb == "t" and isinstance(value, bool):
        return go_text(value)
    if verb == "f" and isinstance(value, float) and abs(value) < 1e300:
        return f"{value:.{6 if precision is None else int(precision or 0)}f}"
    if verb == "T":
        return type_name(value)
    if verb not in "sdqtfx" or (verb in "qx" and isinstance(value, (int, float))):
        raise GoError(f"the verb %{verb} of printf for {type_name(value)} is not supported here")
    return f"%!{verb}({type_name(value)}={go_text(value)})" if value is not None else f"%!{verb}(<nil>)"


def _all_texts(value: object) -> bool:
    return all(isinstance(element, str) for element in (value.values() if isinstance(value, dict) else value))  # type: ignore[attr-defined]  # else a list


def _show_values(values: tuple[object, ...]) -> str:
    return _print_values(*("<no value>" if argument is None else argument for argument in values))


def _escape_html(*values: object) -> str:
    text = _show_values(values)
    for plain, escaped in (("&", "&amp;"), ("'", "&#39;"), ('"', "&#34;"), ("<", "&lt;"), (">", "&gt;")):
        text = replace_all(plain, escaped, text)
    return text


def _url_query(*values: object) -> str:
    from urllib.parse import quote_plus

    text = _show_values(values)
    if len(text) > MAX_TEXT // 12:
        raise GoError("a string is too long to quote")
    return quote_plus(text, safe="~", errors="surrogatepass")


FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {
    "and": ("vv*", lambda *values: values[-1]),  # the caller passes only the operands that must be evaluated
    "or": ("vv*", lambda *values: values[-1]),
    "not": ("v", lambda value: not is_true(value)),
    "index": ("vv*", _index_into),
    "len": ("v", _length_of),
    "eq": ("vv*", _equals_any),
    "ne": ("vv", lambda first, second: not _equals_any(first, second)),
    "lt": ("vv", _less_than),
    "le": ("vv", lambda first, second: _less_than(first, second) or _equal_basic(first, second)),
    "gt": ("vv", lambda first, second: not _less_than(first, second) and not _equal_basic(first, second)),
    "ge": ("vv", lambda first, second: not _less_than(first, second)),
    "print": ("a*", _print_values),
    "println": ("a*", lambda *values: " ".join(map(go_text, values)) + "\n"),
    "printf": ("sa*", _print_formatted),
    "html": ("a*", _escape_html),
    "urlquery": ("a*", _url_query),
}
