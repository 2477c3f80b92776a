"""The patterns of Argo CD's `directory.include` and `exclude` (gobwas/glob without separators)."""

from __future__ import annotations

import re
from functools import lru_cache

_MAX_STARS = 8  # more are nobody's pattern, and may take a regular expression for ever


def covers(pattern: str, name: str) -> bool:
    """Whether a pattern (`*`, `?`, `[a-z]`, `{a,b}`) is that of a name; `*` does not stop at `/`."""
    compiled = _compiled(pattern)
    return compiled is not None and compiled.fullmatch(name) is not None


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    pattern = re.sub(r"\*+", "*", pattern)
    if pattern.count("*") > _MAX_STARS:
        return None
    parts, depth = [], 0
    for token in re.findall(r"\\.|\[!?[^\]]*\]|.", pattern, re.DOTALL):
        if token == "{":
            depth += 1
        elif token == "}" and depth:
            depth -= 1
        parts.append(_translated(token, depth))
    try:
        return re.compile("".join(parts) + ")" * depth, re.DOTALL)
    except re.error:
        return None


def _translated(token: str, depth: int) -> str:
    if token.startswith("\\"):
        return re.escape(token[1:])
    if len(token) > 1:
        inner = token[1:-1]
        return "[^" + inner[1:].replace("\\", "\\\\") + "]" if inner.startswith("!") else f"[{inner}]"
    special = {"*": ".*", "?": ".", "{": "(?:", "}": ")"}
    if token == ",":
        return "|" if depth else ","
    return special.get(token) or re.escape(token)
