"""Rollouts as sequences of steps: what each step needs, and whether the next one follows.

Source: Kubernetes 1.36, pkg/controller/deployment/sync.go (getNewReplicaSet comes before any pod) and
pkg/controller/statefulset/stateful_set_control.go (updateStatefulSet waits for unhealthy pods).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from quotalint.kube.objects import ObjectId
from quotalint.named_tuples import NamedTuple
from quotalint.quota.admissions import Admissions
from quotalint.quota.charges import Charge
from quotalint.quota.next_rollouts import Rollout, next_rollouts
from quotalint.quota.pools import Ledger, Shortage
from quotalint.quota.quotas import Identity, Quota

# A rollout in progress, step by step. Source: Kubernetes 1.36, pkg/controller/deployment: rolling.go
# (reconcileNewReplicaSet, reconcileOldReplicaSets, cleanupUnhealthyReplicas), recreate.go; daemon/update.go
# (rollingUpdate).
_ROUNDS = 5000
"""A rollout that still progresses after this number of steps counts as ended."""


class Rolling:
    """A rollout in progress while all refused objects are retried. Freed room goes to the refused objects first, which
    is the worst case. Delays of deletion and retry change when a step happens, not whether."""

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
        """Creates new pods up to a number, and the objects made for them; returns how many are ready."""
        self.updated += self._admit_up_to(self.rollout.pods, wanted - self.updated)
        for index, charge in enumerate(self.rollout.per_pod):
            self._ready_per_pod[index] += self._admit_up_to(charge, self.updated - self._ready_per_pod[index])
        return min([self.updated, *self._ready_per_pod])

    def _makes_revision(self) -> bool:
        revision = self.rollout.revision
        return revision is None or self._admit_up_to(revision, 1) == 1

    def replace_pods(self) -> bool:
        """Rolls out a Deployment: the new ReplicaSet grows while the old one shrinks. Returns whether the rollout
        ends."""
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
            # Old pods may be deleted once enough are available, before the new ones exist.
            new_ready = min([self.updated, *self._ready_per_pod]) if self._competitors else self._grow_to(new)
            spare = old + new - least - (new - new_ready)
            if spare > 0:
                unhealthy = min(old - ready, spare)
                old -= unhealthy
                deleted = max(0, running - max(old, ready))
                self._release_pods(deleted, ready=False)
                running -= deleted
                deleted_ready = min(ready, max(0, ready + new_ready - least))
                old, running, ready = old - deleted_ready, running - deleted_ready, ready - deleted_ready
                self._release_pods(deleted_ready)
            if self._grow_to(new) == wanted and not old:
                return True
            if before == (old, running, ready, new, self.updated, tuple(self._ready_per_pod)):
                return False
        return True

    def replace_one_by_one(self) -> bool:
        """Rolls out a StatefulSet or DaemonSet, where a pod replaces another on its node. Returns whether it
        progresses."""
        rollout = self.rollout
        wanted = rollout.pods.number
        if not self._makes_revision():
            return False
        if rollout.ready < wanted:
            # It waits for the missing pods, which are refused.
            self._admit_up_to(rollout.pods, wanted - rollout.running)
            return False
        surge = min(rollout.strategy.surge, wanted)
        return not surge or self._grow_to(surge) > 0


class RolloutVerdict(Enum):
    """Whether a rollout ends, and under which condition."""

    WELL = "without a refusal"
    SLOWLY = "with refusals meanwhile"
    PERHAPS = "it may hang: what is refused now may take the room that its old pods leave"
    AFTER = "only after what is refused now finds room"
    LATER = "only after what ends by itself has ended"
    NEVER = "it hangs"


class RolloutOutcome(NamedTuple):
    """The verdict on a rollout, and what stops it."""

    rollout: Rollout
    verdict: RolloutVerdict
    charge: Charge | None = None
    """The charge that is refused first."""
    shortage: Shortage | None = None
    first: Quota | None = None
    """The first quota without room for the refused object."""

    @property
    def moves(self) -> bool:
        """Whether the rollout ends in every order of events."""
        return self.verdict in (RolloutVerdict.WELL, RolloutVerdict.SLOWLY)


def rollout_outcomes(charges: Mapping[str, Sequence[Charge]], done: Admissions) -> Mapping[ObjectId, RolloutOutcome]:
    """The outcome of the next rollout of each workload, by the identity of its object. Workloads without problems are
    left out."""
    by_owner = {}
    for namespace, own_charges in charges.items():
        for rollout in next_rollouts(own_charges, namespace, done):
            outcome = play_rollout(rollout, done.ledger)
            if outcome.verdict is not RolloutVerdict.WELL:
                first_quota = next(iter(done.ledger.quotas_of(outcome.shortage, namespace)), None)
                by_owner[rollout.owner.identity] = outcome._replace(first=first_quota)
    return by_owner


def by_quota(outcomes_by_owner: Mapping[ObjectId, RolloutOutcome]) -> Mapping[Identity, tuple[RolloutOutcome, ...]]:
    """The rollouts that each quota is the first to stop, by the quota's identity."""
    grouped: dict[Identity, list[RolloutOutcome]] = {}
    for outcome in outcomes_by_owner.values():
        if outcome.first is not None:
            grouped.setdefault(outcome.first.id, []).append(outcome)
    return {quota: tuple(stopped) for quota, stopped in grouped.items()}


def play_rollout(rollout: Rollout, ledger: Ledger) -> RolloutOutcome:
    """Runs the rollout while everything else stays as it is."""
    if fits_at_once(rollout, ledger):
        return RolloutOutcome(rollout, RolloutVerdict.WELL)
    complete = rollout.ready >= rollout.pods.number
    state, ended = _play_out(rollout, ledger, ())
    charge, shortage = state.refused or (None, None)
    if not ended:
        revision = charge is not None and charge is rollout.revision
        verdict = RolloutVerdict.NEVER if complete or revision else RolloutVerdict.AFTER
        if verdict is RolloutVerdict.NEVER and _ends_later(rollout, ledger):
            verdict = RolloutVerdict.LATER
    else:
        verdict = RolloutVerdict.WELL if state.refused is None else RolloutVerdict.SLOWLY
        if rollout.competitors:
            worst, ended = _play_out(rollout, ledger, rollout.competitors)
            if not ended:
                verdict, (charge, shortage) = RolloutVerdict.PERHAPS, worst.refused or (None, None)
    return RolloutOutcome(rollout, verdict, charge, shortage)


def _ends_later(rollout: Rollout, ledger: Ledger) -> bool:
    """Whether a rollout ends after the self-terminating pods have ended. Waiting objects take their room, and
    `count/pods` counts ended pods too."""
    if not rollout.ending or rollout.competitors:
        return False
    later = ledger.copy(rollout.namespace)
    for charge, number in rollout.ending:
        freed = {name: amount for name, amount in charge.each.items() if name != "count/pods"}
        later.charge(rollout.namespace, charge._replace(each=freed), -number)
    return _play_out(rollout, later, ())[1]


def _play_out(rollout: Rollout, ledger: Ledger, competitors: Sequence[tuple[Charge, int]]) -> tuple[Rolling, bool]:
    """The final state of a rollout, and whether it has ended."""
    state = Rolling(rollout, ledger.copy(rollout.namespace), competitors)
    return state, state.replace_pods() if rollout.owner.kind == "Deployment" else state.replace_one_by_one()


def fits_at_once(rollout: Rollout, ledger: Ledger) -> bool:
    """Whether there is room for everything that exists at once, so that no run is needed."""
    number = rollout.pods.number
    if rollout.ready < number or rollout.competitors:
        return False
    surge = min(rollout.strategy.surge, number)
    revision = (rollout.revision,) if rollout.revision is not None else ()
    if not surge:
        return not revision or ledger.room(rollout.namespace, revision[0], 1) == 1
    wanted = [
        (rollout.pods, surge),
        *((charge, surge) for charge in rollout.per_pod),
        *((charge, 1) for charge in revision),
    ]
    return ledger.room_together(rollout.namespace, wanted) == 1
