"""What a run or an autoscaler's maximum needs of a quota, beside what is there once everything has settled."""

from __future__ import annotations

from pipeline_runs import facts_of

from quotalint.kube.resource_list import show
from quotalint.quota.unmet_demand import excess_of
from quotalint.settings import Scenario

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: shop}\nspec: {hard: {pods: %d}}\n"
WEB = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n"
    "spec: {replicas: 2, template: {spec: {containers: [{name: c, image: c}]}}}\n"
)
NIGHTLY = (
    "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly, namespace: shop}\n"
    "spec: {schedule: '0 3 * * *', jobTemplate: {spec: {template: {spec: {containers: [{name: c}]}}}}}\n"
)


def test_a_run_that_finds_no_room() -> None:
    facts = facts_of(QUOTA % 2, WEB, NIGHTLY)
    (quota,) = facts.quotas
    ((want,),) = facts.unmet_runs.values()
    excess = excess_of(want, quota, facts.by_quota[quota.id], facts.admissions, Scenario.SURGE)
    assert excess is not None
    assert (excess.owner.name, show(excess.needed), show(excess.used)) == ("nightly", "pods=3", "pods=2")
    assert excess.exceeded == ()


def test_a_run_has_no_part_in_what_others_exceed() -> None:
    """Two pods where one fits: the Deployment exceeds the quota, and nothing of the CronJob is there yet."""
    facts = facts_of(QUOTA % 1, WEB, NIGHTLY)
    (quota,) = facts.quotas
    ((want,),) = facts.unmet_runs.values()
    excess = excess_of(want, quota, facts.by_quota[quota.id], facts.admissions, Scenario.SURGE)
    assert excess is not None
    assert excess.exceeded == ()


def test_an_autoscaler_wants_the_pods_of_claims_that_find_no_room() -> None:
    claim = "{metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}"
    database = WEB.replace("Deployment", "StatefulSet").replace(
        "spec: {", f"spec: {{volumeClaimTemplates: [{claim}], ", 1
    )
    scaler = (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: shop}\n"
        "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: web}, minReplicas: 2, maxReplicas: 5}\n"
    )
    ((want,),) = facts_of(
        QUOTA.replace("pods", "persistentvolumeclaims") % 3, database, scaler
    ).unmet_at_maximum.values()
    assert (want.charge.kind, want.reached) == ("Pod", 3)


def test_what_is_in_use_is_shown_as_what_uses_it_is_written() -> None:
    """The small pods go, and of the large ones there is room for one."""
    web = WEB.replace("{name: c, image: c}", "{name: c, image: c, resources: {requests: {memory: 1G}}}")
    scaler = (
        "apiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\nmetadata: {name: web, namespace: shop}\n"
        "spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, "
        "resourcePolicy: {containerPolicies: [{containerName: c, maxAllowed: {memory: 2Gi}}]}}\n"
    )
    facts = facts_of(QUOTA.replace("pods: %d", "requests.memory: 3Gi"), web, scaler)
    ((want,),) = facts.unmet_at_maximum.values()
    (used,) = want.shortage.used.values()
    assert show(used) == "requests.memory=2Gi"


def test_a_run_that_finds_room_wants_nothing() -> None:
    assert facts_of(QUOTA % 3, WEB, NIGHTLY).unmet_runs == {}
