"""What `${NAME#pattern}` and `${NAME##pattern}` take away from the beginning of a value."""

from __future__ import annotations

from quotalint.text.glob_dialects import envsubst
from quotalint.text.globs import places_after


def without_prefix(value: str, pattern: str, longest: bool) -> str:
    """The value without its shortest or longest beginning of at least one character that matches the pattern."""
    glob = envsubst(pattern)
    ends = places_after(glob, value) & ~1 if glob is not None else 0
    if not ends:
        return value
    return value[(ends if longest else ends & -ends).bit_length() - 1 :]
