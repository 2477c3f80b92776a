"""What goes with an entry of a mapping that is dropped, and the comments that stay."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quotalint.fixes.document_tree import ALIAS, SCALAR, Spot, TreeEntry
from quotalint.fixes.writer import Writer


def drop_entry(writer: Writer, entry: TreeEntry) -> tuple[int, int, str] | str:
    """What gives way to what, between which offsets; or why the entry cannot go."""
    cut = _cut_entry(writer, entry)
    if isinstance(cut, str):
        return cut
    start, end = cut
    indent = " " * writer.column(entry.key.start if entry.key else start)
    comments = "".join(f"{comment}\n{indent}" for comment in _kept_comments(writer.text, start, end, entry))
    if comments and start == writer.line_start(start):
        comments = indent + comments.removesuffix(indent)
    return start, end, comments


def _cut_entry(writer: Writer, entry: TreeEntry) -> tuple[int, int] | str:
    """An entry with its line, or with the comma beside it."""
    key, pairs = entry.key, entry.parent.pairs
    assert key is not None
    if len(pairs) == 1:
        return "it is the only entry there"
    if entry.value.style in ("|", ">"):
        return "the value is not written on one line"
    begins_line = writer.begins_line(key.start)
    if begins_line and any(_DIRECTIVE in line for line in writer.comments_above(key.start)):
        return "a comment above it tells quotalint what to ignore, and would then speak of what follows"
    end = max(key.end, entry.value.end)
    following = pairs[entry.position + 1][0].start if entry.position + 1 < len(pairs) else None
    if entry.parent.style == "{":
        if following is not None:
            return key.start, following
        before = max(spot.end for spot in pairs[entry.position - 1])
        return _COMMENT if "#" in writer.text[before : key.start] else (before, end)
    if not begins_line:  # behind the `-` of an item
        return _COMMENT if following is None else (key.start, following)
    start, behind = writer.line_start(key.start), writer.line_end(end)
    return start, min(behind + 1, len(writer.text))


_COMMENT = "a comment stands in between"
_DIRECTIVE = "quotalint:"


def _kept_comments(text: str, start: int, end: int, entry: TreeEntry) -> Iterator[str]:
    """What people wrote beside an entry stays, but for what they wrote to quotalint about it."""
    scalars = [scalar for spot in (entry.key, entry.value) if spot is not None for scalar in _scalar_spots(spot)]
    inside = {at: scalar.end for scalar in scalars for at in range(scalar.start, scalar.end)}
    sign = _SIGN.search(text, start, end)
    while sign is not None:
        behind = inside.get(sign.start())
        if behind is None and _DIRECTIVE not in sign[0]:
            yield sign[0].rstrip()
        sign = _SIGN.search(text, behind or sign.end(), end)


_SIGN = re.compile(r"(?<=[ \t\n])#.*")


def _scalar_spots(spot: Spot) -> Iterator[Spot]:
    for child in spot.children if spot.kind != ALIAS else ():
        yield from _scalar_spots(child)
    if spot.kind == SCALAR:
        yield spot
