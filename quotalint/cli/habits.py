"""Command lines as people know them from other programs: what they mean here, or which option does it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from quotalint.cli import COMMANDS

_OPTIONS: Mapping[str, str] = {
    "--dry-run": "--fix --diff shows what --fix would write",
    "--exclude": "list the patterns as `exclude` in .quotalint.yaml, or in .gitignore",
    "--exit-code": "--fail-on decides the exit status",
    "--exit-zero": "--fail-on never does it",
    "--output-file": "-o FORMAT=FILE does it",
    "--output-format": "--format does it",
    "--no-color": "--color never does it",
    "--statistics": "`quotalint -f json` counts the findings under `summary`",
    "--strict": "--fail-on warning does it",
    "--warnings-as-errors": "--fail-on warning does it",
}
"""The options of other linters, and what to write here."""


def as_commands_here(arguments: Sequence[str]) -> list[str]:
    """The arguments of a command line as they are written here: `version`, `help [COMMAND]`, and a command after
    flags. A file or folder of such a name keeps its meaning."""
    at = next((at for at, argument in enumerate(arguments) if not argument.startswith("-")), None)
    if at is None or os.path.lexists(arguments[at]):
        return [*arguments]
    word, others = arguments[at], [*arguments[:at], *arguments[at + 1 :]]
    if word in COMMANDS:
        return [word, *others]
    if word == "version" and not others:
        return ["--version"]
    if word == "help" and (not others or others[0] in COMMANDS):
        return [*others[:1], "--help"]
    return [*arguments]


def option_here(name: str) -> str:
    """What to write here for an option of another program; empty if nothing is known."""
    return _OPTIONS.get(name, "")
