"""The comments of a file, and the lines that each is about. Parsed only for files with a relevant comment."""

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
    """A range of lines, from 1, both ends included; empty if `first` is after `last`."""

    first: int
    last: int

    def hold(self, line: int) -> bool:
        """Whether the range contains a line."""
        return self.first <= line <= self.last


class Comment(NamedTuple):
    """One comment, up to the end of its line."""

    text: str
    """Including its `#`."""
    line: int
    column: int
    """The column of the `#`; line and column count from 1."""
    about: Lines
    """The line that it ends, or the line below a comment on its own lines. For a comment before the whole content, or
    directly above the separator before it: the whole document."""
    document: Lines
    heads: bool
    """It is before all content of its document."""


def comments(data: bytes, word: str, *, json: bool = False) -> tuple[Comment, ...]:
    """The comments with a word in YAML, in order; text in quotes or blocks that looks like a comment is skipped.

    After a syntax error none is found. The comments of an empty document belong to the next one, as YAML treats those
    before the first `---`. JSON has no comments. Takes any bytes and raises nothing.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    lines = text.decode("utf-8", "replace").split("\n")
    placed_comments: list[Comment] = []
    pending_comments: list[_Seen] = []
    cut = parts(data, json=json)
    for part in cut:
        if part.loaded is not None:
            continue
        whole = Lines(part.line, part.line + max(part.text.count(b"\n") - 1, 0))
        inside = _comments_of_document(part, word)
        if part.line > 1 and lines[part.line - 2].startswith("---"):
            pending_comments += _beside_separator(lines[part.line - 2], part.line - 1, word)
        if inside.content is None:
            pending_comments += inside.seen
            continue
        placed_comments += (_comment_about(comment, whole, whole, heads=True) for comment in pending_comments)
        pending_comments = []
        below = 0
        for comment in inside.seen:
            heads = comment.offset < inside.content
            if comment.alone and not heads:
                # Consecutive comments are about the line below the last; the line is searched only once.
                below = below if below > comment.line else _first_line_below(lines, comment.line)
                if below <= len(lines) and lines[below - 1].startswith("---"):
                    pending_comments.append(comment)
                    continue
            about = whole if heads else Lines(below, below) if comment.alone else Lines(comment.line, comment.line)
            placed_comments.append(_comment_about(comment, about, whole, heads=heads))
    nothing = Lines(1, 0)
    return (*placed_comments, *(_comment_about(comment, nothing, nothing, heads=True) for comment in pending_comments))


class _Seen(NamedTuple):
    text: str
    line: int
    column: int
    offset: int
    alone: bool


class _Inside(NamedTuple):
    seen: list[_Seen]
    content: int | None
    """The offset of the first content that is no comment."""


def _comment_about(comment: _Seen, about: Lines, document: Lines, *, heads: bool) -> Comment:
    return Comment(comment.text, comment.line, comment.column, about, document, heads)


def _first_line_below(lines: list[str], line: int) -> int:
    """The first line after a line that is no comment."""
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
    """The offset of the comment on a line; None if there is none."""
    for sign in _SIGN.finditer(text, start, end):
        behind = bisect_right(starts, sign.start()) - 1
        if behind < 0 or sign.start() >= ends[behind]:
            return sign.start()
    return None


_SIGN = lazy_pattern(r"(?:(?<=[ \t])|^)#", re.MULTILINE)


def _opaque_ranges(data: bytes, text: str) -> tuple[int | None, list[int], list[int], int]:
    """The offset of the content; the starts and ends of quoted and block texts, where `#` begins no comment; and the
    offset up to which this holds."""
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
                # A comment may follow the sign of a block scalar.
                starts.append(text.find("\n", start) if text[start : start + 1] in ("|", ">") else start)
                ends.append(last)
    except yaml.MarkedYAMLError as error:
        # An open quote may extend to the place of the error.
        marks = [mark.index for mark in (error.context_mark, error.problem_mark) if mark is not None]
        last = max(last, min(marks, default=0))
        return last if content is None else content, starts, ends, last
    except (yaml.YAMLError, UnicodeDecodeError):
        return content or 0, starts, ends, last
    return content, starts, ends, len(text)


_NO_CONTENT = (yaml.StreamStartToken, yaml.StreamEndToken, yaml.DirectiveToken, yaml.DocumentStartToken)
