"""A cached answer with everything it depends on, and its stored form."""

from __future__ import annotations

import os
from array import array

from quotalint.cache.census import WIDTH, Census
from quotalint.runtime.transcript import DIGEST, STDERR, STDOUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from quotalint.runtime.transcript import Said, Seen

_STATUSES = (b"0", b"1")


class KeptAnswer:
    """The output of a run, and what it depends on."""

    def __init__(self, covered: Sequence[str], of: Census, digests: bytes, outside: Sequence[tuple[str, Seen]]) -> None:
        self.covered = covered
        self.census = of
        self.digests = digests
        """A digest for each entry of the census."""
        self.outside = outside
        """Files that were read and are not in the census."""
        self.said: Sequence[Said] = ()
        self.written: Sequence[tuple[str, str, str]] = ()
        """The path on the command line, the format and the text of each report file."""
        self.status = 0


def pack_answer(answer: KeptAnswer) -> bytes:
    """An answer as bytes."""
    said = [part for stream, kind, colored, text in answer.said for part in (str(stream), kind, str(+colored), text)]
    outside = array("q", [n for _, (before, _) in answer.outside for n in before or (0,) * WIDTH])
    parts = (
        str(answer.status).encode(),
        _join_texts(answer.covered),
        _join_texts(answer.census.names),
        answer.census.numbers.tobytes(),
        _join_texts([part.replace("\0", "\1") for part in answer.census.links]),
        answer.digests,
        _join_texts([path for path, _ in answer.outside]),
        outside.tobytes(),
        b"".join(digest for _, (_, digest) in answer.outside),
        _frame_texts(said),
        _frame_texts(part for report in answer.written for part in report),
    )
    return frame_values(parts)


def unpack_answer(body: bytes) -> KeptAnswer:
    """The answer in these bytes. Raises ValueError for another format."""
    status, covered, names, numbers, links, digests, *outside_parts, said, written = _unframe_values(body)
    outside_paths, stamps, outside_digests = outside_parts
    stored_census = Census()
    stored_census.names = _split_texts(names)
    stored_census.numbers.frombytes(numbers)
    stored_census.links = [part.replace("\1", "\0") for part in _split_texts(links)]
    paths, rows = _split_texts(outside_paths), array("q", stamps)
    entries = sum(os.sep not in name for name in stored_census.names)
    lengths = (len(stored_census.numbers), len(digests), len(rows), len(outside_digests))
    if lengths != (entries * WIDTH, entries * DIGEST, len(paths) * WIDTH, len(paths) * DIGEST):
        raise ValueError("not as many numbers and digests as names")
    outside: list[tuple[str, Seen]] = []
    for at, path in enumerate(paths):
        mode, size, modified, changed, inode = rows[at * WIDTH : (at + 1) * WIDTH]
        seen = (mode, size, modified, changed, inode)
        outside.append((path, (seen if any(seen) else None, outside_digests[at * DIGEST : (at + 1) * DIGEST])))
    answer = KeptAnswer(_split_texts(covered), stored_census, digests, outside)
    answer.said = [_output_part(*four) for four in zip(*[iter(_unframe_texts(said))] * 4, strict=True)]
    answer.written = list(zip(*[iter(_unframe_texts(written))] * 3, strict=True))
    if status not in _STATUSES or not covered:
        raise ValueError("no such exit status, or nothing that it rests on")
    answer.status = int(status)
    return answer


def _output_part(stream: str, kind: str, colored: str, text: str) -> Said:
    if stream not in (str(STDOUT), str(STDERR)):
        raise ValueError("no such stream")
    return int(stream), kind, colored == "1", text


def _frame_texts(texts: Iterable[str]) -> bytes:
    return frame_values([text.encode("utf-8", "surrogatepass") for text in texts])


def _unframe_texts(data: bytes) -> list[str]:
    return [part.decode("utf-8", "surrogatepass") for part in _unframe_values(data)]


def _join_texts(texts: Sequence[str]) -> bytes:
    """Texts without null characters, such as names, as bytes."""
    return os.fsencode("\0".join(texts))


def _split_texts(data: bytes) -> list[str]:
    """The texts that were joined."""
    return os.fsdecode(data).split("\0") if data else []


def frame_values(values: Sequence[bytes]) -> bytes:
    """Any values as bytes, each after its length."""
    return b"".join(piece for value in values for piece in (len(value).to_bytes(8, "big"), value))


def _unframe_values(data: bytes) -> list[bytes]:
    """The values that were framed. Raises ValueError if the data is incomplete."""
    values, at = [], 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 8], "big")
        values.append(data[at + 8 : at + 8 + length])
        if len(values[-1]) != length:
            raise ValueError("cut off")
        at += 8 + length
    return values
