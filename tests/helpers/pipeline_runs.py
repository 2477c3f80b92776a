"""What the pipeline finds out, below the command line."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.accounts.facts import Facts
from quotalint.catalogue import rule_ids
from quotalint.pipeline import Result, run
from quotalint.settings import Options, Settings
from quotalint.settings.loading import load_settings
from quotalint.snapshots.snapshot import Snapshot, read_snapshot
from quotalint.text.sources import Found, Source, find


def run_pipeline(path: str = ".", snapshots: Sequence[Snapshot] = ()) -> Result:
    """Everything there is to say of a path, for somebody who stands where the test stands."""
    settings = load_settings([path], Options(), frozenset(rule_ids()))
    assert isinstance(settings, Settings), settings
    return run(find([path], settings.root, settings.exclude), settings, lambda: b"", 1, snapshots)


def facts_of(*documents: str) -> Facts:
    """The facts of documents on standard input, with the settings that nobody wrote."""
    text = "\n---\n".join(documents)
    sources = Found((Source("<stdin>", "", True),), (), (), ())
    return run(sources, Settings("/", None), lambda: text.encode(), 1).environments[0]


def snapshot_of(text: str) -> Snapshot:
    """What `kubectl get -o yaml` printed."""
    snapshot = read_snapshot(text.encode(), "cluster.txt")
    assert isinstance(snapshot, Snapshot), snapshot
    return snapshot
