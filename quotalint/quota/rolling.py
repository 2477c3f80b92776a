"""A rollout under way, step by step.

Source: Kubernetes 1.36, pkg/controller/deployment: rolling.go (reconcileNewReplicaSet, reconcileOldReplicaSets,
cleanupUnhealthyReplicas), recreate.go; daemon/update.go (rollingUpdate).
"""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.quota.charges import Charge
from quotalint.quota.next_rollouts import Rollout
from quotalint.quota.pools import Ledger, Shortage

_ROUNDS = 5000
"""A rollout that still moves after so many steps is one that ends."""


class Rolling:
    """A rollout under way, while all that is refused now is tried again and again: whatever is freed goes to that
    first, which is the worst that controllers can make of it. How long a deleted pod takes to be gone, and how long a
    controller waits before it tries again, decides when a step is made and not whether."""

    def __init__(self, rollout: Rollout, ledger: Ledger, competitors: Sequence[tuple[Charge, int]]) -> None:
        self.rollout = rollout
        self.ledger = ledger
        self._competitors = dict(enumerate(competitors))
        self.refused: tuple[Charge, Shortage] | None = None
        self.updated = 0
        self._ready_per_pod = [0] * len(rollout.per_pod)

    def _admit_up_to(self, charge: Charge, wanted: int) -> int:
        namespace = self.rollout.namespace
        fits = self.ledger.room(namespace, charge, wanted)
        self.ledger.charge(namespace, charge, fits)
        if fits < wanted and self.refused is None:
            self.refused = charge, self.ledger.shortage(namespace, charge)
        return fits

    def _release_pods(self, number: int, *, ready: bool = True) -> None:
        self.ledger.charge(self.rollout.namespace, self.rollout.pods, -number)
        for charge in self.rollout.per_pod if ready else ():
            self.ledger.charge(self.rollout.namespace, charge, -number)
        if number:
            self._admit_competitors()

    def _admit_competitors(self) -> None:
        for index, (charge, number) in self._competitors.items():
            fits = self.ledger.room(self.rollout.namespace, charge, number)
            self.ledger.charge(self.rollout.namespace, charge, fits)
            self._competitors[index] = charge, number - fits

    def _grow_to(self, wanted: int) -> int:
        """Make new pods up to a number, and what belongs to them; how many are ready then."""
        self.updated += self._admit_up_to(self.rollout.pods, wanted - self.updated)
        for index, charge in enumerate(self.rollout.per_pod):
            self._ready_per_pod[index] += self._admit_up_to(charge, self.updated - self._ready_per_pod[index])
        return min([self.updated, *self._ready_per_pod])

    def _makes_revision(self) -> bool:
        revision = self.rollout.revision
        return revision is None or self._admit_up_to(revision, 1) == 1

    def replace_pods(self) -> bool:
        """A Deployment: the new ReplicaSet grows as the old one shrinks; whether that ends."""
        rollout = self.rollout
        wanted = rollout.pods.number
        strategy = rollout.strategy
        if strategy.recreate:
            self._release_pods(rollout.ready)
            self._release_pods(rollout.running - rollout.ready, ready=False)
            return self._makes_revision() and self._grow_to(wanted) == wanted
        if not self._makes_revision():
            return False
        old, running, ready, new = wanted, rollout.running, rollout.ready, 0
        least = wanted - strategy.unavailable
        for _ in range(_ROUNDS):
            before = old, running, ready, new, self.updated, tuple(self._ready_per_pod)
            new += max(0, min(wanted - new, wanted + strategy.surge - old - new))
            # Old pods may go as soon as enough are available, before the new ones are there.
            there = min([self.updated, *self._ready_per_pod]) if self._competitors else self._grow_to(new)
            spare = old + new - least - (new - there)
            if spare > 0:
                unhealthy = min(old - ready, spare)
                old -= unhealthy
                gone = max(0, running - max(old, ready))
                self._release_pods(gone, ready=False)
                running -= gone
                more = min(ready, max(0, ready + there - least))
                old, running, ready = old - more, running - more, ready - more
                self._release_pods(more)
            if self._grow_to(new) == wanted and not old:
                return True
            if before == (old, running, ready, new, self.updated, tuple(self._ready_per_pod)):
                return False
        return True

    def replace_one_by_one(self) -> bool:
        """A StatefulSet, or a DaemonSet, where a pod takes the place of another on its node."""
        rollout = self.rollout
        wanted = rollout.pods.number
        if not self._makes_revision():
            return False
        if rollout.ready < wanted:
            # It waits for the pods that are missing, and these are refused.
            self._admit_up_to(rollout.pods, wanted - rollout.running)
            return False
        surge = min(rollout.strategy.surge, wanted)
        return not surge or self._grow_to(surge) > 0
