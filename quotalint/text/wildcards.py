"""Lines of .gitignore with wildcards, matched as git does (dir.c, match_basename and match_pathname; wildmatch.c)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from quotalint.text.expression_steps import NAMED_CLASSES, complement
from quotalint.text.globs import CLOSE, NEXT, OPEN, Glob, Sign, Star, Term, covers, glob_of
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.patterns import COUNTED

_TRIED = 5000  # characters of a line, times those of a text, that take as long as one try
_MADE = 20  # characters of a line whose glob is made as fast as one is tried
_PIECES = 10  # lookups of parts of a text take as long as one try


class Wildcard:
    """A line; its glob is made when it is first tried."""

    def __init__(self, body: str) -> None:
        self._body = body
        self._glob: Glob | None = None
        self.anchored = "/" in body[:-1]
        """Whether it matches a path, not a name at any depth."""
        self.needed = _needed_texts(body)
        """Every match contains at least one of these texts."""

    def matches_exactly(self, text: str) -> bool:
        """Whether it matches this name or path itself, not only a folder above it."""
        COUNTED.tries += 1 + len(self._body) * len(text) // _TRIED
        if self._glob is None:
            COUNTED.tries += len(self._body) // _MADE
            self._glob = glob_of(list(_terms_of_line(self._body)))
        return covers(self._glob, text.removesuffix("/")) and (text.endswith("/") or not self._body.endswith("/"))


def any_of(bodies: Iterable[str]) -> Callable[[str, str], bool]:
    """A function of a name and a path: whether any of these lines of an ignore file matches. Of thousands of lines,
    only those whose fixed text is in the path are tried."""
    wildcards = [Wildcard(body) for body in bodies]
    of_names = _Lookup([wildcard for wildcard in wildcards if not wildcard.anchored])
    of_paths = _Lookup([wildcard for wildcard in wildcards if wildcard.anchored])
    return lambda name, path: of_names.has_any(name) or of_paths.has_any(path)


class _Lookup:
    """Patterns by the text that a match must contain."""

    def __init__(self, wildcards: Sequence[Wildcard]) -> None:
        # The rarest text selects best: `.yaml` is in every name.
        number: dict[str, int] = {}
        for wildcard in wildcards:
            for needed in wildcard.needed:
                number[needed] = number.get(needed, 0) + 1
        self._by_needed: dict[str, list[Wildcard]] = {}
        for wildcard in wildcards:
            rarest = min(wildcard.needed, key=lambda needed: (number[needed], -len(needed)))
            self._by_needed.setdefault(rarest, []).append(wildcard)
        self._lengths = sorted({len(needed) for needed in self._by_needed})

    def has_any(self, text: str) -> bool:
        """Whether one of the patterns matches this text."""
        return any(
            wildcard.matches_exactly(text) for needed in self._needed_in(text) for wildcard in self._by_needed[needed]
        )

    def _needed_in(self, text: str) -> Iterable[str]:
        pieces = len(self._lengths) * len(text)
        if len(self._by_needed) <= pieces:
            return [needed for needed in self._by_needed if needed in text]
        COUNTED.tries += pieces // _PIECES
        return {
            text[at : at + length]
            for length in self._lengths
            for at in range(len(text) - length + 1)
            if text[at : at + length] in self._by_needed
        }


def _needed_texts(body: str) -> tuple[str, ...]:
    """Every matching path contains one of these texts; most other paths contain none."""
    if "[" in body:  # the text before the first bracket and after the last
        body = f"{body[: body.index('[')]}*{body[body.rfind(']') + 1 :]}"
    if "\\" in body:
        return ("",)
    pieces = (piece.strip("/") for piece in body.replace("?", "*").split("*"))
    return tuple(dict.fromkeys(filter(None, pieces))) or ("",)


_WITHIN = Sign((("/", "/"),), negated=True)
_NOTHING = Sign(())
"""Git drops a line that has it."""
_SPECIAL = lazy_pattern(r"[*?\[\\]")
_STARS = lazy_pattern(r"\*+")


def _terms_of_line(body: str) -> Iterator[Term]:
    is_path = "/" in body[:-1]
    body = body.removesuffix("/").removeprefix("/")
    # git compares the text before the first wildcard, and matches the rest by itself.
    start, end = _end_of_text(body, 0), 0
    while end < len(body):
        at = _end_of_text(body, end)
        yield body[end:at]
        if stars := _STARS.match(body, at):
            end = stars.end()
            is_segment = is_path and end > at + 1 and (at == start or body[at - 1] == "/")
            if is_segment and body.startswith("/", end):
                yield from (OPEN, NEXT, Star(stops=False), "/", CLOSE)
                end += 1
            else:
                is_segment = is_segment and (end == len(body) or body.startswith("\\/", end))
                yield Star(stops=not is_segment)
        elif body.startswith("[", at):
            sign, end = _bracket_at(body, at + 1)
            yield sign
        elif body.startswith("?", at):
            yield _WITHIN
            end = at + 1
        elif body.startswith("\\", at):
            yield body[at + 1] if at + 1 < len(body) else _NOTHING
            end = at + 2
        else:
            return


def _end_of_text(body: str, at: int) -> int:
    """Where the text without wildcards ends that begins there."""
    wildcard = _SPECIAL.search(body, at)
    return wildcard.start() if wildcard else len(body)


def _bracket_at(body: str, at: int) -> tuple[Sign, int]:
    """The set of characters in the bracket that begins there, which never matches `/`, and the offset after it."""
    negated = body.startswith(("!", "^"), at)
    at += negated
    ranges: list[tuple[str, str]] = []
    begin = at
    while at == begin or not body.startswith("]", at):
        close = body.find("]", at + 2) if body.startswith("[:", at) else -1
        if close > at + 2 and body[close - 1] == ":":
            named = NAMED_CLASSES.get(body[at + 2 : close - 1])
            if named is None:
                return _NOTHING, len(body)
            ranges += named
            at = close + 1
            continue
        low, at = _character_at(body, at)
        high = low
        if body.startswith("-", at) and body[at + 1 : at + 2] not in ("", "]"):
            high, at = _character_at(body, at + 1)
        if not low or not high:
            return _NOTHING, len(body)
        ranges.append((low, high))
    unwanted = ranges if negated else complement(tuple((low, high) for low, high in ranges if low <= high))
    return Sign((*unwanted, ("/", "/")), negated=True), at + 1


def _character_at(body: str, at: int) -> tuple[str, int]:
    at += body.startswith("\\", at)
    return body[at : at + 1], at + 1
