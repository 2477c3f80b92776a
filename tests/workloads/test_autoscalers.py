"""Bounds of autoscalers: several of one workload, and bounds that nobody knows."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest
from gitops_outcome import checked, outcome, unknowns
from hypothesis import given
from hypothesis import strategies as st
from manifests import quota, web
from workspace import Workspace

from quotalint.kube.objects import Object
from quotalint.text.place import Place
from quotalint.workloads.autoscalers import autoscalers


def scaler(name: str, low: object, high: object, kind: str = "HorizontalPodAutoscaler") -> Object:
    more = "s" if kind == "HorizontalPodAutoscaler" else "Count"
    fields = (f"minReplica{more}", f"maxReplica{more}")
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
    spec = {"scaleTargetRef": target, **dict(zip(fields, (low, high), strict=True))}
    group = "autoscaling" if kind == "HorizontalPodAutoscaler" else "keda.sh"
    return Object(group, "v1", kind, "shop", name, {"spec": spec}, Place(f"{name}.yaml"))


bounds = st.integers(0, 9)
pairs = st.tuples(bounds, bounds, st.sampled_from(("HorizontalPodAutoscaler", "ScaledObject")))


@given(st.lists(pairs, min_size=1, max_size=3))
def test_the_order_of_autoscalers_changes_nothing(given_bounds: list[tuple[int, int, str]]) -> None:
    scalers = [scaler(f"s{number}", *given_bound) for number, given_bound in enumerate(given_bounds)]
    (bounds, *others) = (autoscalers(order).get(("Deployment", "web")) for order in permutations(scalers))
    assert all(other == bounds for other in others)
    accepted = [(low, high) for low, high, _ in given_bounds if low <= high]
    assert (bounds is None) == (not accepted), "one whose maximum is below its minimum moves nothing"
    if bounds is not None:
        assert bounds.minimum == max(low for low, _ in accepted)
        assert bounds.maximum == max(high for _, high in accepted)


def scaling(version: str, kind: str = "HorizontalPodAutoscaler") -> Object:
    made = scaler("s", 2, 4, kind)
    target = {"apiVersion": version, "kind": "Deployment", "name": "web"}
    return made._replace(body={"spec": {**made.spec, "scaleTargetRef": target}})


@pytest.mark.parametrize(
    ("version", "finds"),
    [
        ("apps/v1", True),
        ("apps/v1beta1", True),
        ("${VERSION}", True),
        ("extensions/v1beta1", False),
        ("v1", False),
        ("", False),
    ],
)
def test_an_autoscaler_finds_what_is_in_the_group_that_it_names(version: str, finds: bool) -> None:
    assert bool(autoscalers([scaling(version)])) == finds


def test_keda_looks_in_apps_where_no_group_is_named() -> None:
    assert autoscalers([scaling("", "ScaledObject")])


HTTP = """
apiVersion: http.keda.sh/v1alpha1
kind: HTTPScaledObject
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {name: web, service: web, port: 80}
  replicas:
    max: 9
"""
MADE_OF_IT = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web, namespace: shop}
spec: {scaleTargetRef: {name: web}, maxReplicaCount: 9}
"""


def http_scaled(replicas: dict[str, int], skipped: str = "false") -> Object:
    metadata = {"annotations": {"httpscaledobject.keda.sh/skip-scaledobject-creation": skipped}}
    spec = {"scaleTargetRef": {"name": "web", "service": "web", "port": 80}, "replicas": replicas}
    place, body = Place("http.yaml"), {"metadata": metadata, "spec": spec}
    return Object("http.keda.sh", "v1alpha1", "HTTPScaledObject", "shop", "http", body, place)


def _annotated(obj: Object) -> Object:
    """An object with an annotation that only HTTPScaledObjects have a use for."""
    metadata = {"annotations": {"httpscaledobject.keda.sh/skip-scaledobject-creation": "true"}}
    return obj._replace(body={**obj.body, "metadata": metadata})


@pytest.mark.parametrize(
    ("scalers", "expected"),
    [
        ([http_scaled({"min": 2, "max": 5})], (2, 5)),
        ([http_scaled({})], (0, 100)),
        ([http_scaled({"max": 5}, skipped="true")], None),
        ([http_scaled({"max": 5}, skipped="true"), scaler("http", 1, 3, "ScaledObject")], (1, 3)),
        ([http_scaled({"max": 5}), scaler("keda-hpa-http", 1, 9)], (0, 5)),
        ([_annotated(scaler("s", 1, 3, "ScaledObject"))], (1, 3)),
    ],
)
def test_the_bounds_of_an_http_scaled_object(scalers: list[Object], expected: tuple[int, int] | None) -> None:
    bounds = autoscalers(scalers).get(("Deployment", "web"))
    assert (bounds and (bounds.minimum, bounds.maximum)) == expected


@pytest.mark.parametrize("more", ["", MADE_OF_IT])
def test_an_http_scaled_object_is_one_autoscaler_with_a_maximum(workspace: Workspace, more: str) -> None:
    workspace.put({"quota.yaml": quota("shop"), "web.yaml": web(2, "shop"), "http.yaml": HTTP, "more.yaml": more})
    (finding,) = workspace.report("check")["findings"]
    assert (finding["rule"], finding["file"], finding["line"]) == ("QL304", "http.yaml", 7)


