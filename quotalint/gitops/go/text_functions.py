"""sprig's functions for strings, paths and regular expressions (github.com/Masterminds/sprig 3.3), and Argo CD's
additional ones."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from quotalint.gitops.go.values import (
    MAX_TEXT,
    GoError,
    Implementation,
    StringMap,
    go_quoted,
    go_text,
    is_true,
    join_limited,
    walk,
)
from quotalint.text.expression_syntax import ExpressionError
from quotalint.text.expressions import Expression, Match, TooExpensiveError


def regexp_matches(written: str, text: str) -> Iterator[Match]:
    """All matches of a regular expression in a text. Raises GoError if Go refuses it, or if it is not supported
    here."""
    try:
        yield from _expression(written).matches(text)
    except TooExpensiveError:
        raise GoError(f"the regular expression {written[:100]!r} could take too long on so long a text") from None


def expand_match(match: Match, template: str) -> str:
    """The replacement of a match, with `$1`, `${name}` and `$$` expanded (regexp.Regexp.Expand)."""
    parts: list[str] = []
    at = 0
    while (dollar := template.find("$", at)) >= 0:
        parts.append(template[at:dollar])
        at = dollar + 1
        if template.startswith("$", at):
            parts.append("$")
            at += 1
            continue
        braced = template.startswith("{", at)
        end = begin = at + braced
        while end < len(template) and (template[end] == "_" or template[end].isalnum()):
            end += 1
        if end == begin or (braced and not template.startswith("}", end)):
            parts.append("$")
            continue
        parts.append(match.group(template[begin:end]))
        at = end + braced
    return "".join([*parts, template[at:]])


@lru_cache(maxsize=256)
def _expression(written: str) -> Expression:
    try:
        return Expression(written)
    except ExpressionError as wrong:
        raise GoError(str(wrong)) from None


def _regex_all(pattern: str, value: str, count: int) -> list[str]:
    texts = [match.whole for match in regexp_matches(pattern, value)]
    return texts[:count] if count >= 0 else texts


def _regex_replaced(pattern: str, value: str, new: str, *, literal: bool = False) -> str:
    parts: list[str] = []
    at = size = 0
    for match in regexp_matches(pattern, value):
        parts += (value[at : match.start], new if literal else expand_match(match, new))
        at = match.end
        size += len(parts[-1])
        if size > MAX_TEXT:
            raise GoError(f"a string grows longer than {MAX_TEXT:,} characters")
    return "".join([*parts, value[at:]])


def _regex_split(pattern: str, value: str, count: int) -> list[str]:
    if count == 0:
        return []
    if pattern and not value:
        return [""]
    parts: list[str] = []
    begin = end = 0
    for match in regexp_matches(pattern, value):
        if count > 0 and len(parts) == count - 1:
            break
        end = match.start
        if match.end != 0:
            parts.append(value[begin:end])
        begin = match.end
    return [*parts, value[begin:]] if end != len(value) else parts


# sprig's functions for slash-separated paths, from Go's package path.
def _base_name(path: str) -> str:
    if not path:
        return "."
    return path.rstrip("/").rpartition("/")[2] or "/"


def _directory_name(path: str) -> str:
    return _clean_path(path.rpartition("/")[0] + ("/" if "/" in path else ""))


def _clean_path(path: str) -> str:
    return re.sub("^//", "/", posixpath.normpath(path)) if path else "."


def _file_extension(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :] if "." in name else ""


def _cut_bytes(value: str, begin: int | None, end: int | None) -> str:
    """A substring by byte offsets, as in Go."""
    data = value.encode("utf-8", "surrogatepass")
    size = len(data)
    begin, end = begin or 0, size if end is None else end
    if not 0 <= begin <= end <= size:
        raise GoError(f"there are no characters {begin} to {end} in a string of {size}")
    try:
        return data[begin:end].decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise GoError("a character is cut in two") from None


def _truncate_text(count: int, value: str) -> str:
    size = len(value.encode("utf-8", "surrogatepass"))
    if count < 0:
        return _cut_bytes(value, size + count, None) if size + count > 0 else value
    return _cut_bytes(value, 0, count) if size > count else value


def _substring_of(begin: int, end: int, value: str) -> str:
    if begin < 0:
        return _cut_bytes(value, None, end)
    return _cut_bytes(value, begin, None if end < 0 or end > len(value.encode("utf-8", "surrogatepass")) else end)


def _repeat_text(count: int, value: str) -> str:
    if count < 0 or count * max(len(value), 1) > MAX_TEXT:
        raise GoError(f"a string cannot be repeated {count} times")
    return value * count


def _indent_lines(spaces: int, value: str) -> str:
    pad = _repeat_text(spaces, " ")
    if len(pad) * (value.count("\n") + 1) > MAX_TEXT:
        raise GoError(f"a string grows longer than {MAX_TEXT:,} characters")
    return pad + value.replace("\n", "\n" + pad)


def replace_all(old: str, new: str, value: str) -> str:
    """strings.ReplaceAll with sprig's argument order."""
    if value.count(old) * len(new) > MAX_TEXT:
        raise GoError(f"a string grows longer than {MAX_TEXT:,} characters")
    return value.replace(old, new)


