"""Rollouts as sequences: which step comes first, what it needs, and whether the next one ever follows.

Source: Kubernetes 1.36, pkg/controller/deployment: sync.go (getNewReplicaSet comes before any pod), rolling.go
(reconcileNewReplicaSet, reconcileOldReplicaSets, cleanupUnhealthyReplicas), recreate.go; daemon/update.go
(rollingUpdate); pkg/controller/statefulset/stateful_set_control.go (updateStatefulSet waits for unhealthy pods).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from quotalint.kube.fields import integer, mapping
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.quota.admissions import Admissions
from quotalint.quota.charges import Charge
from quotalint.quota.fates import Cause
from quotalint.quota.pools import Ledger, PoolKey, Shortage
from quotalint.quota.quotas import Identity, Quota
from quotalint.workloads.rolling_update import limits

REVISIONS = ("ReplicaSet", "ControllerRevision")
"""The kinds of what a workload keeps of its history."""

_ROUNDS = 5000
"""A rollout that still moves after so many steps is one that ends."""


class Verdict(Enum):
    """How a rollout goes."""

    WELL = "without a refusal"
    SLOWLY = "with refusals meanwhile"
    PERHAPS = "it may hang: what is refused now may take the room that its old pods leave"
    AFTER = "only after what is refused now finds room"
    NEVER = "it hangs"


class Strategy(NamedTuple):
    """How a workload is updated."""

    surge: int
    unavailable: int
    recreate: bool = False


class Rollout(NamedTuple):
    """What is charged for a workload that can be updated."""

    owner: Object
    namespace: str
    pods: Charge
    beside: tuple[Charge, ...]
    """What is made for each pod once it is there: ephemeral claims, ResourceClaims."""
    revision: Charge | None
    """Its ReplicaSet or ControllerRevision."""
    strategy: Strategy
    running: int
    """How many of its pods are admitted."""
    ready: int
    """How many of these have all that is made for them."""
    hungry: tuple[tuple[Charge, int], ...] = ()
    """What else of the namespace is refused now for want of room, and how many."""


class Outcome(NamedTuple):
    """How a rollout goes, and why no better."""

    rollout: Rollout
    verdict: Verdict
    charge: Charge | None = None
    """What is refused first."""
    shortage: Shortage | None = None
    updated: int = 0
    """How many new pods there are in the end."""
    changes: int | None = None
    """After so many more changes there is no room for another revision beside the history; None: there always is."""
    history: Shortage | None = None
    """What is lacking then."""
    first: Quota | None = None
    """The first quota without room for what is refused."""
    later: Quota | None = None
    """The first one without room for another revision then."""


def outcomes(charges: Mapping[str, Sequence[Charge]], done: Admissions) -> Mapping[int, Outcome]:
    """How the next rollout of each workload goes, by the identity of its object; of those that go well only what will
    not for ever."""
    found = {}
    for namespace, mine in charges.items():
        for rollout in _rollouts(mine, namespace, done):
            outcome = play(rollout, done.ledger)
            if outcome.verdict is not Verdict.WELL or outcome.changes is not None:
                first = _first_quota(outcome.shortage, namespace, done.ledger)
                later = _first_quota(outcome.history, namespace, done.ledger)
                found[id(rollout.owner)] = outcome._replace(first=first, later=later)
    return found


def by_quota(found: Mapping[int, Outcome]) -> Mapping[Identity, tuple[Outcome, ...]]:
    """The rollouts that a quota is the first one to stop, now or after some more changes, by its identity."""
    grouped: dict[Identity, list[Outcome]] = {}
    for outcome in found.values():
        for quota in dict.fromkeys(one.id for one in (outcome.first, outcome.later) if one is not None):
            grouped.setdefault(quota, []).append(outcome)
    return {quota: tuple(several) for quota, several in grouped.items()}


def _first_quota(shortage: Shortage | None, namespace: str, ledger: Ledger) -> Quota | None:
    return next(iter(ledger.quotas_of(shortage, namespace)), None) if shortage is not None else None


def play(rollout: Rollout, ledger: Ledger) -> Outcome:
    """Run the sequence, with everything else as it is."""
    changes, history = _changes(rollout, ledger)
    if _fits_at_once(rollout, ledger):
        return Outcome(rollout, Verdict.WELL, changes=changes, history=history)
    complete = rollout.ready >= rollout.pods.admitted.demand.number
    state, ended = _played(rollout, ledger, ())
    charge, shortage = state.refused or (None, None)
    if not ended:
        revision = charge is not None and charge is rollout.revision
        verdict = Verdict.NEVER if complete or revision else Verdict.AFTER
    else:
        verdict = Verdict.WELL if state.refused is None else Verdict.SLOWLY
        if rollout.hungry:
            worst, ended = _played(rollout, ledger, rollout.hungry)
            if not ended:
                verdict, (charge, shortage) = Verdict.PERHAPS, worst.refused or (None, None)
    return Outcome(rollout, verdict, charge, shortage, state.updated, changes, history)


def _played(rollout: Rollout, ledger: Ledger, hungry: Sequence[tuple[Charge, int]]) -> tuple[_State, bool]:
    """The state in which a rollout comes to rest, and whether it has ended then."""
    state = _State(rollout, ledger.copy(rollout.namespace), hungry)
    return state, state.replace() if rollout.owner.kind == "Deployment" else state.one_by_one()


def smallest_raise(outcome: Outcome, ledger: Ledger) -> Mapping[PoolKey, Mapping[str, int]] | None:
    """By how much limits have to grow at least, in 10^-9 units, for the sequence to end, found by running it again.
    None where no limit helps."""
    more: dict[PoolKey, dict[str, int]] = {}
    ledger = ledger.copy(outcome.rollout.namespace)
    for _ in range(16):
        shortage = outcome.shortage
        if outcome.verdict in (Verdict.WELL, Verdict.SLOWLY):
            return more
        if shortage is None or not shortage.exceeded:
            return None
        larger = ledger.with_more(more)
        for pool, names in shortage.exceeded:
            for name in names:
                used = shortage.used[pool].get(name)
                lacking = (used.nano if used else 0) + shortage.asked[name].nano - larger.limit(pool, name)
                mine = more.setdefault(pool, {})
                mine[name] = mine.get(name, 0) + lacking
        outcome = play(outcome.rollout, ledger.with_more(more))
    return None


def ends_with(outcome: Outcome, strategy: Strategy, ledger: Ledger) -> bool:
    """Whether the rollout would end with another strategy."""
    again = play(outcome.rollout._replace(strategy=strategy), ledger)
    return again.verdict in (Verdict.WELL, Verdict.SLOWLY)


def _fits_at_once(rollout: Rollout, ledger: Ledger) -> bool:
    """There is room for all that is ever there at once: then nothing has to be played."""
    number = rollout.pods.admitted.demand.number
    if rollout.ready < number or rollout.hungry:
        return False
    surge = min(rollout.strategy.surge, number)
    revision = (rollout.revision,) if rollout.revision is not None else ()
    if not surge:
        return not revision or ledger.room(rollout.namespace, revision[0], 1) == 1
    wanted = [(rollout.pods, surge), *((one, surge) for one in rollout.beside), *((one, 1) for one in revision)]
    return ledger.room_for(rollout.namespace, wanted)


def _changes(rollout: Rollout, ledger: Ledger) -> tuple[int | None, Shortage | None]:
    """Old revisions stay as long as the history is not full."""
    if rollout.revision is None:
        return None, None
    written = integer(rollout.owner.spec.get("revisionHistoryLimit"))
    kept = 10 if written is None else max(0, written)
    room = ledger.room(rollout.namespace, rollout.revision, kept + 1)
    if not 0 < room < kept + 1:
        return None, None
    later = ledger.copy(rollout.namespace)
    later.charge(rollout.namespace, rollout.revision, room)
    return room, later.shortage(rollout.namespace, rollout.revision)


class _State:
    """A rollout under way, while all that is refused now is tried again and again: whatever is freed goes to that
    first, which is the worst that controllers can make of it."""

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
        for one in self.rollout.beside if ready else ():
            self.ledger.charge(self.rollout.namespace, one, -number)
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
        for index, one in enumerate(self.rollout.beside):
            self._beside[index] += self._admit(one, self.updated - self._beside[index])
        return min([self.updated, *self._beside])

    def _revised(self) -> bool:
        revision = self.rollout.revision
        return revision is None or self._admit(revision, 1) == 1

    def replace(self) -> bool:
        """A Deployment: the new ReplicaSet grows as the old one shrinks; whether that ends."""
        rollout = self.rollout
        wanted = rollout.pods.admitted.demand.number
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
        wanted = rollout.pods.admitted.demand.number
        if not self._revised():
            return False
        if rollout.ready < wanted:
            # It waits for the pods that are missing, and these are refused.
            self._admit(rollout.pods, wanted - rollout.running)
            return False
        surge = min(rollout.strategy.surge, wanted)
        return not surge or self._grow(surge) > 0


def _rollouts(charges: Sequence[Charge], namespace: str, done: Admissions) -> list[Rollout]:
    by_owner: dict[int, list[Charge]] = {}
    for charge in charges:
        owner = charge.admitted.demand.owner
        if owner is not None and owner.group == "apps" and owner.kind in _STRATEGIES:
            by_owner.setdefault(id(owner), []).append(charge)
    found = []
    refused = [done.fate_of(charge) for charge in charges if id(charge) in done.fates]
    waiting = [fate for fate in refused if fate.cause is Cause.QUOTA and fate.charge.admitted.demand.kind == "Pod"]
    for mine in by_owner.values():
        owner = mine[0].admitted.demand.owner
        pods = [one for one in mine if one.admitted.demand.kind == "Pod" and _is_running(one)]
        if owner is None or len(pods) != 1:
            continue
        number = pods[0].admitted.demand.number
        strategy = _STRATEGIES[owner.kind](owner, number)
        itself = next((one for one in mine if one.admitted.demand.kind == owner.kind), None)
        gone = itself is not None and done.fate_of(itself).refused
        if strategy is None or gone:
            continue
        fate = done.fate_of(pods[0])
        if fate.cause in (Cause.INVALID, Cause.LIMIT_RANGE, Cause.MUST_SPECIFY, Cause.LIMITED):
            continue  # no rollout of it ever begins, and that is said of its pods
        beside = tuple(one for one in mine if one.admitted.demand.per_pod)
        revision = next((one for one in mine if one.admitted.demand.kind in REVISIONS), None)
        ready = min([fate.admitted, *(done.fate_of(one).admitted for one in beside)])
        others = tuple(
            (one.charge, one.refused) for one in waiting if one.charge is not pods[0] and _competes(one.charge, pods[0])
        )
        found.append(Rollout(owner, namespace, pods[0], beside, revision, strategy, fate.admitted, ready, others))
    return found


def _competes(charge: Charge, other: Charge) -> bool:
    """What nobody makes again when it is refused, a Pod that is written as such, does not wait."""
    owner = charge.admitted.demand.owner
    return owner is not None and owner.kind != "Pod" and charge is not other


def _is_running(charge: Charge) -> bool:
    item = charge.admitted.item
    return not charge.admitted.demand.grown and not (isinstance(item, Pod) and item.finished)


def _deployment(owner: Object, number: int) -> Strategy | None:
    strategy = mapping(owner.spec.get("strategy"))
    if owner.spec.get("paused") is True:
        return None
    if strategy.get("type") == "Recreate":
        return Strategy(0, number, True)
    return Strategy(*limits(strategy.get("rollingUpdate")).resolved(number))


def _daemon_set(owner: Object, number: int) -> Strategy | None:
    strategy = mapping(owner.spec.get("updateStrategy"))
    if strategy.get("type") == "OnDelete":
        return None
    found = limits(strategy.get("rollingUpdate"), surge=0, unavailable=1)
    return Strategy(*found.resolved(number))


def _stateful_set(owner: Object, number: int) -> Strategy | None:
    strategy = mapping(owner.spec.get("updateStrategy"))
    return None if strategy.get("type") == "OnDelete" else Strategy(0, 1)


_STRATEGIES: Mapping[str, Callable[[Object, int], Strategy | None]] = {
    "Deployment": _deployment,
    "DaemonSet": _daemon_set,
    "StatefulSet": _stateful_set,
}
