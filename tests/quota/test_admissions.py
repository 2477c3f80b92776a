"""What is admitted fits, what is refused takes nothing, and a rollout that is said to end ends."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import example, given, settings
from hypothesis import strategies as st
from manifests import head
from pipeline_runs import facts_of

from quotalint.quota.admissions import Admissions
from quotalint.quota.remedies import smallest_raise
from quotalint.quota.sequences import RolloutVerdict, play_rollout

BROKEN = "resources: {requests: {cpu: 2}, limits: {cpu: 1}}"


class Team:
    """A namespace with a quota of pods and cpu, and Deployments of so many replicas, each with so much cpu."""

    def __init__(self, pods: int, cpu: int, workloads: list[tuple[int, int]], broken: bool = False) -> None:
        documents = [f"{head('v1', 'ResourceQuota', 'q')}spec: {{hard: {{pods: {pods}, requests.cpu: {cpu}00m}}}}"]
        documents += [
            f"{head('apps/v1', 'Deployment', f'w{number}')}spec:\n  replicas: {replicas}\n  template: {{spec: "
            f"{{containers: [{{name: c, image: c, resources: {{requests: {{cpu: {each}00m}}}}}}]}}}}"
            for number, (replicas, each) in enumerate(workloads)
        ]
        if broken:
            spec = f"{{containers: [{{name: c, image: c, {BROKEN}}}]}}"
            documents.insert(1, f"{head('apps/v1', 'Deployment', 'broken')}spec: {{template: {{spec: {spec}}}}}")
        self.facts = facts_of(*documents)

    @property
    def admissions(self) -> Admissions:
        return self.facts.admissions

    @property
    def admitted(self) -> Mapping[str, int]:
        """How many pods of each Deployment there are."""
        charges = (charge for charge in self.facts.charges["team"] if charge.kind == "Pod")
        owned = ((charge.owner, self.admissions.fate_of(charge).admitted) for charge in charges)
        return {owner.name: number for owner, number in owned if owner is not None and owner.name != "broken"}


TEAMS = st.tuples(
    st.integers(0, 12),
    st.integers(0, 30),
    st.lists(st.tuples(st.integers(0, 5), st.integers(1, 6)), min_size=1, max_size=4),
)


@settings(max_examples=60, deadline=None)
@given(TEAMS)
def test_what_is_admitted_fits(team: tuple[int, int, list[tuple[int, int]]]) -> None:
    built_team = Team(*team)
    (quota,) = built_team.facts.quotas
    used = built_team.admissions.ledger.used_by(quota)
    assert [name for name, amount in used.items() if amount.nano > quota.hard[name].nano] == []
    assert used["pods"].nano == sum(built_team.admitted.values()) * 10**9


@settings(max_examples=60, deadline=None)
@given(TEAMS)
def test_what_is_refused_anyway_changes_nothing_for_others(team: tuple[int, int, list[tuple[int, int]]]) -> None:
    assert Team(*team, broken=True).admitted == Team(*team).admitted


@settings(max_examples=60, deadline=None)
@given(TEAMS)
@example((2, 2, [(2, 1), (3, 4), (3, 1)]))
def test_the_smallest_raise_lets_a_rollout_end(team: tuple[int, int, list[tuple[int, int]]]) -> None:
    built_team = Team(*team)
    hanging = [
        rollout_outcome
        for rollout_outcome in built_team.facts.rollouts.values()
        if rollout_outcome.verdict is RolloutVerdict.NEVER
    ]
    assert [
        rollout_outcome.rollout.owner.name
        for rollout_outcome in hanging
        if smallest_raise(rollout_outcome, built_team.admissions.ledger) is None
    ] == []


@settings(max_examples=60, deadline=None)
@given(TEAMS)
@example((2, 2, [(2, 1), (3, 4), (3, 1)]))
@example((1, 2, [(5, 2), (1, 1)]))
def test_the_smallest_raise_is_enough_and_no_less_is(team: tuple[int, int, list[tuple[int, int]]]) -> None:
    built_team = Team(*team)
    for outcome in built_team.facts.rollouts.values():
        more = smallest_raise(outcome, built_team.admissions.ledger) or {}
        pairs = [(pool, name) for pool, names in more.items() for name in names]
        for less in (None, *pairs):
            raised = {
                pool: {name: amount - ((pool, name) == less) for name, amount in names.items()}
                for pool, names in more.items()
            }
            again = play_rollout(outcome.rollout, built_team.admissions.ledger.with_larger_limits(raised))
            ends = again.verdict in (RolloutVerdict.WELL, RolloutVerdict.SLOWLY)
            assert ends is (less is None) or not more


@settings(max_examples=60, deadline=None)
@given(TEAMS)
def test_a_rollout_that_is_said_to_end_ends_whoever_else_is_first(team: tuple[int, int, list[tuple[int, int]]]) -> None:
    built_team = Team(*team)
    ending = [
        rollout_outcome
        for rollout_outcome in built_team.facts.rollouts.values()
        if rollout_outcome.verdict is RolloutVerdict.SLOWLY
    ]
    again = [
        rollout_outcome.rollout._replace(competitors=rollout_outcome.rollout.competitors[::-1])
        for rollout_outcome in ending
    ]
    ends = (RolloutVerdict.WELL, RolloutVerdict.SLOWLY)
    assert [
        rollout.owner.name
        for rollout in again
        if play_rollout(rollout, built_team.admissions.ledger).verdict not in ends
    ] == []


def test_an_entry_that_is_just_large_enough_is_not_short() -> None:
    team = Team(pods=4, cpu=3, workloads=[(3, 1)])
    ((namespace, charges),) = team.facts.charges.items()
    pods = next(charge for charge in charges if charge.kind == "Pod")
    shortage = team.admissions.ledger.shortage(namespace, pods)
    assert [names for _, names in shortage.exceeded] == [("requests.cpu",)]
