"""What was read in files before, by what is in them (in this process: by what the file system says of them), so that of
a repository in which little changed little is read.

All that one repository holds is one entry of the folder: a file for each would cost more than to read it again. What is
in it is what workers hand to the process that waits for them (`text/reading.py`).
"""

from __future__ import annotations

import marshal
import os
import time
from array import array
from collections.abc import Callable, Iterable, Mapping

from quotalint import transcript
from quotalint.backstop import take_in
from quotalint.cache.census import WIDTH, changed_at
from quotalint.cache.folder import BUILDS, KEY, READINGS, entry, is_trusted, keep
from quotalint.cache.identity import identity_of_readers
from quotalint.cache.packing import frame_values, join_texts, parts, split_texts
from quotalint.recall import memory_in_use
from quotalint.text.disk import status_of
from quotalint.text.files import content, lies_in
from quotalint.text.guards import MAX_BYTES
from quotalint.text.reading import File, Learning, pack_file, unpack_file
from quotalint.text.sources import Source
from quotalint.transcript import DIGEST, UNKNOWN, Stamp, Transcript, digest, key_of, stamp

_SPARE = 1 << 20  # bytes that nobody asked for this time, beside as many as somebody did


def known_files(repository: str) -> Learning | None:
    """What is known to be in files: of runs before, and of earlier ones in this process where runs follow each
    other."""
    memory = memory_in_use()
    if memory is None:
        return remembered_readings(repository)
    return memory.lasting("files", FilesInMemory)


