"""Fetches remote sources for `quotalint vendor`. Nothing else in quotalint uses the network."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple

MIB = 1024 * 1024


class Limits(NamedTuple):
    """What one source may take."""

    silence: float = 20.0
    """Seconds to wait for a server that says nothing."""
    longest: float = 120.0
    """Seconds for one download."""
    download: int = 64 * MIB
    """Bytes of one download."""
    unpacked: int = 64 * MIB
    """Bytes of all files together."""
    files: int = 20_000


class Fetched(NamedTuple):
    """A source's files, and the version that they have."""

    resolved: str
    """The version of the chart, or the commit."""
    files: dict[str, bytes]
    """By their paths, with `/`."""


class FetchError(Exception):
    """A source cannot be fetched. The message completes "chart … of …: ", and holds no credentials."""
