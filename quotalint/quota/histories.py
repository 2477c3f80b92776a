"""Old revisions that stay: after how many changes a quota has no room for another one.

Source: Kubernetes 1.36, pkg/controller/deployment/sync.go (cleanupDeployment: old ReplicaSets beyond
`revisionHistoryLimit` go only once a rollout is complete), pkg/controller/statefulset/stateful_set_control.go
(truncateHistory), pkg/controller/daemon/update.go (cleanupHistory).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.kube.fields import integer
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.quota.next_rollouts import Rollout
from quotalint.quota.pools import Ledger, Shortage

_DEFAULT = 10


class History(NamedTuple):
    """That there is no room for all revisions that are kept."""

    changes: int
    """How many more changes there are before another one is refused."""
    shortage: Shortage
    """What is lacking then."""
    lacking: int
    """How many revisions more there would have to be room for."""
    several: int = 1
    """How many workloads keep them; the changes are those of all together."""


def kept_revisions(owner: Object) -> int:
    """How many old revisions a workload keeps."""
    written = integer(owner.spec.get("revisionHistoryLimit"))
    return _DEFAULT if written is None else max(0, written)


def history_of(rollout: Rollout, ledger: Ledger) -> History | None:
    """That a workload alone keeps too many."""
    return _history([rollout], ledger)


def shared_histories(rollouts: Sequence[Rollout], ledger: Ledger) -> Iterator[tuple[Rollout, History]]:
    """That the workloads of a namespace do together, with the one that keeps most."""
    by_kind: dict[str, list[Rollout]] = {}
    for rollout in rollouts:
        if rollout.revision is not None:
            by_kind.setdefault(rollout.revision.kind, []).append(rollout)
    for same_kind in by_kind.values():
        history = _history(same_kind, ledger)
        if history is not None:
            yield max(same_kind, key=lambda rollout: kept_revisions(rollout.owner)), history


def _history(rollouts: Sequence[Rollout], ledger: Ledger) -> History | None:
    revision, namespace = rollouts[0].revision, rollouts[0].namespace
    if revision is None:
        return None
    # Each has one already, and only one of them is being changed.
    wanted = sum(kept_revisions(rollout.owner) for rollout in rollouts) + 1
    room = ledger.room(namespace, revision, wanted)
    if not 0 < room < wanted:
        return None
    later = ledger.copy(namespace)
    later.charge(namespace, revision, room)
    return History(room, later.shortage(namespace, revision), wanted - room, len(rollouts))
