"""Flagger's Canary."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import Four, Manifest, made, manifest, pods, scaler, template, unknowns


def canary(kind: str = "Deployment", **spec: Any) -> Manifest:
    return manifest("Canary", "flagger.app/v1beta1", {"targetRef": {"kind": kind, "name": "w"}, **spec})


def deployment(replicas: object = None, **spec: Any) -> Manifest:
    written = {} if replicas is None else {"replicas": replicas}
    return manifest("Deployment", "apps/v1", {**written, "template": template(), **spec})


COPIED: dict[str, Any] = {"autoscalerRef": {"kind": "HorizontalPodAutoscaler", "name": "w"}}
FEWER: dict[str, Any] = {
    "autoscalerRef": {**COPIED["autoscalerRef"], "primaryScalerReplicas": {"minReplicas": 1, "maxReplicas": 5}}
}
HALF: dict[str, Any] = {"strategy": {"rollingUpdate": {"maxSurge": "50%", "maxUnavailable": 1}}}


@pytest.mark.parametrize(
    ("manifests", "expected"),
    [
        # settled, a change, at the maximum, both
        pytest.param([canary(), deployment()], (1, 1 + 1 + 1, 1, 1 + 1 + 1), id="one replica by default"),
        pytest.param([canary(), deployment(4)], (4, 4 + 4 + 1, 4, 4 + 4 + 1 + 1), id="the primary surges too"),
        pytest.param([canary(), deployment(4, **HALF)], (4, 4 + 4 + 2, 4, 4 + 4 + 2 + 1), id="as far as it may"),
        pytest.param(
            [canary(), deployment(4, strategy={"type": "Recreate"})], (4, 8, 4, 8), id="Recreate never surges"
        ),
        pytest.param([canary(), deployment(0)], (1, 3, 1, 3), id="0 is what Flagger sets it to"),
        pytest.param(
            [canary(**COPIED), deployment(), scaler("Deployment", 2, 6, "apps/v1")],
            (2, 2 + 2 + 1, 6, 6 + 6 + 2 + 1),
            id="the autoscaler is copied",
        ),
        pytest.param(
            [canary(**FEWER), deployment(), scaler("Deployment", 2, 6, "apps/v1")],
            (2, 2 + 2 + 1, 5, 5 + 6 + 2 + 1),
            id="the copy has bounds of its own",
        ),
        pytest.param(
            [canary(), deployment(3), scaler("Deployment", 2, 6, "apps/v1")],
            (3, 3 + 3 + 1, 3, 3 + 6 + 1),
            id="an autoscaler that is not copied scales the canary alone",
        ),
        pytest.param([canary("Service"), deployment(3)], (3, 4, 3, 4), id="only Services"),
    ],
)
def test_a_canary_has_these_pods_in_each_scenario(manifests: list[Manifest], expected: Four) -> None:
    assert pods(*manifests) == expected


def test_a_canary_copies_what_its_workload_refers_to() -> None:
    once = (1, 1, 1, 1)
    assert made(canary(**COPIED), deployment()) == {
        "ConfigMap": (0,) * 4,
        "Deployment": once,
        "HorizontalPodAutoscaler": once,
        "ReplicaSet": (2, 4, 2, 24),
        "Secret": (0,) * 4,
        "Service": (3, 3, 3, 3),
    }


@pytest.mark.parametrize(
    ("manifests", "expected"),
    [
        ([canary(), deployment()], []),
        ([canary(), deployment(2)], ["scales it to 0, and each time that its replicas are applied it has them again"]),
        ([canary()], ["Deployment w, which it copies (targetRef), is not in view"]),
        (
            [canary("DaemonSet"), deployment()],
            ["DaemonSet w, which it copies (targetRef), is not in view"],
        ),
    ],
    ids=["without replicas", "with replicas", "no Deployment", "a DaemonSet"],
)
def test_what_is_not_known(manifests: list[Manifest], expected: list[str]) -> None:
    said = [reason for reason in unknowns(*manifests) if "copies of each" not in reason]
    assert len(said) == len(expected)
    assert all(words in reason for words, reason in zip(expected, said, strict=True))
