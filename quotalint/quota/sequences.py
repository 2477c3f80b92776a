"""Rollouts as sequences: which step comes first, what it needs, and whether the next one ever follows.

Source: Kubernetes 1.36, pkg/controller/deployment/sync.go (getNewReplicaSet comes before any pod, cleanupDeployment);
pkg/controller/statefulset/stateful_set_control.go (updateStatefulSet waits for unhealthy pods).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from quotalint.kube.objects import ObjectId
from quotalint.named_tuples import NamedTuple
from quotalint.quota.admissions import Admissions
from quotalint.quota.charges import Charge
from quotalint.quota.histories import History, history_of, shared_histories
from quotalint.quota.next_rollouts import Rollout, next_rollouts
from quotalint.quota.pools import Ledger, Shortage
from quotalint.quota.quotas import Identity, Quota
from quotalint.quota.rolling import Rolling


class RolloutVerdict(Enum):
    """How a rollout goes."""

    WELL = "without a refusal"
    SLOWLY = "with refusals meanwhile"
    PERHAPS = "it may hang: what is refused now may take the room that its old pods leave"
    AFTER = "only after what is refused now finds room"
    NEVER = "it hangs"


class RolloutOutcome(NamedTuple):
    """How a rollout goes, and why no better."""

    rollout: Rollout
    verdict: RolloutVerdict
    charge: Charge | None = None
    """What is refused first."""
    shortage: Shortage | None = None
    updated: int = 0
    """How many new pods there are in the end."""
    history: History | None = None
    """That there is no room for all old revisions; None: there is."""
    first: Quota | None = None
    """The first quota without room for what is refused."""
    later: Quota | None = None
    """The first one without room for another revision then."""

    @property
    def moves(self) -> bool:
        """Whether it ends whatever happens first."""
        return self.verdict in (RolloutVerdict.WELL, RolloutVerdict.SLOWLY)


def rollout_outcomes(charges: Mapping[str, Sequence[Charge]], done: Admissions) -> Mapping[ObjectId, RolloutOutcome]:
    """How the next rollout of each workload goes, by the identity of its object; of those that go well only what will
    not for ever."""
    by_owner = {}
    for namespace, mine in charges.items():
        workload_rollouts = next_rollouts(mine, namespace, done)
        played = {rollout.owner.identity: play_rollout(rollout, done.ledger) for rollout in workload_rollouts}
        if not any(outcome.history for outcome in played.values()):
            moving = [rollout for rollout in workload_rollouts if played[rollout.owner.identity].moves]
            for rollout, history in shared_histories(moving, done.ledger):
                played[rollout.owner.identity] = played[rollout.owner.identity]._replace(history=history)
        for owner, outcome in played.items():
            if outcome.verdict is not RolloutVerdict.WELL or outcome.history is not None:
                first = _first_quota(outcome.shortage, namespace, done.ledger)
                later = _first_quota(outcome.history.shortage if outcome.history else None, namespace, done.ledger)
                by_owner[owner] = outcome._replace(first=first, later=later)
    return by_owner


def by_quota(outcomes_by_owner: Mapping[ObjectId, RolloutOutcome]) -> Mapping[Identity, tuple[RolloutOutcome, ...]]:
    """The rollouts that a quota is the first one to stop, now or after some more changes, by its identity."""
    grouped: dict[Identity, list[RolloutOutcome]] = {}
    for outcome in outcomes_by_owner.values():
        for quota in dict.fromkeys(
            stopping_quota.id for stopping_quota in (outcome.first, outcome.later) if stopping_quota is not None
        ):
            grouped.setdefault(quota, []).append(outcome)
    return {quota: tuple(stopped) for quota, stopped in grouped.items()}


def _first_quota(shortage: Shortage | None, namespace: str, ledger: Ledger) -> Quota | None:
    return next(iter(ledger.quotas_of(shortage, namespace)), None) if shortage is not None else None


def play_rollout(rollout: Rollout, ledger: Ledger) -> RolloutOutcome:
    """Run the sequence, with everything else as it is."""
    history = history_of(rollout, ledger)
    if fits_at_once(rollout, ledger):
        return RolloutOutcome(rollout, RolloutVerdict.WELL, history=history)
    complete = rollout.ready >= rollout.pods.number
    state, ended = _play_out(rollout, ledger, ())
    charge, shortage = state.refused or (None, None)
    if not ended:
        revision = charge is not None and charge is rollout.revision
        verdict = RolloutVerdict.NEVER if complete or revision else RolloutVerdict.AFTER
    else:
        verdict = RolloutVerdict.WELL if state.refused is None else RolloutVerdict.SLOWLY
        if rollout.competitors:
            worst, ended = _play_out(rollout, ledger, rollout.competitors)
            if not ended:
                verdict, (charge, shortage) = RolloutVerdict.PERHAPS, worst.refused or (None, None)
    return RolloutOutcome(rollout, verdict, charge, shortage, state.updated, history)


def _play_out(rollout: Rollout, ledger: Ledger, competitors: Sequence[tuple[Charge, int]]) -> tuple[Rolling, bool]:
    """The state in which a rollout comes to rest, and whether it has ended then."""
    state = Rolling(rollout, ledger.copy(rollout.namespace), competitors)
    return state, state.replace_pods() if rollout.owner.kind == "Deployment" else state.replace_one_by_one()


def fits_at_once(rollout: Rollout, ledger: Ledger) -> bool:
    """There is room for all that is ever there at once: then nothing has to be played."""
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
    return ledger.room_for(rollout.namespace, wanted)
