"""`# quotalint: ignore[QL301] reason` at the end of a line, above it, or at the head of a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.named_tuples import NamedTuple
from quotalint.suppression import COMMENT, Silence, split_rule_ids
from quotalint.text.comments import Lines, comments
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place


class SilencingComment(NamedTuple):
    """What a comment silences, and where."""

    silences: tuple[Silence, ...]
    about: Lines
    document: Lines
    heads: bool
    """It is about the whole document."""


class Comments(NamedTuple):
    """Those of one file."""

    all: tuple[SilencingComment, ...]
    by_line: Mapping[int, tuple[SilencingComment, ...]]
    """Those that are about one line, and by their own."""
    of_documents: tuple[SilencingComment, ...]

    def silencing(self, rule: str, line: int) -> Iterator[Silence]:
        """What silences a rule on a line."""
        for comment in self.by_line.get(line, ()):
            yield from (silence for silence in comment.silences if silence.covers(rule))
        for of_document in self.of_documents:
            if of_document.about.hold(line):
                yield from (silence for silence in of_document.silences if silence.covers(rule))


NONE = Comments((), {}, ())


def comments_in(data: bytes, name: str) -> Comments:
    """The comments of a file that ask for silence."""
    if _WORD.encode() not in data:
        return NONE
    silencing: list[SilencingComment] = []
    for comment in comments(data, _WORD, json=name.lower().endswith(".json")):
        asked = _DIRECTIVE.search(comment.text)
        if asked is None:
            continue
        named = asked[1] or asked[2]
        rules = ("",) if named is None else split_rule_ids(named)
        column = comment.column + asked.start()
        if len(silencing) == _MOST:
            break  # what is not heard silences nothing
        silences = tuple(
            Silence(COMMENT, rule, Place(name), comment.line, column, (asked[3] or "").strip()) for rule in rules
        )
        silencing.append(SilencingComment(silences, comment.about, comment.document, comment.heads))
    by_line: dict[int, list[SilencingComment]] = {}
    for silencing_comment in silencing:
        own = silencing_comment.silences[0].line if silencing_comment.silences else 0
        for line in {own, 0 if silencing_comment.heads else silencing_comment.about.first}:
            by_line.setdefault(line, []).append(silencing_comment)
    return Comments(
        tuple(silencing),
        {line: tuple(comments_of_line) for line, comments_of_line in by_line.items()},
        tuple(silencing_comment for silencing_comment in silencing if silencing_comment.heads),
    )


_MOST = 1000
"""How many comments of a file are heard."""

_WORD = "uotalint:"  # some write the name with a capital
# Ids count without their brackets too: who names some rules does not mean all of them.
_DIRECTIVE = lazy_pattern(
    r"#[ \t]*[Qq]uotalint:[ \t]*ignore"
    r"(?:[ \t]*\[([^\[\]]+)\]|[ \t:]+(QL[C0-9][\w-]*(?:[ \t]*,[ \t]*QL[C0-9][\w-]*)*)(?=[\s:,;.]|$))?"
    r"(?:[ \t:]+(.*))?$"
)
