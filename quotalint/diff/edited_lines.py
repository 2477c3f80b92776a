"""Which lines of a file a change wrote, and which file it was before: a move is no change."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Protocol

from quotalint.diff.trees import Side
from quotalint.named_tuples import NamedTuple
from quotalint.text.files import content

_MAX_BYTES = 4 * 1024 * 1024  # of a file that is compared line by line; a larger one counts as written anew
_MAX_LINES = 20_000
_ENDS = ("", "---", "...")  # where one document ends, or a part of it
_ALIKE = 0.5  # the share of lines in common from which on git takes a file for a renamed one (diff.renames)


class Replaced(NamedTuple):
    """A line that was written, with the lines that stood there before."""

    file: str
    """As reports name it."""
    line: int
    text: str
    before: tuple[str, ...]


class WrittenLines(Protocol):
    """Which lines a change wrote, or would have to; as in `EditedLines`."""

    is_written: bool
    """Whether there is a change that could say something, and not only a wish for one."""

    def lines(self, file: str) -> frozenset[int]: ...
    def is_removed(self, path: str) -> bool: ...
    def seams(self, file: str) -> tuple[int, ...]: ...
    def written_lines(self) -> Iterator[Replaced]: ...


class EditedLines:
    """What a change wrote, file by file, each compared when somebody asks; a class because of that alone."""

    is_written = True

    def __init__(self, base: Side, head: Side, here: str) -> None:
        """`here` is the working directory, which names of files are relative to."""
        self._base, self._head, self._here = base, head, here
        gone = [path for path in base.ids if path not in head.ids]
        self._gone_by_id: dict[str, list[str]] = {}
        for path in gone:
            self._gone_by_id.setdefault(base.ids[path], []).append(path)
        self._gone = gone
        self._hunks = cache(self._stretches_of)
        self._old_path = cache(self._found_before)

    def lines(self, file: str) -> frozenset[int]:
        """The lines of a file of the second state that the change wrote, counted from 1."""
        return frozenset(line for start, end, _ in self._hunks(file) for line in range(start, end))

    def is_removed(self, path: str) -> bool:
        """Whether the change took away a file, or all files of a folder that had some."""
        path = self._path(path)
        below = f"{path}/"
        had = any(gone_path == path or gone_path.startswith(below) for gone_path in self._gone)
        return had and path not in self._head.ids and not any(kept.startswith(below) for kept in self._head.ids)

    def seams(self, file: str) -> tuple[int, ...]:
        """Where lines were written or taken out: the first line of each stretch, or the one behind what is gone; before
        it, where the text ends there, as what stands behind is of another object."""
        hunks = self._hunks(file)
        if all(start < end for start, end, _ in hunks):
            return tuple(start for start, _, _ in hunks)
        texts = ["", *_text_lines(self._data(self._head, self._path(file)))]

        def is_end(line: int) -> bool:
            return line == len(texts) or texts[line].strip() in _ENDS

        return tuple(start - 1 if start == end and start > 1 and is_end(start) else start for start, end, _ in hunks)

    def before(self, file: str) -> str:
        """What a file of the second state was called in the first; itself where nothing tells of another name."""
        path = self._path(file)
        old = self._old_path(path) if path in self._head.ids else ""
        return self._name(old) if old else file

    def written_lines(self) -> Iterator[Replaced]:
        """Every line of a manifest or values file that the change wrote, new files left out."""
        for path in sorted(self._head.ids):
            old = self._old_path(path)
            if old and self._base.ids.get(old) != self._head.ids[path] and path.lower().endswith(_READ):
                file = self._name(path)
                texts = _text_lines(self._data(self._head, path))
                for start, end, before in self._hunks(file):
                    yield from (Replaced(file, line, texts[line - 1], before) for line in range(start, end))

    def changed_files(self) -> Iterator[str]:
        """Every file of the second state that is new, has a new name, or holds something else than before."""
        for path in sorted(self._head.ids):
            if self._base.ids.get(path) != self._head.ids[path]:
                yield self._name(path)

    def new_files(self) -> Iterator[str]:
        """Every file of the second state that is not in the first one, under whatever name."""
        for path in sorted(self._head.ids):
            if path not in self._base.ids and not self._old_path(path):
                yield self._name(path)

    def head_without(self, files: Iterable[str]) -> Side:
        """The second state without some files."""
        return self._head.without_files({self._path(file) for file in files})

    def text(self, file: str) -> str:
        """What a file of the second state holds."""
        return self._data(self._head, self._path(file)).decode("utf-8", "replace")

    def is_absent(self, file: str) -> bool:
        """Whether the clone does not hold a file of one of the states, so that nobody knows what the change wrote."""
        return self._head.folder is not None and self._head.folder.is_absent(self._path(file))

    def changed_texts(self, file: str) -> Iterator[tuple[int, Sequence[str]]]:
        """The stretches of a file that were written: the first line of each, and what stands there and stood there."""
        texts = _text_lines(self._data(self._head, self._path(file)))
        for start, end, before in self._hunks(file):
            yield min(start, max(len(texts), 1)), (*texts[start - 1 : end - 1], *before)

    def _path(self, file: str) -> str:
        """From the root of the repository."""
        full = os.path.normpath(os.path.join(self._head.stand_in(self._here), file))
        return os.path.relpath(full, self._head.root).replace(os.sep, "/")

    def _name(self, path: str) -> str:
        """As a report names what has this path from the root."""
        full = os.path.join(self._head.root, *path.split("/"))
        return os.path.relpath(full, self._head.stand_in(self._here)).replace(os.sep, "/")

    def _found_before(self, path: str) -> str:
        """The path in the first state; empty where the file is new."""
        if path in self._base.ids:
            return path
        same = self._gone_by_id.get(self._head.ids.get(path, ""), ())
        base = os.path.basename(path)
        if same:
            return next((gone_path for gone_path in same if os.path.basename(gone_path) == base), same[0])
        mine = Counter(_text_lines(self._data(self._head, path)))
        rated = [
            (_share_in_common(mine, Counter(_text_lines(self._data(self._base, gone_path)))), gone_path)
            for gone_path in self._likely(path)
        ]
        share, likeliest = max(rated, default=(0.0, ""))
        return likeliest if share >= _ALIKE else ""

    def _likely(self, path: str) -> Iterator[str]:
        """Which of the files that are gone may be this one: those of its name, or of its folder and suffix;
        a suffix may have been added."""
        name, folder, suffix = os.path.basename(path), os.path.dirname(path), os.path.splitext(path)[1]
        for gone_path in self._gone:
            in_same_place = os.path.dirname(gone_path) == folder and os.path.splitext(gone_path)[1] == suffix
            is_suffixed = os.path.dirname(gone_path) == folder and name.startswith(f"{os.path.basename(gone_path)}.")
            if os.path.basename(gone_path) == name or in_same_place or is_suffixed:
                yield gone_path

    def _stretches_of(self, file: str) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
        """The stretches that were written: first line, the line behind the last one, and the lines before."""
        path = self._path(file)
        if path not in self._head.ids:
            return ()
        old = self._old_path(path)
        if old and self._base.ids.get(old) == self._head.ids[path]:
            return ()
        new = _text_lines(self._data(self._head, path))
        before = _text_lines(self._data(self._base, old)) if old else []
        if not before or len(new) + len(before) > _MAX_LINES:
            return ((1, len(new) + 1, ()),)
        from difflib import SequenceMatcher

        return tuple(
            (at + 1, end + 1, tuple(before[was:until]))
            for tag, was, until, at, end in SequenceMatcher(None, before, new, autojunk=False).get_opcodes()
            if tag != "equal"
        )

    @staticmethod
    def _data(side: Side, path: str) -> bytes:
        try:
            with side.laid_out():
                return content(os.path.join(side.root, *path.split("/")), _MAX_BYTES) or b""
        except (OSError, ValueError):
            return b""


_READ = (".yaml", ".yml", ".json", ".gotmpl", ".env", ".properties", "kustomization")


def _text_lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").splitlines() if len(data) <= _MAX_BYTES else []


def _share_in_common(mine: Counter[str], other: Counter[str]) -> float:
    longest = max(mine.total(), other.total())
    return (mine & other).total() / longest if longest else 0.0