def _slugify_name(*arguments: object) -> str:
    """Argo CD's `slugify [SIZE [SMART]] NAME`: github.com/gosimple/slug applied to a normalized name."""
    *options, name = arguments or ("",)
    size = options[0] if options else 50
    smart = options[1] if len(options) > 1 else True
    if not isinstance(name, str) or type(size) is not int or not isinstance(smart, bool):
        raise GoError("slugify has arguments of the wrong type")
    slug = re.sub("-+", "-", re.sub(r"[^a-z0-9_-]", "-", normalize_name(name))).strip("-_")
    if size <= 0 or len(slug) <= size:
        return slug
    if not smart:
        return slug[:size].strip("-_")
    words = slug.split("-")
    shortened = words[0][:size]
    for word in words[1:]:
        if len(shortened) + 1 + len(word) > size:
            break
        shortened += "-" + word
    return shortened


def normalize_name(name: str) -> str:
    """A string as a DNS name that is valid in metadata.name (template_functions.go, `SanitizeName`)."""
    return re.sub("[^-a-z0-9.]", "-", name.lower())[:253].strip("-.")


def _case_function(connector: str) -> Callable[[str], str]:
    """A function that changes case as github.com/huandu/xstrings, for letters and separators only; its releases differ
    on digits and other characters."""

    def change_case(value: str) -> str:
        if not re.fullmatch(r"[A-Za-z _-]*", value):
            raise GoError(f"{value!r} in another case is not supported here")
        words = re.sub("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", connector, value)
        return re.sub("[ _-]", connector, words).lower()

    return change_case


def _split_text(value: str, separator: str, count: int = -1) -> list[str]:
    if count == 0:
        return []
    if not separator:
        return [*value] if count < 0 or len(value) <= count else [*value[: count - 1], value[count - 1 :]]
    return value.split(separator, count - 1 if count > 0 else -1)


def _number_parts(parts: list[str]) -> StringMap:
    walk(len(parts))
    return StringMap({f"_{index}": part for index, part in enumerate(parts)})


def _strings_of(value: object) -> list[str]:
    """The value as a list of strings: sprig's `strslice`."""
    if value is None:
        return []
    return [go_text(item) for item in value if item is not None] if isinstance(value, list) else [go_text(value)]


def _fail_template(message: str) -> object:
    raise GoError(f"the template fails: {message}")


def _join_strings(separator: str, value: object) -> str:
    parts = _strings_of(value)
    if sum(map(len, parts)) + len(separator) * len(parts) > MAX_TEXT:
        raise GoError(f"a string grows longer than {MAX_TEXT:,} characters")
    return separator.join(parts)


