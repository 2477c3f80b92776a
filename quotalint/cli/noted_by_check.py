"""What `check` keeps of the state that it looked at, so that `diff` need not find out again what a commit has that was
checked before.

It is kept beside the answer, which knows what is in all files; whoever looks for it knows the names and ids that git
gives to these. It says what `diff` itself keeps of a state (`unchanged.py`).
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from quotalint.cache.folder import KEY, entry, keep, slices_entry
from quotalint.cache.identity import identity_of_readers
from quotalint.cache.packing import frame_values, parts
from quotalint.cli.state_notes import StateNote, doubts_of, findings_text, pack_note, unpack_note
from quotalint.diff.standing import QuotaDoubt, Standing
from quotalint.facts import Facts
from quotalint.named_tuples import NamedTuple
from quotalint.pipeline import Result
from quotalint.quota.projection import EXACT
from quotalint.settings import Options
from quotalint.suppression import asks_for_silence, baseline_file
from quotalint.text.disk import is_there
from quotalint.text.files import lies_in
from quotalint.text.git_index import content_ids
from quotalint.transcript import STDERR, Basis, Transcript, digest, key_of

if TYPE_CHECKING:
    from quotalint.cli.actions import Request


class NotedCheck(NamedTuple):
    """What a check has kept."""

    answer: str
    """The key of its answer."""
    contents: bytes
    """What stands for the contents of all files."""
    slices: bytes
    """What stands for what of it stands by itself; empty where nothing does."""
    note: bytes
    """What is to be kept of the state, but for these."""
    ids: Mapping[str, str]
    """What git calls the contents of files, by their paths from the root of the repository; of those that it knew."""


def keep_check(noted: Transcript, request: Request, result: Result, of: Basis) -> None:
    """Keep what was found out, if a run that compares this state would find out the same."""
    settings = result.environments[0].settings
    root = os.path.realpath(settings.repository)
    asked = key_of_check(root, os.path.realpath("."), request.paths or (".",), request.options)
    if not asked or of.covered != [root] or not _is_plain(request, result):
        return
    if any(stream == STDERR for stream, _ in noted.said):
        return
    inside = os.path.join(root, "")
    stamps = {
        path[len(inside) :].replace(os.sep, "/"): seen
        for path, (seen, _) in noted.read.items()
        if seen is not None and path.startswith(inside)
    }
    from quotalint.slices.noting import refusing_namespaces

    several, refusing = len(result.environments) > 1, tuple(refusing_namespaces(result.environments))
    note = pack_note(StateNote(_standing(result), frozenset(stamps), several, b"", refusing))
    ids = marshal.dumps(content_ids(root, stamps), 2)
    keep(noted.folder, asked, frame_values((of.key.encode(), digest(of.contents), of.slices, note, ids)))


def key_of_check(root: str, here: str, paths: Sequence[str], options: Options) -> str:
    """What is asked of a state; empty where something of that is not known."""
    readers = identity_of_readers()
    ways = tuple(os.path.relpath(os.path.join(here, path), here) for path in paths)
    if not readers or not all(lies_in(os.path.realpath(path), root) for path in paths):
        return ""
    about = (*readers, "check", root, here, repr(ways), repr(options))
    return key_of("\0".join(about).encode("utf-8", "surrogatepass"), KEY // 2)


def kept_check(folder: str, key: str) -> NotedCheck | None:
    """What is kept under a key."""
    body = entry(folder, key)
    if body is None:
        return None
    try:
        answer, contents, slices, note, ids = parts(body)
        return NotedCheck(answer.decode("ascii"), contents, slices, note, marshal.loads(ids))
    except (EOFError, TypeError, ValueError):
        return None


def note_of(check: NotedCheck, folder: str) -> StateNote | None:
    """What `diff` would have kept of the state."""
    slices = slices_entry(folder, check.slices) if check.slices else b""
    try:
        return unpack_note(check.note)._replace(slices=slices or b"")
    except (EOFError, TypeError, ValueError):
        return None


def _is_plain(request: Request, result: Result) -> bool:
    """Whether nothing but the files of the repository decides what is said of them."""
    settings = result.environments[0].settings
    if request.snapshots or request.baseline or settings.baseline or request.options.config is not None:
        return False
    if is_there(baseline_file(None, settings)):
        return False
    # What a change writes down not to be told of is looked at beside what the state before it has.
    if any(finding.suppressed is not None for finding in result.findings):
        return False
    repository = result.environments[0].repository
    return not (
        any(file.marked for file in repository.files)
        or any(asks_for_silence(obj) for facts in result.environments for obj in facts.cluster.objects)
    )


def _standing(result: Result) -> Standing:
    """What a report says of the state where nothing of it changes: all that was found is found again."""
    findings, quotas = result.findings, sum(len(facts.quotas) for facts in result.environments)
    doubtful = [
        facts._replace(quotas=tuple(quota for quota in facts.quotas if quota.id in ids))
        for facts in result.environments
        if (ids := {projection.quota.id for projection in facts.projections if projection.certainty != EXACT})
    ]
    doubts = _doubts(doubtful) if doubtful else ()
    return Standing(quotas, len(findings), findings_text(findings) if findings else "[]", doubts)


def _doubts(environments: Sequence[Facts]) -> tuple[QuotaDoubt, ...]:
    from quotalint.quota_table import quota_tables, without_lines

    return doubts_of(quota_tables(environments, without_lines))
