"""Pods that a ReplicaSet adopts are counted once."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import Manifest, manifest, pods, template

SELECTOR = {"matchLabels": {"app": "web"}}
RS = ("ReplicaSet", "apps/v1")


def pod(name: str, app: str, **metadata: Any) -> Manifest:
    return manifest("Pod", "v1", template()["spec"], name, labels={"app": app}, **metadata)


OWNED = {"ownerReferences": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "other", "controller": True}]}


@pytest.mark.parametrize(
    ("owner", "others", "expected"),
    [
        (manifest(*RS, {"replicas": 3, "selector": SELECTOR}), [pod("a", "web"), pod("b", "web")], 3),
        (manifest(*RS, {"replicas": 1, "selector": SELECTOR}), [pod("a", "web"), pod("b", "web")], 2),
        (manifest(*RS, {"replicas": 3, "selector": SELECTOR}), [pod("a", "api")], 4),
        (manifest(*RS, {"replicas": 3, "selector": SELECTOR}), [pod("a", "web", **OWNED)], 4),
        (manifest(*RS, {"replicas": 3, "selector": {}}), [pod("a", "web")], 4),
        (manifest("ReplicationController", "v1", {"replicas": 3, "selector": {"app": "web"}}), [pod("a", "web")], 3),
        (
            manifest(
                "ReplicationController",
                "v1",
                {"replicas": 3, "template": {**template(), "metadata": {"labels": {"app": "web"}}}},
            ),
            [pod("a", "web")],
            3,
        ),
    ],
    ids=["adopted", "more than replicas", "others", "of a controller", "no selector", "by labels", "by its template"],
)
def test_pods_that_a_selector_matches_count_once(owner: Manifest, others: list[Manifest], expected: int) -> None:
    assert pods(owner, *others)[0] == expected
