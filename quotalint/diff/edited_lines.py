"""The lines of a file that a change wrote, and the file's earlier name: a move alone is no change."""

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
    """A written line, with the lines that it replaced."""

    file: str
    """As reports name it."""
    line: int
    text: str
    before: tuple[str, ...]


class WrittenLines(Protocol):
    """The written lines of a change, or of one that would be needed; as in `EditedLines`."""

    is_written: bool
    """Whether the change exists, and is not only wished for."""

    def lines(self, file: str) -> frozenset[int]: ...
    def is_removed(self, path: str) -> bool: ...
    def seams(self, file: str) -> tuple[int, ...]: ...
    def written_lines(self) -> Iterator[Replaced]: ...


class EditedLines:
    """The written lines of a change; each file is compared on demand."""

    is_written = True

    def __init__(self, base: Side, head: Side, here: str) -> None:
        """`here`: the working directory; names of files are relative to it."""
        self._base, self._head, self._here = base, head, here
        gone = [path for path in base.ids if path not in head.ids]
        self._gone_by_id: dict[str, list[str]] = {}
        for path in gone:
            self._gone_by_id.setdefault(base.ids[path], []).append(path)
        self._gone = gone
        self._hunks = cache(self._stretches_of)
        self._old_path = cache(self._found_before)

    def lines(self, file: str) -> frozenset[int]:
        """The written lines of a file of the head, counted from 1."""
        return frozenset(line for start, end, _ in self._hunks(file) for line in range(start, end))

    def is_removed(self, path: str) -> bool:
        """Whether the change removed a file, or all files of a folder."""
        path = self._path(path)
        below = f"{path}/"
        had = any(gone_path == path or gone_path.startswith(below) for gone_path in self._gone)
        return had and path not in self._head.ids and not any(kept.startswith(below) for kept in self._head.ids)

    def seams(self, file: str) -> tuple[int, ...]:
        """Where lines were written or removed: the first line of each stretch, or the line after removed ones. At the
        end of a document it is the line before them, because the line after them belongs to another object."""
        hunks = self._hunks(file)
        if all(start < end for start, end, _ in hunks):
            return tuple(start for start, _, _ in hunks)
        texts = ["", *_text_lines(self._data(self._head, self._path(file)))]

        def is_end(line: int) -> bool:
            return line == len(texts) or texts[line].strip() in _ENDS

        return tuple(start - 1 if start == end and start > 1 and is_end(start) else start for start, end, _ in hunks)

    def before(self, file: str) -> str:
        """The name in the base of a file of the head; the same name if no other is known."""
        path = self._path(file)
        old = self._old_path(path) if path in self._head.ids else ""
        return self._name(old) if old else file

    def written_lines(self) -> Iterator[Replaced]:
        """The written lines of manifests and values files, without new files."""
        for path in sorted(self._head.ids):
            old = self._old_path(path)
            if old and self._base.ids.get(old) != self._head.ids[path] and path.lower().endswith(_READ):
                file = self._name(path)
                texts = _text_lines(self._data(self._head, path))
                for start, end, before in self._hunks(file):
                    yield from (Replaced(file, line, texts[line - 1], before) for line in range(start, end))

    def changed_files(self) -> Iterator[str]:
        """The files of the head that are new, renamed or changed."""
        for path in sorted(self._head.ids):
            if self._base.ids.get(path) != self._head.ids[path]:
                yield self._name(path)

    def new_files(self) -> Iterator[str]:
        """The files of the head that the base lacks under any name."""
        for path in sorted(self._head.ids):
            if path not in self._base.ids and not self._old_path(path):
                yield self._name(path)

    def head_without(self, files: Iterable[str]) -> Side:
        """The head without some files."""
        return self._head.without_files({self._path(file) for file in files})

    def text(self, file: str) -> str:
        """The text of a file of the head."""
        return self._data(self._head, self._path(file)).decode("utf-8", "replace")

    def is_absent(self, file: str) -> bool:
        """Whether the clone lacks the content of a file, so that its written lines are unknown."""
        return self._head.folder is not None and self._head.folder.is_absent(self._path(file))

    def changed_texts(self, file: str) -> Iterator[tuple[int, Sequence[str]]]:
        """The written stretches of a file: the first line of each, and its new and old lines."""
        texts = _text_lines(self._data(self._head, self._path(file)))
        for start, end, before in self._hunks(file):
            yield min(start, max(len(texts), 1)), (*texts[start - 1 : end - 1], *before)

    def _path(self, file: str) -> str:
        """The path from the root of the repository."""
        full = os.path.normpath(os.path.join(self._head.stand_in(self._here), file))
        return os.path.relpath(full, self._head.root).replace(os.sep, "/")

    def _name(self, path: str) -> str:
        """The name in reports of a path from the root."""
        full = os.path.join(self._head.root, *path.split("/"))
        return os.path.relpath(full, self._head.stand_in(self._here)).replace(os.sep, "/")

    def _found_before(self, path: str) -> str:
        """The path in the base; empty if the file is new."""
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
        """The removed files that may be this one: with its name, or with its folder and suffix; a suffix may have been
        added."""
        name, folder, suffix = os.path.basename(path), os.path.dirname(path), os.path.splitext(path)[1]
        for gone_path in self._gone:
            in_same_place = os.path.dirname(gone_path) == folder and os.path.splitext(gone_path)[1] == suffix
            is_suffixed = os.path.dirname(gone_path) == folder and name.startswith(f"{os.path.basename(gone_path)}.")
            if os.path.basename(gone_path) == name or in_same_place or is_suffixed:
                yield gone_path

    def _stretches_of(self, file: str) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
        """The written stretches: first line, the line after the last one, and the old lines."""
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
