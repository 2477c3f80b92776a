"""Knative."""

from __future__ import annotations

import pytest
from workload_demands import Four, Manifest, made, manifest, pods, template, unknowns


def service(kind: str = "Service", **annotations: object) -> Manifest:
    written = {f"autoscaling.knative.dev/{name.replace('_', '-')}": value for name, value in annotations.items()}
    body = {"metadata": {"annotations": written}, **template()}
    return manifest(kind, "serving.knative.dev/v1", {"template": body})


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(service(), (1, 2, 1, 2), id="nothing said"),
        pytest.param(service(min_scale="0", max_scale="10"), (1, 2, 10, 20), id="a maximum"),
        pytest.param(service(minScale="2", maxScale="10"), (2, 4, 10, 20), id="as it was spelt once"),
        pytest.param(service(min_scale=3), (3, 6, 3, 6), id="a number that is not quoted"),
        pytest.param(service(min_scale="5", max_scale="3"), (3, 6, 3, 6), id="a minimum above the maximum"),
        pytest.param(service(initial_scale="4", max_scale="10"), (1, 5, 10, 20), id="an initial scale"),
        pytest.param(service(initial_scale="0", max_scale="1"), (1, 2, 1, 2), id="no pod to begin with"),
        pytest.param(service(initial_scale="9", max_scale="2"), (1, 10, 2, 11), id="more to begin with than allowed"),
        pytest.param(service("Configuration", max_scale="4"), (1, 2, 4, 8), id="Configuration"),
        pytest.param(service(max_scale="many"), (1, 2, 1, 2), id="a maximum that is none"),
        pytest.param(manifest("Service", "serving.knative.dev/v1", {"template": []}), (1, 2, 1, 2), id="no template"),
    ],
)
def test_a_service_has_these_pods_in_each_scenario(body: Manifest, expected: Four) -> None:
    assert pods(body) == expected


QUEUE = "Service w: the container queue-proxy that Knative adds to each pod is not counted"
UNBOUNDED = "Service w: without max-scale nothing limits how many pods there may be"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (service(max_scale="3"), (QUEUE,)),
        (service(max_scale="0"), (QUEUE, UNBOUNDED)),
        (service(), (QUEUE, UNBOUNDED)),
        (
            service(max_scale="many"),
            (QUEUE, "Service w: autoscaling.knative.dev/max-scale is not a number of pods: 'many'", UNBOUNDED),
        ),
    ],
    ids=["bounded", "zero is no bound", "unbounded", "wrong"],
)
def test_what_is_not_known(body: Manifest, expected: tuple[str, ...]) -> None:
    assert unknowns(body) == expected


def test_what_it_makes() -> None:
    one_pod = (1, 1, 1, 1)
    revisions = (1, 2, 1, 22)
    assert made(service()) == {
        "Revision": revisions,
        "Deployment": revisions,
        "ReplicaSet": revisions,
        "Service": (2, 4, 2, 44),
        "Configuration": one_pod,
        "Route": one_pod,
    }


def test_a_service_of_kubernetes_is_another_kind() -> None:
    assert pods(manifest("Service", "v1", {"selector": {"app": "w"}})) == (0, 0, 0, 0)
