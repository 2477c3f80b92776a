"""Packs several values into one entry, and unpacks them."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def join_texts(texts: Sequence[str]) -> bytes:
    """Texts without null characters, such as names, as bytes."""
    return os.fsencode("\0".join(texts))


def split_texts(data: bytes) -> list[str]:
    """The texts that were joined."""
    return os.fsdecode(data).split("\0") if data else []


def frame_values(values: Sequence[bytes]) -> bytes:
    """Any values as bytes, each after its length."""
    return b"".join(piece for value in values for piece in (len(value).to_bytes(8, "big"), value))


def parts(data: bytes) -> list[bytes]:
    """The values that were framed. Raises ValueError if the data is incomplete."""
    values, at = [], 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 8], "big")
        values.append(data[at + 8 : at + 8 + length])
        if len(values[-1]) != length:
            raise ValueError("cut off")
        at += 8 + length
    return values
