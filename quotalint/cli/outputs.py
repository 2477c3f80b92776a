"""`--format` and `--output`: which reports are wanted, and how one becomes a file."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import NamedTuple

STDOUT = "-"


class Output(NamedTuple):
    """A report that is wanted."""

    format: str
    file: str = STDOUT


def wanted_outputs(format_: str | None, given: Sequence[Output]) -> tuple[Output, ...] | str:
    """What `--format` and every `--output` ask for together, exactly one of it on standard output; otherwise what is
    wrong with that."""
    printed = [one for one in given if one.file == STDOUT]
    if len(printed) > 1 or (printed and format_):
        first = f"--format {format_}" if format_ else f"--output {printed[0].format}={STDOUT}"
        last = f"--output {printed[-1].format}={STDOUT}"
        return f"{first} and {last}: one report alone can go to standard output"
    seen = set()
    for one in given:
        path = os.path.normcase(os.path.realpath(one.file))
        if one.file != STDOUT and path in seen:
            return f"--output {one.format}={one.file}: this file is given twice"
        seen.add(path)
    return (*(one for one in given if one.file != STDOUT), *(printed or [Output(format_ or "text")]))


def write_file(path: str, text: str) -> str:
    """Write a report to a file, which is replaced as a whole or not at all; why that failed, or nothing."""
    # What is no Unicode comes from names in manifests; a report says so rather than to fail.
    data = text.encode("utf-8", "backslashreplace")
    try:
        if _is_stream(path):
            with open(path, "wb") as stream:
                stream.write(data)
        else:
            _replace(os.path.realpath(path), data)
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return ""


def _is_stream(path: str) -> bool:
    """Whether there is a pipe or a device, which is there to be written to and not to be replaced by a file."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    # Below these folders even a regular file is one that somebody holds open: `/dev/stdout`.
    return not stat.S_ISREG(mode) or os.path.abspath(path).startswith(("/dev/", "/proc/"))


def _replace(path: str, data: bytes) -> None:
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name[:64]}.{os.getpid()}.tmp")
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mode = None
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with open(os.open(temporary, flags, 0o666), "wb") as file:
        try:
            file.write(data)
            file.close()
            if mode is not None:
                os.chmod(temporary, mode)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise
