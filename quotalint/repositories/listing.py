"""The file that lists repositories: checkouts, or the reports that they publish."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from quotalint.kube.fields import mapping
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import MAX_BYTES, read
from quotalint.text.files import content


class Member(NamedTuple):
    """One repository."""

    name: str
    path: str
    """A folder, or a JSON report, from the working directory."""
    environments: Mapping[str, str] = MappingProxyType({})
    """What it calls an environment → what all call it; the empty name is its only one."""


class NoList(NamedTuple):
    """Why there is no list, for the user."""

    reason: str


_KEYS = ("path", "report", "environments")


def listed_repositories(path: str) -> tuple[Member, ...] | NoList:
    """The repositories of a file, in its order; paths in it are relative to its folder.

    `repositories:` is a list of paths, or a mapping of names to a path or to `path` or `report` and `environments`.
    """
    try:
        data = content(path, MAX_BYTES)
    except (OSError, ValueError) as error:
        return NoList(f"{path}: {getattr(error, 'strerror', None) or error}")
    if data is None or len(data) > MAX_BYTES:
        hint = f"; `quotalint check {path}` checks what is below it" if os.path.isdir(path) else ""
        return NoList(f"{path}: it is not a file that lists repositories{hint}")
    reading = read(data)
    if reading.failures:
        return NoList(f"{path}:{reading.failures[0].line}: {reading.failures[0].message}")
    value = reading.documents[0].value if reading.documents else None
    written = value.get("repositories") if isinstance(value, dict) else value
    folder = os.path.dirname(path)
    members: list[Member] = []
    for member in _members(written, folder):
        if isinstance(member, str):
            return NoList(f"{path}: {member}")
        members.append(member)
    if not members:
        return NoList(f"{path}: it lists no repository; `repositories: [../quotas, ../shop]` lists two")
    names = [member.name for member in members]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        return NoList(f"{path}: two repositories are called {twice}; `repositories: {{NAME: PATH}}` gives them names")
    missing = [member.path for member in members if not os.path.exists(member.path)]
    return NoList(f"{path}: there is no {missing[0]}") if missing else tuple(members)


def _members(written: object, folder: str) -> Iterator[Member | str]:
    if isinstance(written, dict):
        for name, inner in written.items():
            yield _member(str(name), inner, folder)
    elif isinstance(written, list):
        for inner in written:
            yield _member("", inner, folder)


def _member(name: str, written: object, folder: str) -> Member | str:
    fields = {"path": written} if isinstance(written, str) else mapping(written)
    unknown = [key for key in fields if key not in _KEYS]
    if unknown:
        return f"`{unknown[0]}` is not a key of a repository; the keys are {', '.join(_KEYS)}"
    path = fields.get("path", fields.get("report"))
    if not isinstance(path, str) or not path:
        return f"{name or 'a repository'} needs the `path` of a checkout, or of a `report`"
    called = {str(theirs): str(ours) for theirs, ours in mapping(fields.get("environments")).items()}
    whole = os.path.normpath(os.path.join(folder, path))
    base = os.path.basename(os.path.realpath(whole))
    return Member(
        name or (base.rpartition(".")[0] if base.endswith(".json") else base), whole, MappingProxyType(called)
    )
