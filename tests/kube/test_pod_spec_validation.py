"""What validation says of a pod beside the amounts that it asks for, in the API server's words."""

from __future__ import annotations

import pytest
import yaml

from quotalint.kube.pod_spec_validation import spec_errors
from quotalint.kube.releases import release


def errors(spec: str, kube_version: str = "1.36") -> list[str]:
    found = spec_errors({"spec": yaml.safe_load(spec)}, release(kube_version))
    return [f"{error.field}: {error.detail}" for error in found]


CLAIMS = "{resourceClaims: [%s], containers: [{name: c, resources: {claims: [%s]}}]}"
AT = "spec.containers[0].resources.claims"
OF_CLAIMS = {
    "one that there is": ("{name: gpu}", "{name: gpu}", []),
    "two requests of one": ("{name: gpu}", "{name: gpu, request: a}, {name: gpu, request: b}", []),
    "one that there is not": (
        "{name: gpu}, {name: card}",
        "{name: gqu}",
        [f'{AT}[0]: Not found: "gqu": must be one of the names in pod.spec.resourceClaims: card, gpu'],
    ),
    "none at all": (
        "",
        "{name: gpu}",
        [f'{AT}[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty'],
    ),
    "no name": ("{name: gpu}", "{request: a}", [f"{AT}[0]: Required value"]),
    "the same twice": ("{name: gpu}", "{name: gpu}, {name: gpu}", [f'{AT}[1]: Duplicate value: "gpu"']),
    "a request of what is named whole": (
        "{name: gpu}",
        "{name: gpu}, {name: gpu, request: a}",
        [f'{AT}[1]: Duplicate value: "gpu"'],
    ),
    "the same request twice": (
        "{name: gpu}",
        "{name: gpu, request: a}, {name: gpu, request: a}",
        [f'{AT}[1]: Duplicate value: "gpu/a"'],
    ),
    "the whole of what a request is named of": (
        "{name: gpu}",
        "{name: gpu, request: a}, {name: gpu}",
        [f'{AT}[1]: Duplicate value: "gpu"'],
    ),
    "a placeholder": ("{name: gpu}", "{name: '${CLAIM}'}", []),
    "a claim that is filled in as a whole": ("{name: gpu}, '${CLAIM}'", "{name: card}", []),
    "an entry that is": ("{name: gpu}", "'${CLAIM}'", []),
    "a claim whose name is filled in": ("{name: '${CLAIM}'}", "{name: gpu}", []),
}


@pytest.mark.parametrize("case", OF_CLAIMS)
def test_a_container_names_the_claims_of_its_pod(case: str) -> None:
    claims, named, refused = OF_CLAIMS[case]
    assert errors(CLAIMS % (claims, named)) == refused


def test_before_there_are_claims_the_field_is_dropped() -> None:
    assert errors(CLAIMS % ("", "{name: gpu}"), "1.33") == []


def test_claims_that_nobody_knows() -> None:
    assert errors("{resourceClaims: '${CLAIMS}', containers: [{name: c, resources: {claims: [{name: a}]}}]}") == []


def test_an_init_container_names_the_claims_of_its_pod() -> None:
    (refused,) = errors("{initContainers: [{name: c, resources: {claims: [{name: gpu}]}}]}")
    assert refused.startswith('spec.initContainers[0].resources.claims[0]: Not found: "gpu"')


RANGE = "must be between 1 and 2147483647, inclusive"


@pytest.mark.parametrize("seconds", ["0", "-1", "2147483648", "1", "2147483647", "null", "true", "'${SECONDS}'"])
def test_a_deadline_is_a_number_of_seconds(seconds: str) -> None:
    refused = [f"spec.activeDeadlineSeconds: Invalid value: {seconds}: {RANGE}"]
    assert errors(f"{{activeDeadlineSeconds: {seconds}}}") == (refused if seconds in ("0", "-1", "2147483648") else [])


