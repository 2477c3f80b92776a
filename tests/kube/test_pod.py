"""A manifest as a Pod: everything that decides its quota, and nothing that raises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.pod import Container, Pod, pod
from quotalint.kube.quantity import Quantity, of


def of_spec(text: str, **options: bool) -> Pod:
    return pod({"spec": yaml.safe_load(text)}, **options)


def test_a_pod_with_everything() -> None:
    text = """
    initContainers:
    - {name: i, resources: {requests: {cpu: 100m}}}
    - {name: s, restartPolicy: Always}
    containers:
    - {name: c, resources: {requests: {cpu: 1}, limits: {cpu: 2}}}
    resources: {requests: {memory: 3}, limits: {memory: 4}}
    overhead: {cpu: 5}
    priorityClassName: high
    runtimeClassName: kata
    activeDeadlineSeconds: 60
    """
    assert of_spec(text) == Pod(
        containers=(Container("c", ("spec", "containers", 0), {"cpu": of(1)}, {"cpu": of(2)}),),
        init_containers=(
            Container("i", ("spec", "initContainers", 0), {"cpu": Quantity(10**8, "DecimalSI")}, {}),
            Container("s", ("spec", "initContainers", 1), {}, {}, sidecar=True),
        ),
        requests={"memory": of(3)},
        limits={"memory": of(4)},
        has_resources=True,
        overhead={"cpu": of(5)},
        priority_class="high",
        runtime_class="kata",
        active_deadline=60,
        cross_namespace_affinity=False,
        finished=False,
        unknowns=(),
    )


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"spec": None},
        {"spec": 3},
        {"spec": []},
        {"spec": {}},
        {"spec": {"containers": None}, "status": "Succeeded"},
    ],
    ids=str,
)
def test_a_pod_without_anything(body: Mapping[str, Any]) -> None:
    assert pod(body) == Pod((), (), {}, {}, False, {}, "", "", None, False, False, ())


# restartPolicy of an init container, and whether the server knows sidecars → is it one
@pytest.mark.parametrize(
    ("policy", "is_known", "sidecar"),
    [("Always", True, True), ("Always", False, False), ("OnFailure", True, False), ("Never", True, False)],
)
def test_an_init_container_that_restarts_is_a_sidecar_where_the_server_knows_these(
    policy: str, is_known: bool, sidecar: bool
) -> None:
    pod = of_spec(f"initContainers: [{{name: s, restartPolicy: {policy}}}]", sidecars=is_known)
    assert [container.sidecar for container in pod.init_containers] == [sidecar]


def test_a_container_that_restarts_is_no_sidecar() -> None:
    assert [
        container.sidecar for container in of_spec("containers: [{name: c, restartPolicy: Always}]").containers
    ] == [False]


def test_older_servers_drop_resources_of_the_pod() -> None:
    pod = of_spec("resources: {requests: {cpu: 1}, limits: {cpu: '${X}'}}", pod_level_resources=False)
    assert (pod.has_resources, pod.requests, pod.limits, pod.unknowns) == (False, {}, {}, ())


@pytest.mark.parametrize(
    ("text", "given"),
    [("resources: {}", True), ("resources: {requests: {}}", True), ("resources: null", False), ("resources: 3", False)],
)
def test_whether_resources_of_the_pod_are_given(text: str, given: bool) -> None:
    assert of_spec(text).has_resources == given


@pytest.mark.parametrize(
    ("phase", "finished"),
    [("Succeeded", True), ("Failed", True), ("Running", False), ("Pending", False), (None, False), ([], False)],
)
def test_a_pod_is_finished_when_its_phase_says_so(phase: object, finished: bool) -> None:
    assert pod({"status": {"phase": phase}}).finished == finished


@pytest.mark.parametrize(
    ("written", "seconds"), [("60", 60), ("0", 0), ("-1", -1), ("null", None), ("true", None), ("[1]", None)]
)
def test_the_deadline_is_a_whole_number_of_seconds(written: str, seconds: int | None) -> None:
    assert of_spec(f"activeDeadlineSeconds: {written}").active_deadline == seconds


TERMS = {
    "no affinity": ("{}", False),
    "a term of its own namespace": ("{topologyKey: zone}", False),
    "namespaces": ("{namespaces: [other]}", True),
    "no namespaces": ("{namespaces: []}", False),
    "namespaces that are null": ("{namespaces: null}", False),
    "a selector": ("{namespaceSelector: {matchLabels: {a: b}}}", True),
    "an empty selector, which means all": ("{namespaceSelector: {}}", True),
    "a selector that is null, which means none": ("{namespaceSelector: null}", False),
}


@pytest.mark.parametrize("field", ["podAffinity", "podAntiAffinity"])
@pytest.mark.parametrize("case", TERMS)
def test_affinity_across_namespaces(case: str, field: str) -> None:
    term, crosses = TERMS[case]
    required = f"affinity: {{{field}: {{requiredDuringSchedulingIgnoredDuringExecution: [{{}}, {term}]}}}}"
    preferred = (
        f"affinity: {{{field}: {{preferredDuringSchedulingIgnoredDuringExecution: "
        f"[{{weight: 1, podAffinityTerm: {term}}}]}}}}"
    )
    assert (
        of_spec(required).cross_namespace_affinity,
        of_spec(preferred).cross_namespace_affinity,
    ) == (crosses, crosses)


def test_affinity_to_nodes_crosses_nothing() -> None:
    text = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{namespaces: [other]}]}}"
    assert not of_spec(text).cross_namespace_affinity


WRONG = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
NONSENSE: dict[str, tuple[str, UnknownAmount]] = {
    "containers that are a mapping": (
        "containers: {c: {}}",
        UnknownAmount(("spec", "containers"), "is not a list of containers"),
    ),
    "init containers that are text": (
        "initContainers: c",
        UnknownAmount(("spec", "initContainers"), "is not a list of containers"),
    ),
    "a container that is null": ("containers: [null]", UnknownAmount(("spec", "containers", 0), "is not a container")),
    "resources that are text": (
        "containers: [{resources: small}]",
        UnknownAmount(("spec", "containers", 0, "resources"), "is not a mapping"),
    ),
    "requests that are a list": (
        "containers: [{resources: {requests: [cpu]}}]",
        UnknownAmount(
            ("spec", "containers", 0, "resources", "requests"), "is not a mapping of resource names to quantities"
        ),
    ),
    "a request that is a mapping": (
        "containers: [{resources: {requests: {cpu: {}}}}]",
        UnknownAmount(("spec", "containers", 0, "resources", "requests", "cpu"), "is not a quantity: '{}'", WRONG),
    ),
    "a limit of an init container": (
        "initContainers: [{resources: {limits: {cpu: '${X}'}}}]",
        UnknownAmount(("spec", "initContainers", 0, "resources", "limits", "cpu"), "is the placeholder '${X}'"),
    ),
    "a request of the pod": (
        "resources: {requests: {cpu: '${X}'}}",
        UnknownAmount(("spec", "resources", "requests", "cpu"), "is the placeholder '${X}'"),
    ),
    "overhead": ("overhead: {cpu: '${X}'}", UnknownAmount(("spec", "overhead", "cpu"), "is the placeholder '${X}'")),
}


@pytest.mark.parametrize("case", NONSENSE)
def test_what_is_not_known_is_noted(case: str) -> None:
    text, unknown = NONSENSE[case]
    assert of_spec(text).unknowns == (unknown,)


CPU = frozenset({"cpu"})
NONE = frozenset[str]()

# requests and limits of a container → resources of unknown request, of unknown limit
STATED: dict[str, tuple[str, frozenset[str], frozenset[str]]] = {
    "a request": ("{requests: {cpu: '${X}'}}", CPU, NONE),
    "a request beside a limit": ("{requests: {cpu: '${X}'}, limits: {cpu: 1}}", CPU, NONE),
    "a limit is the request": ("{limits: {cpu: '${X}'}}", CPU, CPU),
    "a limit beside a request": ("{requests: {cpu: 1}, limits: {cpu: '${X}'}}", NONE, CPU),
    "nothing": ("{requests: {cpu: 1}, limits: {memory: 1}}", NONE, NONE),
}


@pytest.mark.parametrize("case", STATED)
def test_a_placeholder_is_stated_and_not_known(case: str) -> None:
    resources, requests, limits = STATED[case]
    (container,) = of_spec(f"containers: [{{name: c, resources: {resources}}}]").containers
    assert (container.unknown_requests, container.unknown_limits, container.unknown_resources) == (
        requests,
        limits,
        requests | limits,
    )
