"""What set off the run: the event, and the pull request that it is about."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple


class Event(NamedTuple):
    """As far as it decides what is compared, and where the comment goes."""

    name: str
    """`pull_request`, `push`, …"""
    number: int = 0
    """Of the pull request; 0 where there is none."""
    base: str = ""
    """The commit that the change is meant for, when the event happened; empty where there is none."""
    head: str = ""
    """The last commit of the change."""
    fork: bool = False
    """Whether the change comes from another repository, so that the token can only read."""


def event(environ: Mapping[str, str]) -> Event:
    """The event of this run. A file that cannot be read says nothing."""
    name = environ.get("GITHUB_EVENT_NAME", "")
    try:
        with open(environ.get("GITHUB_EVENT_PATH", ""), encoding="utf-8") as file:
            payload = _mapping(json.load(file))
    except (OSError, ValueError, RecursionError):
        return Event(name)
    if name == "merge_group":
        group = _mapping(payload.get("merge_group"))
        return Event(name, 0, _commit(group.get("base_sha")), _commit(group.get("head_sha")))
    pull = _mapping(payload.get("pull_request"))
    number = pull.get("number")
    if not isinstance(number, int):
        return Event(name)
    base, head = _mapping(pull.get("base")), _mapping(pull.get("head"))
    # The repository of the head is null once the fork is deleted.
    fork = _mapping(head.get("repo")).get("full_name") != _mapping(base.get("repo")).get("full_name")
    return Event(name, number, _commit(base.get("sha")), _commit(head.get("sha")), fork)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _commit(value: Any) -> str:
    return value if isinstance(value, str) and COMMIT.fullmatch(value) else ""


COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