@pytest.mark.parametrize(
    ("paused", "moves"), [("true", False), ("True", False), ("yes", False), ("", False), ("false", True), ("0", True)]
)
def test_a_scaled_object_that_is_paused_moves_nothing(paused: str, moves: bool) -> None:
    keda = scaler("s", 2, 4, "ScaledObject")
    metadata = {"annotations": {"autoscaling.keda.sh/paused": paused}}
    assert bool(autoscalers([keda._replace(body={**keda.body, "metadata": metadata})])) == moves


DISABLED = {"behavior": {"scaleUp": {"selectPolicy": "Disabled"}}}


@pytest.mark.parametrize(
    ("kind", "fields", "annotations"),
    [
        ("HorizontalPodAutoscaler", DISABLED, {}),
        ("ScaledObject", {"advanced": {"horizontalPodAutoscalerConfig": DISABLED}}, {}),
        ("ScaledObject", {}, {"autoscaling.keda.sh/paused-scale-out": "true"}),
    ],
)
def test_what_may_not_scale_up_never_brings_its_target_to_the_maximum(
    kind: str, fields: dict[str, object], annotations: dict[str, str], workspace: Workspace
) -> None:
    scaling = scaler("web", 3, 20, kind)
    version = "autoscaling/v2" if kind == "HorizontalPodAutoscaler" else "keda.sh/v1alpha1"
    spec = {**scaling.spec, **fields}
    metadata = {"name": "web", "namespace": "shop", "annotations": annotations}
    text = json.dumps({"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec})
    workspace.put({"quota.yaml": quota("shop"), "web.yaml": web(2, "shop"), "scaler.json": text})
    report = workspace.report("check")
    (entry,) = (row for table in report["quotas"] for row in table["resources"] if row["resource"] == "pods")
    assert (entry["steady"], entry["peak"]) == ("3", "4")
    assert not [finding for finding in report["findings"] if finding["rule"] == "QL304"]


RUNTIME = """
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: kata}
handler: kata
overhead: {podFixed: {cpu: "${OVERHEAD}", memory: 10Mi}}
"""
VERTICAL = """
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  resourcePolicy: {containerPolicies: [{containerName: "*", maxAllowed: {cpu: "${MOST}", memory: 1Gi}}]}
"""
HARD = 'requests.cpu: "8", requests.memory: 8Gi, pods: "8"'


def test_an_overhead_that_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandboxed = web(2, "shop", cpu="100m").replace("spec: {containers", "spec: {runtimeClassName: kata, containers")
    files = {"quota.yaml": quota("shop", hard=HARD), "web.yaml": sandboxed, "class.yaml": RUNTIME}
    assert outcome(tmp_path, files, monkeypatch).quotas == [
        "shop/base pods 2/8 exact",
        "shop/base requests.cpu 200m/8 at-least",
        "shop/base requests.memory 20Mi/8Gi exact",
    ]


def test_what_is_said_of_an_overhead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandboxed = web(2, "shop", cpu="100m").replace("spec: {containers", "spec: {runtimeClassName: kata, containers")
    files = {"quota.yaml": quota("shop", hard=HARD), "web.yaml": sandboxed, "class.yaml": RUNTIME}
    assert unknowns(checked(tmp_path, files, monkeypatch)) == {
        "shop/base requests.cpu": (
            "Deployment web: spec.overhead.cpu of RuntimeClass kata is the placeholder '${OVERHEAD}'",
        )
    }


def test_a_largest_size_that_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"quota.yaml": quota("shop", hard=HARD), "web.yaml": web(2, "shop", cpu="100m"), "vpa.yaml": VERTICAL}
    assert unknowns(checked(tmp_path, files, monkeypatch)) == {
        "shop/base requests.cpu": (
            "Deployment web: spec.containers.0.resources.requests.cpu may be raised by VerticalPodAutoscaler web, "
            "whose maxAllowed is the placeholder '${MOST}'",
        )
    }


@pytest.mark.parametrize("field", ["minReplicas", "maxReplicas"])
def test_bounds_that_are_not_known(field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = {"minReplicas": "1", "maxReplicas": "3", field: '"${N}"'}
    hpa = (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: shop}\nspec:\n"
        "  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n"
        + "".join(f"  {name}: {value}\n" for name, value in spec.items())
    )
    files = {"quota.yaml": quota("shop"), "web.yaml": web(2, "shop"), "hpa.yaml": hpa}
    (reason,) = unknowns(checked(tmp_path, files, monkeypatch))["shop/base pods"]
    assert reason == f"HorizontalPodAutoscaler web: {field} is the placeholder '${{N}}'"


@pytest.mark.parametrize(
    ("kinds", "pods"),
    [
        (("HorizontalPodAutoscaler",), "0/8"),
        (("ScaledObject",), "3/8"),  # KEDA starts what is at zero itself
        (("HorizontalPodAutoscaler", "ScaledObject"), "3/8"),
    ],
)
def test_a_workload_that_is_switched_off(
    kinds: tuple[str, ...], pods: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scalers = [scaler(kind.lower(), 3, 6, kind) for kind in kinds]
    versions = {"HorizontalPodAutoscaler": "autoscaling/v2", "ScaledObject": "keda.sh/v1alpha1"}
    written = [
        {
            "apiVersion": versions[obj.kind],
            "kind": obj.kind,
            "metadata": {"name": obj.name, "namespace": "shop"},
            "spec": obj.body["spec"],
        }
        for obj in scalers
    ]
    files = {
        "quota.yaml": quota("shop"),
        "web.yaml": web(0, "shop"),
        **{f"{number}.json": json.dumps(item) for number, item in enumerate(written)},
    }
    assert outcome(tmp_path, files, monkeypatch).quotas == [f"shop/base pods {pods} exact"]
