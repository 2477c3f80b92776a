"""What a pod is charged, which scopes it is in, and what a quota would have it specify."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from quotalint.evaluators.pods import EVALUATOR
from quotalint.kube.pod import Pod, pod
from quotalint.kube.resource_list import show
from quotalint.kube.scopes import Requirement


def written(text: str) -> Pod:
    """A pod of one line: its `spec`, or the whole with `status`."""
    body: dict[str, Any] = yaml.safe_load(text)
    return pod(body if "spec" in body else {"spec": body})


def asking(requests: str = "", limits: str = "") -> str:
    return f"{{containers: [{{name: c, resources: {{requests: {{{requests}}}, limits: {{{limits}}}}}}}]}}"


@pytest.mark.parametrize(
    ("text", "charged"),
    [
        (asking(), "count/pods=1,pods=1"),
        (asking("cpu: 1"), "count/pods=1,cpu=1,pods=1,requests.cpu=1"),
        (asking(limits="memory: 1Gi"), "count/pods=1,limits.memory=1Gi,pods=1"),
        (asking("cpu: 1", "cpu: 2"), "count/pods=1,cpu=1,limits.cpu=2,pods=1,requests.cpu=1"),
        (
            asking("ephemeral-storage: 1Gi", "ephemeral-storage: 2Gi"),
            "count/pods=1,ephemeral-storage=1Gi,limits.ephemeral-storage=2Gi,pods=1,requests.ephemeral-storage=1Gi",
        ),
        # Huge pages and devices have no `limits.` of their own: their limit is their request.
        (
            asking("hugepages-2Mi: 4Mi", "hugepages-2Mi: 4Mi"),
            "count/pods=1,hugepages-2Mi=4Mi,pods=1,requests.hugepages-2Mi=4Mi",
        ),
        (asking("nvidia.com/gpu: 2", "nvidia.com/gpu: 2"), "count/pods=1,pods=1,requests.nvidia.com/gpu=2"),
        # What is no compute resource of Kubernetes itself and no device is charged nothing.
        (asking("storage: 1Gi"), "count/pods=1,pods=1"),
        ("{spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}, status: {phase: Failed}}", "count/pods=1"),
        ("{spec: {containers: [{name: c}]}, status: {phase: Succeeded}}", "count/pods=1"),
        ("{spec: {containers: [{name: c}]}, status: {phase: Pending}}", "count/pods=1,pods=1"),
    ],
)
def test_what_is_charged(text: str, charged: str) -> None:
    assert show(EVALUATOR.usage(written(text))) == charged


@pytest.mark.parametrize(
    ("name", "tracked"),
    [
        *((name, True) for name in ("pods", "count/pods", "cpu", "memory", "requests.cpu", "limits.memory")),
        *((name, True) for name in ("ephemeral-storage", "requests.ephemeral-storage", "limits.ephemeral-storage")),
        *((name, True) for name in ("hugepages-2Mi", "requests.hugepages-1Gi", "requests.nvidia.com/gpu")),
        *((name, False) for name in ("limits.hugepages-2Mi", "limits.nvidia.com/gpu", "nvidia.com/gpu")),
        *((name, False) for name in ("count/services", "requests.storage", "secrets")),
    ],
)
def test_which_names_are_charged(name: str, tracked: bool) -> None:
    assert EVALUATOR.tracks(name) is tracked


BEST_EFFORT, BURSTABLE = "{containers: [{name: c}]}", asking("cpu: 1")
FAR = "{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, namespaces: [other]}]}"


@pytest.mark.parametrize(
    ("scope", "text", "matches"),
    [
        ("Terminating", "{activeDeadlineSeconds: 60, containers: []}", True),
        ("Terminating", "{activeDeadlineSeconds: 0, containers: []}", True),
        ("Terminating", "{activeDeadlineSeconds: -1, containers: []}", False),
        ("Terminating", BEST_EFFORT, False),
        ("NotTerminating", "{activeDeadlineSeconds: 60, containers: []}", False),
        ("NotTerminating", BEST_EFFORT, True),
        ("BestEffort", BEST_EFFORT, True),
        ("BestEffort", BURSTABLE, False),
        ("NotBestEffort", BEST_EFFORT, False),
        ("NotBestEffort", BURSTABLE, True),
        ("PriorityClass", "{priorityClassName: high, containers: []}", True),
        ("PriorityClass", BEST_EFFORT, False),
        ("CrossNamespacePodAffinity", f"{{containers: [], affinity: {{podAffinity: {FAR}}}}}", True),
        ("CrossNamespacePodAffinity", BEST_EFFORT, False),
        # No pod is in a scope of claims, or in one that nobody knows.
        ("VolumeAttributesClass", "{priorityClassName: high, containers: []}", False),
        ("VolumeAttributesClass", f"{{containers: [], affinity: {{podAffinity: {FAR}}}}}", False),
    ],
)
def test_which_scopes_a_pod_is_in(scope: str, text: str, matches: bool) -> None:
    assert EVALUATOR.in_scope(written(text), Requirement(scope, "Exists", (), ())) is matches


NAMES = frozenset({"requests.cpu", "limits.memory", "pods", "requests.ephemeral-storage"})
TWO = (
    "{containers: [{name: b}, {name: a, resources: {requests: {cpu: 1}, limits: {memory: 1}}}], "
    "initContainers: [{name: a}]}"
)


@pytest.mark.parametrize(
    ("text", "names", "missing"),
    [
        # A name is said once, in order, however many containers have it; only cpu and memory are asked for.
        (TWO, NAMES, {"requests.cpu": ("a", "b"), "limits.memory": ("a", "b")}),
        (asking("cpu: 1", "memory: 1"), NAMES, {}),
        (asking(limits="cpu: 1, memory: 1"), frozenset({"cpu", "limits.cpu"}), {"cpu": ("c",)}),
        (asking(), frozenset({"pods", "requests.ephemeral-storage"}), {}),
        # Pod-level resources count for every container.
        ("{containers: [{name: c}], resources: {requests: {cpu: 1}}}", NAMES, {}),
        # What is a placeholder is stated.
        (asking("cpu: '${CPU}'"), frozenset({"cpu", "requests.cpu", "limits.cpu"}), {"limits.cpu": ("c",)}),
        (asking(limits="cpu: '${CPU}'"), frozenset({"cpu", "requests.cpu", "limits.cpu"}), {}),
    ],
)
def test_what_a_quota_would_have_a_pod_specify(
    text: str, names: frozenset[str], missing: dict[str, tuple[str, ...]]
) -> None:
    assert EVALUATOR.missing(written(text), names) == missing


def test_what_is_missing_is_said_in_order() -> None:
    names = frozenset({"cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"})
    containers = ", ".join(f"{{name: {name}}}" for name in "fedcbahg")
    missing = EVALUATOR.missing(written(f"{{containers: [{containers}]}}"), names)
    assert list(missing.items()) == [(name, tuple("abcdefgh")) for name in sorted(names)]
