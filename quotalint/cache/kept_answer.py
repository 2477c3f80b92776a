"""What a run had to say, with all that it rests on, and the form in which that is kept."""

from __future__ import annotations

import os
from array import array

from quotalint.cache.census import WIDTH, Census
from quotalint.cache.packing import frame_values, join_texts, split_texts
from quotalint.cache.packing import parts as unframed
from quotalint.transcript import DIGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from quotalint.transcript import Seen


class KeptAnswer:
    """What a run has to say, and what it rests on."""

    def __init__(self, covered: Sequence[str], of: Census, digests: bytes, outside: Sequence[tuple[str, Seen]]) -> None:
        self.covered = covered
        self.census = of
        self.digests = digests
        """One for each entry of the census."""
        self.outside = outside
        """Files that were read and are not in the census."""
        self.said: Sequence[tuple[int, str]] = ()
        self.written: Sequence[tuple[str, bytes]] = ()
        self.status = 0
        self.slices = b""
        """A digest of what of it stands by itself, which is an entry of its own; empty where there is none."""
        self.apart: Sequence[str] = ()
        """The files that hold something else than when the answer was found out, which is still true."""


def pack_answer(answer: KeptAnswer) -> bytes:
    """An answer as bytes."""
    output_parts = [part for stream, text in answer.said for part in (str(stream), text)]
    written = [part for path, data in answer.written for part in (os.fsencode(path), data)]
    outside = array("q", [n for _, (before, _) in answer.outside for n in before or (0,) * WIDTH])
    parts = (
        str(answer.status).encode(),
        join_texts(answer.covered),
        join_texts(answer.census.names),
        answer.census.numbers.tobytes(),
        join_texts([part.replace("\0", "\1") for part in answer.census.links]),
        answer.digests,
        join_texts([path for path, _ in answer.outside]),
        outside.tobytes(),
        b"".join(digest for _, (_, digest) in answer.outside),
        frame_values([part.encode("utf-8", "surrogatepass") for part in output_parts]),
        frame_values(written),
        answer.slices,
        join_texts(answer.apart),
    )
    return frame_values(parts)


def unpack_answer(body: bytes) -> KeptAnswer:
    """What was packed. Raises ValueError or IndexError where it has not this form."""
    parts = unframed(body)
    now = Census()
    now.names = split_texts(parts[2])
    now.numbers.frombytes(parts[3])
    now.links = [part.replace("\1", "\0") for part in split_texts(parts[4])]
    numbers = array("q")
    numbers.frombytes(parts[7])
    outside: list[tuple[str, Seen]] = []
    for at, path in enumerate(split_texts(parts[6])):
        about = numbers[at * WIDTH : (at + 1) * WIDTH]
        digest = parts[8][at * DIGEST : (at + 1) * DIGEST]
        outside.append((path, ((about[0], about[1], about[2], about[3], about[4]) if any(about) else None, digest)))
    answer = KeptAnswer(split_texts(parts[1]), now, parts[5], outside)
    output_parts = [part.decode("utf-8", "surrogatepass") for part in unframed(parts[9])]
    written = unframed(parts[10])
    answer.said = [(int(stream), text) for stream, text in zip(output_parts[::2], output_parts[1::2], strict=True)]
    answer.written = [(os.fsdecode(path), data) for path, data in zip(written[::2], written[1::2], strict=True)]
    answer.status = int(parts[0])
    answer.slices, answer.apart = parts[11], split_texts(parts[12])
    return answer
