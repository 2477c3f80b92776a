"""What is said of paths of the command line that are not looked at."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from quotalint.cli import COMMANDS


def links_out(paths: Iterable[str]) -> str:
    """A change may bring the link, and findings would show what it leads to."""
    why = "leads out of the repository by a symbolic link, which is not followed: name what it leads to"
    return "\n".join(f"{path} {why}" for path in paths)


def missing_paths(paths: Iterable[str]) -> str:
    """There is nothing at these; who mistypes a command names a path."""
    return "\n".join(f"no such file or folder: {path or repr(path)}{_command_like(path)}" for path in paths)


def _command_like(path: str) -> str:
    close_names = get_close_matches(path, COMMANDS, 1)
    return f"; did you mean the command {close_names[0]}?" if close_names else ""
