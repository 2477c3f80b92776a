"""An object as validating admission sees it: with the API server's defaults, and without what it leaves out."""

from __future__ import annotations

from typing import Any

import pytest

from quotalint.kube.fields import dig
from quotalint.kube.stored_objects import KINDS, stored_object


def stored(kind: str, spec: dict[str, Any], group: str = "apps", **metadata: Any) -> Any:
    return stored_object(group, "v1", kind, "team-a", {"metadata": {"name": "a", **metadata}, "spec": spec})


POD: dict[str, Any] = {"containers": [{"name": "a", "image": "a"}]}


@pytest.mark.parametrize(
    ("kind", "path", "expected"),
    [
        ("Deployment", ("replicas",), 1),
        ("Deployment", ("strategy", "rollingUpdate", "maxSurge"), "25%"),
        ("Deployment", ("progressDeadlineSeconds",), 600),
        ("StatefulSet", ("updateStrategy", "rollingUpdate", "partition"), 0),
        ("StatefulSet", ("podManagementPolicy",), "OrderedReady"),
        ("DaemonSet", ("updateStrategy", "rollingUpdate", "maxUnavailable"), 1),
        ("ReplicaSet", ("replicas",), 1),
        ("Deployment", ("template", "spec", "dnsPolicy"), "ClusterFirst"),
        ("Deployment", ("template", "spec", "securityContext"), {}),
        ("Deployment", ("template", "spec", "enableServiceLinks"), None),
        ("Deployment", ("template", "spec", "containers", 0, "resources"), {}),
        ("Deployment", ("template", "spec", "containers", 0, "imagePullPolicy"), "Always"),
    ],
)
def test_an_object_is_stored_with_the_defaults_of_the_server(
    kind: str, path: tuple[str | int, ...], expected: object
) -> None:
    assert dig(stored(kind, {"template": {"spec": POD}}), "spec", *path) == expected


def test_what_is_written_stays() -> None:
    stored_object = stored("Deployment", {"replicas": 0, "strategy": {"type": "Recreate"}, "template": {"spec": POD}})
    assert (stored_object["spec"]["replicas"], stored_object["spec"]["strategy"]) == (0, {"type": "Recreate"})


@pytest.mark.parametrize(
    ("image", "policy"),
    [("a:1", "IfNotPresent"), ("a:latest", "Always"), ("host:5000/a", "Always"), ("a@sha256:0", "IfNotPresent")],
)
def test_the_pull_policy_follows_from_the_tag(image: str, policy: str) -> None:
    stored_object = stored("Pod", {"containers": [{"name": "a", "image": image}]}, "")
    assert stored_object["spec"]["containers"][0]["imagePullPolicy"] == policy


@pytest.mark.parametrize(
    ("written", "completions", "parallelism"), [({}, 1, 1), ({"parallelism": 3}, None, 3), ({"completions": 2}, 2, 1)]
)
def test_a_job_is_one_pod_unless_it_says_otherwise(written: Any, completions: int | None, parallelism: int) -> None:
    spec = stored("Job", {**written, "template": {"spec": POD}}, "batch")["spec"]
    assert (spec.get("completions"), spec["parallelism"]) == (completions, parallelism)


def test_amounts_are_texts_as_the_server_prints_them() -> None:
    stored_object = stored("ResourceQuota", {"hard": {"pods": 5, "requests.cpu": "0.5", "limits.memory": "1024Mi"}}, "")
    assert stored_object["spec"]["hard"] == {"pods": "5", "requests.cpu": "500m", "limits.memory": "1Gi"}


def test_a_limit_range_gives_itself_defaults() -> None:
    spec = {
        "limits": [
            {"type": "Container", "max": {"cpu": 2}, "min": {"memory": "1Mi"}},
            {"type": "Pod", "max": {"cpu": 4}},
        ]
    }
    first, second = stored("LimitRange", spec, "")["spec"]["limits"]
    assert first["default"] == {"cpu": "2"}
    assert first["defaultRequest"] == {"cpu": "2", "memory": "1Mi"}
    assert "default" not in second


def test_what_is_empty_is_as_good_as_not_written() -> None:
    spec = {"template": {"spec": {**POD, "hostNetwork": False, "volumes": [], "nodeSelector": {}, "tolerations": None}}}
    stored_object = stored("Deployment", spec, labels={})
    inner = stored_object["spec"]["template"]["spec"]
    assert {"hostNetwork", "volumes", "nodeSelector", "tolerations"} & inner.keys() == set()
    assert "labels" not in stored_object["metadata"]


def test_the_object_itself_stays_as_it_is() -> None:
    spec: dict[str, Any] = {"template": {"spec": {"containers": [{"name": "a", "image": "a"}]}}}
    stored("Deployment", spec)
    assert spec == {"template": {"spec": {"containers": [{"name": "a", "image": "a"}]}}}


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize(
    "spec", [None, [], "a", {"template": 1}, {"template": {"spec": {"containers": 1}}}, {"limits": 3}]
)
def test_any_body_is_read(kind: tuple[str, str], spec: object) -> None:
    assert stored_object(kind[0], "v1", kind[1], "a", {"metadata": [], "spec": spec})["kind"] == kind[1]
