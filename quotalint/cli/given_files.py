"""A file that an option names: its bytes, or why it cannot be had, in words that name the option."""

from __future__ import annotations

import sys

from quotalint.cli.actions import CannotRun
from quotalint.text.files import content


def given_file(named: str, path: str, most: int, *, or_stdin: bool = False) -> bytes:
    """All of a file of at most so many bytes, or of standard input for `-` where an option takes that; `named` is what
    was written, such as `--with a.yaml`. Raises CannotRun."""
    try:
        data = _standard_input() if or_stdin and path == "-" else content(path, most)
    except (OSError, ValueError) as error:
        raise CannotRun(f"{named}: {getattr(error, 'strerror', None) or error}") from None
    if data is None:
        raise CannotRun(f"{named}: it is not a file")
    if len(data) > most:
        raise CannotRun(f"{named}: it is larger than {most >> 20} MiB")
    return data


def _standard_input() -> bytes:
    return sys.stdin.buffer.read() if sys.stdin else b""
