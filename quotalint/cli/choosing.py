"""The quotas that `usage` is asked for: what on its command line is a path, and what the name of one."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from quotalint.cli.actions import CannotRun
from quotalint.cli.formats import Report
from quotalint.reports.chosen_quotas import Choice, unmatched_names

_NAMED = re.compile(r"[a-z0-9*?]([-a-z0-9.*?]*[a-z0-9*?])?(/[a-z0-9*?]([-a-z0-9.*?]*[a-z0-9*?])?)?")


def split_paths(given: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Paths and names of quotas: what is there is a path, and what cannot be a name is one that is missing."""
    names = tuple(one for one in given if one != "-" and not os.path.lexists(one) and _NAMED.fullmatch(one))
    return tuple(one for one in given if one not in names), names


def refuse_unmatched(choice: Choice, made: Report, paths: Sequence[str]) -> None:
    """Who asks for a quota that is not there has mistyped it, and must not be told of all the others, or of none."""
    from difflib import get_close_matches

    tables = made.tables()
    environments = {one.environment for one in tables}
    strange = [name for name in choice.environments if name not in environments]
    if strange:
        known = sorted(environments - {""})
        there = f"there are {', '.join(known)}" if known else "there is only one here, without a name"
        raise CannotRun(f"--environment {strange[0]}: no quota is in an environment of this name; {there}")
    names = {name for one in tables for name in one.quota.namespaces}
    lines = []
    for name in unmatched_names(tables, choice.names):
        near = get_close_matches(name.partition("/")[0], names, 1)
        of = [one.quota.name for one in tables if name.partition("/")[0] in one.quota.namespaces]
        hint = f"; its quotas are {', '.join(sorted(set(of)))}" if of else f"; did you mean {near[0]}?" if near else ""
        what = "no quota of this name" if of else "no such file or folder, and no quota of a namespace of this name"
        lines.append(f"{name}: {what}{hint}")
    if lines:
        raise CannotRun("\n".join((*lines, hint_at_names(paths))).strip())


def hint_at_names(paths: Sequence[str]) -> str:
    """Who names a namespace may get the folder of the same name."""
    named = [one for one in paths if _NAMED.fullmatch(one)]
    return f"{named[0]} is a folder or file here; for a namespace: quotalint usage -n {named[0]}" if named else ""