@pytest.mark.parametrize(
    ("kube_version", "field", "refused"),
    [
        ("1.28", "containers", True),
        ("1.33", "containers", True),
        ("1.33", "initContainers", False),
        ("1.34", "containers", False),  # dropped
        ("1.35", "containers", False),
    ],
)
def test_a_restart_policy_of_one_container(kube_version: str, field: str, refused: bool) -> None:
    words = "spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers"
    assert errors(f"{{{field}: [{{name: c, restartPolicy: Always}}]}}", kube_version) == ([words] if refused else [])


@pytest.mark.parametrize(
    ("kube_version", "spec", "refused"),
    [
        (
            "1.34",
            "{os: {name: windows}, resources: {limits: {cpu: 1}}}",
            ["Forbidden: may not be set for a windows pod"],
        ),
        ("1.34", "{os: {name: windows}, resources: {}}", ["Forbidden: may not be set for a windows pod"]),
        ("1.33", "{os: {name: windows}, resources: {limits: {cpu: 1}}}", []),
        ("1.34", "{os: {name: linux}, resources: {limits: {cpu: 1}}}", []),
        ("1.34", "{resources: {limits: {cpu: 1}}}", []),
        ("1.34", "{os: {name: windows}}", []),
    ],
)
def test_a_pod_of_windows_asks_for_nothing_as_a_whole(kube_version: str, spec: str, refused: list[str]) -> None:
    assert errors(spec, kube_version) == [f"spec.resources: {words}" for words in refused]


def test_a_pod_as_a_whole_has_no_claims() -> None:
    words = "spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level"
    assert errors("{resourceClaims: [{name: a}], resources: {claims: [{name: a}]}}") == [words]
    missing = 'spec.resources.claims[0]: Not found: "b": must be one of the names in pod.spec.resourceClaims: a'
    assert errors("{resourceClaims: [{name: a}], resources: {claims: [{name: b}]}}") == [words, missing]


RESIZED = {
    "cpu and memory": ("containers", "", "{resourceName: cpu, restartPolicy: NotRequired}", []),
    "another resource": (
        "containers",
        "",
        "{resourceName: gpu, restartPolicy: NotRequired}",
        ['resizePolicy: Unsupported value: "gpu": supported values: "cpu", "memory"'],
    ),
    "another policy": (
        "containers",
        "",
        "{resourceName: cpu, restartPolicy: Never}",
        ['resizePolicy: Unsupported value: "Never": supported values: "NotRequired", "RestartContainer"'],
    ),
    "a policy that is missing": ("containers", "", "{resourceName: cpu}", ["resizePolicy: Required value"]),
    "one resource twice": (
        "containers",
        "",
        "{resourceName: cpu, restartPolicy: NotRequired}, {resourceName: cpu, restartPolicy: NotRequired}",
        ['resizePolicy[1]: Duplicate value: "cpu"'],
    ),
    "a restart in a pod that restarts nothing": (
        "containers",
        "restartPolicy: Never, ",
        "{resourceName: memory, restartPolicy: RestartContainer}",
        [
            "resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is "
            "'Never'"
        ],
    ),
    "a restart of an init container": (
        "initContainers",
        "",
        "{resourceName: cpu, restartPolicy: RestartContainer}",
        [
            "resizePolicy[0].restartPolicy: Invalid value: \"RestartContainer\": must not be set to 'RestartContainer' "
            "for non-sidecar initContainers"
        ],
    ),
    "a placeholder": ("containers", "", "{resourceName: '${NAME}', restartPolicy: Never}", []),
}


@pytest.mark.parametrize("case", RESIZED)
def test_how_containers_may_be_resized(case: str) -> None:
    field, more, policies, refused = RESIZED[case]
    spec = f"{{{more}{field}: [{{name: c, resizePolicy: [{policies}]}}]}}"
    assert errors(spec) == [f"spec.{field}[0].{words}" for words in refused]
    assert errors(spec, "1.32") == []


def test_a_sidecar_may_be_restarted() -> None:
    policy = "resizePolicy: [{resourceName: cpu, restartPolicy: RestartContainer}]"
    assert errors(f"{{initContainers: [{{name: c, restartPolicy: Always, {policy}}}]}}") == []
