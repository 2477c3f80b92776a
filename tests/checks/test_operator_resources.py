"""Resources that operators hand on to the pods of what they run are read as the API server will read them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quotalint.cli import run

SUBSCRIPTION = """\
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: rhea, namespace: operators}
spec:
  config:
    resources:
      requests: {memory: %s}
      limits: {memory: 1Gi}
"""


@pytest.mark.parametrize(("request_", "lines"), [("512Mi", []), ("1200Mi", [7]), ("32MiMi", [7]), ("${MEMORY}", [])])
def test_a_subscription(request_: str, lines: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "subscription.yaml").write_text(SUBSCRIPTION % request_)
    run(["check", "--format", "json", "--select", "QL404", str(tmp_path)])
    assert [finding["line"] for finding in json.loads(capsys.readouterr().out)["findings"]] == lines


LARGE = "{requests: {memory: 2Gi}, limits: {memory: 1Gi}}"
KINDS = [
    ("monitoring.coreos.com/v1", "Prometheus", "spec: {thanos: {resources: %s}}", "spec.thanos.resources"),
    ("monitoring.coreos.com/v1", "Alertmanager", "spec: {resources: %s}", "spec.resources"),
    (
        "kafka.strimzi.io/v1beta2",
        "Kafka",
        "spec: {entityOperator: {topicOperator: {resources: %s}}}",
        "spec.entityOperator.topicOperator.resources",
    ),
    (
        "elasticsearch.k8s.elastic.co/v1",
        "Elasticsearch",
        "spec: {nodeSets: [{name: a}, {podTemplate: {spec: {containers: [{name: elasticsearch, resources: %s}]}}}]}",
        "spec.nodeSets[1].podTemplate.spec.containers[0].resources",
    ),
    (
        "ray.io/v1",
        "RayCluster",
        "spec: {workerGroupSpecs: [{template: {spec: {containers: [{name: worker, resources: %s}]}}}]}",
        "spec.workerGroupSpecs[0].template.spec.containers[0].resources",
    ),
    ("flink.apache.org/v1beta1", "FlinkDeployment", "spec: {jobManager: {resource: {memory: 2048m, cpu: 1}}}", ""),
    (
        "flink.apache.org/v1beta1",
        "FlinkDeployment",
        "spec: {podTemplate: {spec: {initContainers: [{name: load, resources: %s}]}}}",
        "spec.podTemplate.spec.initContainers[0].resources",
    ),
    ("postgresql.cnpg.io/v1", "Cluster", "spec: {instances: 3, resources: %s}", "spec.resources"),
    ("cassandra.datastax.com/v1beta1", "CassandraDatacenter", "spec: {resources: %s}", "spec.resources"),
    ("tekton.dev/v1", "Task", "spec: {steps: [{name: a, computeResources: %s}]}", "spec.steps[0].computeResources"),
    (
        "argoproj.io/v1alpha1",
        "WorkflowTemplate",
        "spec: {templates: [{name: a, container: {resources: %s}}]}",
        "spec.templates[0].container.resources",
    ),
    (
        "serving.knative.dev/v1",
        "Service",
        "spec: {template: {spec: {containers: [{name: a, resources: %s}]}}}",
        "spec.template.spec.containers[0].resources",
    ),
    (
        "argoproj.io/v1alpha1",
        "Rollout",
        "spec: {template: {spec: {containers: [{name: a, resources: %s}]}}}",
        "spec.template.spec.containers[0].resources",
    ),
    ("example.com/v1", "Prometheus", "spec: {resources: %s}", ""),
]


@pytest.mark.parametrize(("version", "kind", "spec", "field"), KINDS, ids=[f"{kind[1]} {kind[3]}" for kind in KINDS])
def test_kinds_that_operators_run(
    version: str, kind: str, spec: str, field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: rhea, namespace: team-a}}\n"
    (tmp_path / "a.yaml").write_text(head + (spec % LARGE if "%s" in spec else spec))
    run(["check", "--format", "json", "--select", "QL404", str(tmp_path)])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["field"].removesuffix("[memory]") for finding in findings] == (
        [f"{field}.requests"] if field else []
    )
    assert all("2Gi" in finding["message"] or field in finding["message"] for finding in findings)


def test_what_the_settings_name_is_read_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".quotalint.yaml").write_text("workloads: {Band.example.com: {podTemplate: spec.player}}\n")
    head = "apiVersion: example.com/v1\nkind: Band\nmetadata: {name: rhea, namespace: team-a}\n"
    body = f"spec: {{player: {{spec: {{containers: [{{name: a, resources: {LARGE}}}]}}}}}}\n"
    (tmp_path / "a.yaml").write_text(head + body)
    run(["check", "--format", "json", "--select", "QL404", str(tmp_path)])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["field"] for finding in findings] == ["spec.player.spec.containers[0].resources.requests"]
