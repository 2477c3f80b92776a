"""What is kept of a state of a repository, for a run that compares it with another one."""

from __future__ import annotations

import json
import marshal
from collections.abc import Iterable
from typing import TYPE_CHECKING

from quotalint.cache.folder import entry, keep, keep_slices, slices_entry
from quotalint.diff.standing import QuotaDoubt, Standing
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import EXACT

if TYPE_CHECKING:
    from quotalint.finding import Finding
    from quotalint.quota_table import QuotaTable


class StateNote(NamedTuple):
    """What is kept of a state."""

    standing: Standing
    read: frozenset[str]
    """The files that were looked at, by their paths from the root of the repository."""
    several_environments: bool
    slices: bytes
    """Empty where nothing stands by itself."""
    refusing: tuple[tuple[str, str], ...] = ()
    """The environments and names of the namespaces in which something is refused, where it is not known yet what is
    noted there of a state that follows on this one: what was there before keeps its place."""


def pack_note(note: StateNote) -> bytes:
    """A note as bytes."""
    return marshal.dumps((tuple(note.standing), sorted(note.read), *note[2:]), 2)


def unpack_note(data: bytes) -> StateNote:
    """What was packed. Raises ValueError, TypeError or EOFError where it has not this form."""
    standing, read, *others = marshal.loads(data)
    return StateNote(Standing(*standing), frozenset(read), *others)


def keep_note(folder: str, key: str, note: StateNote) -> None:
    """Keep a note under a key, and its slices under their own."""
    of = keep_slices(folder, note.slices) if note.slices else b""
    keep(folder, key, pack_note(note._replace(slices=of)))


def kept_note(folder: str, key: str) -> StateNote | None:
    """What is kept under a key, if it is a note, and its slices are there."""
    body = entry(folder, key)
    try:
        note = None if body is None else unpack_note(body)
    except (EOFError, TypeError, ValueError):
        return None
    if note is None or not note.slices:
        return note
    slices = slices_entry(folder, note.slices)
    return None if slices is None else note._replace(slices=slices)


def findings_text(findings: Iterable[Finding]) -> str:
    """Findings as a report in JSON has them."""
    from quotalint.reports.json import finding_json

    return json.dumps([finding_json(finding, None) for finding in findings], ensure_ascii=False)


def doubts_of(tables: Iterable[QuotaTable]) -> tuple[QuotaDoubt, ...]:
    """What a report says of quotas of which not everything is in view."""
    doubtful = [table for table in tables if table.certainty != EXACT]
    if not doubtful:
        return ()
    from quotalint.reports.sarif import quota_doubt

    of_each = ((quota_doubt(table), table.quota) for table in doubtful)
    return tuple((doubt, quota.object.place.file, quota.place.real[:3]) for doubt, quota in of_each if doubt)
