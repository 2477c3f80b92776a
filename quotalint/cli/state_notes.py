"""What is kept of a state of a repository, for a run that compares it with another one."""

from __future__ import annotations

import json
import marshal
from collections.abc import Iterable
from typing import TYPE_CHECKING

from quotalint.cache.folder import entry, keep
from quotalint.diff.standing import Standing
from quotalint.named_tuples import NamedTuple

if TYPE_CHECKING:
    from quotalint.finding import Finding


class StateNote(NamedTuple):
    """What is kept of a state."""

    standing: Standing
    read: frozenset[str]
    """The files that were looked at, by their paths from the root of the repository."""
    several_environments: bool
    slices: bytes
    """Empty where nothing stands by itself."""


def pack_note(note: StateNote) -> bytes:
    """A note as bytes."""
    return marshal.dumps((tuple(note.standing), sorted(note.read), *note[2:]), 2)


def unpack_note(data: bytes) -> StateNote:
    """What was packed. Raises ValueError, TypeError or EOFError where it has not this form."""
    standing, read, several_environments, slices = marshal.loads(data)
    return StateNote(Standing(*standing), frozenset(read), several_environments, slices)


def keep_note(folder: str, key: str, note: StateNote) -> None:
    """Keep a note under a key."""
    keep(folder, key, pack_note(note))


def kept_note(folder: str, key: str) -> StateNote | None:
    """What is kept under a key, if it is a note."""
    body = entry(folder, key)
    try:
        return None if body is None else unpack_note(body)
    except (EOFError, TypeError, ValueError):
        return None


def findings_text(findings: Iterable[Finding]) -> str:
    """Findings as a report in JSON has them."""
    from quotalint.reports.json import finding_json

    return json.dumps([finding_json(finding, None) for finding in findings], ensure_ascii=False)
