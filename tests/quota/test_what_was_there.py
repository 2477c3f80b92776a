"""What a change finds there already keeps its place: what comes, or asks for more, is what finds no room."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from manifests import head
from pipeline_runs import facts_of

from quotalint.accounting import beside_earlier
from quotalint.accounts.facts import Facts
from quotalint.quota.admissions import admissions

Team = Mapping[str, tuple[int, int]]
"""Name of a Deployment → its replicas, and the tenths of a CPU that each asks for."""


def facts(workloads: Team, pods: int = 10, cpu: int = 99, more: str = "") -> Facts:
    documents = [f"{head('v1', 'ResourceQuota', 'q')}spec: {{hard: {{pods: {pods}, requests.cpu: {cpu}00m}}}}", more]
    documents += [
        f"{head('apps/v1', 'Deployment', name)}spec:\n  replicas: {replicas}\n  template: {{spec: "
        f"{{containers: [{{name: c, image: c, resources: {{requests: {{cpu: {each}00m}}}}}}]}}}}"
        for name, (replicas, each) in workloads.items()
    ]
    return facts_of(*documents)


def refused(team_facts: Facts) -> dict[str, int]:
    """How many pods of each Deployment are refused."""
    fates = (team_facts.admissions.fate_of(charge) for charge in team_facts.charges["team"] if charge.kind == "Pod")
    owned = ((fate.charge.owner, fate.refused) for fate in fates)
    return {owner.name: number for owner, number in owned if owner is not None and number}


@pytest.mark.parametrize(
    ("before", "after", "without", "with_earlier"),
    [
        # The first one grows: the last one has its pods.
        ({"web": (4, 1), "worker": (5, 1)}, {"web": (8, 1), "worker": (5, 1)}, {"worker": 3}, {"web": 3}),
        # What asks for more is made anew.
        ({"web": (4, 1), "worker": (5, 1)}, {"web": (4, 2), "worker": (5, 1)}, {"worker": 2}, {"web": 1}),
        # What comes to it finds less room than what was there.
        ({"worker": (8, 1)}, {"api": (5, 1), "worker": (8, 1)}, {"worker": 3}, {"api": 3}),
        # What was refused before has no place to keep.
        ({"web": (8, 1), "worker": (5, 1)}, {"web": (8, 1), "worker": (6, 1)}, {"worker": 4}, {"worker": 4}),
    ],
)
def test_who_grew_finds_no_room(
    before: Team, after: Team, without: Mapping[str, int], with_earlier: Mapping[str, int]
) -> None:
    cpu = 11 if after["worker"][0] == 5 and after.get("web") == (4, 2) else 99
    old, new = facts(before, cpu=cpu), facts(after, cpu=cpu)
    assert refused(new) == without
    assert refused(beside_earlier(new, old)) == with_earlier


def test_a_smaller_quota_stops_nothing_that_runs() -> None:
    old, new = facts({"web": (8, 1)}), facts({"web": (8, 1)}, pods=5)
    assert refused(new) == {"web": 3}
    assert refused(beside_earlier(new, old)) == {}


def test_claims_that_are_there_are_taken_by_the_pods_that_come() -> None:
    spec = (
        "spec:\n  replicas: {}\n  podManagementPolicy: Parallel\n  template: {{spec: {{containers: [{{name: c, "
        "image: c, resources: {{requests: {{cpu: 100m}}}}}}]}}}}\n  volumeClaimTemplates: [{{metadata: {{name: data}}, "
        "spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 1Gi}}}}}}}}]"
    )
    hard = f"\n---\n{head('v1', 'ResourceQuota', 'claims')}spec: {{hard: {{persistentvolumeclaims: 3}}}}"
    old = facts({"web": (8, 1)}, more=head("apps/v1", "StatefulSet", "db") + spec.format(4) + hard)
    new = facts({"web": (6, 1)}, more=head("apps/v1", "StatefulSet", "db") + spec.format(4) + hard)
    # In a quota of 10 pods the StatefulSet comes first: three of its claims find room, and so do three pods.
    assert refused(old) == {"db": 1, "web": 1}
    assert refused(beside_earlier(new, old)) == {"db": 1}


def storage(**gigabytes: int) -> Facts:
    """Claims of so many gigabytes in a quota of 100."""
    spec = "spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: {}G}}}}}}"
    claims = [head("v1", "PersistentVolumeClaim", name) + spec.format(size) for name, size in gigabytes.items()]
    return facts_of(f"{head('v1', 'ResourceQuota', 'q')}spec: {{hard: {{requests.storage: 100G}}}}", *claims)


def ports(number: int, kind: str = "NodePort") -> Facts:
    """A Service of so many ports in a quota of 3."""
    listed = ", ".join(f"{{name: p{port}, port: {port}}}" for port in range(1, number + 1))
    service = f"{head('v1', 'Service', 'web')}spec: {{type: {kind}, ports: [{listed}]}}"
    return facts_of(f"{head('v1', 'ResourceQuota', 'q')}spec: {{hard: {{services.nodeports: 3}}}}", service)


@pytest.mark.parametrize(
    ("old", "new", "entry", "messages"),
    [
        (
            storage(data=60, logs=30),
            storage(data=80, logs=30),
            "requests.storage",
            [
                "exceeded quota: q, requested: requests.storage=20G, used: requests.storage=90G, "
                "limited: requests.storage=100G"
            ],
        ),
        (storage(data=60, logs=30), storage(data=70, logs=30), "requests.storage", []),
        (storage(data=80, logs=90), storage(data=80, logs=20), "requests.storage", []),
        (
            ports(2),
            ports(4),
            "services.nodeports",
            [
                "exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=2, "
                "limited: services.nodeports=3"
            ],
        ),
        (
            ports(4, "ClusterIP"),
            ports(4),
            "services.nodeports",
            [
                "exceeded quota: q, requested: services.nodeports=4, used: services.nodeports=0, "
                "limited: services.nodeports=3"
            ],
        ),
    ],
)
def test_an_object_that_stays_asks_for_the_difference(old: Facts, new: Facts, entry: str, messages: list[str]) -> None:
    after = beside_earlier(new, old)
    refusals = after.admissions.refusals_of(after.quotas[0], entry)
    assert [(refusal.message, refusal.is_change) for refusal in refusals] == [(message, True) for message in messages]


TEAMS = st.dictionaries(st.sampled_from("abcd"), st.tuples(st.integers(0, 5), st.integers(1, 6)), min_size=1)


@settings(max_examples=40, deadline=None)
@given(TEAMS, TEAMS, st.integers(0, 12), st.integers(0, 30))
def test_what_stays_is_never_refused(before: Team, after: Team, pods: int, cpu: int) -> None:
    old, new = facts(before, pods, cpu), facts(after, pods, cpu)
    lost, missing = refused(beside_earlier(new, old)), refused(old)
    stays = {name for name in before.keys() & after.keys() if before[name][1] == after[name][1]}
    there = {name: before[name][0] - missing.get(name, 0) for name in stays}
    assert {name for name in stays if after[name][0] - lost.get(name, 0) < min(there[name], after[name][0])} == set()


@settings(max_examples=40, deadline=None)
@given(TEAMS, st.integers(0, 24), st.integers(0, 60))
def test_nothing_is_left_out_where_all_fits(workloads: Team, pods: int, cpu: int) -> None:
    team_facts = facts(workloads, pods, cpu)
    whole = admissions(team_facts.charges, team_facts.enforced)
    mine = team_facts.charges["team"]
    assert [team_facts.admissions.fate_of(charge) for charge in mine] == [whole.fate_of(charge) for charge in mine]
    (quota,) = team_facts.quotas
    assert team_facts.admissions.ledger.used_by(quota) == whole.ledger.used_by(quota)
