"""What `check` keeps of the state that it looked at, so that `diff` need not find out again what a commit has that was
checked before, or was committed after that: what `diff` itself keeps of a state (`unchanged.py`), by the tree that git
has of it, or would have."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quotalint.cache.folder import keep
from quotalint.cli.state_keys import StateQuestion, key_by_check, state_key
from quotalint.cli.state_notes import StateNote, doubts_of, findings_text, pack_note
from quotalint.diff.contents import own_file
from quotalint.diff.standing import QuotaDoubt, Standing
from quotalint.diff.tree_ids import NamedTree, lying_tree
from quotalint.facts import Facts
from quotalint.pipeline import Result
from quotalint.quota.projection import EXACT
from quotalint.suppression import asks_for_silence, baseline_file
from quotalint.text.disk import is_there, status_of
from quotalint.text.files import lies_in
from quotalint.text.git_index import names_digest
from quotalint.text.gitignore import git_folder, shared_git_folder
from quotalint.text.sources import counts
from quotalint.transcript import STDERR, Basis, Transcript, digest, stamp

if TYPE_CHECKING:
    from quotalint.cli.actions import Request


def keep_check(noted: Transcript, request: Request, result: Result, of: Basis) -> None:
    """Keep what was found out, if a run that compares this state would find out the same."""
    settings = result.environments[0].settings
    root = os.path.realpath(settings.repository)
    paths = request.paths or (".",)
    if tuple(of.covered) != (root,) or not _is_plain(request, result):
        return
    if not all(lies_in(os.path.realpath(path), root) for path in paths):
        return
    if any(stream == STDERR for stream, _ in noted.said):
        return
    tree = lying_tree(root, of.entries, of.links, of.contents)
    if tree is None or not _is_all_of_it(noted, root, tree):
        return
    own = own_file(shared_git_folder(os.path.join(root, ".git")), "config")
    asked = StateQuestion(root, os.path.realpath("."), paths, request.options, own)
    key = state_key(asked, tree.id, tree.sizes)
    if not key:
        return
    from quotalint.slices.noting import refusing_namespaces

    several, refusing = len(result.environments) > 1, tuple(refusing_namespaces(result.environments))
    inside = os.path.join(root, "")
    read = {
        path.removeprefix(inside).replace(os.sep, "/")
        for path, (seen, _) in noted.read.items()
        if seen is not None and path.startswith(inside)
    }
    # What may be looked at by its name counts as read, though it was of no use to this run.
    read.update(way for way in map(os.fsdecode, tree.names) if _is_looked_at(way.rpartition("/")[2]))
    keep(
        noted.folder,
        key_by_check(key),
        pack_note(StateNote(_standing(result), frozenset(read), several, of.slices, refusing)),
    )


def _is_looked_at(name: str) -> bool:
    return counts(name) or name.startswith(".git")


def _is_all_of_it(noted: Transcript, root: str, tree: NamedTree) -> bool:
    """Whether what was found out rests on nothing but the tree: on nothing that lies elsewhere, and, where something is
    ignored, on git tracking all that lies there."""
    git = os.path.join(root, ".git")
    index = os.path.join(git_folder(git), "index")
    insides = tuple(os.path.join(folder, "") for folder in (root, git_folder(git), shared_git_folder(git)))
    seen_paths = [path for path, (seen, _) in noted.read.items() if seen is not None]
    if not all(path.startswith(insides) for path in seen_paths):
        return False
    if index not in noted.read:
        return True
    seen, _ = noted.read[index]
    # Where there is no index, all that is ignored was left out; by now it may be another one.
    return (
        seen is not None and names_digest(index) == digest(b"\0".join(tree.names)) and stamp(status_of(index)) == seen
    )


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
