"""The command line, in its own words."""

from __future__ import annotations

from program_output import printed
from prose import fenced

from quotalint.cli import COMMANDS


def commands() -> str:
    """What `--help` prints for quotalint and each of its commands."""
    return "\n\n".join([_help(), *(f"## {name}\n\n{_help(name)}" for name in COMMANDS)])


def _help(*command: str) -> str:
    arguments = [*command, "--help"]
    return fenced(f"$ quotalint {' '.join(arguments)}\n{printed(arguments)}", "console")
