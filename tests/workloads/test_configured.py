"""Kinds that the settings describe."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import Four, Manifest, demanded, manifest, pods, pods_of_template, scaler, template, unknowns

from quotalint.kube.objects import objects
from quotalint.settings import FootprintPods, Workload
from quotalint.text.place import Place
from quotalint.workloads import makes_pods
from quotalint.workloads.operators import unknown_pods


def configured(pod_template: str = "spec.template", **paths: str) -> dict[str, Workload]:
    split: dict[str, Any] = {field: tuple(path.split(".")) for field, path in paths.items()}
    return {"Widget.example.com": Workload(tuple(pod_template.split(".")), **split)}


def widget(spec: object) -> Manifest:
    return manifest("Widget", "example.com/v1", spec)


GATEWAY = "gateway.networking.k8s.io/v1"
SIMPLE = configured(replicas="spec.size")
BOUNDED = configured(replicas="spec.size", minimum="spec.scale.min", maximum="spec.scale.max")
ROLES = configured("spec.roles.*.template", replicas="spec.roles.*.size")
NOTHING = {"Widget.example.com": Workload((), footprint=())}
TWO_AND_ONE = {
    "Widget": Workload((), footprint=(FootprintPods(2, {"cpu": "500m"}, {"memory": "1Gi"}), FootprintPods(1, {}, {})))
}


@pytest.mark.parametrize(
    ("spec", "workloads", "expected"),
    [
        pytest.param({"template": template(), "size": 3}, SIMPLE, (3, 3, 3, 3), id="replicas"),
        pytest.param({"template": template(), "size": 3}, configured(), (1, 1, 1, 1), id="no path of replicas"),
        pytest.param({"template": template()}, SIMPLE, (1, 1, 1, 1), id="no replicas"),
        pytest.param({"template": template(), "size": "3"}, SIMPLE, (0, 0, 0, 0), id="replicas of the wrong type"),
        pytest.param(
            {"template": template(), "size": 3, "scale": {"min": 4, "max": 9}}, BOUNDED, (4, 4, 9, 9), id="bounds"
        ),
        pytest.param(
            {"template": template(), "size": 3, "scale": {"max": 2}}, BOUNDED, (2, 2, 2, 2), id="an upper one"
        ),
        pytest.param({"template": template(), "size": 3, "scale": {"min": 5}}, BOUNDED, (5, 5, 5, 5), id="a lower one"),
        pytest.param(
            {"template": template(), "size": 3, "scale": {"max": "9"}},
            BOUNDED,
            (3, 3, 3, 3),
            id="a bound of the wrong type",
        ),
        pytest.param({"pod": {"containers": [{"name": "c"}]}}, configured("spec.pod"), (1,) * 4, id="a pod spec"),
        pytest.param({"template": template()}, configured("spec.template.spec"), (1,) * 4, id="the spec of a template"),
        pytest.param({"template": []}, SIMPLE, (0,) * 4, id="a template of the wrong type"),
        pytest.param({}, SIMPLE, (0,) * 4, id="no template"),
        pytest.param("none", SIMPLE, (0,) * 4, id="no spec"),
    ],
)
def test_a_described_kind_has_these_pods_in_each_scenario(
    spec: object, workloads: dict[str, Workload], expected: Four
) -> None:
    assert pods(widget(spec), configured=workloads) == expected


@pytest.mark.parametrize(
    "roles",
    [
        {"web": {"template": template("web"), "size": 2}, "db": {"template": template("db")}, "none": {"size": 5}},
        [{"template": template("web"), "size": 2}, {"template": template("db")}, {"size": 5}],
    ],
    ids=["keys", "places in a list"],
)
def test_a_star_means_the_same_in_all_paths(roles: object) -> None:
    pods = pods_of_template(widget({"roles": roles}), configured=ROLES)
    assert pods == {"web": (2, 2, 2, 2), "db": (1, 1, 1, 1)}


def test_two_stars_are_told_apart() -> None:
    workloads = configured("spec.*.*.template", replicas="spec.*.*.size")
    spec = {"a": [{"template": template("x"), "size": 2}], "b": [{}, {"template": template("y"), "size": 3}]}
    assert pods_of_template(widget(spec), configured=workloads) == {"x": (2,) * 4, "y": (3,) * 4}


def test_a_number_in_a_path_is_a_place_in_a_list() -> None:
    workloads = configured("spec.roles.1.template", replicas="spec.roles.1.size")
    spec = {"roles": [{}, {"template": template(), "size": 4}]}
    assert pods(widget(spec), configured=workloads) == (4, 4, 4, 4)


@pytest.mark.parametrize(
    ("spec", "workloads"),
    [({}, SIMPLE), ({"scaler": "scaler"}, configured(replicas="spec.size", autoscaler="spec.scaler"))],
    ids=["that names it", "that it names"],
)
def test_an_autoscaler_scales_what_the_configuration_names(spec: Manifest, workloads: dict[str, Workload]) -> None:
    kind = "Other" if spec else "Widget"
    body = widget({"template": template(), "size": 1, **spec})
    assert pods(body, scaler(kind, 2, 6, "example.com/v1"), configured=workloads) == (2, 2, 6, 6)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"template": template()}, "it does not say spec.size, so one pod is counted"),
        ({"template": template(), "size": []}, "spec.size is not a number of pods: '[]'"),
        ({}, "it has no pod template at spec.template (`workloads`)"),
    ],
    ids=["no replicas", "wrong replicas", "no template"],
)
def test_what_is_not_known(spec: Manifest, expected: str) -> None:
    assert unknowns(widget(spec), configured=SIMPLE) == (f"Widget w: {expected}",)


def test_the_settings_win_over_what_is_built_in() -> None:
    body = manifest("Deployment", "apps/v1", {"replicas": 3, "template": template(), "pods": 5})
    workloads = {"Deployment": Workload(("spec", "template"), ("spec", "pods"))}
    assert pods(body, configured=workloads) == (5, 5, 5, 5)


def test_a_kind_with_its_group_wins_over_one_of_any_group() -> None:
    workloads = {"Widget": Workload(("spec", "other")), **SIMPLE}
    assert pods(widget({"template": template(), "size": 2}), configured=workloads) == (2, 2, 2, 2)


def test_a_footprint_is_the_same_for_every_object() -> None:
    demands = [demand for demand in demanded(widget({"replicas": 9}), configured=TWO_AND_ONE) if demand.kind == "Pod"]
    resources = [demand.body["spec"]["containers"][0]["resources"] for demand in demands]  # type: ignore[index]  # our own
    assert [demand.size.numbers for demand in demands] == [(2, 2, 2, 2), (1, 1, 1, 1)]
    assert resources == [{"requests": {"cpu": "500m"}, "limits": {"memory": "1Gi"}}, {"requests": {}, "limits": {}}]


@pytest.mark.parametrize(
    ("body", "workloads", "expected"),
    [
        (widget({}), {}, (False, True)),
        (widget({}), NOTHING, (False, False)),
        (widget({}), TWO_AND_ONE, (True, False)),
        (widget({}), SIMPLE, (True, False)),
        (manifest("RayCluster", "ray.io/v1", {}), {}, (False, True)),
        (manifest("RayCluster", "ray.io/v1", {}), {"RayCluster": Workload(("spec",))}, (True, False)),
        (manifest("Rollout", "argoproj.io/v1alpha1", {}), {}, (True, False)),
        (widget({"roles": [{"template": template()}]}), SIMPLE, (True, False)),
        (manifest("KafkaTopic", "kafka.strimzi.io/v1", {"replicas": 3}), {}, (False, False)),
        (manifest("Tenant", "minio.min.io/v2", {}), {}, (False, True)),
        (manifest("Gateway", GATEWAY, {"gatewayClassName": "istio"}), {}, (False, True)),
        (manifest("Gateway", GATEWAY, {"gatewayClassName": "gke-l7-rilb"}), {}, (False, False)),
    ],
    ids=[
        "unknown",
        "a footprint of nothing",
        "a footprint",
        "configured",
        "an operator's",
        "an operator's, configured",
        "built in",
        "unknown, configured",
        "replicas of partitions",
        "of a line with two words",
        "a Gateway with pods of its own",
        "a Gateway of a cloud",
    ],
)
def test_who_makes_pods(body: Manifest, workloads: Any, expected: tuple[bool, bool]) -> None:
    (obj,) = objects(body, Place("a.yaml"))
    assert (makes_pods(obj, workloads), bool(unknown_pods(obj, workloads))) == expected
