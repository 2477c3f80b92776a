"""Go's regular expressions by Python's, as far as both mean the same and Python's cannot run away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from quotalint.gitops.go.values import GoError

MAX_COST = 20_000_000
"""How many steps a search may take at worst."""


class Regexp:
    """A pattern that is safe on texts of a certain length."""

    def __init__(self, written: str) -> None:
        self._parts, self._repeats, self._forks = _parts(written)
        try:
            self._compiled = re.compile("".join(self._parts), re.ASCII)
        except (re.error, OverflowError):
            raise GoError(f"the regular expression {written!r} is not read here") from None
        self._written = written

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """All matches; an empty one is none where another has just ended. Raises GoError."""
        if (len(text) + 1) ** (self._repeats + 1) * 2**self._forks > MAX_COST:
            raise GoError(f"the regular expression {self._written!r} could take too long on so long a text")
        return self._matches(text)

    def _matches(self, text: str) -> Iterator[re.Match[str]]:
        at = 0
        last = -1
        while at <= len(text):
            found = self._compiled.search(text, at)
            if found is None:
                return
            if found.end() > found.start() or found.start() != last:
                yield found
            last = found.end()
            at = found.end() + (found.end() == found.start())

    def expanded(self, found: re.Match[str], template: str) -> str:
        """What takes the place of a match: `$1`, `${name}` and `$$` mean something in it."""

        def group(reference: re.Match[str]) -> str:
            if reference[0] == "$$":
                return "$"
            name = reference[1] or reference[2]
            try:
                return found[int(name) if name.isdecimal() else name] or ""
            except (IndexError, ValueError):
                return ""

        return _REFERENCE.sub(group, template)


_REFERENCE = re.compile(r"\$(?:\$|\{([A-Za-z0-9_]+)\}|([A-Za-z0-9_]+))")


@lru_cache(maxsize=64)
def regexp(written: str) -> Regexp:
    """The regular expression. Raises GoError where Go refuses it, or we do."""
    return Regexp(written)


_SIGN = re.compile(
    r"""
    (?P<class> \[\^?\]? (?:\\.|[^\]\\\[])* \] )
    | (?P<escape> \\[dDwWsSbBAtnrfv.+*?()|\[\]{}^$\\/_:;,@#%&=!<>~"' -] )
    | (?P<end> \$|\\z )
    | (?P<open> \( (?: \?: | \?P<[A-Za-z_]\w*> )? (?![?]) )
    | (?P<close> \) )
    | (?P<fork> \| )
    | (?P<repeat> (?: [*+?] | \{\d+(?:,\d*)?\} ) \?? )
    | (?P<plain> [^\\\[\](){}*+?|$] )
    """,
    re.VERBOSE | re.DOTALL,
)
_FLAG = re.compile(r"\(\?[is]+\)")
_RISKY_CLASS = re.compile(r"--|&&|~~|\|\||\\[^dDwWsStnrfv.+*?()|\[\]{}^$\\/_:;,@#%&=!<>~\"' -]")


def _parts(written: str) -> tuple[list[str], int, int]:
    """The pattern for Python, how many of its repetitions multiply the steps, and how many forks double them."""
    flag = _FLAG.match(written)
    parts = [flag[0]] if flag else []
    at = flag.end() if flag else 0
    repeats = forks = 0
    groups: list[int] = []  # where the open ones count from
    before = ""
    costly = 0  # what the group that has just been closed costs
    while at < len(written):
        found = _SIGN.match(written, at)
        kind = (found.lastgroup if found else None) or ""
        if found is None or (kind == "class" and _RISKY_CLASS.search(found[0])):
            raise GoError(f"the regular expression {written!r} is not read here")
        sign = found[0]
        at = found.end()
        if kind == "open":
            groups.append(repeats + forks)
        elif kind == "close":
            if not groups:
                raise GoError(f"the regular expression {written!r} has a parenthesis too many")
            costly = repeats + forks - groups.pop()
        elif kind == "repeat":
            if before in ("", "repeat", "open", "fork") or (before == "close" and costly and sign[0] != "?"):
                raise GoError(f"the regular expression {written!r} is not read here: it repeats what repeats")
            repeats += sign[0] != "?"
            forks += sign[0] == "?"
        forks += kind == "fork"
        parts.append(r"\Z" if kind == "end" else sign)
        before = kind
    return parts, repeats, forks
