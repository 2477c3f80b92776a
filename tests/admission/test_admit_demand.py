"""A demand on its way through admission: what is filled in, what is refused, and whether its manifest is already."""

from __future__ import annotations

import pytest
import yaml

from quotalint.admission import Admitted, admit_demand, template_errors
from quotalint.admission.plugins import Plugins, cluster_plugins
from quotalint.kube.claim import Claim, DeviceClaim
from quotalint.kube.cluster import build_cluster
from quotalint.kube.discovery import discover_kinds
from quotalint.kube.limit_range import limit_range
from quotalint.kube.objects import Object, objects
from quotalint.kube.pod import Pod
from quotalint.kube.releases import release
from quotalint.kube.resource_list import show
from quotalint.settings import Nodes
from quotalint.text.place import Place
from quotalint.workloads.demand import Demand
from quotalint.workloads.namespace_contents import demands


def demanded(kind: str, manifest: str) -> Demand:
    """The one demand of this kind that a manifest makes."""
    (obj,) = objects(yaml.safe_load(manifest), Place("a.yaml"))
    (demand,) = (each for each in demands([obj], Nodes(None)) if each.kind == kind and each.owner is not None)
    return demand


def plugins(*limits: str) -> Plugins:
    """Of a namespace with LimitRanges l0, l1, … of one item each."""
    listed: list[Object] = []
    for number, item in enumerate(limits):
        spec = {"limits": [yaml.safe_load(item)]}
        body = {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": f"l{number}", "namespace": "shop"}}
        listed += objects({**body, "spec": spec}, Place("l.yaml", number))
    view = build_cluster(listed, discover_kinds(listed, "1.34"))
    return cluster_plugins(view, map(limit_range, listed), "1.34").within("shop")


def workload(resources: str, kind: str = "Deployment", group: str = "apps/v1") -> str:
    template = f"{{spec: {{containers: [{{name: c, resources: {resources}}}]}}}}"
    spec = template[1:-1] if kind == "Pod" else f"spec: {{replicas: 1, template: {template}}}"
    return f"{{apiVersion: {group}, kind: {kind}, metadata: {{name: w}}, {spec}}}"


def amounts(admitted: Admitted) -> tuple[str, str]:
    assert isinstance(admitted.item, Pod)
    (container,) = admitted.item.containers
    return show(container.requests), show(container.limits)


TOO_MUCH = "{requests: {cpu: 2}, limits: {cpu: 1}}"
UNREADABLE = "{requests: {cpu: 1 2}}"


@pytest.mark.parametrize(
    ("manifest", "fields", "as_written"),
    [
        (workload("{requests: {cpu: 1}, limits: {cpu: 1}}"), [], False),
        # Of an amount that is not known here nothing is said.
        (workload("{requests: {cpu: '${CPU}'}}"), [], False),
        # The template is validated with the Deployment that it stands in.
        (workload(TOO_MUCH), ["spec.containers[0].resources.requests"], True),
        (workload(UNREADABLE), ["spec.containers[0].resources.requests[cpu]"], True),
        # A pod is defaulted before it is validated; only what cannot be decoded is refused as it is written.
        (workload(TOO_MUCH, "Pod", "v1"), ["spec.containers[0].resources.requests"], False),
        (workload(UNREADABLE, "Pod", "v1"), ["spec.containers[0].resources.requests[cpu]"], True),
        # Of a kind that is not Kubernetes' own it knows no template: the pods are refused.
        (
            workload(TOO_MUCH, "Rollout", "argoproj.io/v1alpha1"),
            ["spec.containers[0].resources.requests"],
            False,
        ),
    ],
)
def test_what_is_refused_and_whether_with_its_manifest(manifest: str, fields: list[str], as_written: bool) -> None:
    admitted = admit_demand(demanded("Pod", manifest), plugins())
    assert ([invalid.field for invalid in admitted.invalid], admitted.as_written) == (fields, as_written)
    assert [invalid.decoding for invalid in admitted.invalid] == [UNREADABLE in manifest] * len(fields)


@pytest.mark.parametrize("pods", [{"owner": None}, {"grown": True}])
def test_pods_that_no_template_stands_for(pods: dict[str, object]) -> None:
    demand = demanded("Pod", workload(TOO_MUCH))
    admitted = admit_demand(demand, plugins())
    assert isinstance(admitted.item, Pod)
    other = demand._replace(**pods)  # type: ignore[arg-type]
    assert template_errors(other, admitted.item, admitted.invalid, plugins().release) == ()


REQUEST_ONLY = "{type: Container, defaultRequest: {cpu: 2}, default: {memory: 1Gi}}"
LIMIT_TOO = "{type: Container, default: {cpu: 1, memory: 2Gi}}"


@pytest.mark.parametrize(
    ("resources", "limits", "filled", "refused"),
    [
        # The first LimitRange fills in, and the second what is still missing.
        ("{}", ("{type: Container, default: {cpu: 1}}",) * 2, ("cpu=1", "cpu=1"), False),
        ("{requests: {cpu: 1}}", (REQUEST_ONLY, LIMIT_TOO), ("cpu=1,memory=1Gi", "cpu=1,memory=1Gi"), False),
        # A request of one and a limit of the other do not fit; in the other order they do, and nobody knows the order.
        ("{}", (REQUEST_ONLY, LIMIT_TOO), ("cpu=1,memory=2Gi", "cpu=1,memory=2Gi"), False),
        (
            "{}",
            (
                "{type: Container, defaultRequest: {cpu: 2}, default: {ephemeral-storage: 1}}",
                "{type: Container, default: {cpu: 1}}",
            ),
            ("cpu=1,ephemeral-storage=1", "cpu=1,ephemeral-storage=1"),
            False,
        ),
        # What is wrong in both orders stays as it is in the first.
        (TOO_MUCH, (REQUEST_ONLY, LIMIT_TOO), ("cpu=2,memory=1Gi", "cpu=1,memory=1Gi"), True),
    ],
)
def test_limit_ranges_in_an_order_that_nobody_knows(
    resources: str, limits: tuple[str, ...], filled: tuple[str, str], refused: bool
) -> None:
    admitted = admit_demand(demanded("Pod", workload(resources, "Pod", "v1")), plugins(*limits))
    assert (amounts(admitted), bool(admitted.invalid)) == (filled, refused)


ONE, HALF = "{type: Container, default: {cpu: 1}}", "{type: Container, default: {cpu: 500m, memory: 1Gi}}"
THIRD = "{type: Container, default: {cpu: 200m}}"


@pytest.mark.parametrize(
    ("resources", "limits", "filled", "unknown"),
    [
        # The same from either, and what only one of them fills in, is known.
        ("{}", (ONE, ONE), ("cpu=1", "cpu=1"), {}),
        ("{limits: {cpu: 2}}", (ONE, HALF), ("cpu=2,memory=1Gi", "cpu=2,memory=1Gi"), {}),
        # What differs is the least, from either side.
        *(
            (
                "{}",
                order,
                ("cpu=500m,memory=1Gi", "cpu=500m,memory=1Gi"),
                {"limits.cpu": "l0 or of LimitRange l1", "requests.cpu": "l0 or of LimitRange l1"},
            )
            for order in ((ONE, HALF), (HALF, ONE))
        ),
        # The one in the middle may come first as well.
        (
            "{requests: {cpu: 100m}}",
            (ONE, THIRD, HALF),
            ("cpu=100m,memory=1Gi", "cpu=200m,memory=1Gi"),
            {"limits.cpu": "l0 or of LimitRange l1 or of LimitRange l2"},
        ),
        # In the order in which it breaks a bound there is no pod.
        ("{}", (ONE, "{type: Container, max: {cpu: 500m}}"), ("cpu=500m", "cpu=500m"), {}),
        # A placeholder may be less than anything.
        (
            "{}",
            (ONE, "{type: Container, default: {cpu: '${CPU}'}}"),
            ("", ""),
            {"limits.cpu": "l0, whichever", "requests.cpu": "l0, whichever"},
        ),
    ],
)
def test_defaults_that_differ_are_not_known(
    resources: str, limits: tuple[str, ...], filled: tuple[str, str], unknown: dict[str, str]
) -> None:
    admitted = admit_demand(demanded("Pod", workload(resources)), plugins(*limits))
    assert (amounts(admitted), admitted.violations) == (filled, ())
    reasons = {".".join(map(str, amount.path[-2:])): amount.reason for amount in admitted.unknowns}
    assert reasons.keys() == unknown.keys()
    assert all(words in reasons[field] for field, words in unknown.items())


def test_the_least_default_is_said_to_come_from_where_it_stands() -> None:
    item = admit_demand(demanded("Pod", workload("{}")), plugins(ONE, HALF)).item
    assert isinstance(item, Pod)
    assert {(each.field, each.resource, each.plugin) for each in item.filled} == {
        (field, resource, "LimitRange l1") for field in ("limits", "requests") for resource in ("cpu", "memory")
    }


def test_pods_and_claims_outside_the_bounds() -> None:
    namespace_plugins = plugins(
        "{type: Container, max: {cpu: 1}}", "{type: PersistentVolumeClaim, max: {storage: 1Gi}}"
    )
    pod = admit_demand(demanded("Pod", workload("{limits: {cpu: 2}}")), namespace_plugins)
    claim = admit_demand(
        demanded(
            "PersistentVolumeClaim",
            "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, "
            "spec: {resources: {requests: {storage: 2Gi}}}}",
        ),
        namespace_plugins._replace(default_storage_class="gold"),
    )
    assert [violation.limit_range for violation in pod.violations] == ["l0"]
    assert [violation.limit_range for violation in claim.violations] == ["l1"]
    assert isinstance(claim.item, Claim)
    assert claim.item.storage_class == "gold"


def test_other_kinds_are_what_is_written() -> None:
    devices = "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: d}}"
    settings = "{apiVersion: v1, kind: ConfigMap, metadata: {name: d}, data: {a: b}}"
    assert isinstance(admit_demand(demanded("ResourceClaim", devices), plugins()).item, DeviceClaim)
    demand = demanded("ConfigMap", settings)
    assert admit_demand(demand, plugins()).item is demand.body


@pytest.mark.parametrize(
    ("manifest", "field", "as_written"),
    [
        ("{apiVersion: v1, kind: Pod, metadata: {name: w}, spec: {activeDeadlineSeconds: 0}}", "spec.active", False),
        (
            "{apiVersion: batch/v1, kind: Job, metadata: {name: w}, "
            "spec: {template: {spec: {activeDeadlineSeconds: 0}}}}",
            "spec.active",
            True,
        ),
        (
            "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: w}, spec: {template: {spec: "
            "{containers: [{name: c, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}}}}",
            "spec.containers[0].resources.requests",
            True,
        ),
        (
            "{apiVersion: apps/v1, kind: Deployment, metadata: {name: w}, "
            "spec: {template: {spec: {priorityClassName: system-node-critical, priority: 5}}}}",
            "spec.priority",
            False,
        ),
    ],
)
def test_validation_refuses_a_template_and_plugins_its_pods(manifest: str, field: str, as_written: bool) -> None:
    admitted = admit_demand(demanded("Pod", manifest), plugins())
    (error,) = admitted.invalid
    assert (error.field.startswith(field), admitted.as_written, error.by_plugin) == (
        True,
        as_written,
        field == "spec.priority",
    )


@pytest.mark.parametrize(
    ("kind", "spec", "template", "fields"),
    [
        ("Deployment", "selector: {matchLabels: {a: b}}", "metadata: {labels: {a: b, c: d}}", []),
        ("Deployment", "selector: {matchLabels: {a: b}}", "metadata: {labels: {a: c}}", ["metadata.labels"]),
        ("Deployment", "selector: {matchLabels: {a: '${A}'}}", "metadata: {labels: {a: c}}", []),
        ("Deployment", "selector: {matchLabels: {a: b}}", "metadata: {labels: {a: '${A}'}}", []),
        # Reports hold workloads without the labels of their templates.
        ("Deployment", "selector: {matchLabels: {a: b}}", "metadata: {}", []),
        ("DaemonSet", "selector: {}", "metadata: {labels: {a: b}}", ["spec.selector"]),
        ("DaemonSet", "replicas: 1", "metadata: {labels: {a: b}}", ["metadata.labels"]),
        ("StatefulSet", "replicas: 1", "spec: {restartPolicy: OnFailure}", ["spec.restartPolicy"]),
        ("ReplicaSet", "replicas: 1", "spec: {activeDeadlineSeconds: 9}", ["spec.activeDeadlineSeconds"]),
        ("Deployment", "replicas: 1", "spec: {restartPolicy: '${POLICY}', activeDeadlineSeconds: null}", []),
    ],
)
def test_a_workload_is_refused_with_a_template_that_does_not_go_with_it(
    kind: str, spec: str, template: str, fields: list[str]
) -> None:
    manifest = (
        f"{{apiVersion: apps/v1, kind: {kind}, metadata: {{name: w}}, spec: {{{spec}, template: {{{template}}}}}}}"
    )
    admitted = admit_demand(demanded("Pod", manifest), plugins())
    assert ([invalid.field for invalid in admitted.invalid], admitted.as_written) == (fields, bool(fields))


def test_versions_that_no_server_has_any_more_select_by_the_labels_of_the_template() -> None:
    template = "{metadata: {labels: {a: b}}, spec: {containers: [{name: c}]}}"
    manifest = f"{{apiVersion: apps/v1beta1, kind: Deployment, metadata: {{name: w}}, spec: {{template: {template}}}}}"
    assert admit_demand(demanded("Pod", manifest), plugins()).invalid == ()


LABELLED = "selector: {matchLabels: {a: b}}, "


@pytest.mark.parametrize(
    ("head", "more", "fields"),
    [
        ("apiVersion: apps/v1, kind: Deployment", LABELLED, ["spec.containers[0].volumeMounts[0].name"]),
        # A patch that nothing refers to has no selector.
        ("apiVersion: apps/v1, kind: Deployment", "", []),
        ("apiVersion: apps/v1, kind: StatefulSet", LABELLED, ["spec.containers[0].volumeMounts[0].name"]),
        # A StatefulSet gives its pods the volumes of their claims.
        (
            "apiVersion: apps/v1, kind: StatefulSet",
            f"{LABELLED}volumeClaimTemplates: [{{metadata: {{name: v}}}}], ",
            [],
        ),
        (
            "apiVersion: apps/v1, kind: StatefulSet",
            f"{LABELLED}volumeClaimTemplates: [{{metadata: {{name: '${{NAME}}'}}}}], ",
            [],
        ),
        # What a custom resource says of pods is not yet all that they have.
        ("apiVersion: argoproj.io/v1alpha1, kind: Rollout", LABELLED, []),
    ],
)
def test_volumes_that_are_not_there(head: str, more: str, fields: list[str]) -> None:
    template = "{metadata: {labels: {a: b}}, spec: {containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}]}]}}"
    manifest = f"{{{head}, metadata: {{name: w}}, spec: {{{more}template: {template}}}}}"
    if not more:
        manifest = manifest.replace("{metadata: {labels: {a: b}}, ", "{")
    assert [error.field for error in admit_demand(demanded("Pod", manifest), plugins()).invalid] == fields


@pytest.mark.parametrize(("kube_version", "as_written"), [("1.33", False), ("1.34", True)])
def test_since_when_the_template_of_a_stateful_set_is_validated(kube_version: str, as_written: bool) -> None:
    containers = "[{name: c, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]"
    manifest = (
        f"{{apiVersion: apps/v1, kind: StatefulSet, metadata: {{name: w}}, spec: {{{LABELLED}"
        f"template: {{metadata: {{labels: {{a: b}}}}, spec: {{containers: {containers}}}}}}}}}"
    )
    admitted = admit_demand(demanded("Pod", manifest), plugins()._replace(release=release(kube_version)))
    assert [error.field for error in admitted.invalid] == ["spec.containers[0].resources.requests"]
    assert admitted.as_written is as_written


@pytest.mark.parametrize(("claim", "fields"), [("data", []), ("logs", ["spec.volumes[1].name"])])
def test_a_volume_that_a_claim_replaces_may_stand_there_twice(claim: str, fields: list[str]) -> None:
    """StatefulSetPodControl puts the volume of a claim in place of all volumes of its name."""
    spec = "{volumes: [{name: data}, {name: data}], containers: [{name: c}]}"
    manifest = (
        f"{{apiVersion: apps/v1, kind: StatefulSet, metadata: {{name: w}}, spec: {{{LABELLED}"
        f"volumeClaimTemplates: [{{metadata: {{name: {claim}}}}}], "
        f"template: {{metadata: {{labels: {{a: b}}}}, spec: {spec}}}}}}}"
    )
    assert [error.field for error in admit_demand(demanded("Pod", manifest), plugins()).invalid] == fields
