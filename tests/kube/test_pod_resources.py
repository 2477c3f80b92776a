"""What a pod asks for as a whole (component-helpers/resource/helpers_test.go has more of the same sort)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube import quantity
from quotalint.kube.pod import Container, Pod, pod
from quotalint.kube.pod_resources import has_pod_level_resources, is_best_effort, pod_limits, pod_requests
from quotalint.kube.resource_list import ResourceList


def of_spec(text: str) -> Pod:
    return pod({"spec": yaml.safe_load(text)})


def shown(amounts: ResourceList) -> dict[str, str]:
    return {name: quantity.show(amount) for name, amount in amounts.items()}


def asks(cpu: str, **more: str) -> str:
    extra = "".join(f", {key}: {value}" for key, value in more.items())
    return f"{{name: c, resources: {{requests: {{cpu: {cpu}}}, limits: {{cpu: {cpu}}}}}{extra}}}"


def sidecar(cpu: str) -> str:
    return asks(cpu, restartPolicy="Always")


# containers, init containers → cpu of the pod, requested and limited alike
MOMENTS: dict[str, tuple[list[str], list[str], str]] = {
    "one container": ([asks("1")], [], "1"),
    "two containers": ([asks("1"), asks("200m")], [], "1200m"),
    "an init container that asks for less": ([asks("1")], [asks("500m")], "1"),
    "an init container that asks for more": ([asks("1")], [asks("3")], "3"),
    "init containers run one after the other": ([asks("1")], [asks("3"), asks("2")], "3"),
    "containers together against each init container": ([asks("2"), asks("2")], [asks("3")], "4"),
    "a sidecar stays with the containers": ([asks("1")], [sidecar("2")], "3"),
    "two sidecars": ([asks("1")], [sidecar("2"), sidecar("4")], "7"),
    "a sidecar before an init container": ([asks("1")], [sidecar("2"), asks("3")], "5"),
    "a sidecar after an init container": ([asks("1")], [asks("3"), sidecar("2")], "3"),
    "a sidecar on each side": ([asks("1")], [sidecar("1"), asks("5"), sidecar("2")], "6"),
    "a heavy sidecar after an init container": ([asks("1")], [asks("3"), sidecar("7")], "8"),
    "three init containers among sidecars": (
        [asks("1")],
        [asks("4"), sidecar("1"), asks("4"), sidecar("2"), asks("3")],
        "6",
    ),
    "nothing but a sidecar": ([], [sidecar("2")], "2"),
    "nothing but an init container": ([], [asks("2")], "2"),
    "the worked example of the sidecar proposal": (
        [asks("200m")],
        [asks("100m"), sidecar("50m"), asks("500m"), sidecar("50m")],
        "550m",
    ),
}


@pytest.mark.parametrize("case", MOMENTS)
def test_the_most_demanding_moment_counts(case: str) -> None:
    containers, init_containers, cpu = MOMENTS[case]
    pod = of_spec(f"containers: [{', '.join(containers)}]\ninitContainers: [{', '.join(init_containers)}]")
    assert (shown(pod_requests(pod)), shown(pod_limits(pod))) == ({"cpu": cpu}, {"cpu": cpu})


def test_each_resource_has_its_own_moment() -> None:
    text = """
    containers: [{name: c, resources: {requests: {cpu: 1, memory: 1Gi, nvidia.com/gpu: 1}}}]
    initContainers: [{name: i, resources: {requests: {cpu: 500m, memory: 2Gi, ephemeral-storage: 3Gi}}}]
    """
    assert shown(pod_requests(of_spec(text))) == {
        "cpu": "1",
        "memory": "2Gi",
        "nvidia.com/gpu": "1",
        "ephemeral-storage": "3Gi",
    }


CONTAINERS = "containers: [{name: c, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 2}}}]\n"
# what else the pod says → requests, limits
WHOLE: dict[str, tuple[str, dict[str, str], dict[str, str]]] = {
    "nothing": ("", {"cpu": "1", "memory": "1Gi"}, {"cpu": "2"}),
    "values of the pod override": (
        "resources: {requests: {cpu: 5}, limits: {cpu: 6}}",
        {"cpu": "5", "memory": "1Gi"},
        {"cpu": "6"},
    ),
    "even with less": ("resources: {requests: {cpu: 100m}}", {"cpu": "100m", "memory": "1Gi"}, {"cpu": "2"}),
    "huge pages of the pod": (
        "resources: {requests: {hugepages-2Mi: 4Mi}, limits: {hugepages-2Mi: 4Mi}}",
        {"cpu": "1", "memory": "1Gi", "hugepages-2Mi": "4Mi"},
        {"cpu": "2", "hugepages-2Mi": "4Mi"},
    ),
    "a pod has no other resources": (
        "resources: {requests: {nvidia.com/gpu: 1, ephemeral-storage: 1Gi}, limits: {ephemeral-storage: 1Gi}}",
        {"cpu": "1", "memory": "1Gi"},
        {"cpu": "2"},
    ),
    "overhead is added to requests, and to limits that are there": (
        "overhead: {cpu: 250m, memory: 128Mi}",
        {"cpu": "1250m", "memory": "1152Mi"},
        {"cpu": "2250m"},
    ),
    "overhead of a resource that nobody requests": (
        "overhead: {ephemeral-storage: 1Gi}",
        {"cpu": "1", "memory": "1Gi", "ephemeral-storage": "1Gi"},
        {"cpu": "2"},
    ),
    "overhead comes on top of values of the pod": (
        "overhead: {cpu: 250m}\nresources: {requests: {cpu: 5}, limits: {memory: 2Gi}}",
        {"cpu": "5250m", "memory": "1Gi"},
        {"cpu": "2250m", "memory": "2Gi"},
    ),
}


@pytest.mark.parametrize("case", WHOLE)
def test_the_whole_pod(case: str) -> None:
    more, requests, limits = WHOLE[case]
    pod = of_spec(CONTAINERS + more)
    assert (shown(pod_requests(pod)), shown(pod_limits(pod))) == (requests, limits)


def test_overhead_is_not_added_to_a_limit_of_zero() -> None:
    pod = of_spec("containers: [{name: c, resources: {limits: {cpu: 0}}}]\noverhead: {cpu: 1}")
    assert shown(pod_limits(pod)) == {"cpu": "0"}


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ("null", False),
        ("{}", False),
        ("{requests: {}}", False),
        ("{requests: {ephemeral-storage: 1Gi}}", False),
        ("{limits: {nvidia.com/gpu: 1}}", False),
        ("{requests: {cpu: 1}}", True),
        ("{limits: {memory: 1Gi}}", True),
        ("{limits: {hugepages-2Mi: 2Mi}}", True),
        ("{requests: {cpu: 0}}", True),
        ("{requests: {cpu: '${X}'}}", True),
    ],
)
def test_has_pod_level_resources(resources: str, expected: bool) -> None:
    assert has_pod_level_resources(of_spec(f"resources: {resources}")) == expected


BEST_EFFORT: dict[str, tuple[str, bool]] = {
    "nothing at all": ("containers: [{name: c}]", True),
    "no containers": ("containers: []", True),
    "amounts of zero": ("containers: [{name: c, resources: {requests: {cpu: 0}, limits: {memory: 0}}}]", True),
    "only a GPU": ("containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]", True),
    "only ephemeral storage": ("containers: [{name: c, resources: {requests: {ephemeral-storage: 1Gi}}}]", True),
    "only huge pages": ("containers: [{name: c, resources: {limits: {hugepages-2Mi: 2Mi}}}]", True),
    "a request": ("containers: [{name: c, resources: {requests: {cpu: 1m}}}]", False),
    "a limit": ("containers: [{name: c, resources: {limits: {memory: 1}}}]", False),
    "of one of two containers": ("containers: [{name: c}, {name: d, resources: {requests: {cpu: 1}}}]", False),
    "of an init container": (
        "containers: [{name: c}]\ninitContainers: [{name: i, resources: {requests: {memory: 1}}}]",
        False,
    ),
    "of a sidecar": (
        "containers: [{name: c}]\ninitContainers: [{name: i, restartPolicy: Always, resources: {limits: {cpu: 1}}}]",
        False,
    ),
    "an ephemeral container asks for nothing": (
        "containers: [{name: c}]\nephemeralContainers: [{name: e, resources: {requests: {cpu: 1}}}]",
        True,
    ),
    "a request of the pod": ("containers: [{name: c}]\nresources: {requests: {cpu: 1}}", False),
    "a limit of the pod": ("containers: [{name: c}]\nresources: {limits: {memory: 1}}", False),
    # ComputePodQOS looks at `spec.resources` alone as soon as it is there.
    "an empty one of the pod hides the containers": (
        "containers: [{name: c, resources: {requests: {cpu: 1}}}]\nresources: {}",
        True,
    ),
    "overhead makes no difference": ("containers: [{name: c}]\noverhead: {cpu: 1}", True),
    "a placeholder is above zero": ("containers: [{name: c, resources: {requests: {cpu: '${X}'}}}]", False),
    "a placeholder of a limit too": ("containers: [{name: c, resources: {limits: {memory: '${X}'}}}]", False),
    "a placeholder of the pod": ("containers: [{name: c}]\nresources: {limits: {memory: '${X}'}}", False),
    "a placeholder for a GPU": ("containers: [{name: c, resources: {limits: {nvidia.com/gpu: '${X}'}}}]", True),
}


@pytest.mark.parametrize("case", BEST_EFFORT)
def test_is_best_effort(case: str) -> None:
    text, expected = BEST_EFFORT[case]
    assert is_best_effort(of_spec(text)) == expected


asked = st.dictionaries(st.sampled_from(["cpu", "memory"]), st.integers(0, 9).map(quantity.of), max_size=2)
many = st.lists(st.tuples(asked, st.booleans()), max_size=5)


def made(containers: list[Mapping[str, quantity.Quantity]], init: list[tuple[ResourceList, bool]]) -> Pod:
    return pod({})._replace(
        containers=tuple(Container("c", (), container, {}) for container in containers),
        init_containers=tuple(Container("i", (), item, {}, always) for item, always in init),
    )


@given(st.lists(asked, max_size=4), many)
def test_it_is_the_largest_of_all_moments_one_by_one(
    containers: list[Mapping[str, quantity.Quantity]], init: list[tuple[ResourceList, bool]]
) -> None:
    # The definition of the sidecar proposal, spelled out for each moment of the pod's life.
    def total(lists: list[ResourceList], name: str) -> int:
        return sum(item[name].nano for item in lists if name in item)

    expected = {}
    for name in {name for amounts in (*containers, *(amounts for amounts, _ in init)) for name in amounts}:
        moments = [total([*containers, *(item for item, always in init if always)], name)]
        for index, (item, _) in enumerate(init):
            before = [other for other, always in init[:index] if always]
            moments.append(total([*before, item], name))
        expected[name] = max(moments)
    assert {name: value.nano for name, value in pod_requests(made(containers, init)).items()} == expected
