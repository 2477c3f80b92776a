"""sprig's functions on texts, numbers and paths (github.com/Masterminds/sprig 3.3), and those that Argo CD adds."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping

from quotalint.gitops.go.encodings import from_json, from_yaml, to_json, to_yaml
from quotalint.gitops.go.regexps import regexp
from quotalint.gitops.go.values import MAX_TEXT, GoError, Int64, StringMap, go_quoted, go_text, truth

Implementation = Callable[..., object]


def string_of(value: object) -> str:
    """sprig's `strval`."""
    return go_text(value)


def integer_of(value: object) -> int:
    """spf13/cast, `ToInt64`: what is no number is 0."""
    if isinstance(value, bool) or value is None:
        return int(bool(value))
    if isinstance(value, float):
        if not abs(value) < 2**63:
            raise GoError("a number is too large to become an integer")
        return int(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        written = re.sub(r"\.0*$", "", value)
        if re.fullmatch(r"[+-]?0[0-9]+", written):
            raise GoError(f"{value!r} is one number to some releases and another to others")
        try:
            found = int(written, 0) if re.fullmatch(r"[+-]?\w+", written, re.ASCII) else 0
        except ValueError:
            return 0
        return found if -(2**63) <= found < 2**63 else 0
    return 0


def wrapped(value: int) -> Int64:
    """An int64, which overflows silently."""
    return Int64((value + 2**63) % 2**64 - 2**63)


def _cut(value: str, begin: int | None, end: int | None) -> str:
    """Go cuts bytes."""
    data = value.encode("utf-8", "surrogatepass")
    size = len(data)
    begin, end = begin or 0, size if end is None else end
    if not 0 <= begin <= end <= size:
        raise GoError(f"there are no characters {begin} to {end} in a text of {size}")
    try:
        return data[begin:end].decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise GoError("a character is cut in two") from None


def _trunc(count: int, value: str) -> str:
    size = len(value.encode("utf-8", "surrogatepass"))
    if count < 0:
        return _cut(value, size + count, None) if size + count > 0 else value
    return _cut(value, 0, count) if size > count else value


def _substring(begin: int, end: int, value: str) -> str:
    if begin < 0:
        return _cut(value, None, end)
    return _cut(value, begin, None if end < 0 or end > len(value.encode("utf-8", "surrogatepass")) else end)


def _repeated(count: int, value: str) -> str:
    if count < 0 or count * max(len(value), 1) > MAX_TEXT:
        raise GoError(f"a text cannot be repeated {count} times")
    return value * count


def _indent(spaces: int, value: str) -> str:
    pad = _repeated(spaces, " ")
    if len(pad) * (value.count("\n") + 1) > MAX_TEXT:
        raise GoError(f"a text grows longer than {MAX_TEXT:,} characters")
    return pad + value.replace("\n", "\n" + pad)


def replaced(old: str, new: str, value: str) -> str:
    """strings.ReplaceAll, in sprig's order."""
    if value.count(old) * len(new) > MAX_TEXT:
        raise GoError(f"a text grows longer than {MAX_TEXT:,} characters")
    return value.replace(old, new)


def _slug(*arguments: object) -> str:
    """Argo CD's `slugify`: github.com/gosimple/slug over a normalized name, which a size and `smart` may precede."""
    *options, name = arguments or ("",)
    size = options[0] if options else 50
    smart = options[1] if len(options) > 1 else True
    if not isinstance(name, str) or type(size) is not int or not isinstance(smart, bool):
        raise GoError("slugify has arguments of the wrong type")
    slug = re.sub("-+", "-", re.sub(r"[^a-z0-9_-]", "-", normalize(name))).strip("-_")
    if size <= 0 or len(slug) <= size:
        return slug
    if not smart:
        return slug[:size].strip("-_")
    words = slug.split("-")
    kept = words[0][:size]
    for word in words[1:]:
        if len(kept) + 1 + len(word) > size:
            break
        kept += "-" + word
    return kept


def normalize(name: str) -> str:
    """A text as a DNS name (template_functions.go, `SanitizeName`)."""
    return re.sub("[^-a-z0-9.]", "-", name.lower())[:253].strip("-.")


def _cased(connector: str) -> Callable[[str], str]:
    """github.com/huandu/xstrings, for what has neither digits nor other signs; with those, its releases differ."""

    def cased(value: str) -> str:
        if not re.fullmatch(r"[A-Za-z _-]*", value):
            raise GoError(f"{value!r} in another case is not read here")
        words = re.sub("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", connector, value)
        return re.sub("[ _-]", connector, words).lower()

    return cased


def _base(path: str) -> str:
    if not path:
        return "."
    return path.rstrip("/").rpartition("/")[2] or "/"


def _directory(path: str) -> str:
    return _clean(path.rpartition("/")[0] + ("/" if "/" in path else ""))


def _clean(path: str) -> str:
    return re.sub("^//", "/", posixpath.normpath(path)) if path else "."


def _extension(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :] if "." in name else ""


def _quotient(first: object, second: object) -> tuple[int, int]:
    """Go's division, which drops what is behind the point."""
    numerator, denominator = integer_of(first), integer_of(second)
    if denominator == 0:
        raise GoError("a division by zero")
    quotient = abs(numerator) // abs(denominator) * (1 if (numerator < 0) == (denominator < 0) else -1)
    return quotient, numerator - quotient * denominator


def _product(first: object, *others: object) -> Int64:
    result = wrapped(integer_of(first))
    for other in others:
        result = wrapped(result * integer_of(other))
    return result


def _steps(start: int, stop: int, step: int) -> list[object]:
    if (stop < start and step >= 0) or (stop >= start and step <= 0):
        return []
    steps = range(start, stop, step)
    if len(steps) > 100_000:
        raise GoError("a list grows too long")
    return list(steps)


def _split(value: str, separator: str, count: int = -1) -> list[str]:
    if count == 0:
        return []
    if not separator:
        return [*value] if count < 0 or len(value) <= count else [*value[: count - 1], value[count - 1 :]]
    return value.split(separator, count - 1 if count > 0 else -1)


def _numbered(parts: list[str]) -> StringMap:
    return StringMap({f"_{index}": part for index, part in enumerate(parts)})


def _strings(value: object) -> list[str]:
    """sprig's `strslice`."""
    if value is None:
        return []
    return [string_of(one) for one in value if one is not None] if isinstance(value, list) else [string_of(value)]


def _b64(value: str, encode: bool) -> str:
    import base64
    import binascii

    if encode:
        return base64.b64encode(value.encode("utf-8", "surrogatepass")).decode()
    try:
        return base64.b64decode(value.replace("\n", "").replace("\r", ""), validate=True).decode()
    except (binascii.Error, ValueError):
        raise GoError("a text is not base64, or not of text") from None


def _hash(name: str) -> Callable[[str], str]:
    def hashed(value: str) -> str:
        import hashlib

        return hashlib.new(name, value.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()

    return hashed


def _regex_all(pattern: str, value: str, count: int) -> list[str]:
    found = [one[0] for one in regexp(pattern).matches(value)]
    return found[:count] if count >= 0 else found


def _regex_replaced(pattern: str, value: str, new: str, literal: bool = False) -> str:
    compiled = regexp(pattern)
    parts: list[str] = []
    at = size = 0
    for found in compiled.matches(value):
        parts += (value[at : found.start()], new if literal else compiled.expanded(found, new))
        at = found.end()
        size += len(parts[-1])
        if size > MAX_TEXT:
            raise GoError(f"a text grows longer than {MAX_TEXT:,} characters")
    return "".join([*parts, value[at:]])


def _regex_split(pattern: str, value: str, count: int) -> list[str]:
    if count == 0:
        return []
    if pattern and not value:
        return [""]
    parts: list[str] = []
    begin = end = 0
    for found in regexp(pattern).matches(value):
        if count > 0 and len(parts) == count - 1:
            break
        end = found.start()
        if found.end() != 0:
            parts.append(value[begin:end])
        begin = found.end()
    return [*parts, value[begin:]] if end != len(value) else parts


def _fail(message: str) -> object:
    raise GoError(f"the template fails: {message}")


def _quiet(implementation: Callable[[str], object]) -> Implementation:
    """sprig's functions without `must` give nothing where they fail."""

    def quiet(value: str) -> object:
        try:
            return implementation(value)
        except GoError:
            return None

    return quiet


def _yaml_of(kind: type) -> Callable[[str], object]:
    def read(value: str) -> object:
        found = from_yaml(value)
        if found is not None and not isinstance(found, kind):
            raise GoError(f"a YAML text is not a {kind.__name__}")
        return kind() if found is None else found

    return read


def _joined(separator: str, value: object) -> str:
    parts = _strings(value)
    if sum(map(len, parts)) + len(separator) * len(parts) > MAX_TEXT:
        raise GoError(f"a text grows longer than {MAX_TEXT:,} characters")
    return separator.join(parts)


def _rounded(how: str) -> Callable[[object], float]:
    def rounded(value: object) -> float:
        import math

        if not isinstance(value, (int, float)):
            raise GoError(f"{how} of what is no number is not read here")
        return float(math.floor(value) if how == "floor" else math.ceil(value))

    return rounded


FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {
    "upper": ("s", str.upper),
    "lower": ("s", str.lower),
    "trim": ("s", str.strip),
    "trimAll": ("ss", lambda cut, value: value.strip(cut) if cut else value),
    "trimPrefix": ("ss", lambda prefix, value: value.removeprefix(prefix)),
    "trimSuffix": ("ss", lambda suffix, value: value.removesuffix(suffix)),
    "contains": ("ss", lambda part, value: part in value),
    "hasPrefix": ("ss", lambda prefix, value: value.startswith(prefix)),
    "hasSuffix": ("ss", lambda suffix, value: value.endswith(suffix)),
    "replace": ("sss", replaced),
    "repeat": ("is", _repeated),
    "nospace": ("s", lambda value: "".join(value.split())),
    "untitle": ("s", lambda value: re.sub(r"(?<!\S)\S", lambda found: found[0].lower(), value)),
    "title": ("s", lambda value: re.sub(r"(?<![\w])[^\W\d_]", lambda found: found[0].upper(), value)),
    "trunc": ("is", _trunc),
    "substr": ("iis", _substring),
    "indent": ("is", _indent),
    "nindent": ("is", lambda spaces, value: "\n" + _indent(spaces, value)),
    "quote": ("a*", lambda *all_: " ".join(go_quoted(string_of(one)) for one in all_ if one is not None)),
    "squote": ("a*", lambda *all_: " ".join(f"'{go_text(one)}'" for one in all_ if one is not None)),
    "cat": ("a*", lambda *all_: " ".join(go_text(one) for one in all_ if one is not None)),
    "toString": ("a", string_of),
    "toStrings": ("a", _strings),
    "join": ("sa", _joined),
    "sortAlpha": ("a", lambda value: sorted(_strings(value)) if isinstance(value, list) else [string_of(value)]),
    "split": ("ss", lambda separator, value: _numbered(_split(value, separator))),
    "splitn": ("sis", lambda separator, count, value: _numbered(_split(value, separator, count))),
    "splitList": ("ss", lambda separator, value: _split(value, separator)),
    "plural": ("ssi", lambda one, many, count: one if count == 1 else many),
    "snakecase": ("s", _cased("_")),
    "kebabcase": ("s", _cased("-")),
    "normalize": ("s", normalize),
    "slugify": ("a*", _slug),
    "atoi": ("s", lambda value: int(value) if re.fullmatch(r"[+-]?[0-9]{1,18}", value) else 0),
    "int": ("a", integer_of),
    "int64": ("a", lambda value: wrapped(integer_of(value))),
    "add1": ("a", lambda value: wrapped(integer_of(value) + 1)),
    "add": ("a*", lambda *all_: wrapped(sum(map(integer_of, all_)))),
    "sub": ("aa", lambda first, second: wrapped(integer_of(first) - integer_of(second))),
    "mul": ("aa*", _product),
    "div": ("aa", lambda first, second: wrapped(_quotient(first, second)[0])),
    "mod": ("aa", lambda first, second: wrapped(_quotient(first, second)[1])),
    "max": ("aa*", lambda *all_: wrapped(max(map(integer_of, all_)))),
    "min": ("aa*", lambda *all_: wrapped(min(map(integer_of, all_)))),
    "floor": ("a", _rounded("floor")),
    "ceil": ("a", _rounded("ceil")),
    "until": ("i", lambda count: _steps(0, count, 1 if count >= 0 else -1)),
    "untilStep": ("iii", _steps),
    "base": ("s", _base),
    "dir": ("s", _directory),
    "clean": ("s", _clean),
    "ext": ("s", _extension),
    "isAbs": ("s", lambda path: path.startswith("/")),
    "b64enc": ("s", lambda value: _b64(value, True)),
    "b64dec": ("s", lambda value: _b64(value, False)),
    "sha1sum": ("s", _hash("sha1")),
    "sha256sum": ("s", _hash("sha256")),
    "toJson": ("a", to_json),
    "mustToJson": ("a", to_json),
    "toRawJson": ("a", lambda value: to_json(value, html=False)),
    "mustToRawJson": ("a", lambda value: to_json(value, html=False)),
    "toPrettyJson": ("a", lambda value: to_json(value, indent="  ")),
    "mustToPrettyJson": ("a", lambda value: to_json(value, indent="  ")),
    "fromJson": ("s", _quiet(from_json)),
    "mustFromJson": ("s", from_json),
    "toYaml": ("a", to_yaml),
    "fromYaml": ("s", _yaml_of(dict)),
    "fromYamlArray": ("s", _yaml_of(list)),
    "regexMatch": ("ss", lambda pattern, value: any(True for _ in regexp(pattern).matches(value))),
    "regexFind": ("ss", lambda pattern, value: next((one[0] for one in regexp(pattern).matches(value)), "")),
    "regexFindAll": ("ssi", _regex_all),
    "regexReplaceAll": ("sss", _regex_replaced),
    "regexReplaceAllLiteral": ("sss", lambda pattern, value, new: _regex_replaced(pattern, value, new, literal=True)),
    "regexSplit": ("ssi", _regex_split),
    "regexQuoteMeta": ("s", lambda value: re.sub(r"[\\.+*?()|\[\]{}^$]", r"\\\g<0>", value)),
    "ternary": ("aab", lambda first, second, condition: first if condition else second),
    "fail": ("s", _fail),
    "empty": ("a", lambda value: not truth(value)),
}
