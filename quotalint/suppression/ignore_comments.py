"""Comments such as `# quotalint: ignore[QL301] reason`: at the end of a line, above it, or at the beginning of a
document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.named_tuples import NamedTuple
from quotalint.suppression import COMMENT, Silence, split_rule_ids
from quotalint.text.comments import Lines, comments
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place


class SilencingComment(NamedTuple):
    """The suppressions in a comment, and the lines that it is about."""

    silences: tuple[Silence, ...]
    about: Lines
    document: Lines
    heads: bool
    """It is about the whole document."""


class Comments(NamedTuple):
    """The suppressing comments of one file."""

    all: tuple[SilencingComment, ...]
    by_line: Mapping[int, tuple[SilencingComment, ...]]
    """The comments about one line, by that line and by their own line."""
    of_documents: tuple[SilencingComment, ...]

    def silencing(self, rule: str, line: int) -> Iterator[Silence]:
        """The suppressions of a rule on a line."""
        for comment in self.by_line.get(line, ()):
            yield from (silence for silence in comment.silences if silence.covers(rule))
        for of_document in self.of_documents:
            if of_document.about.hold(line):
                yield from (silence for silence in of_document.silences if silence.covers(rule))


NONE = Comments((), {}, ())


def comments_in(data: bytes, name: str) -> Comments:
    """The comments of a file that suppress findings."""
    if _WORD.encode() not in data:
        return NONE
    silencing: list[SilencingComment] = []
    for comment in comments(data, _WORD, json=name.lower().endswith(".json")):
        directive = _DIRECTIVE.search(comment.text)
        if directive is None:
            continue
        ids = directive[1] or directive[2]
        rules = ("",) if ids is None else split_rule_ids(ids)
        column = comment.column + directive.start()
        if len(silencing) == _MOST:
            break  # a comment that is not read suppresses nothing
        silences = tuple(
            Silence(COMMENT, rule, Place(name), comment.line, column, (directive[3] or "").strip()) for rule in rules
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
"""The most suppressing comments of a file that are read."""

_WORD = "uotalint:"  # some write the name with a capital letter
# Ids count without brackets too: a comment with ids does not mean all rules.
_DIRECTIVE = lazy_pattern(
    r"#[ \t]*[Qq]uotalint:[ \t]*ignore"
    r"(?:[ \t]*\[([^\[\]]+)\]|[ \t:]+(QL[C0-9][\w-]*(?:[ \t]*,[ \t]*QL[C0-9][\w-]*)*)(?=[\s:,;.]|$))?"
    r"(?:[ \t:]+(.*))?$"
)
