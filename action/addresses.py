"""Where GitHub shows the files that are looked at, for the links of the comment."""

from __future__ import annotations

import re
from collections.abc import Mapping

from action.event import Event
from action.git import clone


def file_addresses(what: Event, start: str, environ: Mapping[str, str]) -> str:
    """What `--link` is given: lines of files at the event's commit. Empty if another one is checked out, since GitHub
    may not have it."""
    here = clone(start)
    if isinstance(here, str) or here.head not in (environ.get("GITHUB_SHA"), what.head):
        return ""
    home = f"{environ.get('GITHUB_SERVER_URL', '')}/{environ.get('GITHUB_REPOSITORY', '')}"
    if not re.fullmatch(r"https://[\w.:-]+/[\w.-]+/[\w.-]+", home):
        return ""
    return f"{home}/blob/{here.head}/{{file}}#L{{line}}"