def remembered_readings(repository: str) -> Readings | None:
    """What is remembered of a repository; None where nothing is to be."""
    folder = transcript.folder()
    real = os.path.realpath(repository)
    if not folder or lies_in(os.path.realpath(folder), real):
        return None
    readers = identity_of_readers()
    if not readers:
        return None
    about = "\0".join((real, *readers)).encode("utf-8", "surrogatepass")
    readings = Readings(real, folder, key_of(about, KEY // 2))
    transcript.at_end(readings.keep)
    return readings


class Readings(Learning):
    """What is remembered, and what is new. A class because it grows."""

    def __init__(self, root: str, folder: str, key: str) -> None:
        self._root = root
        self._folder = folder
        self._key = key
        self._known: dict[bytes, bytes] = {}
        """By digest, with a letter for JSON: what was read."""
        self._seen: dict[str, tuple[Stamp, bytes]] = {}
        """By path: what the file was like, and where in `_known` it is."""
        self._asked: dict[str, tuple[Stamp, bytes]] = {}
        self._ids: dict[str, bytes] = {}
        """By what git calls a content, behind that letter: where in `_known` it is."""
        self._asked_ids: dict[str, bytes] = {}
        self._new: dict[str, tuple[bytes, bytes]] = {}
        """By path: how it was read, and what."""
        body = entry(folder, key, READINGS) if is_trusted(folder) else None
        if body is not None:
            try:
                self._load(body)
            except (ValueError, IndexError):
                self._known, self._seen, self._ids = {}, {}, {}

    def __call__(self, source: Source) -> File | None:
        """What is in a file, if that is known."""
        if not self._known or not source.path:
            return None
        try:
            now = stamp(os.stat(source.path))
            before, where = self._seen.get(source.path, (None, b""))
            if before == now and where[:1] == _how(source.name):
                transcript.note_known(source.path, now, where[1:])
            else:
                data = content(source.path, MAX_BYTES)
                if data is None or len(data) > MAX_BYTES:
                    return None
                where = _how(source.name) + digest(data)
        except (OSError, ValueError):
            return None
        packed_file = self._known.get(where)
        if packed_file is None:
            return None
        take_in(now[1])
        self._asked[source.path] = (now, where)
        return _file(packed_file, source)

    def has_id(self, content_id: str, source: Source) -> bool:
        """Whether it is known what is in a file whose content git calls so."""
        return self._ids.get(_id_key(content_id, source.name), b"") in self._known

    def with_id(self, content_id: str, source: Source) -> File | None:
        """What is in a file whose content git calls so, if that is known; such a file need not be on the disk."""
        key = _id_key(content_id, source.name)
        where = self._ids.get(key, b"")
        if where not in self._known and self._known:
            data = _readable(source.path)
            where = _how(source.name) + digest(data) if data is not None else b""
        packed_file = self._known.get(where)
        if packed_file is None:
            return None
        take_in(status_of(source.path).st_size)
        self._asked_ids[key] = where
        return _file(packed_file, source)

    def digest_of(self, path: str) -> bytes:
        where = self._asked[path][1] if path in self._asked else b""
        return where[1:] or transcript.digest_read(path)

    def digest_with_id(self, content_id: str, name: str) -> bytes:
        """What stands for the content that was read in a file of this name and that git calls so; empty where nobody
        knows."""
        key = _id_key(content_id, name)
        return (self._asked_ids.get(key) or self._ids.get(key, b""))[1:]

    def earlier_builds(self, about: str) -> bytes | None:
        key = self._key_of_builds(about)
        return entry(self._folder, key, BUILDS) if is_trusted(self._folder) else None

    def keep_builds(self, about: str, pack: Callable[[], bytes]) -> None:
        def write(noted: Transcript, _: int) -> None:
            packed_builds = pack() if not noted.doubt else b""
            if packed_builds:
                keep(self._folder, self._key_of_builds(about), packed_builds, BUILDS)

        transcript.at_end(write)

    def _key_of_builds(self, about: str) -> str:
        return key_of(f"{self._key}\0{about}".encode("utf-8", "surrogatepass"), KEY // 2)

    def learn(self, file: File, content_id: str = "") -> File:
        """Remember what was read in a file, also by what git calls its content."""
        if content_id:
            data = _readable(file.source.path)
            if data is not None:
                where = _how(file.source.name) + digest(data)
                self._known[where] = marshal.dumps(pack_file(file), 4)
                self._asked_ids[_id_key(content_id, file.source.name)] = where
        elif file.source.path:
            self._new[file.source.path] = (_how(file.source.name), marshal.dumps(pack_file(file), 4))
        return file

    def keep(self, noted: Transcript, began: int) -> None:
        """Write down what is new."""
        if noted.doubt:
            return
        asked = dict(self._asked)
        for path, (how, data) in self._new.items():
            seen = noted.read.get(path)
            if seen is not None and seen[0] is not None and seen[1] != UNKNOWN:
                asked[path] = (seen[0], how + seen[1])
                self._known[how + seen[1]] = data
        if (
            not self._new
            and all(self._seen.get(path) == seen for path, seen in asked.items())
            and self._asked_ids.keys() <= self._ids.keys()
        ):
            return
        # A file that was written a moment ago may be written again without another time.
        stamps = {path: seen for path, seen in asked.items() if self._is_settled(path, seen[0], began)}
        others = {path: seen for path, seen in self._seen.items() if path not in asked and os.path.exists(path)}
        left = self._left((*(where for _, where in asked.values()), *self._asked_ids.values()))
        keep(self._folder, self._key, _body(left, {**others, **stamps}, {**self._ids, **self._asked_ids}), READINGS)

    def _is_settled(self, path: str, seen: Stamp, began: int) -> bool:
        # Copies of revisions are gone when the run is over.
        return changed_at(seen) < began and lies_in(path, self._root)

    def _left(self, asked: Iterable[bytes]) -> Mapping[bytes, bytes]:
        """What was asked for, and of the rest no more than that."""
        left = {where: self._known[where] for where in asked}
        spare = _SPARE + sum(map(len, left.values()))
        for where, data in self._known.items():
            if where not in left and len(data) <= spare:
                spare -= len(data)
                left[where] = data
        return left

    def _load(self, body: bytes) -> None:
        """Raises ValueError or IndexError where it has not the form."""
        wheres, ends, data, paths, stamps, numbers, ids, ids_at = parts(body)
        lengths, rows, at = array("q", ends), array("q", stamps), 0
        for number, length in enumerate(lengths):
            where = wheres[number * _WHERE : (number + 1) * _WHERE]
            self._known[where] = data[at : at + length]
            at += length
        order = list(self._known)
        for number, (path, which) in enumerate(zip(split_texts(paths), array("q", numbers), strict=True)):
            mode, size, modified, changed, inode = rows[number * WIDTH : (number + 1) * WIDTH]
            self._seen[path] = ((mode, size, modified, changed, inode), order[which])
        self._ids = {key: order[which] for key, which in zip(split_texts(ids), array("q", ids_at), strict=True)}


_WHERE = DIGEST + 1


def _how(name: str) -> bytes:
    """JSON is read as nothing else."""
    return b"j" if name.lower().endswith(".json") else b"y"


def _file(data: bytes, source: Source) -> File | None:
    try:
        file = unpack_file(marshal.loads(data), source)
    except (EOFError, TypeError, ValueError):
        return None
    return file if isinstance(file, File) else None


def _id_key(content_id: str, name: str) -> str:
    return _how(name).decode("ascii") + content_id


def _readable(path: str) -> bytes | None:
    try:
        data = content(path, MAX_BYTES)
    except (OSError, ValueError):
        return None
    return data if data is not None and len(data) <= MAX_BYTES else None


def _body(known: Mapping[bytes, bytes], seen: Mapping[str, tuple[Stamp, bytes]], ids: Mapping[str, bytes]) -> bytes:
    order = {where: number for number, where in enumerate(known)}
    seen = {path: pair for path, pair in seen.items() if pair[1] in order}
    ids = {key: where for key, where in ids.items() if where in order}
    return frame_values(
        (
            b"".join(known),
            array("q", map(len, known.values())).tobytes(),
            b"".join(known.values()),
            join_texts(list(seen)),
            array("q", [number for file_stamp, _ in seen.values() for number in file_stamp]).tobytes(),
            array("q", [order[where] for _, where in seen.values()]).tobytes(),
            join_texts(list(ids)),
            array("q", [order[where] for where in ids.values()]).tobytes(),
        )
    )


class FilesInMemory(Learning):
    """The very same values for files that have not changed, so that what is made of them is found as well. A class
    because it grows."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[Stamp, File]] = {}
        """By path: what the file was like before it was read, and what was read."""
        self._asked: dict[str, Stamp] = {}

    def __call__(self, source: Source) -> File | None:
        """What is in a file, if that is known."""
        if not source.path:
            return None
        try:
            now = stamp(os.stat(source.path))
        except (OSError, ValueError):
            self._read.pop(source.path, None)
            return None
        before, file = self._read.get(source.path, (None, None))
        if file is not None and before == now:
            take_in(now[1])
            return file if file.source == source else file._replace(source=source)
        self._asked.pop(source.path, None)
        # A file that was written a moment ago may be written again without another time.
        if changed_at(now) < time.time_ns():
            self._asked[source.path] = now
        return None

    def learn(self, file: File) -> File:
        """Remember what was read in a file."""
        asked = self._asked.pop(file.source.path, None)
        self._read.pop(file.source.path, None)
        if asked is not None:
            self._read[file.source.path] = asked, file
        return file
