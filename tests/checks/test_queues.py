"""What is said of Kueue's queues, beside the examples of the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pipeline_runs import run_pipeline
from queue_manifests import Manifest, local_queue, queue_object, quotas

QUEUE = "kueue.x-k8s.io/queue-name"
GPU = "nvidia.com/gpu"


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Rule, severity and name of the object of each finding about some manifests."""

    def findings(*manifests: Manifest) -> list[tuple[str, str, str]]:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "all.yaml").write_text("\n---\n".join(map(json.dumps, manifests)))
        found = run_pipeline().findings
        return [(finding.rule.id, finding.severity, finding.object.name if finding.object else "") for finding in found]

    return findings


def workload(kind: str, version: str, name: str, spec: Manifest) -> Manifest:
    metadata = {"name": name, "namespace": "team", "labels": {QUEUE: "main"}}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}


def template(**limits: object) -> Manifest:
    containers = [{"name": "a", "image": "a", "resources": {"limits": limits}}]
    return {"metadata": {"labels": {"a": "b"}}, "spec": {"restartPolicy": "Never", "containers": containers}}


def job(name: str, parallelism: int = 1, **limits: object) -> Manifest:
    spec = {"parallelism": parallelism, "completions": parallelism, "template": template(**limits)}
    return workload("Job", "batch/v1", name, spec)


def shared(name: str = "shared", cohort: str = "", **by_resource: object) -> Manifest:
    above = {"cohortName": cohort} if cohort else {}
    return queue_object("ClusterQueue", name, {"red": quotas(**by_resource)}, namespaceSelector={}, **above)


def quota(**hard: str) -> Manifest:
    named = {name.replace("_", "."): amount for name, amount in hard.items()}
    metadata = {"name": "base", "namespace": "team"}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": named}}


MAIN = local_queue("main", "shared")


def test_a_queue_above_the_quota_is_one_finding(said: Any) -> None:
    jobs = [job(f"train-{number}", cpu=4) for number in range(5)]
    assert said(quota(requests_cpu="10"), shared(cpu=20), MAIN, *jobs) == [("QL705", "warning", "base")]


def test_what_others_use_above_the_quota_is_an_error_as_ever(said: Any) -> None:
    other = {**job("other", cpu=11)}
    other["metadata"] = {"name": "other", "namespace": "team"}
    findings = said(quota(requests_cpu="10"), shared(cpu=20), MAIN, other, job("train", cpu=4))
    assert ("QL301", "error", "base") in findings


def test_what_runs_beside_a_queue_may_leave_too_little(said: Any) -> None:
    other = {**job("other", cpu=6)}
    other["metadata"] = {"name": "other", "namespace": "team"}
    assert said(quota(requests_cpu="10"), shared(cpu=8), MAIN, other, job("train", cpu=8)) == [
        ("QL301", "warning", "base")
    ]


def test_what_a_cohort_may_have_out_of_view_is_assumed(said: Any) -> None:
    assert said(shared(cohort="all", cpu=8), MAIN, job("train", cpu=9)) == [("QL701", "warning", "train")]
    limited = shared(cohort="all", cpu={"nominalQuota": 8, "borrowingLimit": 0})
    assert said(limited, MAIN, job("train", cpu=9)) == [("QL701", "error", "train")]


def test_a_deployment_needs_room_for_each_pod_and_a_stateful_set_for_all(said: Any) -> None:
    selector = {"matchLabels": {"a": "b"}}
    pods = {**template(cpu=4), "spec": {**template(cpu=4)["spec"], "restartPolicy": "Always"}}
    web, data = (
        workload(kind, "apps/v1", kind.lower(), {"replicas": 3, "selector": selector, "template": pods})
        for kind in ("Deployment", "StatefulSet")
    )
    assert said(shared(cpu=8), MAIN, web, data) == [("QL701", "error", "statefulset")]


def test_a_ray_cluster_is_held_against_its_queue_by_its_templates(said: Any) -> None:
    def cluster(name: str, replicas: int) -> Manifest:
        worker = {"groupName": "w", "replicas": replicas, "template": template(**{"cpu": 2, GPU: 4})}
        return workload(
            "RayCluster",
            "ray.io/v1",
            name,
            {"headGroupSpec": {"template": template(cpu=2)}, "workerGroupSpecs": [worker]},
        )

    queue = shared(cpu=64, **{GPU: 8})  # type: ignore[arg-type]  # a resource is no other parameter
    assert said(queue, MAIN, cluster("small", 2), cluster("large", 3)) == [("QL701", "error", "large")]


def test_scoped_quotas_and_limits_are_not_compared(said: Any) -> None:
    scoped = quota(requests_cpu="10")
    scoped["spec"]["scopes"] = ["Terminating"]
    assert said(scoped, shared(cpu=20), MAIN) == []
    assert said(quota(limits_cpu="10"), shared(cpu=20), MAIN) == []


def test_what_a_queue_of_two_versions_admits_is_not_known(said: Any) -> None:
    assert said(shared(cpu=64), shared(cpu=8), MAIN, job("train", cpu=9)) == []


def test_what_open_data_hub_makes_is_defined(said: Any) -> None:
    assert said(shared(cpu=8), local_queue("main", "default")) == []
    assert said(shared(cpu=8), local_queue("main", "elsewhere")) == [("QL702", "warning", "main")]


def test_a_resource_that_is_summed_up_under_another_name_is_covered(said: Any) -> None:
    queue = shared(cpu=8, **{"nvidia.com/total-gpumem": 100})  # type: ignore[arg-type]  # no other parameter
    body = job("train")
    body["spec"]["template"] = template(**{"cpu": 1, "nvidia.com/gpumem": 10})
    assert said(queue, MAIN, body) == []


def test_names_are_no_mistake_where_their_definition_may_be_elsewhere(said: Any) -> None:
    other = local_queue("other", "elsewhere")
    assert ("QL702", "warning", "other") in said(shared(cpu=4), MAIN, other)
    source = {"kind": "HelmRepository", "name": "charts"}
    release = {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": "queues", "namespace": "kueue"},
        "spec": {"interval": "1m", "chart": {"spec": {"chart": "queues", "sourceRef": source}}},
    }
    assert [rule for rule, _, _ in said(shared(cpu=4), MAIN, other, release) if rule == "QL702"] == []
    # The platform's queues are in no file of this repository.
    assert [rule for rule, _, _ in said(local_queue("ml", "shared"), job("train", cpu=1)) if rule == "QL702"] == []
