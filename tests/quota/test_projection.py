"""From objects to numbers: what workloads are charged, whatever their order and whatever nonsense they hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from amounts import amount
from hypothesis import given, settings
from hypothesis import strategies as st
from pipeline_runs import facts_of
from projected_amounts import ALL, Manifest, amounts, charged, container, manifest, projected, template, used

from quotalint.kube import quantity
from quotalint.quota.admissions import admissions
from quotalint.quota.creation import RefusalCause
from quotalint.settings import Scenario

CPU = container(requests={"cpu": "250m"})


@pytest.mark.parametrize(
    ("workload", "pods"),
    [
        (manifest("Deployment", template=template(CPU)), 1),
        (manifest("Deployment", replicas=10, template=template(CPU)), 10),
        (manifest("Deployment", replicas=0, template=template(CPU)), 0),
        (manifest("StatefulSet", replicas=3, template=template(CPU)), 3),
        (manifest("ReplicaSet", replicas=4, template=template(CPU)), 4),
        (manifest("ReplicationController", group="v1", replicas=2, template=template(CPU)), 2),
        (manifest("DaemonSet", template=template(CPU)), 5),
        (manifest("Job", group="batch/v1", template=template(CPU)), 1),
        (manifest("Job", group="batch/v1", parallelism=4, template=template(CPU)), 4),
        (manifest("Job", group="batch/v1", parallelism=4, completions=3, template=template(CPU)), 3),
        (manifest("Job", group="batch/v1", parallelism=4, suspend=True, template=template(CPU)), 0),
        (manifest("CronJob", group="batch/v1", jobTemplate={"spec": {"template": template(CPU)}}), 0),
        ({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, **template(CPU)}, 1),
        (manifest("Deployment", replicas="three", template=template(CPU)), 0),
        (manifest("Deployment", replicas=-1, template=template(CPU)), 0),
    ],
    ids=lambda value: str(value["kind"]) if isinstance(value, dict) else str(value),
)
def test_a_workload_has_so_many_pods(workload: Manifest, pods: int) -> None:
    actual_amounts = used([workload], nodes=5)
    expected = (
        {"pods": str(pods), "requests.cpu": quantity.show(quantity.multiply(amount("250m"), pods))} if pods else {}
    )
    assert {name: actual_amounts[name] for name in ("pods", "requests.cpu") if name in actual_amounts} == expected


@pytest.mark.parametrize(
    ("low", "high", "replicas", "pods"), [(2, 5, 1, "2"), (2, 5, 9, "5"), (2, 5, 3, "3"), (None, 5, None, "1")]
)
def test_an_autoscaler_moves_replicas_into_its_bounds(
    low: int | None, high: int, replicas: int | None, pods: str
) -> None:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "w"}
    scaler = manifest("HorizontalPodAutoscaler", group="autoscaling/v2", scaleTargetRef=target, maxReplicas=high)
    scaler["spec"].update({"minReplicas": low} if low else {})
    workload = manifest("Deployment", template=template())
    workload["spec"].update({"replicas": replicas} if replicas else {})
    assert used([workload, scaler])["pods"] == pods


SIDECAR = {**container("s", requests={"cpu": "100m"}), "restartPolicy": "Always"}


@pytest.mark.parametrize(
    ("spec", "cpu"),
    [
        # The worked table: what one of ten replicas of 250m is charged.
        ({}, "250m"),
        (
            {"initContainers": [container("i", requests={"cpu": "400m"}), container("j", requests={"cpu": "400m"})]},
            "400m",
        ),
        ({"initContainers": [SIDECAR]}, "350m"),
        ({"initContainers": [container("i", requests={"cpu": "1"})]}, "1"),
        # A sidecar runs beside the init containers declared after it, not before.
        ({"initContainers": [SIDECAR, container("i", requests={"cpu": "1"})]}, "1100m"),
        ({"initContainers": [container("i", requests={"cpu": "1"}), SIDECAR]}, "1"),
        # A limit without a request is the request.
        ({"initContainers": [container("i", limits={"cpu": "2"})]}, "2"),
        # Pod-level values override the sum.
        ({"resources": {"requests": {"cpu": "3"}}}, "3"),
        ({"resources": {"limits": {"cpu": "3"}}}, "250m"),
    ],
)
def test_a_pod_is_charged_its_most_demanding_moment(spec: Mapping[str, Any], cpu: str) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, **template(CPU, **spec)}
    assert used([pod])["requests.cpu"] == cpu


def limits(**item: Any) -> Manifest:
    return manifest("LimitRange", "limits", "v1", limits=[{"type": "Container", **item}])


@pytest.mark.parametrize(
    ("resources", "item", "expected"),
    [
        ({}, {"defaultRequest": {"cpu": "100m"}}, {"cpu": "100m", "requests.cpu": "100m"}),
        ({}, {"default": {"cpu": "1"}}, {"cpu": "1", "requests.cpu": "1", "limits.cpu": "1"}),
        ({}, {"max": {"cpu": "2"}}, {"cpu": "2", "requests.cpu": "2", "limits.cpu": "2"}),
        ({}, {"min": {"cpu": "50m"}}, {"cpu": "50m", "requests.cpu": "50m"}),
        # API defaults come first: whoever set a limit keeps request = limit.
        (
            {"limits": {"cpu": "800m"}},
            {"defaultRequest": {"cpu": "100m"}},
            {"cpu": "800m", "requests.cpu": "800m", "limits.cpu": "800m"},
        ),
        (
            {"requests": {"cpu": "200m"}},
            {"default": {"cpu": "1"}},
            {"cpu": "200m", "requests.cpu": "200m", "limits.cpu": "1"},
        ),
    ],
)
def test_limit_ranges_fill_in_what_is_missing(
    resources: Mapping[str, Any], item: Mapping[str, Any], expected: Mapping[str, str]
) -> None:
    workload = manifest("Deployment", template=template(container(**resources)))
    actual_amounts = used([workload, limits(**item)])
    assert {name: actual_amounts[name] for name in actual_amounts if name.endswith("cpu")} == expected


def test_what_nobody_wrote_counts_all_the_same() -> None:
    service = manifest(
        "Service", "s", "v1", selector={"app": "x"}, ports=[{"port": 1}, {"port": 2}], type="LoadBalancer"
    )
    claim = {
        "metadata": {"name": "data"},
        "spec": {"storageClassName": "gold", "resources": {"requests": {"storage": "1.5"}}},
    }
    workload = manifest("StatefulSet", replicas=2, template=template(), volumeClaimTemplates=[claim])
    assert used([service, workload, manifest("Deployment", "d", replicas=0, template=template())]) == {
        "configmaps": "1",
        "count/controllerrevisions.apps": "1",
        "count/deployments.apps": "1",
        "count/endpointslices.discovery.k8s.io": "1",
        "count/pods": "2",
        "count/replicasets.apps": "1",
        "gold.storageclass.storage.k8s.io/requests.storage": "4",
        "persistentvolumeclaims": "2",
        "pods": "2",
        "requests.storage": "4",
        "services": "1",
        "services.loadbalancers": "1",
        "services.nodeports": "2",
    }


def test_an_exported_object_and_its_owner_are_one() -> None:
    owner = manifest("Deployment", replicas=2, template=template())
    reference = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "w", "controller": True}
    exported = manifest("ReplicaSet", "w-1", replicas=2, template=template())
    exported["metadata"]["ownerReferences"] = [reference]
    assert used([owner, exported]) == used([owner])


def test_a_placeholder_makes_the_sum_a_lower_bound() -> None:
    pods = template(container(requests={"cpu": "${CPU}", "memory": "1Gi"}))
    by_resource = {projection.name: projection for projection in projected([manifest("Deployment", template=pods)])}
    assert (by_resource["requests.cpu"].certainty, by_resource["services"].certainty) == ("at-least", "exact")
    assert by_resource["limits.cpu"].certainty == "exact"  # a request adds nothing to it
    # A placeholder is stated, so only the limits are missing.
    missing = [
        charge.evaluator.missing(charge.admitted.item, frozenset(ALL))
        for charge in charged([manifest("Deployment", template=pods)])
    ]
    assert {name for item in missing for name in item} == {"limits.cpu", "limits.memory"}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"containers": [container(requests={"cpu": "${X}"}, limits={"cpu": "1"})]}, {"requests.cpu": "0", "cpu": "0"}),
        ({"containers": [container(requests={"cpu": "1"}, limits={"cpu": "${X}"})]}, {"limits.cpu": "0"}),
        (
            {"containers": [container(limits={"cpu": "${X}"})]},
            {"requests.cpu": "0", "cpu": "0", "limits.cpu": "0"},
        ),
        (
            {
                "containers": [container(limits={"cpu": "1"})],
                "initContainers": [container("i", limits={"cpu": "${X}"})],
            },
            {"requests.cpu": "1", "cpu": "1", "limits.cpu": "1"},
        ),
        (
            {"containers": [container(requests={"cpu": "1"})], "resources": {"limits": {"cpu": "${X}"}}},
            {"requests.cpu": "1", "cpu": "1", "limits.cpu": "0"},
        ),
        (
            {"containers": [container()], "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "${X}"}}},
            {"limits.cpu": "0"},
        ),
    ],
)
def test_a_placeholder_concerns_what_it_may_raise(spec: Manifest, expected: dict[str, str]) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}
    doubtful = {
        projection.name: quantity.show(projection.steady)
        for projection in projected([pod])
        if projection.certainty == "at-least"
    }
    assert doubtful == expected


resources: st.SearchStrategy[Manifest] = st.dictionaries(
    st.sampled_from(["cpu", "memory", "nvidia.com/gpu", "ephemeral-storage", "hugepages-2Mi"]),
    st.sampled_from(["100m", "1", "0", "2Gi", 3, 0.5, "${X}", "bad", None, True, [], {}]),
    max_size=3,
)
containers = st.builds(
    lambda name, requests, limits, always: {
        "name": name,
        "resources": {"requests": requests, "limits": limits},
        **({"restartPolicy": "Always"} if always else {}),
    },
    st.sampled_from(["a", "b"]),
    resources,
    resources,
    st.booleans(),
)
pod_specs = st.fixed_dictionaries(
    {"containers": st.lists(containers, max_size=2)},
    optional={
        "initContainers": st.lists(containers, max_size=2),
        "activeDeadlineSeconds": st.sampled_from([0, 60, "60", None]),
        "priorityClassName": st.sampled_from(["high", "low", ""]),
        "resources": st.fixed_dictionaries({}, optional={"requests": resources, "limits": resources}),
    },
)
workloads = st.builds(
    lambda kind, name, replicas, spec: manifest(
        kind[1], f"{kind[1].lower()}-{name}", kind[0], replicas=replicas, parallelism=replicas, template={"spec": spec}
    ),
    st.sampled_from(
        [("apps/v1", "Deployment"), ("apps/v1", "StatefulSet"), ("batch/v1", "Job"), ("apps/v1", "DaemonSet")]
    ),
    st.integers(0, 5),
    st.sampled_from([0, 1, 2, 7, None, "3"]),
    pod_specs,
)
namespaces = st.lists(workloads, max_size=6, unique_by=lambda manifest: str(manifest["metadata"]["name"]))


@settings(max_examples=60)
@given(namespaces, st.randoms(use_true_random=False))
def test_the_order_of_objects_does_not_matter(members: list[Manifest], random: Any) -> None:
    shuffled = members.copy()
    random.shuffle(shuffled)
    assert amounts(shuffled) == amounts(members)


@pytest.mark.slow
@settings(max_examples=60)
@given(namespaces, workloads)
def test_another_workload_never_lowers_a_number(members: list[Manifest], another: Manifest) -> None:
    another["metadata"]["name"] = "another"
    before, after = amounts(members), amounts([*members, another])
    assert {name for name in before if after[name] < before[name]} == set()


@settings(max_examples=60)
@given(namespaces, st.sampled_from([("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating")]))
def test_a_scope_and_its_opposite_share_the_pods(members: list[Manifest], pair: tuple[str, str]) -> None:
    hard = {"pods": "9", "count/pods": "9", "requests.nvidia.com/gpu": "9"}
    first, other = (amounts(members, hard=hard, scopes=[scope]) for scope in pair)
    assert {name: first[name] + other[name] for name in hard} == amounts(members, hard=hard)


@settings(max_examples=60)
@given(namespaces, st.integers(0, 12), st.integers(0, 3000))
def test_what_is_admitted_fits(members: list[Manifest], pods: int, millicores: int) -> None:
    hard = {"pods": str(pods), "requests.cpu": f"{millicores}m"}
    by_resource = {projection.name: projection for projection in projected(members, hard=hard)}
    limited = by_resource["pods"].quota
    charges = charged(members)
    refused = [fate for fate in admissions({"team-a": charges}, {"team-a": (limited,)}).fates.values() if fate.refused]
    for name, projection in by_resource.items():
        lost = sum(fate.refused * fate.charge.each[name].nano for fate in refused if name in fate.charge.each)
        assert projection.steady.nano - lost <= projection.quota.hard[name].nano
    short = any(fate.cause is RefusalCause.QUOTA for fate in refused)
    exceeds = any(projection.exceeds(Scenario.STEADY) for projection in by_resource.values())
    # What is refused for another reason leaves its room to the rest.
    assert short == exceeds or (exceeds and any(fate.cause is not RefusalCause.QUOTA for fate in refused))


@pytest.mark.parametrize(("teams", "namespace"), [((), ""), (("a",), "a"), (("a", "b"), "")])
def test_a_quota_of_several_namespaces_is_in_none_of_them(teams: tuple[str, ...], namespace: str) -> None:
    both = (
        "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: both}\n"
        "spec: {selector: {labels: {matchLabels: {unit: shop}}}, quota: {hard: {pods: 9}}}\n"
    )
    named = (f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {team}, labels: {{unit: shop}}}}\n" for team in teams)
    assert [quota.namespace for quota in facts_of(both, *named).quotas] == [namespace]
