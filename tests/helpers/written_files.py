"""The files of a small repository, and putting them into a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple


class Link(NamedTuple):
    """A symbolic link instead of a file."""

    target: str


Files = Mapping[str, "str | bytes | Link"]


def write(folder: Path, files: Files) -> None:
    """Put the files into a folder; text that is written as the code around it is indented stands at the margin."""
    write_as_is(
        folder,
        {
            name: dedent(content).lstrip("\n") if isinstance(content, str) else content
            for name, content in files.items()
        },
    )


def write_as_is(folder: Path, files: Files) -> None:
    """Put the files into a folder, to the byte."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            path.symlink_to(content.target)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
