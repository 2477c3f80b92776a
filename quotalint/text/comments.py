"""The comments of a file, and the lines that each of them is about. Read for the few files with one that matters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

import yaml

from quotalint.named_tuples import NamedTuple
from quotalint.text import guards
from quotalint.text.documents import DocumentPart, parts
from quotalint.text.lazy_patterns import lazy_pattern


class Lines(NamedTuple):
    """From a line of a file to another, from 1, both included; none where the first is behind the last."""

    first: int
    last: int

    def hold(self, line: int) -> bool:
        """Whether a line is one of them."""
        return self.first <= line <= self.last


class Comment(NamedTuple):
    """One comment, to the end of its line."""

    text: str
    """With its `#`."""
    line: int
    column: int
    """Of the `#`; line and column count from 1."""
    about: Lines
    """The line that it ends or, of a comment on lines of its own, that is below; the whole document for one that stands
    before everything in it, or directly above the separator before it."""
    document: Lines
    heads: bool
    """It stands before everything in its document."""


def comments(data: bytes, word: str, *, json: bool = False) -> tuple[Comment, ...]:
    """The comments of YAML that hold a word, in order; never what only looks like one, in quotes or blocks.

    Behind what cannot be parsed none is found. A document that holds nothing hands its comments on to the next one, as
    YAML does with those before the first `---`. JSON has no comments. Takes any bytes and raises nothing.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    lines = text.decode("utf-8", "replace").split("\n")
    placed_comments: list[Comment] = []
    waiting: list[_Seen] = []
    cut = parts(data, json=json)
    for part in cut:
        if part.loaded is not None:
            continue
        whole = Lines(part.line, part.line + max(part.text.count(b"\n") - 1, 0))
        inside = _comments_of_document(part, word)
        if part.line > 1 and lines[part.line - 2].startswith("---"):
            waiting += _beside_separator(lines[part.line - 2], part.line - 1, word)
        if inside.content is None:
            waiting += inside.seen
            continue
        placed_comments += (_comment_about(comment, whole, whole, heads=True) for comment in waiting)
        waiting = []
        below = 0
        for comment in inside.seen:
            heads = comment.offset < inside.content
            if comment.alone and not heads:
                # Comments in a row speak of what is below them all; each looks only once.
                below = below if below > comment.line else _first_line_below(lines, comment.line)
                if below <= len(lines) and lines[below - 1].startswith("---"):
                    waiting.append(comment)
                    continue
            about = whole if heads else Lines(below, below) if comment.alone else Lines(comment.line, comment.line)
            placed_comments.append(_comment_about(comment, about, whole, heads=heads))
    nothing = Lines(1, 0)
    return (*placed_comments, *(_comment_about(comment, nothing, nothing, heads=True) for comment in waiting))


class _Seen(NamedTuple):
    text: str
    line: int
    column: int
    offset: int
    alone: bool


class _Inside(NamedTuple):
    seen: list[_Seen]
    content: int | None
    """Where the first thing that is no comment begins."""


def _comment_about(comment: _Seen, about: Lines, document: Lines, *, heads: bool) -> Comment:
    return Comment(comment.text, comment.line, comment.column, about, document, heads)


def _first_line_below(lines: list[str], line: int) -> int:
    """The first line below a line that is no comment."""
    while line < len(lines) and lines[line].lstrip().startswith("#"):
        line += 1
    return line + 1


def _beside_separator(text: str, line: int, word: str) -> Iterator[_Seen]:
    at = text.find("#")
    if word in text[at:] and at > 0:
        yield _Seen(text[at:], line, at + 1, 0, alone=True)


def _comments_of_document(part: DocumentPart, word: str) -> _Inside:
    text = part.text.decode("utf-8-sig", "replace")
    content, starts, ends, limit = _opaque_ranges(part.text, text)
    seen_comments = []
    line = reached = 0
    at = text.find(word)
    while 0 <= at < limit:
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        end = len(text) if end < 0 else end
        sign = _first_comment(text, start, min(end, limit), starts, ends)
        if sign is not None and text.find(word, sign, end) >= 0:
            line, reached = line + text.count("\n", reached, start), start
            column = sign - start + (part.column if line == 0 else 1)
            alone = not text[start:sign].strip()
            seen_comments.append(_Seen(text[sign:end].rstrip(), part.line + line, column, sign, alone))
        at = text.find(word, end)
    return _Inside(seen_comments, content)


def _first_comment(text: str, start: int, end: int, starts: list[int], ends: list[int]) -> int | None:
    """Where on a line the comment begins, if there is one."""
    for sign in _SIGN.finditer(text, start, end):
        behind = bisect_right(starts, sign.start()) - 1
        if behind < 0 or sign.start() >= ends[behind]:
            return sign.start()
    return None


_SIGN = lazy_pattern(r"(?:(?<=[ \t])|^)#", re.MULTILINE)


def _opaque_ranges(data: bytes, text: str) -> tuple[int | None, list[int], list[int], int]:
    """Where content begins; where what may hold a `#` that begins no comment starts and ends; how far all this goes."""
    content: int | None = None
    starts: list[int] = []
    ends: list[int] = []
    last = 0
    if len(data) > guards.MAX_ENTRIES and guards.entries(data) > guards.MAX_ENTRIES:
        return None, [], [], 0
    try:
        for token in yaml.scan(data, Loader=yaml.CLoader if yaml.__with_libyaml__ else yaml.Loader):
            if isinstance(token, _NO_CONTENT):
                continue
            start, last = token.start_mark.index, token.end_mark.index
            content = start if content is None else content
            if isinstance(token, yaml.ScalarToken) and not token.plain:
                # A comment may stand beside the sign of a block scalar.
                starts.append(text.find("\n", start) if text[start : start + 1] in ("|", ">") else start)
                ends.append(last)
    except yaml.MarkedYAMLError as error:
        # What was begun (a quote) may reach to where it was given up.
        marks = [mark.index for mark in (error.context_mark, error.problem_mark) if mark is not None]
        last = max(last, min(marks, default=0))
        return last if content is None else content, starts, ends, last
    except (yaml.YAMLError, UnicodeDecodeError):
        return content or 0, starts, ends, last
    return content, starts, ends, len(text)


_NO_CONTENT = (yaml.StreamStartToken, yaml.StreamEndToken, yaml.DirectiveToken, yaml.DocumentStartToken)
