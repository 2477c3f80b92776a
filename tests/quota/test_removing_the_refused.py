"""Removing a workload that is refused changes no other verdict."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from manifests import head
from pipeline_runs import facts_of

from quotalint.accounts.facts import Facts

RESOURCES = {
    "sound": "{{requests: {{cpu: {}00m, memory: 64Mi}}, limits: {{memory: 64Mi}}}}",
    "above the limit of a LimitRange": "{{requests: {{cpu: {}00m, memory: 64Mi}}, limits: {{memory: 8Gi}}}}",
    "above the default limit": "{{requests: {{cpu: {}00m, memory: 512Mi}}}}",
    "without what the quota wants": "{{requests: {{memory: 64Mi}}, limits: {{memory: 64Mi}}}}",
    "invalid as it is written": "{{requests: {{cpu: {}00m, memory: 65Mi}}, limits: {{memory: 64Mi}}}}",
}
LIMITS = "limits: [{type: Container, max: {memory: 1Gi}, default: {memory: 256Mi}, defaultRequest: {memory: 64Mi}}]"

Workload = tuple[str, int, int]
"""What is wrong with it, its replicas, and the tenths of a CPU of each."""


def facts(workloads: Mapping[str, Workload], pods: int, cpu: int) -> Facts:
    documents = [
        f"{head('v1', 'ResourceQuota', 'q')}spec: {{hard: {{pods: {pods}, requests.cpu: {cpu}00m}}}}",
        f"{head('v1', 'LimitRange', 'bounds')}spec: {{{LIMITS}}}",
    ]
    for name, (wrong, replicas, each) in workloads.items():
        container = f"{{name: c, image: c, resources: {RESOURCES[wrong].format(each)}}}"
        spec = f"{{replicas: {replicas}, template: {{spec: {{containers: [{container}]}}}}}}"
        documents.append(f"{head('apps/v1', 'Deployment', name)}spec: {spec}")
    return facts_of(*documents)


def admitted(team_facts: Facts) -> dict[str, int]:
    """How many pods of each Deployment there are."""
    fates = (team_facts.admissions.fate_of(charge) for charge in team_facts.charges["team"] if charge.kind == "Pod")
    owned = ((fate.charge.owner, fate.admitted) for fate in fates)
    return {owner.name: number for owner, number in owned if owner is not None}


def rollouts(team_facts: Facts) -> dict[str, str]:
    """How each rollout goes that does not only go well."""
    return {
        rollout_outcome.rollout.owner.name: rollout_outcome.verdict.name
        for rollout_outcome in team_facts.rollouts.values()
    }


TEAMS = st.dictionaries(
    st.sampled_from("abcde"),
    st.tuples(st.sampled_from(list(RESOURCES)), st.integers(1, 4), st.integers(1, 6)),
    min_size=2,
)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(TEAMS, st.integers(0, 12), st.integers(0, 30))
def test_what_is_refused_for_another_reason_takes_nothing(team: dict[str, Workload], pods: int, cpu: int) -> None:
    sound = {name: value for name, value in team.items() if value[0] == "sound"}
    whole, alone = facts(team, pods, cpu), facts(sound, pods, cpu)
    for name in team.keys() - sound.keys():
        assert admitted(whole)[name] == 0
        event(team[name][0])
    assert {name: number for name, number in admitted(whole).items() if name in sound} == admitted(alone)
    assert rollouts(whole) == rollouts(alone)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(TEAMS, st.integers(0, 8), st.integers(0, 20))
def test_nobody_gets_more_once_one_goes_that_had_nothing(team: dict[str, Workload], pods: int, cpu: int) -> None:
    there = admitted(facts(team, pods, cpu))
    for name in (name for name, number in there.items() if not number):
        left = {text: workload for text, workload in team.items() if text != name}
        assert admitted(facts(left, pods, cpu)) == {text: there[text] for text in left}
