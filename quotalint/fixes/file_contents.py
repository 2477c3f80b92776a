"""The files that fixes change: their current and new contents, and the changed lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from quotalint.fixes.document_tree import value_at
from quotalint.fixes.edited_files import BOM
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import read
from quotalint.text.place import Place

Content = Callable[[str], bytes]
"""Returns the bytes of a file by its name."""


class LineChange(NamedTuple):
    """Lines of a file that are replaced by others."""

    file: str
    line: int
    """The first replaced line, from 1, in the current file."""
    before: str
    """Whole lines with their line breaks; empty if lines are only inserted before `line`."""
    after: str


class FileContents:
    """Files with the changes of the fixes so far."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._before: dict[str, bytes] = {}
        self._after: dict[str, bytes] = {}
        self._values: dict[str, dict[int, object]] = {}

    def data(self, name: str) -> bytes:
        """The current bytes of a file."""
        if name not in self._after:
            self._before[name] = self._after[name] = self._content(name)
        return self._after[name]

    def write(self, name: str, data: bytes) -> None:
        self.data(name)
        self._after[name] = data
        self._values.pop(name, None)

    def value(self, place: Place) -> object:
        """The value at a place of a file; raises LookupError if there is none."""
        if place.source not in self._values:
            reading = read(self.data(place.source), json=is_json(place.source))
            self._values[place.source] = {document.index: document.value for document in reading.documents}
        return value_at(self._values[place.source][place.document], place.path)

    def changed_files(self) -> tuple[tuple[str, bytes, bytes], ...]:
        pairs = ((name, self._before[name], self._after[name]) for name in sorted(self._after))
        return tuple(pair for pair in pairs if pair[1] != pair[2])


def is_json(name: str) -> bool:
    """Whether a file is read only as JSON."""
    return name.lower().endswith(".json")


def changed_lines(files: Iterable[tuple[str, bytes, bytes]]) -> tuple[LineChange, ...]:
    """The changed lines, in order of file and line."""
    return tuple(change for name, before, after in files for change in _file_changes(name, before, after))


def _file_changes(name: str, before: bytes, after: bytes) -> Iterator[LineChange]:
    from difflib import SequenceMatcher

    old, new = _split_lines(before), _split_lines(after)
    head = next(
        (at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), min(len(old), len(new))
    )
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    inner = old[head : len(old) - tail], new[head : len(new) - tail]
    for tag, start, end, new_start, new_end in SequenceMatcher(None, *inner, autojunk=False).get_opcodes():
        if tag != "equal":
            old_lines, new_lines = "".join(inner[0][start:end]), "".join(inner[1][new_start:new_end])
            yield LineChange(name, head + start + 1, old_lines, new_lines)


def _split_lines(data: bytes) -> list[str]:
    """Lines with their line breaks, which are `\\n` alone here."""
    text = data.removeprefix(BOM).decode("utf-8", "replace").replace("\r\n", "\n")
    return [line + "\n" for line in text.split("\n")[:-1]] + ([last] if (last := text.split("\n")[-1]) else [])
