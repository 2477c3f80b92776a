"""Claims that are made for pods: each before its pod, which waits for it."""

from __future__ import annotations

import pytest
from manifests import head
from pipeline_runs import facts_of

from quotalint.accounts.facts import Facts


def stateful_set(hard: str, replicas: int, policy: str = "OrderedReady") -> str:
    """A StatefulSet whose pods have a claim each, and its quota."""
    return (
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: shop}\n"
        f"spec: {{hard: {{{hard}}}}}\n---\n"
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: shop}\n"
        f"spec:\n  replicas: {replicas}\n  podManagementPolicy: {policy}\n"
        "  template: {spec: {containers: [{name: c, image: c}]}}\n"
        "  volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}]\n"
    )


def stateful_set_facts(hard: str, replicas: int, policy: str = "OrderedReady", more: str = "") -> Facts:
    return facts_of(more + stateful_set(hard, replicas, policy))


def fates_by_kind(facts: Facts) -> dict[str, tuple[int, int]]:
    """How many claims and pods of the StatefulSet are admitted, and how many are refused."""
    (owner,) = facts.cluster.of("apps", "StatefulSet")
    fates = {charge.kind: facts.admissions.fate_of(charge) for charge in facts.charges["shop"] if charge.owner is owner}
    kinds = ("PersistentVolumeClaim", "Pod")
    return {kind: (fates[kind].admitted, fates[kind].refused) for kind in kinds}


CLAIM = (
    "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data-db-0, namespace: shop}\n"
    "spec: {resources: {requests: {storage: 1Gi}}}\n---\n"
)
LIMITS = (
    "apiVersion: v1\nkind: LimitRange\nmetadata: {name: limits, namespace: shop}\n"
    "spec: {limits: [{type: PersistentVolumeClaim, max: {storage: 500Mi}}]}\n---\n"
)


@pytest.mark.parametrize(
    ("hard", "claims", "pods"),
    [
        # What there is of a claim and of its pods: admitted, refused.
        ("persistentvolumeclaims: 9", (3, 0), (3, 0)),
        ("persistentvolumeclaims: 2", (2, 1), (2, 1)),
        ("requests.storage: 1Gi", (1, 2), (1, 2)),
        ("persistentvolumeclaims: 0", (0, 3), (0, 3)),
    ],
)
def test_pods_wait_for_their_claims(hard: str, claims: tuple[int, int], pods: tuple[int, int]) -> None:
    expected = {"PersistentVolumeClaim": claims, "Pod": pods}
    assert fates_by_kind(stateful_set_facts(hard, 3)) == expected


@pytest.mark.parametrize(
    ("policy", "claims", "pods"),
    [
        ("OrderedReady", (2, 0), (1, 8)),
        # The second and the third are created together, and the batch after them is not begun.
        ("Parallel", (3, 0), (1, 8)),
    ],
)
def test_of_pods_without_room_those_that_are_tried_have_claims(
    policy: str, claims: tuple[int, int], pods: tuple[int, int]
) -> None:
    facts = stateful_set_facts("pods: 1, persistentvolumeclaims: 9", 9, policy)
    assert fates_by_kind(facts) == {"PersistentVolumeClaim": claims, "Pod": pods}


def test_of_claims_without_room_the_first_is_refused() -> None:
    more = "volumeClaimTemplates: [{metadata: {name: log}, spec: {resources: {requests: {storage: 2Gi}}}}, "
    facts = facts_of(stateful_set("requests.storage: 0", 3).replace("volumeClaimTemplates: [", more))
    fates = [facts.admissions.fate_of(charge) for charge in facts.charges["shop"] if charge.demand.before_pods]
    assert [fate.refused for fate in fates] == [3, 0]


def test_claims_that_are_there_are_taken() -> None:
    """One of three is written by itself, and there is room for one more."""
    facts = stateful_set_facts("persistentvolumeclaims: 2", 3, more=CLAIM)
    assert fates_by_kind(facts) == {"PersistentVolumeClaim": (1, 1), "Pod": (2, 1)}


def test_pods_have_volumes_of_their_own_beside_claims_that_are_there() -> None:
    scratch = "volumes: [{name: scratch, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce]}}}}]"
    text = stateful_set("persistentvolumeclaims: 6, secrets: 0", 3).replace("containers:", f"{scratch}, containers:")
    facts = facts_of(CLAIM + text, head("v1", "Secret", "key", "shop"))
    fates = [facts.admissions.fate_of(charge) for charge in facts.charges["shop"] if charge.demand.per_pod]
    assert [(fate.charge.kind, fate.admitted, fate.refused) for fate in fates] == [("PersistentVolumeClaim", 3, 0)]


def test_claims_that_a_limit_range_refuses_are_all_refused() -> None:
    facts = stateful_set_facts("persistentvolumeclaims: 2", 3, more=LIMITS)
    assert fates_by_kind(facts) == {"PersistentVolumeClaim": (0, 3), "Pod": (0, 3)}
