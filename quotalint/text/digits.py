"""Whole numbers in texts, as Kubernetes and Go read them."""

from __future__ import annotations

_MOST = 18
"""The most digits: more may not fit into 64 bits."""


def whole_number(text: str) -> int | None:
    """The number that ASCII digits alone write; None for all else, and for too many digits. `int` also reads `1_000`,
    spaces and the digits of other scripts, and raises for 4,301 digits."""
    return int(text) if len(text) <= _MOST and text.isascii() and text.isdecimal() else None
