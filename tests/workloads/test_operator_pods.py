"""Pods of custom objects whose own fields state their number and resources."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from workload_demands import Four, Manifest, demanded, manifest, pods, pods_of_template, scaler, template

from quotalint.cli import run
from quotalint.kube.objects import objects
from quotalint.settings import Nodes, Workload
from quotalint.text.place import Place
from quotalint.workloads import operators
from quotalint.workloads.namespace_contents import demands
from quotalint.workloads.operator_notations import bytes_of
from quotalint.workloads.operator_pods import rows

CNPG, SPARK, STRIMZI = "postgresql.cnpg.io/v1", "sparkoperator.k8s.io/v1beta2", "kafka.strimzi.io/v1beta2"
KSERVE, RAY, FLINK = "serving.kserve.io/v1beta1", "ray.io/v1", "flink.apache.org/v1beta1"
ELASTIC, PROMETHEUS = "elasticsearch.k8s.elastic.co/v1", "monitoring.coreos.com/v1"
CRUNCHY, ZALANDO = "postgres-operator.crunchydata.com/v1beta1", "acid.zalan.do/v1"
AMOUNTS = {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "1Gi"}}
BOUNCER = {"pgBouncer": {"replicas": 2}}
NODE_SETS = [{"count": 3}, {"count": 2, "podTemplate": template("x")}]
RUNNERS = {"maxRunners": 5, "template": template("r")}
WORKERS = [
    {"replicas": 1, "minReplicas": 2, "numOfHosts": 3, "template": template("worker")},
    {"template": template("none")},
]


def resources(body: Manifest, name: str, **options: Any) -> Any:
    for demand in demanded(body, **options):
        spec: Any = demand.body.get("spec") if demand.kind == "Pod" else None
        for container in spec["containers"] if spec else ():
            if container["name"] == name:
                return container["resources"]
    return None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (manifest("Cluster", CNPG, {"instances": 3}), {"postgres": (3, 3, 3, 3)}),
        (manifest("Cluster", CNPG, {}), {"postgres": (1, 1, 1, 1)}),
        (manifest("Cluster", CNPG, {"instances": 3}, annotations={"cnpg.io/hibernation": "on"}), {}),
        (manifest("Pooler", CNPG, {"instances": 2}), {"pgbouncer": (2, 2, 2, 2)}),
        (manifest("Pooler", CNPG, {"template": template("pgbouncer")}), {"pgbouncer": (1, 1, 1, 1)}),
        (manifest("postgresql", ZALANDO, {"numberOfInstances": 2}), {"postgres": (2, 2, 2, 2)}),
        (
            manifest(
                "PostgresCluster",
                CRUNCHY,
                {"instances": [{"replicas": 2}, {}], "proxy": {"pgBouncer": {"replicas": 2}}},
            ),
            {"database": (3, 3, 3, 3), "pgbouncer": (2, 2, 2, 2)},
        ),
        (manifest("PostgresCluster", CRUNCHY, {"instances": [{"replicas": 2}], "shutdown": True}), {}),
        (
            manifest(
                "Kafka",
                STRIMZI,
                {"kafka": {"replicas": 3}, "entityOperator": {"topicOperator": {}}, "kafkaExporter": {}},
            ),
            {"kafka": (3, 3, 3, 3), "topic-operator": (1, 1, 1, 1), "w-kafka-exporter": (1, 1, 1, 1)},
        ),
        (manifest("Kafka", STRIMZI, {"kafka": {"replicas": 3}}, annotations={"strimzi.io/node-pools": "enabled"}), {}),
        (manifest("KafkaConnect", STRIMZI, {}), {"w-connect": (3, 3, 3, 3)}),
        (
            manifest("InferenceService", KSERVE, {"predictor": {"maxReplicas": 4, "model": {}}}),
            {"kserve-container": (1, 1, 4, 4)},
        ),
        (
            manifest("InferenceService", KSERVE, {"predictor": {"minReplicas": 2, "containers": [{"name": "own"}]}}),
            {"own": (2, 2, 2, 2)},
        ),
        (
            manifest("RayCluster", RAY, {"headGroupSpec": {"template": template("head")}, "workerGroupSpecs": WORKERS}),
            {"head": (1, 1, 1, 1), "worker": (6, 6, 6, 6), "none": (0, 0, 0, 0)},
        ),
        (
            manifest("RayJob", RAY, {"rayClusterSpec": {"headGroupSpec": {"template": template("head")}}}),
            {"head": (1, 1, 1, 1)},
        ),
        (
            manifest("RayCluster", RAY, {"suspend": True, "headGroupSpec": {"template": template("head")}}),
            {},
        ),
        (
            manifest("SparkApplication", SPARK, {"driver": {}, "executor": {"instances": 5}}),
            {"spark-kubernetes-driver": (1, 1, 1, 1), "spark-kubernetes-executor": (5, 5, 5, 5)},
        ),
        (
            manifest("SparkApplication", SPARK, {"driver": {}, "executor": {}, "dynamicAllocation": {"enabled": True}}),
            {"spark-kubernetes-driver": (1, 1, 1, 1)},
        ),
        (
            manifest("FlinkDeployment", FLINK, {"jobManager": {"replicas": 2}, "taskManager": {}}),
            {"flink-main-container": (2, 2, 2, 2)},
        ),
        (
            manifest("FlinkDeployment", FLINK, {"job": {}, "jobManager": {}, "taskManager": {"replicas": 4}}),
            {"flink-main-container": (5, 5, 5, 5)},
        ),
        (
            manifest("Elasticsearch", ELASTIC, {"nodeSets": NODE_SETS}),
            {"elasticsearch": (3, 3, 3, 3), "x,elasticsearch": (2, 2, 2, 2)},
        ),
        (
            manifest("Prometheus", PROMETHEUS, {"replicas": 2, "shards": 3, "thanos": {}}),
            {"prometheus,thanos-sidecar": (6, 6, 6, 6)},
        ),
        (manifest("PrometheusAgent", "monitoring.coreos.com/v1alpha1", {"mode": "DaemonSet"}), {}),
        (
            manifest("Job", "batch.volcano.sh/v1alpha1", {"tasks": [{"replicas": 3, "template": template("task")}]}),
            {"task": (3, 3, 3, 3)},
        ),
        (manifest("Notebook", "kubeflow.org/v1", {"template": template("lab")}), {"lab": (1, 1, 1, 1)}),
        (
            manifest(
                "AutoscalingRunnerSet", "actions.github.com/v1alpha1", {"maxRunners": 5, "template": template("r")}
            ),
            {"r": (0, 0, 5, 5)},
        ),
        (
            manifest("RunnerDeployment", "actions.summerwind.dev/v1alpha1", {"replicas": 2, "template": {"spec": {}}}),
            {"runner": (2, 2, 2, 2)},
        ),
    ],
    ids=lambda value: value.get("kind", ""),
)
def test_these_pods_are_counted(body: Manifest, expected: dict[str, Four]) -> None:
    assert pods_of_template(body) == expected


def test_brokers_are_those_of_node_pools() -> None:
    kafka = manifest("Kafka", STRIMZI, {"kafka": {"replicas": 3}})
    assert pods(kafka, manifest("KafkaNodePool", STRIMZI, {"replicas": 5})) == (5, 5, 5, 5)


def test_an_autoscaler_scales_such_an_object() -> None:
    connect = manifest("KafkaConnect", STRIMZI, {"replicas": 3})
    assert pods(connect, scaler("KafkaConnect", 1, 6, STRIMZI)) == (3, 3, 6, 6)


@pytest.mark.parametrize(
    ("owner", "expected"), [(("core.strimzi.io/v1", "StrimziPodSet", "w-kafka"), 1), ((STRIMZI, "Kafka", "w"), 3)]
)
def test_pods_of_a_snapshot_are_not_counted_twice(owner: tuple[str, str, str], expected: int) -> None:
    reference = {**dict(zip(("apiVersion", "kind", "name"), owner, strict=True)), "controller": True}
    pod = manifest("Pod", "v1", {"containers": [{"name": "a"}]}, "w-kafka-0", ownerReferences=[reference])
    (live,) = objects(pod, Place("<cluster>"))
    (kafka,) = objects(manifest("Kafka", STRIMZI, {"kafka": {"replicas": 3}}), Place("a.yaml"))
    found = demands([kafka, live._replace(foreign=True)], Nodes(None))
    assert sum(demand.number for demand in found if demand.kind == "Pod") == expected


def test_the_settings_win() -> None:
    workloads = {"Cluster": Workload((), footprint=())}
    assert pods(manifest("Cluster", CNPG, {"instances": 3}), configured=workloads) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (manifest("Cluster", CNPG, {"resources": AMOUNTS}), "postgres"),
        (manifest("KafkaNodePool", STRIMZI, {"resources": AMOUNTS}), "kafka"),
        (manifest("Elasticsearch", ELASTIC, {"nodeSets": [{"resources": AMOUNTS}]}), "elasticsearch"),
    ],
    ids=["always", "stated", "of a list"],
)
def test_what_is_passed_literally_is_read_as_it_is(body: Manifest, name: str) -> None:
    assert resources(body, name) == AMOUNTS


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (manifest("KafkaNodePool", STRIMZI, {}), "kafka"),
        (manifest("Prometheus", PROMETHEUS, {"resources": {"requests": {"cpu": "1"}}}), "prometheus"),
        (manifest("InferenceService", KSERVE, {"predictor": {"sklearn": {}}}), "kserve-container"),
    ],
    ids=["stated", "never", "a framework"],
)
def test_what_the_operator_may_set_is_unknown(body: Manifest, name: str) -> None:
    limits = resources(body, name)["limits"]
    assert [amount.reason for amount in limits.values()] == ["may be set by the operator"] * 2


@pytest.mark.parametrize(
    ("written", "expected"),
    [("512m", 512 * 2**20), ("2g", 2**31), ("2Gb", 2**31), ("2 g", 2**31), ("2Gi", None), ("512", None), (None, None)],
)
def test_sizes_of_the_jvm(written: object, expected: int | None) -> None:
    assert bytes_of(written) == expected


@pytest.mark.parametrize(
    ("spec", "driver", "expected"),
    [
        ({"type": "Scala"}, {"memory": "512m"}, "896Mi"),
        ({"type": "Java"}, {"memory": "8g"}, "9011Mi"),
        ({"type": "Python"}, {"memory": "8g"}, "11468Mi"),
        ({"memoryOverheadFactor": "0.5"}, {"memory": "2g"}, "3072Mi"),
        ({"type": "Java", "memoryOverheadFactor": "1"}, {"memory": "2g"}, "4096Mi"),
        ({}, {"memory": "1g", "memoryOverhead": "1g"}, "2048Mi"),
    ],
)
def test_spark_asks_for_memory_with_the_overhead(spec: Manifest, driver: Manifest, expected: str) -> None:
    read = resources(manifest("SparkApplication", SPARK, {**spec, "driver": driver}), "spark-kubernetes-driver")
    assert (read["requests"]["memory"], read["limits"]) == (expected, {"memory": expected})


@pytest.mark.parametrize(
    ("spec", "driver"),
    [
        ({}, {"memory": "1024"}),
        ({"sparkConf": {"spark.driver.memoryOverhead": "1g"}}, {"memory": "1g"}),
        ({"memoryOverheadFactor": "much"}, {"memory": "1g"}),
        ({}, {"memory": "1g", "memoryOverhead": "much"}),
    ],
)
def test_memory_of_spark_is_unknown_by_other_settings(spec: Manifest, driver: Manifest) -> None:
    read = resources(manifest("SparkApplication", SPARK, {**spec, "driver": driver}), "spark-kubernetes-driver")
    assert read["requests"]["memory"].reason == "is not known"


def test_flink_asks_for_what_it_limits() -> None:
    spec = {"jobManager": {"resource": {"memory": "2048m", "cpu": 0.5}}}
    amounts = {"cpu": 0.5, "memory": "2048Mi"}
    read = resources(manifest("FlinkDeployment", FLINK, spec), "flink-main-container")
    assert read == {"requests": amounts, "limits": amounts}


@pytest.fixture
def said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[tuple[str, str, str, str]]]:
    """Rule, severity, field and help of each finding about some manifests in the namespace `shop`."""

    def findings(*manifests: Manifest) -> list[tuple[str, str, str, str]]:
        for body in manifests:
            body["metadata"]["namespace"] = "shop"
        (tmp_path / "all.yaml").write_text("\n---\n".join(map(json.dumps, manifests)))
        run(["check", "--format", "json", "--select", "QL301,QL401,QL402,QL404", str(tmp_path)])
        found = json.loads(capsys.readouterr().out)["findings"]
        return [(finding["rule"], finding["severity"], finding["field"], finding["help"]) for finding in found]

    return findings


def quota(**hard: str) -> Manifest:
    return manifest("ResourceQuota", "v1", {"hard": {name.replace("_", "."): value for name, value in hard.items()}})


@pytest.mark.parametrize(
    ("body", "resource", "field", "stated"),
    [
        (manifest("Cluster", CNPG, {"resources": AMOUNTS}), "limits_cpu", "resources", "resources.limits.cpu"),
        (manifest("KafkaConnect", STRIMZI, {}), "limits_memory", "resources", "resources.limits.memory"),
        (
            manifest("SparkApplication", SPARK, {"driver": {"cores": 1, "memory": "1g"}}),
            "limits_cpu",
            "driver",
            "driver.coreLimit",
        ),
        (
            manifest("RayCluster", RAY, {"headGroupSpec": {"template": template("head")}}),
            "cpu",
            "headGroupSpec.template.spec.containers[0].resources",
            "headGroupSpec.template.spec.containers[0].resources.requests.cpu",
        ),
    ],
    ids=["a part of them", "none", "in a notation of its own", "in a template"],
)
def test_pods_are_refused_that_do_not_state_what_a_quota_demands(
    body: Manifest, resource: str, field: str, stated: str, said: Any
) -> None:
    ((rule, severity, at, help_text),) = said(quota(**{resource: "10"}), body)
    assert (rule, severity, at) == ("QL401", "error", f"spec.{field}")
    assert help_text.startswith(f"write `spec.{stated}` in {body['kind']} w, or let a LimitRange")


@pytest.mark.parametrize(
    "body",
    [manifest("KafkaNodePool", STRIMZI, {}), manifest("postgresql", ZALANDO, {"numberOfInstances": 2})],
    ids=lambda body: body["kind"],
)
def test_nothing_is_demanded_of_what_the_operator_may_set(body: Manifest, said: Any) -> None:
    assert said(quota(limits_cpu="10"), body) == []


def test_pods_are_refused_that_request_more_than_their_limit(said: Any) -> None:
    spark = manifest("SparkApplication", SPARK, {"driver": {"cores": 2, "coreLimit": "1", "memory": "1g"}})
    assert [finding[:3] for finding in said(quota(pods="1"), spark)] == [("QL404", "error", "spec.driver.cores")]


def test_amounts_stay_within_a_limit_range(said: Any) -> None:
    limits = manifest("LimitRange", "v1", {"limits": [{"type": "Container", "max": {"memory": "1Gi"}}]})
    spark = manifest("SparkApplication", SPARK, {"type": "Java", "driver": {"memory": "1g"}})
    assert {finding[:3] for finding in said(limits, spark)} == {("QL402", "error", "spec.driver.memory")}


def test_what_is_stated_is_too_much_for_a_quota(said: Any) -> None:
    cluster = manifest("Cluster", CNPG, {"instances": 3, "resources": AMOUNTS})
    assert [finding[:2] for finding in said(quota(requests_cpu="2"), cluster)] == [("QL301", "error")]


def test_what_the_operator_may_lower_is_assumed(said: Any) -> None:
    cluster = manifest("postgresql", ZALANDO, {"numberOfInstances": 3, "resources": AMOUNTS})
    assert [finding[:2] for finding in said(quota(requests_cpu="2"), cluster)] == [("QL301", "warning")]


NONSENSE: tuple[Any, ...] = (None, [], "x", 3, {"a": [1]}, [{"name": []}], "${X}")


@pytest.mark.parametrize("kind", rows())
def test_nonsense_is_read(kind: str) -> None:
    name, _, group = kind.partition(".")
    for part in rows()[kind].pods:
        fields = (part.replicas, part.minimum, part.maximum, part.times, part.template, *part.containers.values())
        for value in NONSENSE:
            spec: Any = value
            for path in [path for path in fields if path] + ["cores", "memory"]:
                below = dict.fromkeys(path.split()[0].split(".")[:1], value)
                spec = {**spec, **below} if isinstance(spec, dict) else below
            for step in reversed(part.at.split(".")[1:]):
                spec = [spec] if step == "*" else {step: spec}
            said = [
                reason for demand in demanded(manifest(name, f"{group}/v1", spec)) for reason in demand.size.unknowns
            ]
            assert not any("could not be judged" in reason for reason in said)


def test_every_row_is_of_a_kind_that_makes_pods_and_has_its_source() -> None:
    table = json.loads((Path(operators.__file__).parent / "custom_kinds.json").read_text())["pods"]
    for kind, row in rows().items():
        name, _, group = kind.partition(".")
        assert name in table[group].split()
        assert row.source
