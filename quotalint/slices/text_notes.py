"""What of the text of a file counts beside what it says: the lines that something was said of, and words of which it
was asked whether the file mentions them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from quotalint.named_tuples import NamedTuple
from quotalint.text.files import content
from quotalint.text.guards import MAX_BYTES
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.transcript import digest

_WORD = lazy_pattern(rb"[A-Za-z0-9][\w./:@+=%-]*")
"""A value that opens nothing and ends nothing: whatever stands in its place, all lines keep their place and depth."""


class TextNote(NamedTuple):
    """What has to be as it was in the text of a file."""

    lines: tuple[int, ...] = ()
    """Their numbers, from 1."""
    shape: bytes = b""
    """What stands for the text but for the values in other lines."""
    words: tuple[bytes, ...] = ()
    """What the file does not mention."""


def text_note(path: str, lines: Collection[int], mentioned: Mapping[bytes, bool]) -> TextNote | None:
    """What has to stay in a file of which these lines and words count; None where none of it may change."""
    if any(mentioned.values()):
        return None
    if not lines:
        return TextNote(words=tuple(mentioned))
    data = content(path, MAX_BYTES)
    ordered = tuple(sorted(lines))
    return None if data is None else TextNote(ordered, _text_shape(data, ordered), tuple(mentioned))


def is_as_noted(note: TextNote, path: str, *, with_lines: bool = True) -> bool:
    """Whether all that counts of a text is as it was, `with_lines` or but for these."""
    lines = note.lines if with_lines else ()
    if not lines and not note.words:
        return True
    data = content(path, MAX_BYTES)
    if data is None or any(word in data for word in note.words):
        return False
    return not lines or _text_shape(data, lines) == note.shape


def lines_of_text(path: str) -> bytes:
    """What stands for where each line of a file is: the same for a text in which but single words are others."""
    return _text_shape(content(path, MAX_BYTES) or b"", ())


def _text_shape(data: bytes, numbers: Iterable[int]) -> bytes:
    lines, told = data.split(b"\n"), frozenset(numbers)
    return digest(b"\n".join(line if at in told else _line_shape(line) for at, line in enumerate(lines, 1)))


def _line_shape(line: bytes) -> bytes:
    """A line without its value, where that is one word."""
    head, separator, rest = line.partition(b": ")
    if not separator:
        head, separator, rest = line.partition(b"- ")
        if head.strip(b" "):
            return line
    value, comment, remark = rest.partition(b" #")
    word = value.strip(b" ")
    is_word = _WORD.fullmatch(word) is not None and not word.endswith(b":")
    return b"".join((head, separator, comment, remark)) if is_word else line
