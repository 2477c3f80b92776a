"""A rollout under way, step by step.

Source: Kubernetes 1.36, pkg/controller/deployment: rolling.go (reconcileNewReplicaSet, reconcileOldReplicaSets,
cleanupUnhealthyReplicas), recreate.go; daemon/update.go (rollingUpdate).
"""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.quota.charges import Charge
from quotalint.quota.pools import Ledger, Shortage
from quotalint.quota.rollouts import Rollout

_ROUNDS = 5000
"""A rollout that still moves after so many steps is one that ends."""


class Rolling:
    """A rollout under way, while all that is refused now is tried again and again: whatever is freed goes to that
    first, which is the worst that controllers can make of it. How long a deleted pod takes to be gone, and how long a
    controller waits before it tries again, decides when a step is made and not whether."""

    def __init__(self, rollout: Rollout, ledger: Ledger, hungry: Sequence[tuple[Charge, int]]) -> None:
        self.rollout = rollout
        self.ledger = ledger
        self._hungry = dict(enumerate(hungry))
        self.refused: tuple[Charge, Shortage] | None = None
        self.updated = 0
        self._beside = [0] * len(rollout.beside)

    def _admit(self, charge: Charge, wanted: int) -> int:
        namespace = self.rollout.namespace
        fits = self.ledger.room(namespace, charge, wanted)
        self.ledger.charge(namespace, charge, fits)
        if fits < wanted and self.refused is None:
            self.refused = charge, self.ledger.shortage(namespace, charge)
        return fits

    def _release(self, number: int, ready: bool = True) -> None:
        self.ledger.charge(self.rollout.namespace, self.rollout.pods, -number)
        for charge in self.rollout.beside if ready else ():
            self.ledger.charge(self.rollout.namespace, charge, -number)
        if number:
            self._feed()

    def _feed(self) -> None:
        for index, (charge, number) in self._hungry.items():
            fits = self.ledger.room(self.rollout.namespace, charge, number)
            self.ledger.charge(self.rollout.namespace, charge, fits)
            self._hungry[index] = charge, number - fits

    def _grow(self, wanted: int) -> int:
        """Make new pods up to a number, and what belongs to them; how many are ready then."""
        self.updated += self._admit(self.rollout.pods, wanted - self.updated)
        for index, charge in enumerate(self.rollout.beside):
            self._beside[index] += self._admit(charge, self.updated - self._beside[index])
        return min([self.updated, *self._beside])

    def _revised(self) -> bool:
        revision = self.rollout.revision
        return revision is None or self._admit(revision, 1) == 1

    def replace(self) -> bool:
        """A Deployment: the new ReplicaSet grows as the old one shrinks; whether that ends."""
        rollout = self.rollout
        wanted = rollout.pods.number
        strategy = rollout.strategy
        if strategy.recreate:
            self._release(rollout.ready)
            self._release(rollout.running - rollout.ready, ready=False)
            return self._revised() and self._grow(wanted) == wanted
        if not self._revised():
            return False
        old, running, ready, new = wanted, rollout.running, rollout.ready, 0
        least = wanted - strategy.unavailable
        for _ in range(_ROUNDS):
            before = old, running, ready, new, self.updated, tuple(self._beside)
            new += max(0, min(wanted - new, wanted + strategy.surge - old - new))
            # Old pods may go as soon as enough are available, before the new ones are there.
            there = min([self.updated, *self._beside]) if self._hungry else self._grow(new)
            spare = old + new - least - (new - there)
            if spare > 0:
                unhealthy = min(old - ready, spare)
                old -= unhealthy
                gone = max(0, running - max(old, ready))
                self._release(gone, ready=False)
                running -= gone
                more = min(ready, max(0, ready + there - least))
                old, running, ready = old - more, running - more, ready - more
                self._release(more)
            if self._grow(new) == wanted and not old:
                return True
            if before == (old, running, ready, new, self.updated, tuple(self._beside)):
                return False
        return True

    def one_by_one(self) -> bool:
        """A StatefulSet, or a DaemonSet, where a pod takes the place of another on its node."""
        rollout = self.rollout
        wanted = rollout.pods.number
        if not self._revised():
            return False
        if rollout.ready < wanted:
            # It waits for the pods that are missing, and these are refused.
            self._admit(rollout.pods, wanted - rollout.running)
            return False
        surge = min(rollout.strategy.surge, wanted)
        return not surge or self._grow(surge) > 0
