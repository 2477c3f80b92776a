"""Containers that a webhook adds to pods: what they ask for is not in view, so sums are lower bounds."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import Case, checked, expected, outcome, params
from manifests import quota, web

from quotalint.workloads.injected_sidecars import injected_amounts

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, %s}\n"
QUOTA = quota("shop", hard="pods: 8, requests.cpu: 4")
WEB = web(2, "shop", cpu="100m")


def _marked(text: str, marks: str) -> str:
    return text.replace("labels: {app: web}}", f"labels: {{app: web}}, {marks}}}")


def _repository(namespace: str = "", web_text: str = WEB) -> dict[str, str]:
    described = {"ns.yaml": NAMESPACE % namespace} if namespace else {}
    return {"quota.yaml": QUOTA, "web.yaml": web_text, **described}


PLAIN = ("shop/base pods 2/8 exact", "shop/base requests.cpu 200m/4 exact")
INJECTED = ("shop/base pods 2/8 exact", "shop/base requests.cpu 200m/4 at-least")
OFF = _marked(WEB, "annotations: {sidecar.istio.io/inject: 'false'}")
CASES = (
    Case("Istio by its namespace", _repository("labels: {istio-injection: enabled}"), INJECTED),
    Case("a revision of Istio", _repository("labels: {istio.io/rev: stable}"), INJECTED),
    Case(
        "a revision where injection is off",
        _repository("labels: {istio.io/rev: stable, istio-injection: disabled}"),
        PLAIN,
    ),
    Case("a mesh without sidecars", _repository("labels: {istio.io/dataplane-mode: ambient}"), PLAIN),
    Case("Linkerd by its namespace", _repository("annotations: {linkerd.io/inject: enabled}"), INJECTED),
    Case("a pod that is left alone", _repository("labels: {istio-injection: enabled}", OFF), PLAIN),
    Case(
        "a pod that says what the sidecar asks for",
        _repository(
            "labels: {istio-injection: enabled}",
            WEB.replace(
                "containers: [", "containers: [{name: istio-proxy, image: auto, resources: {requests: {cpu: 10m}}}, "
            ),
        ),
        ("shop/base pods 2/8 exact", "shop/base requests.cpu 220m/4 exact"),
    ),
    Case(
        "a pod whose annotations say it to Istio",
        _repository(
            "labels: {istio-injection: enabled}", _marked(WEB, "annotations: {sidecar.istio.io/proxyCPU: 50m}")
        ),
        ("shop/base pods 2/8 exact", "shop/base requests.cpu 300m/4 exact"),
    ),
    Case(
        "a pod whose annotations say only a part of it to Linkerd",
        _repository(
            "annotations: {linkerd.io/inject: enabled}",
            _marked(WEB, "annotations: {config.linkerd.io/proxy-cpu-request: 50m}"),
        ),
        INJECTED,
    ),
    Case(
        "a pod whose annotations say all of it to Linkerd",
        _repository(
            "annotations: {linkerd.io/inject: enabled}",
            _marked(
                WEB,
                "annotations: {config.linkerd.io/proxy-cpu-request: 50m, config.linkerd.io/proxy-cpu-limit: 1, "
                "config.linkerd.io/proxy-memory-request: 1Gi, config.linkerd.io/proxy-memory-limit: 1Gi}",
            ),
        ),
        ("shop/base pods 2/8 exact", "shop/base requests.cpu 300m/4 exact"),
    ),
    Case("Dapr by the pod", _repository(web_text=_marked(WEB, "annotations: {dapr.io/enabled: 'true'}")), INJECTED),
)


@pytest.mark.parametrize("case", params(CASES))
def test_what_a_user_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


def test_what_one_mesh_adds_to_all_pods_is_one_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = _repository("labels: {istio-injection: enabled}") | {"api.yaml": web(2, "shop", "api", cpu="100m")}
    files["quota.yaml"] = quota("shop", hard="requests.cpu: 4, requests.memory: 8Gi")
    (facts,) = checked(tmp_path, files, monkeypatch).environments
    reasons = {reason for projection in facts.projections for reason in projection.unknowns}
    assert reasons == {"Istio adds a container istio-proxy to pods, and what that asks for is not in view"}


def test_pods_in_the_network_of_their_node_get_none() -> None:
    pod = {"spec": {"containers": [{"name": "app"}]}}
    assert [unknown.path[-1] for unknown in injected_amounts(pod, ("Istio",))] == ["cpu", "memory"] * 2
    assert injected_amounts({"spec": {**pod["spec"], "hostNetwork": True}}, ("Istio",)) == ()


@pytest.mark.parametrize(
    "metadata", [None, 3, {"labels": 3}, {"annotations": [1]}, {"labels": {"linkerd.io/inject": {}}}]
)
def test_whatever_stands_there_is_read(metadata: object) -> None:
    assert injected_amounts({"metadata": metadata, "spec": {"containers": 3}}, ()) == ()
