"""Priority classes, runtime classes and storage classes: what a pod or claim takes from the cluster."""

from __future__ import annotations

import pytest
from manifests import web
from workspace import Workspace

from quotalint.admission.plugins import Plugins, cluster_plugins, fill_class, fill_priority, priority_errors
from quotalint.admission.runtime_class import fill_overhead, overhead_errors, selector_errors
from quotalint.kube.claim import claim
from quotalint.kube.cluster import build_cluster
from quotalint.kube.discovery import discover_kinds
from quotalint.kube.limit_range import limit_range
from quotalint.kube.objects import objects
from quotalint.kube.pod import pod
from quotalint.kube.resource_list import show
from quotalint.text.documents import read
from quotalint.text.place import Place


def plugins(text: str, kube_version: str = "1.34") -> Plugins:
    """Of a cluster with these objects."""
    documents = read(text.encode()).documents
    listed = [obj for number, each in enumerate(documents) for obj in objects(each.value, Place("all.yaml", number))]
    return cluster_plugins(build_cluster(listed, discover_kinds(listed, kube_version)), (), kube_version)


def of_kind(kind: str, name: str, more: str, group: str = "scheduling.k8s.io/v1") -> str:
    return f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: {name}}}\n{more}\n---\n"


@pytest.mark.parametrize(
    ("classes", "default"),
    [
        ("", ""),
        (of_kind("PriorityClass", "high", "value: 1"), ""),
        (of_kind("PriorityClass", "high", "value: 1\nglobalDefault: false"), ""),
        (of_kind("PriorityClass", "high", "value: 1\nglobalDefault: true"), "high"),
        (
            of_kind("PriorityClass", "high", "globalDefault: true") + of_kind("PriorityClass", "low", "value: 1"),
            "high",
        ),
        # The API server refuses a second one.
        (
            of_kind("PriorityClass", "high", "globalDefault: true")
            + of_kind("PriorityClass", "low", "globalDefault: true"),
            "high",
        ),
    ],
)
def test_the_default_priority_class(classes: str, default: str) -> None:
    assert plugins(classes).default_priority_class == default


def storage(name: str, annotations: str) -> str:
    metadata = f"{{name: {name}, annotations: {{{annotations}}}}}"
    return f"apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {metadata}\n---\n"


@pytest.mark.parametrize(
    ("classes", "default"),
    [
        (storage("gold", "storageclass.kubernetes.io/is-default-class: 'true'"), "gold"),
        (storage("gold", "storageclass.beta.kubernetes.io/is-default-class: 'true'"), "gold"),
        (storage("gold", "storageclass.kubernetes.io/is-default-class: 'false'"), ""),
        (storage("gold", "example.com/is-default-class: 'true'"), ""),
        (storage("gold", ""), ""),
        # Of two the last stands for the newest.
        (
            storage("gold", "storageclass.kubernetes.io/is-default-class: 'true'")
            + storage("iron", "storageclass.kubernetes.io/is-default-class: 'true'"),
            "iron",
        ),
    ],
)
def test_the_default_storage_class(classes: str, default: str) -> None:
    assert plugins(classes).default_storage_class == default


def test_limit_ranges_of_a_namespace_come_by_name() -> None:
    text = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: %s, namespace: %s}\nspec: {limits: []}\n"
    given = [("b", "shop"), ("a", "shop"), ("c", "other")]
    documents = read("---\n".join(text % each for each in given).encode()).documents
    listed = [obj for each in documents for obj in objects(each.value, Place("all.yaml"))]
    defaults = cluster_plugins(build_cluster([], discover_kinds([], "1.34")), map(limit_range, listed), "1.34")
    assert defaults.limit_ranges == ()
    assert [limits.name for limits in defaults.within("shop").limit_ranges] == ["a", "b"]
    assert defaults.within("shop").within("elsewhere").limit_ranges == ()


def test_extended_resources_of_device_classes_are_known_to_releases_that_charge_by_them() -> None:
    text = of_kind("DeviceClass", "gpu", "spec: {extendedResourceName: example.com/gpu}", "resource.k8s.io/v1")
    assert plugins(text, "1.34").extended_names is None
    assert plugins(text, "1.36").extended_names == {"gpu": "example.com/gpu"}


@pytest.mark.parametrize(
    ("written", "default", "priority_class"),
    [("", "high", "high"), ("low", "high", "low"), ("low", "", "low"), ("", "", "")],
)
def test_a_pod_without_a_priority_class_gets_the_default(written: str, default: str, priority_class: str) -> None:
    given = pod({"spec": {"priorityClassName": written}} if written else {"spec": {}})
    assert fill_priority(given, default).priority_class == priority_class


@pytest.mark.parametrize(
    ("spec", "default", "storage_class"),
    [
        ({}, "gold", "gold"),
        ({}, "", None),
        # The empty name says that no class is wanted.
        ({"storageClassName": ""}, "gold", ""),
        ({"storageClassName": "slow"}, "gold", "slow"),
    ],
)
def test_a_claim_that_names_no_class_gets_the_default(
    spec: dict[str, str], default: str, storage_class: str | None
) -> None:
    assert fill_class(claim({"spec": spec}), default).storage_class == storage_class


RUNTIME = of_kind("RuntimeClass", "vm", "overhead: {podFixed: {cpu: 250m}}", "node.k8s.io/v1") + of_kind(
    "RuntimeClass", "bare", "handler: runc", "node.k8s.io/v1"
)


