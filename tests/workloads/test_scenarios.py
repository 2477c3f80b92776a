"""How many pods there are when settled, during the most demanding step, and at the peak."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from projected_amounts import Manifest, container, manifest, projected, template

from quotalint.cli import run
from quotalint.kube import quantity

CPU = container(requests={"cpu": "250m"})


def numbers(*manifests: Manifest, name: str = "pods", nodes: int | None = 4, **spec: Any) -> tuple[str, str, str]:
    """(steady, surge, peak) of an entry of an unscoped quota."""
    spec.setdefault("hard", {name: "1000"})
    projection = {projection.name: projection for projection in projected(manifests, nodes, **spec)}[name]
    return quantity.show(projection.steady), quantity.show(projection.surge), quantity.show(projection.peak)


def deployment(replicas: object = 10, spec: Manifest | None = None, **pod: Any) -> Manifest:
    return manifest("Deployment", replicas=replicas, template=template(CPU, **pod), **(spec or {}))


def rolling(surge: object = None, unavailable: object = None) -> Manifest:
    return {"strategy": {"rollingUpdate": {"maxSurge": surge, "maxUnavailable": unavailable}}}


INIT = container("init", requests={"cpu": "400m"})
SIDECAR = {**container("proxy", requests={"cpu": "100m"}), "restartPolicy": "Always"}


@pytest.mark.parametrize(
    ("pod", "expected"),
    [
        ({}, ("2500m", "3250m", "3750m")),
        ({"initContainers": [INIT, {**INIT, "name": "other"}]}, ("4", "5200m", "6")),
        ({"initContainers": [SIDECAR]}, ("3500m", "4550m", "5250m")),
        ({"initContainers": [container("migrate", requests={"cpu": "1"})]}, ("10", "13", "15")),
    ],
    ids=["plain", "two init containers", "a sidecar", "a migration"],
)
def test_the_worked_table(pod: Manifest, expected: tuple[str, str, str]) -> None:
    assert numbers(deployment(**pod), name="requests.cpu") == expected


def hpa(low: int | None, high: int, kind: str = "Deployment", group: str = "autoscaling/v2") -> Manifest:
    target = {"apiVersion": "apps/v1", "kind": kind, "name": "w"}
    spec = {"scaleTargetRef": target, "maxReplicas": high, **({"minReplicas": low} if low is not None else {})}
    return manifest("HorizontalPodAutoscaler", "scaler", group, **spec)


def job(**spec: Any) -> Manifest:
    return manifest("Job", group="batch/v1", template=template(CPU), **spec)


def cron_job(schedule: str = "*/10 * * * *", job: Manifest | None = None, **spec: Any) -> Manifest:
    inside = {"spec": {"template": template(CPU), **(job or {})}}
    return manifest("CronJob", group="batch/v1", schedule=schedule, jobTemplate=inside, **spec)


def keda(**spec: Any) -> Manifest:
    return manifest("ScaledObject", "scaler", "keda.sh/v1alpha1", scaleTargetRef={"name": "w"}, **spec)


PAUSED_AT_TWO: Manifest = {"name": "scaler", "annotations": {"autoscaling.keda.sh/paused-replicas": "2"}}
RECREATE: Manifest = {"strategy": {"type": "Recreate"}}


@pytest.mark.parametrize(
    ("manifests", "expected"),
    [
        pytest.param([deployment(4)], (4, 5, 6), id="25 % of four is one, up and down"),
        pytest.param([deployment(3)], (3, 4, 4), id="25 % of three: one more, none fewer"),
        pytest.param([deployment(None)], (1, 2, 2), id="one replica by default"),
        pytest.param([deployment(0)], (0, 0, 0), id="no replica has no surge"),
        pytest.param([deployment(10, rolling(3, 0))], (10, 13, 13), id="numbers"),
        pytest.param([deployment(10, rolling("33%", "33%"))], (10, 14, 17), id="percentages round up and down"),
        pytest.param([deployment(10, rolling(0, 0))], (10, 10, 11), id="both zero: one may be missing"),
        pytest.param([deployment(1, rolling(5, 5))], (1, 2, 2), id="never more new pods than replicas"),
        pytest.param([deployment(10, RECREATE)], (10, 10, 10), id="Recreate"),
        pytest.param([deployment(10, {"paused": True})], (0, 0, 10), id="paused"),
        pytest.param([deployment(10, rolling("a lot", 0))], (10, 10, 11), id="a surge that is no number"),
        pytest.param([manifest("StatefulSet", replicas=3, template=template(CPU))], (3, 3, 3), id="StatefulSet"),
        pytest.param([manifest("ReplicaSet", replicas=3, template=template(CPU))], (3, 3, 3), id="ReplicaSet"),
        pytest.param([manifest("DaemonSet", template=template(CPU))], (4, 4, 4), id="DaemonSet"),
        pytest.param(
            [manifest("DaemonSet", template=template(CPU), updateStrategy={"rollingUpdate": {"maxSurge": "30%"}})],
            (4, 6, 6),
            id="DaemonSet with maxSurge",
        ),
        pytest.param([job(parallelism=3)], (3, 3, 3), id="Job"),
        pytest.param([job(parallelism=3, completions=2)], (2, 2, 2), id="Job with fewer completions"),
        pytest.param([job(parallelism=3, completionMode="Indexed", completions=9)], (3, 3, 3), id="indexed Job"),
        pytest.param([job(parallelism=3, suspend=True)], (0, 0, 0), id="suspended Job"),
        pytest.param([job(parallelism=3, managedBy="kubernetes.io/job-controller")], (3, 3, 3), id="Job of its own"),
        pytest.param([job(parallelism=3, managedBy="example.com/batch")], (0, 0, 0), id="Job of another controller"),
        pytest.param([cron_job(job={"managedBy": "example.com/batch"})], (0, 0, 0), id="runs of another controller"),
        pytest.param([cron_job(concurrencyPolicy="Forbid")], (0, 1, 1), id="Forbid"),
        pytest.param([cron_job(concurrencyPolicy="Replace")], (0, 1, 1), id="Replace"),
        pytest.param([cron_job()], (0, 1, 2), id="Allow without a deadline"),
        pytest.param([cron_job(job={"activeDeadlineSeconds": 1800})], (0, 1, 3), id="Allow, three within half an hour"),
        pytest.param([cron_job(job={"activeDeadlineSeconds": 60})], (0, 1, 1), id="Allow, ended before the next"),
        pytest.param([cron_job(startingDeadlineSeconds=3600)], (0, 1, 6), id="Allow, six within the starting deadline"),
        pytest.param([cron_job(startingDeadlineSeconds=10)], (0, 1, 2), id="Allow with a short starting deadline"),
        pytest.param([cron_job("@hourly", {"parallelism": 5})], (0, 5, 10), id="parallel pods of each run"),
        pytest.param([cron_job("nonsense", {"activeDeadlineSeconds": 60})], (0, 1, 2), id="no schedule"),
        pytest.param([cron_job(suspend=True)], (0, 0, 0), id="suspended CronJob"),
        pytest.param([deployment(3, RECREATE), hpa(2, 8)], (3, 3, 8), id="autoscaler"),
        pytest.param([deployment(4), hpa(2, 8)], (4, 5, 12), id="autoscaler and rolling update"),
        pytest.param(
            [deployment(1), hpa(4, 8, group="autoscaling/v1")], (4, 5, 12), id="autoscaling/v1 and its minimum"
        ),
        pytest.param([deployment(9), hpa(2, 8)], (8, 10, 12), id="more replicas than the maximum"),
        pytest.param([deployment(3), hpa(2, 8, "StatefulSet")], (3, 4, 4), id="an autoscaler of another"),
        pytest.param([deployment(3, RECREATE), keda()], (3, 3, 100), id="KEDA, a hundred by default"),
        pytest.param([deployment(0, RECREATE), keda(maxReplicaCount=5)], (0, 0, 5), id="KEDA from none"),
        pytest.param(
            [deployment(3, RECREATE), {**keda(), "metadata": PAUSED_AT_TWO}],
            (2, 2, 2),
            id="KEDA, paused",
        ),
        pytest.param(
            [
                manifest(
                    "ScaledJob", group="keda.sh/v1alpha1", maxReplicaCount=7, jobTargetRef={"template": template(CPU)}
                )
            ],
            (0, 0, 7),
            id="ScaledJob",
        ),
        pytest.param([deployment(10)], (10, 13, 15), id="ten replicas"),
        pytest.param(
            [deployment(10), {**deployment(4), "metadata": {"name": "other"}}],
            (14, 17, 21),
            id="one step, the larger one",
        ),
    ],
)
def test_pods_by_scenario(manifests: list[Manifest], expected: tuple[int, int, int]) -> None:
    assert numbers(*manifests) == tuple(map(str, expected))


@pytest.mark.parametrize(
    ("manifests", "name", "expected"),
    [
        pytest.param([deployment()], "count/replicasets.apps", (1, 2, 12), id="ReplicaSets"),
        pytest.param([deployment(spec={"revisionHistoryLimit": 2})], "count/replicasets.apps", (1, 2, 4), id="fewer"),
        pytest.param(
            [deployment(spec={"revisionHistoryLimit": 0})], "count/replicasets.apps", (1, 2, 2), id="none kept"
        ),
        pytest.param([deployment(spec={"paused": True})], "count/replicasets.apps", (0, 0, 1), id="paused"),
        pytest.param(
            [manifest("StatefulSet", template=template())], "count/controllerrevisions.apps", (1, 2, 12), id="revisions"
        ),
        pytest.param([cron_job()], "count/jobs.batch", (0, 1, 6), id="Jobs that are kept"),
        pytest.param(
            [cron_job(successfulJobsHistoryLimit=0, failedJobsHistoryLimit=0, concurrencyPolicy="Forbid")],
            "count/jobs.batch",
            (0, 1, 1),
            id="no Jobs are kept",
        ),
        pytest.param([cron_job(suspend=True)], "count/jobs.batch", (0, 0, 0), id="no Jobs at all"),
        pytest.param([job(completions=5)], "count/pods", (1, 1, 5), id="pods that have ended"),
        pytest.param([job(completions=5)], "requests.cpu", ("250m", "250m", "250m"), id="cost nothing else"),
        pytest.param([cron_job()], "count/pods", (0, 1, 6), id="pods of Jobs that are kept"),
        pytest.param([deployment(), keda()], "count/horizontalpodautoscalers.autoscaling", (1, 1, 1), id="KEDA's own"),
        pytest.param(
            [
                manifest("StatefulSet", replicas=2, template=template(), volumeClaimTemplates=[{"spec": {}}]),
                hpa(1, 5, "StatefulSet"),
            ],
            "persistentvolumeclaims",
            (2, 2, 5),
            id="claims stay",
        ),
        pytest.param(
            [deployment(4, volumes=[{"name": "v", "ephemeral": {"volumeClaimTemplate": {"spec": {}}}}])],
            "persistentvolumeclaims",
            (4, 5, 6),
            id="claims of pods",
        ),
    ],
)
def test_other_objects_by_scenario(manifests: list[Manifest], name: str, expected: tuple[int | str, ...]) -> None:
    assert numbers(*manifests, name=name) == tuple(map(str, expected))


def vpa(mode: str = "Auto", **policy: Any) -> Manifest:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "w"}
    policies = {"containerPolicies": [{"containerName": "*", **policy}]}
    spec = {"targetRef": target, "updatePolicy": {"updateMode": mode}, "resourcePolicy": policies}
    return manifest("VerticalPodAutoscaler", "scaler", "autoscaling.k8s.io/v1", **spec)


BOTH: Manifest = {"requests": {"cpu": "250m", "memory": "1Gi"}, "limits": {"cpu": "500m", "memory": "1Gi"}}


@pytest.mark.parametrize(
    ("scaler", "name", "expected"),
    [
        pytest.param(vpa(maxAllowed={"cpu": "1"}), "requests.cpu", ("500m", "500m", "2"), id="requests"),
        pytest.param(vpa(maxAllowed={"cpu": "1"}), "limits.cpu", ("1", "1", "4"), id="limits in proportion"),
        pytest.param(
            vpa(maxAllowed={"cpu": "1"}, controlledValues="RequestsOnly"),
            "limits.cpu",
            ("1", "1", "1"),
            id="not limits",
        ),
        pytest.param(vpa(maxAllowed={"cpu": "1"}), "requests.memory", ("2Gi", "2Gi", "2Gi"), id="another resource"),
        pytest.param(
            vpa(maxAllowed={"cpu": "1"}, controlledResources=["memory"]),
            "requests.cpu",
            ("500m", "500m", "500m"),
            id="not controlled",
        ),
        pytest.param(vpa(maxAllowed={"cpu": "100m"}), "requests.cpu", ("500m", "500m", "500m"), id="never smaller"),
        pytest.param(vpa("Off", maxAllowed={"cpu": "1"}), "requests.cpu", ("500m", "500m", "500m"), id="Off"),
        pytest.param(
            vpa(maxAllowed={"cpu": "1"}, mode="Off"), "requests.cpu", ("500m", "500m", "500m"), id="not this one"
        ),
        pytest.param(vpa(maxAllowed={"cpu": "1"}), "pods", ("2", "2", "2"), id="no more pods"),
    ],
)
def test_a_vertical_autoscaler_raises_the_peak(scaler: Manifest, name: str, expected: tuple[str, str, str]) -> None:
    workload = manifest("Deployment", replicas=2, template=template(container(**BOTH)), **RECREATE)
    assert numbers(workload, scaler, name=name) == expected


anything: st.SearchStrategy[Any] = st.sampled_from([None, 0, 1, 3, 10, -1, "25%", "150%", "many", True, [], {}, 2**40])
workloads = st.builds(
    lambda kind, name, fields, strategy: manifest(
        kind[1],
        name,
        kind[0],
        **fields,
        **{kind[2]: {"rollingUpdate": strategy}},
        template=template(CPU),
        jobTemplate={"spec": {**fields, "template": template(CPU)}},
        jobTargetRef={**fields, "template": template(CPU)},
        scaleTargetRef={"kind": "Deployment", "name": "b"},
    ),
    st.sampled_from(
        [
            ("apps/v1", "Deployment", "strategy"),
            ("apps/v1", "DaemonSet", "updateStrategy"),
            ("apps/v1", "StatefulSet", "updateStrategy"),
            ("batch/v1", "Job", "x"),
            ("batch/v1", "CronJob", "x"),
            ("keda.sh/v1alpha1", "ScaledJob", "x"),
            ("keda.sh/v1alpha1", "ScaledObject", "x"),
            ("autoscaling/v2", "HorizontalPodAutoscaler", "x"),
        ]
    ),
    st.sampled_from(["a", "b", "c"]),
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            (
                *("replicas", "parallelism", "completions", "suspend", "paused", "minReplicas", "maxReplicas"),
                *("minReplicaCount", "maxReplicaCount", "revisionHistoryLimit", "successfulJobsHistoryLimit"),
                *("activeDeadlineSeconds", "concurrencyPolicy", "schedule"),
            ),
            anything,
        ),
    ),
    st.fixed_dictionaries({}, optional={"maxSurge": anything, "maxUnavailable": anything}),
)


@settings(max_examples=150)
@given(st.lists(workloads, max_size=5), workloads)
def test_a_peak_is_a_surge_and_more_is_never_less(members: list[Manifest], another: Manifest) -> None:
    another["metadata"]["name"] = "another"
    another["spec"]["scaleTargetRef"] = {}  # an autoscaler may well make another workload smaller
    before, after = projected(members), projected([*members, another])
    for projection, more in zip(before, after, strict=True):
        assert projection.steady.nano <= projection.surge.nano <= projection.peak.nano
        assert (projection.steady.nano, projection.surge.nano, projection.peak.nano) <= (
            more.steady.nano,
            more.surge.nano,
            more.peak.nano,
        )
        assert projection.surge.nano <= more.surge.nano and projection.peak.nano <= more.peak.nano


def helm_release(**spec: Any) -> Manifest:
    return manifest("HelmRelease", group="helm.toolkit.fluxcd.io/v2", **spec)


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        (helm_release(), ("1", "2", "5")),
        (helm_release(maxHistory=10), ("1", "2", "10")),
        (helm_release(maxHistory=1), ("1", "2", "2")),
        (helm_release(storageNamespace="elsewhere"), ("0", "0", "0")),
    ],
)
def test_helm_keeps_revisions_in_secrets(release: Manifest, expected: tuple[str, str, str]) -> None:
    assert numbers(release, name="count/secrets") == expected


@settings(max_examples=100)
@given(st.lists(workloads, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_files_does_not_matter(members: list[Manifest], random: Any) -> None:
    # Of two objects of one name the last wins, which is another matter.
    members = list({(str(member["kind"]), str(member["metadata"]["name"])): member for member in members}.values())
    shuffled = members.copy()
    random.shuffle(shuffled)
    expected = [
        (projection.name, projection.steady.nano, projection.surge.nano, projection.peak.nano)
        for projection in projected(members)
    ]
    assert [
        (projection.name, projection.steady.nano, projection.surge.nano, projection.peak.nano)
        for projection in projected(shuffled)
    ] == expected


def test_a_quota_never_changes_the_demand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    workload = {**deployment(7), "metadata": {"name": "w", "namespace": "shop"}}
    Path("w.json").write_text(json.dumps(workload))
    numbers = []
    for scopes, hard in ((None, {"pods": "100"}), (None, {"pods": "1"}), (["NotTerminating"], {"pods": "0"})):
        spec = {"hard": hard, **({"scopes": scopes} if scopes else {})}
        second = {**manifest("ResourceQuota", "b", "v1", **spec), "metadata": {"name": "b", "namespace": "shop"}}
        first = {**second, "metadata": {"name": "a", "namespace": "shop"}, "spec": {"hard": {"pods": "9", "cpu": "1"}}}
        Path("q.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [first, second]}))
        run(["usage", "--format", "json"])
        (mine, _) = json.loads(capsys.readouterr().out)["quotas"]
        numbers.append(
            [
                (resource["resource"], resource["steady"], resource["surge"], resource["peak"])
                for resource in mine["resources"]
            ]
        )
    assert numbers == [[("cpu", "1750m", "2250m", "2500m"), ("pods", "7", "9", "10")]] * 3