def _spaced_texts(texts: Iterable[str]) -> str:
    return join_limited(part for index, text in enumerate(texts) for part in ((" ", text) if index else (text,)))


def _upper_case(value: str) -> str:
    """The text in capitals, per character; a character that would become two is kept (Go, unicode.ToUpper)."""
    return "".join(large if len(large := letter.upper()) == 1 else letter for letter in value)


FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {
    "upper": ("s", _upper_case),
    "lower": ("s", str.lower),
    "trim": ("s", str.strip),
    "trimAll": ("ss", lambda cut, value: value.strip(cut) if cut else value),
    "trimPrefix": ("ss", lambda prefix, value: value.removeprefix(prefix)),
    "trimSuffix": ("ss", lambda suffix, value: value.removesuffix(suffix)),
    "contains": ("ss", lambda part, value: part in value),
    "hasPrefix": ("ss", lambda prefix, value: value.startswith(prefix)),
    "hasSuffix": ("ss", lambda suffix, value: value.endswith(suffix)),
    "replace": ("sss", replace_all),
    "repeat": ("is", _repeat_text),
    "nospace": ("s", lambda value: "".join(value.split())),
    "untitle": ("s", lambda value: re.sub(r"(?<!\S)\S", lambda match: match[0].lower(), value)),
    "title": ("s", lambda value: re.sub(r"(?<![\w])[^\W\d_]", lambda match: match[0].upper(), value)),
    "trunc": ("is", _truncate_text),
    "substr": ("iis", _substring_of),
    "indent": ("is", _indent_lines),
    "nindent": ("is", lambda spaces, value: "\n" + _indent_lines(spaces, value)),
    "quote": (
        "a*",
        lambda *all_: _spaced_texts(go_quoted(go_text(argument)) for argument in all_ if argument is not None),
    ),
    "squote": ("a*", lambda *all_: _spaced_texts(f"'{go_text(value)}'" for value in all_ if value is not None)),
    "cat": ("a*", lambda *all_: _spaced_texts(go_text(argument) for argument in all_ if argument is not None)),
    "toString": ("a", go_text),
    "toStrings": ("a", _strings_of),
    "join": ("sa", _join_strings),
    "sortAlpha": ("a", lambda value: sorted(_strings_of(value)) if isinstance(value, list) else [go_text(value)]),
    "split": ("ss", lambda separator, value: _number_parts(_split_text(value, separator))),
    "splitn": ("sis", lambda separator, count, value: _number_parts(_split_text(value, separator, count))),
    "splitList": ("ss", lambda separator, value: _split_text(value, separator)),
    "plural": ("ssi", lambda singular, many, count: singular if count == 1 else many),
    "snakecase": ("s", _case_function("_")),
    "kebabcase": ("s", _case_function("-")),
    "normalize": ("s", normalize_name),
    "slugify": ("a*", _slugify_name),
    "ternary": ("aab", lambda first, second, condition: first if condition else second),
    "fail": ("s", _fail_template),
    "empty": ("a", lambda value: not is_true(value)),
    "base": ("s", _base_name),
    "dir": ("s", _directory_name),
    "clean": ("s", _clean_path),
    "ext": ("s", _file_extension),
    "isAbs": ("s", lambda path: path.startswith("/")),
    "regexMatch": ("ss", lambda pattern, value: any(True for _ in regexp_matches(pattern, value))),
    "regexFind": ("ss", lambda pattern, value: next((match.whole for match in regexp_matches(pattern, value)), "")),
    "regexFindAll": ("ssi", _regex_all),
    "regexReplaceAll": ("sss", _regex_replaced),
    "regexReplaceAllLiteral": ("sss", lambda pattern, value, new: _regex_replaced(pattern, value, new, literal=True)),
    "regexSplit": ("ssi", _regex_split),
    "regexQuoteMeta": ("s", lambda value: re.sub(r"[\\.+*?()|\[\]{}^$]", r"\\\g<0>", value)),
}
