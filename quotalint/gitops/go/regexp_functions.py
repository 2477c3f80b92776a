"""sprig's functions on regular expressions (github.com/Masterminds/sprig 3.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from quotalint.gitops.go.regexps import expanded, regexp_matches
from quotalint.gitops.go.values import MAX_TEXT, GoError, Implementation


def _regex_all(pattern: str, value: str, count: int) -> list[str]:
    texts = [match.whole for match in regexp_matches(pattern, value)]
    return texts[:count] if count >= 0 else texts


def _regex_replaced(pattern: str, value: str, new: str, literal: bool = False) -> str:
    parts: list[str] = []
    at = size = 0
    for match in regexp_matches(pattern, value):
        parts += (value[at : match.start], new if literal else expanded(match, new))
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


FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {
    "regexMatch": ("ss", lambda pattern, value: any(True for _ in regexp_matches(pattern, value))),
    "regexFind": ("ss", lambda pattern, value: next((match.whole for match in regexp_matches(pattern, value)), "")),
    "regexFindAll": ("ssi", _regex_all),
    "regexReplaceAll": ("sss", _regex_replaced),
    "regexReplaceAllLiteral": ("sss", lambda pattern, value, new: _regex_replaced(pattern, value, new, literal=True)),
    "regexSplit": ("ssi", _regex_split),
    "regexQuoteMeta": ("s", lambda value: re.sub(r"[\\.+*?()|\[\]{}^$]", r"\\\g<0>", value)),
}
