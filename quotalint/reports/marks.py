"""Sentences with marked names, places and emphasis, which each format writes in its own way.

Control characters mark them in the sentence. Names cannot contain these, so foreign text cannot end a mark.
"""

from __future__ import annotations

from collections.abc import Callable

from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

_CONTROL = lazy_pattern("[\x00-\x1f]")
_MARKED = lazy_pattern("\x02([^\x00-\x1f]*)\x03|\x04([^\x00-\x1f]*)\x06(\\d+)\x05|\x0e([^\x0e\x0f]*)\x0f")


class Marks(NamedTuple):
    """The characters that a format writes for each mark."""

    text: Callable[[str], str]
    name: Callable[[str], str]
    place: Callable[[str, int], str]
    strong: Callable[[str], str]


def mark_name(text: str) -> str:
    """A name within a sentence."""
    return f"\x02{_CONTROL.sub(' ', text)}\x03" if text else ""


def mark_place(file: str, line: int) -> str:
    """A line of a file within a sentence."""
    return f"\x04{_CONTROL.sub(' ', file)}\x06{line}\x05"


def mark_strong(text: str) -> str:
    """The most important part of a sentence; it may contain names."""
    return f"\x0e{text}\x0f"


def begins_with_name(sentence: str) -> bool:
    """Whether a sentence begins with a name or a resource (`requests.cpu`), which has no capital."""
    return sentence.startswith("\x02") or "." in sentence.partition(" ")[0].rstrip(".")


def write_marked(sentence: str, marks: Marks) -> str:
    """The sentence in a format."""
    out, at = [], 0
    for mark in _MARKED.finditer(sentence):
        out.append(marks.text(_CONTROL.sub(" ", sentence[at : mark.start()])))
        name, file, line, emphasis = mark.groups()
        if name is not None:
            out.append(marks.name(name))
        elif file is not None:
            out.append(marks.place(file, int(line)))
        else:
            out.append(marks.strong(write_marked(emphasis, marks)))
        at = mark.end()
    return "".join((*out, marks.text(_CONTROL.sub(" ", sentence[at:]))))
