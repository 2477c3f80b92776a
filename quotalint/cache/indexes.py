"""What of git's index decides an answer: the names in it."""

from __future__ import annotations

from quotalint.text.files import content
from quotalint.text.git_index import names_in
from quotalint.transcript import UNKNOWN, digest

_LARGEST = 1 << 28
_SHARED = b"link\0\0\0"


def names_digest(path: str) -> bytes:
    """What stands for the names in an index; UNKNOWN where it is not understood. Of one that shares its names with
    another file, and of what is no index, all bytes count."""
    try:
        data = content(path, _LARGEST)
    except (OSError, ValueError):
        return UNKNOWN
    if data is None or len(data) > _LARGEST:
        return UNKNOWN
    names = [] if data[:4] != b"DIRC" or _SHARED in data else names_in(data)
    return digest(b"\0".join(names) if names else data)