@pytest.mark.parametrize(
    ("runtime_class", "overhead", "unknowns"),
    [
        ("vm", "cpu=250m", []),
        ("bare", "", []),
        ("", "", []),
        ("gone", "", ["names the RuntimeClass 'gone', which is not in view, so its overhead is not counted"]),
    ],
)
def test_a_pod_has_the_overhead_of_its_runtime_class(runtime_class: str, overhead: str, unknowns: list[str]) -> None:
    given = fill_overhead(pod({"spec": {"runtimeClassName": runtime_class}}), plugins(RUNTIME).overheads)
    assert (show(given.overhead), [unknown.reason for unknown in given.unknowns]) == (overhead, unknowns)


@pytest.mark.parametrize(
    ("runtime_class", "overhead", "words"),
    [
        ("vm", {}, ["pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"]),
        ("", {}, ["pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"]),
        ("gone", {}, []),
        ("vm", {"cpu": "0.25"}, []),
        ("vm", {"cpu": "1"}, ["pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"]),
        ("vm", {"cpu": "${CPU}"}, []),
        ("bare", {"cpu": "1"}, ["pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"]),
        ("", {"cpu": "1"}, ["pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"]),
        ("gone", {"cpu": "1"}, []),
    ],
)
def test_an_overhead_is_that_of_the_class_or_none(
    runtime_class: str, overhead: dict[str, str], words: list[str]
) -> None:
    body = {"spec": {"runtimeClassName": runtime_class, "overhead": overhead}}
    assert [error.detail for error in overhead_errors(body, pod(body), plugins(RUNTIME).overheads)] == words


CLASSES = of_kind("PriorityClass", "high", "value: 1000") + of_kind(
    "PriorityClass", "shy", "value: 1\npreemptionPolicy: Never"
)
ODD_CLASSES = of_kind("PriorityClass", "odd", "value: '${VALUE}'") + of_kind("PriorityClass", "live", "")


@pytest.mark.parametrize(
    ("name", "fields", "refused"),
    [
        ("high", {}, []),
        ("high", {"priority": 1000, "preemptionPolicy": "PreemptLowerPriority"}, []),
        ("high", {"priority": 0}, ["the integer value of priority (0) must not be provided in pod spec; priority"]),
        ("high", {"priority": "${VALUE}", "preemptionPolicy": "${POLICY}"}, []),
        ("shy", {"preemptionPolicy": "Never"}, []),
        ("shy", {"preemptionPolicy": "PreemptLowerPriority"}, ["the string value of PreemptionPolicy (Preempt"]),
        ("system-node-critical", {"priority": 2000001000}, []),
        ("system-node-critical", {"priority": 2000000000}, ["the integer value of priority (2000000000) must not"]),
        # Of these nobody here knows the value.
        ("odd", {"priority": 5}, []),
        ("live", {"priority": 5}, []),
        ("gone", {"priority": 5}, []),
        # Without a class it is 0.
        ("", {"priority": 5}, ["the integer value of priority (5) must not be provided in pod spec; priority"]),
        ("", {"priority": 0}, []),
    ],
)
def test_a_pod_has_the_priority_of_its_class(name: str, fields: dict[str, object], refused: list[str]) -> None:
    errors = tuple(priority_errors({"spec": fields}, plugins(CLASSES + ODD_CLASSES).priorities.get(name)))
    assert [error.detail[: len(words)] for error, words in zip(errors, refused, strict=True)] == refused


POOL = of_kind(
    "RuntimeClass", "vm", "scheduling: {nodeSelector: {pool: vm, disk: ssd, zone: '${ZONE}'}}", "node.k8s.io/v1"
)


@pytest.mark.parametrize(
    ("runtime_class", "selector", "refused"),
    [
        ("vm", {}, []),
        ("vm", {"pool": "vm", "arch": "arm64"}, []),
        ("vm", {"zone": "a"}, []),
        ("vm", {"pool": "${POOL}"}, []),
        (
            "vm",
            {"pool": "web"},
            ["conflict: runtimeClass.scheduling.nodeSelector[pool] = vm; pod.spec.nodeSelector[pool] = web"],
        ),
        ("gone", {"pool": "web"}, []),
        ("", {"pool": "web"}, []),
    ],
)
def test_a_pod_runs_where_its_runtime_class_does(
    runtime_class: str, selector: dict[str, str], refused: list[str]
) -> None:
    errors = selector_errors({"spec": {"nodeSelector": selector}}, plugins(POOL).node_selectors.get(runtime_class))
    assert [error.detail for error in errors] == refused


def test_an_overhead_that_is_not_known_is_said_with_its_class() -> None:
    text = of_kind("RuntimeClass", "vm", "overhead: {podFixed: {cpu: '${CPU}'}}", "node.k8s.io/v1")
    given = fill_overhead(pod({"spec": {"runtimeClassName": "vm"}}), plugins(text).overheads)
    (unknown,) = given.unknowns
    assert (show(given.overhead), unknown.reason.startswith("of RuntimeClass vm ")) == ("", True)


def test_the_default_that_a_cluster_has_stays(workspace: Workspace) -> None:
    """A snapshot shows it, and the one of the repository is refused."""
    entry = "{operator: In, scopeName: PriorityClass, values: [live]}"
    limited = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: shop}\nspec:\n  hard: {pods: '1'}\n"
    limited += f"  scopeSelector: {{matchExpressions: [{entry}]}}\n"
    default = "value: 1\nglobalDefault: true"
    workspace.put({"quota.yaml": limited, "web.yaml": web(2, "shop"), "a.yaml": of_kind("PriorityClass", "a", default)})
    live = of_kind("PriorityClass", "live", default)
    (workspace.folder.parent / "live.yaml").write_text(live)
    findings = workspace.report("check", "--with", "../live.yaml")["findings"]
    assert "QL301" in {finding["rule"] for finding in findings}
