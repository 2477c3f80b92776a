"""LimitRanger: what it fills in, what it refuses, and in which words."""

from __future__ import annotations

import pytest
import yaml

from quotalint.admission.limit_ranger import claim_violations, fill_limits, pod_violations
from quotalint.kube.claim import claim
from quotalint.kube.limit_range import LimitRange, limit_range
from quotalint.kube.objects import objects
from quotalint.kube.pod import Filled, Pod, pod
from quotalint.kube.resource_list import show
from quotalint.text.place import Place

RATIO = "cpu max limit to request ratio per Container is"


def limiting(*items: str, name: str = "limits") -> LimitRange:
    """A LimitRange with these items."""
    spec = {"limits": [yaml.safe_load(item) for item in items]}
    body = {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": name}, "spec": spec}
    (obj,) = objects(body, Place("limits.yaml"))
    return limit_range(obj)


def containing(*resources: str, init: str = "", pod_level: str = "") -> Pod:
    """A pod with containers a, b, … and an init container `init`."""
    containers = [
        {"name": name, "resources": yaml.safe_load(each)} for name, each in zip("abc", resources, strict=False)
    ]
    spec = {"containers": containers}
    if init:
        spec["initContainers"] = [{"name": "init", "resources": yaml.safe_load(init)}]
    if pod_level:
        spec["resources"] = yaml.safe_load(pod_level)
    return pod({"spec": spec})


@pytest.mark.parametrize(
    ("bound", "resources", "refusals"),
    [
        # min: the request must be there and large enough, and the limit, if there is one.
        ("min: {cpu: 1}", "{}", ["requests: minimum cpu usage per Container is 1.  No request is specified"]),
        ("min: {cpu: 1}", "{requests: {cpu: 1}}", []),
        ("min: {cpu: 1}", "{requests: {cpu: 1}, limits: {cpu: 1}}", []),
        (
            "min: {cpu: 1}",
            "{requests: {cpu: 999m}}",
            ["requests: minimum cpu usage per Container is 1, but request is 999m"],
        ),
        (
            "min: {cpu: 1}",
            "{requests: {cpu: 1}, limits: {cpu: 500m}}",
            ["limits: minimum cpu usage per Container is 1, but limit is 500m"],
        ),
        # max: the limit must be there and small enough, and the request, if there is one.
        ("max: {cpu: 1}", "{}", ["limits: maximum cpu usage per Container is 1.  No limit is specified"]),
        (
            "max: {cpu: 1}",
            "{requests: {cpu: 1}}",
            ["limits: maximum cpu usage per Container is 1.  No limit is specified"],
        ),
        ("max: {cpu: 1}", "{limits: {cpu: 1}}", []),
        ("max: {cpu: 1}", "{limits: {cpu: 1}, requests: {cpu: 1}}", []),
        (
            "max: {cpu: 1}",
            "{limits: {cpu: 1001m}}",
            ["limits: maximum cpu usage per Container is 1, but limit is 1001m"],
        ),
        (
            "max: {cpu: 1}",
            "{limits: {cpu: 1}, requests: {cpu: 2}}",
            ["requests: maximum cpu usage per Container is 1, but request is 2"],
        ),
        # maxLimitRequestRatio: both must be there and above zero.
        (
            "maxLimitRequestRatio: {cpu: 2}",
            "{limits: {cpu: 1}}",
            [f"requests: {RATIO} 2, but no request is specified or request is 0"],
        ),
        (
            "maxLimitRequestRatio: {cpu: 2}",
            "{limits: {cpu: 1}, requests: {cpu: 0}}",
            [f"requests: {RATIO} 2, but no request is specified or request is 0"],
        ),
        (
            "maxLimitRequestRatio: {cpu: 2}",
            "{requests: {cpu: 1}}",
            [f"limits: {RATIO} 2, but no limit is specified or limit is 0"],
        ),
        (
            "maxLimitRequestRatio: {cpu: 2}",
            "{requests: {cpu: 1}, limits: {cpu: 0}}",
            [f"limits: {RATIO} 2, but no limit is specified or limit is 0"],
        ),
        ("maxLimitRequestRatio: {cpu: 2}", "{requests: {cpu: 1}, limits: {cpu: 2}}", []),
        (
            "maxLimitRequestRatio: {cpu: 2}",
            "{requests: {cpu: 3}, limits: {cpu: 7}}",
            [f"limits: {RATIO} 2, but provided ratio is 2.333333"],
        ),
        (
            "maxLimitRequestRatio: {cpu: 2}",
            "{requests: {cpu: 7}, limits: {cpu: 18}}",
            [f"limits: {RATIO} 2, but provided ratio is 2.571429"],
        ),
        (
            "maxLimitRequestRatio: {cpu: 2}",
            "{requests: {cpu: 3}, limits: {cpu: 8}}",
            [f"limits: {RATIO} 2, but provided ratio is 2.666667"],
        ),
        # Each bound speaks for itself.
        (
            "min: {cpu: 1}, max: {cpu: 2}",
            "{}",
            [
                "requests: minimum cpu usage per Container is 1.  No request is specified",
                "limits: maximum cpu usage per Container is 2.  No limit is specified",
            ],
        ),
    ],
)
def test_bounds_of_a_container(bound: str, resources: str, refusals: list[str]) -> None:
    actual_pod_violations = pod_violations(containing(resources), [limiting(f"{{type: Container, {bound}}}")])
    assert [f"{violation.path[-2]}: {violation.message}" for violation in actual_pod_violations] == refusals


def test_every_container_is_looked_at_and_named() -> None:
    bounded = pod_violations(
        containing("{requests: {cpu: 1}}", "{requests: {cpu: 3}}", init="{requests: {cpu: 1}}"),
        [limiting("{type: Container, min: {cpu: 2}}")],
    )
    assert [(violation.container, violation.path[:3], violation.limit_range) for violation in bounded] == [
        ("a", ("spec", "containers", 0), "limits"),
        ("init", ("spec", "initContainers", 0), "limits"),
    ]


def test_the_item_and_the_bound_that_refuse_are_named() -> None:
    limits = limiting("{type: Pod, max: {memory: 1}}", "{type: Container, min: {cpu: 1}, max: {cpu: 2}}")
    (violation,) = pod_violations(containing("{requests: {cpu: 1}, limits: {cpu: 3, memory: 1}}"), [limits])
    assert violation.limit.path == ("spec", "limits", 1, "max", "cpu")


@pytest.mark.parametrize(
    ("bound", "given", "refusals"),
    [
        # The containers of a pod together.
        ("max: {cpu: 2}", containing("{limits: {cpu: 1}}", "{limits: {cpu: 1}}"), []),
        (
            "max: {cpu: 2}",
            containing("{limits: {cpu: 1}}", "{limits: {cpu: 2}}"),
            ["maximum cpu usage per Pod is 2, but limit is 3"],
        ),
        ("min: {cpu: 2}", containing("{requests: {cpu: 1}}", "{requests: {cpu: 1}}"), []),
        (
            "min: {cpu: 2}",
            containing("{requests: {cpu: 1}}"),
            ["minimum cpu usage per Pod is 2, but request is 1"],
        ),
        # What the pod itself says of cpu and memory counts; what it says of anything else does not.
        ("max: {cpu: 2}", containing("{limits: {cpu: 3}}", pod_level="{limits: {cpu: 2}}"), []),
        (
            "min: {hugepages-2Mi: 4Mi}",
            containing("{}", pod_level="{requests: {hugepages-2Mi: 4Mi}}"),
            ["minimum hugepages-2Mi usage per Pod is 4Mi.  No request is specified"],
        ),
        (
            "min: {cpu: 2}",
            containing("{}", pod_level="{requests: {cpu: 1}, limits: {cpu: 2}}"),
            ["minimum cpu usage per Pod is 2, but request is 1"],
        ),
        # Of a placeholder nothing is said, in a container or of the pod.
        ("max: {cpu: 2}", containing("{limits: {cpu: 3}}", "{limits: {cpu: '${X}'}}"), []),
        ("max: {cpu: 2}", containing("{limits: {cpu: 3}}", pod_level="{limits: {cpu: '${X}'}}"), []),
        (
            "max: {cpu: 2, memory: 1}",
            containing("{limits: {cpu: '${X}', memory: 2}}"),
            ["maximum memory usage per Pod is 1, but limit is 2"],
        ),
    ],
)
def test_bounds_of_a_pod(bound: str, given: Pod, refusals: list[str]) -> None:
    actual_pod_violations = pod_violations(given, [limiting(f"{{type: Pod, {bound}}}")])
    assert [violation.message for violation in actual_pod_violations] == refusals
    assert {(violation.path, violation.container) for violation in actual_pod_violations} <= {(("spec",), "")}


@pytest.mark.parametrize(
    ("bound", "requests", "refusals"),
    [
        ("min: {storage: 2Gi}", "{storage: 2Gi}", []),
        (
            "min: {storage: 2Gi}",
            "{storage: 1Gi}",
            ["minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi"],
        ),
        (
            "min: {storage: 2Gi}",
            "{}",
            ["minimum storage usage per PersistentVolumeClaim is 2Gi.  No request is specified"],
        ),
        ("max: {storage: 2Gi}", "{storage: 2Gi}", []),
        (
            "max: {storage: 2Gi}",
            "{storage: 3Gi}",
            ["maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi"],
        ),
        (
            "max: {storage: 2Gi}",
            "{}",
            ["maximum storage usage per PersistentVolumeClaim is 2Gi.  No request is specified"],
        ),
        ("max: {storage: 2Gi}", "{storage: '${X}'}", []),
        (
            "max: {storage: 2Gi}",
            "{storage: 3Gi, other: '${X}'}",
            ["maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi"],
        ),
    ],
)
def test_bounds_of_a_claim(bound: str, requests: str, refusals: list[str]) -> None:
    items = (
        "{type: Pod, min: {storage: 9Gi}}",
        "{type: Container, min: {storage: 9Gi}}",
        f"{{type: PersistentVolumeClaim, {bound}}}",
    )
    actual_claim_violations = claim_violations(
        claim({"spec": {"resources": {"requests": yaml.safe_load(requests)}}}), [limiting(*items)]
    )
    assert [(violation.message, violation.path) for violation in actual_claim_violations] == [
        (message, ("spec", "resources", "requests", "storage")) for message in refusals
    ]


@pytest.mark.parametrize(
    ("item", "resources", "filled"),
    [
        ("default: {cpu: 2}, defaultRequest: {cpu: 1}", "{}", ("cpu=1", "cpu=2")),
        ("default: {cpu: 2}, defaultRequest: {cpu: 1}", "{requests: {cpu: 3}}", ("cpu=3", "cpu=2")),
        ("default: {cpu: 2}, defaultRequest: {cpu: 1}", "{limits: {cpu: 3}}", ("cpu=1", "cpu=3")),
        ("default: {cpu: 2}, defaultRequest: {cpu: 1}", "{requests: {cpu: '${X}'}}", ("", "cpu=2")),
        ("default: {memory: 2}", "{requests: {cpu: 1}}", ("cpu=1,memory=2", "memory=2")),
    ],
)
def test_what_is_filled_in(item: str, resources: str, filled: tuple[str, str]) -> None:
    given = fill_limits(containing(resources, init="{}"), [limiting(f"{{type: Container, {item}}}")])
    (container,) = given.containers
    assert (show(container.requests), show(container.limits)) == filled
    (init_container,) = given.init_containers
    assert (
        init_container
        == fill_limits(containing("{}", init="{}"), [limiting(f"{{type: Container, {item}}}")]).init_containers[0]
    )


def test_what_was_filled_in_is_kept_beside_it() -> None:
    given = fill_limits(
        containing("{limits: {cpu: 1}}"), [limiting("{type: Container, default: {cpu: 2, memory: 2}}", name="base")]
    )
    assert given.filled == (
        Filled("a", "limits", "memory", "LimitRange base"),
        Filled("a", "requests", "cpu", "LimitRange base"),
        Filled("a", "requests", "memory", "LimitRange base"),
    )


def test_what_a_limit_range_says_of_pods_fills_in_nothing() -> None:
    given = containing("{}")
    assert fill_limits(given, [limiting("{type: Pod, max: {cpu: 2}}")]) is given
