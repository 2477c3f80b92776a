"""Paths and quota names on a command line: how to tell them apart, and errors about missing ones."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from quotalint.cli import COMMANDS
from quotalint.cli.formats import Report
from quotalint.cli.request import CannotRun
from quotalint.reports.chosen_quotas import Choice, unmatched_names
from quotalint.text.lazy_patterns import lazy_pattern

_NAMED = lazy_pattern(r"[a-z0-9*?]([-a-z0-9.*?]*[a-z0-9*?])?(/[a-z0-9*?]([-a-z0-9.*?]*[a-z0-9*?])?)?")


def split_paths(arguments: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Paths and quota names: an existing path is a path, and so is a word that cannot be a name."""
    quota_names = tuple(
        argument
        for argument in arguments
        if argument != "-" and not os.path.lexists(argument) and _NAMED.fullmatch(argument)
    )
    return tuple(argument for argument in arguments if argument not in quota_names), quota_names


def refuse_unmatched(choice: Choice, report: Report, paths: Sequence[str]) -> None:
    """Refuse a quota name that matches nothing: it is misspelt. Raises CannotRun."""
    tables = report.tables()
    environments = {table.environment for table in tables}
    strange = [name for name in choice.environments if name not in environments]
    if strange:
        names = sorted(environments - {""})
        there = f"there are {', '.join(names)}" if names else "there is only one here, without a name"
        raise CannotRun(f"--environment {strange[0]}: no quota is in an environment of this name; {there}")
    namespaces = {name for table in tables for name in table.quota.namespaces}
    lines = []
    for name in unmatched_names(tables, choice.quota_names):
        near = _nearest_name(name.partition("/")[0], namespaces)
        of = [table.quota.name for table in tables if name.partition("/")[0] in table.quota.namespaces]
        hint = f"; its quotas are {', '.join(sorted(set(of)))}" if of else f"; did you mean {near}?" if near else ""
        lack = "no quota of this name" if of else "no such file or folder, and no quota of a namespace of this name"
        lines.append(f"{name}: {lack}{hint}")
    if lines:
        raise CannotRun("\n".join((*lines, hint_at_names(paths))).strip())


def hint_at_names(paths: Sequence[str]) -> str:
    """A hint if a path is also a namespace name."""
    named = [path for path in paths if _NAMED.fullmatch(path)]
    return f"{named[0]} is a folder or file here; for a namespace: quotalint usage -n {named[0]}" if named else ""


def links_out(paths: Iterable[str]) -> str:
    """An error about symbolic links out of the repository: a change may bring one, and findings would show its
    target."""
    why = "leads out of the repository by a symbolic link, which is not followed: name what it leads to"
    return "\n".join(f"{path} {why}" for path in paths)


def missing_paths(paths: Iterable[str]) -> str:
    """An error about missing paths; one of them may be a misspelt command."""
    return "\n".join(f"no such file or folder: {path or repr(path)}{_command_like(path)}" for path in paths)


def _command_like(path: str) -> str:
    if path in COMMANDS:
        return f"; write the command first: quotalint {path} ..."
    near = _nearest_name(path, COMMANDS)
    return f"; did you mean the command {near}?" if near else ""


def _nearest_name(written: str, names: Iterable[str]) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(written, names, 1)), "")
