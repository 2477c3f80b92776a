"""Kinds whose pods are not counted."""

from __future__ import annotations

import pytest

from quotalint.kube.objects import Object
from quotalint.text.place import Place
from quotalint.workloads.operators import unknown_pods


@pytest.mark.parametrize(
    ("group", "kind"),
    [
        ("apps.kubeblocks.io", "Cluster"),
        ("broker.amq.io", "ActiveMQArtemis"),
        ("cluster.redpanda.com", "Redpanda"),
        ("kagent.dev", "Agent"),
        ("kaito.sh", "Workspace"),
        ("operator.victoriametrics.com", "VTSingle"),
        ("vault.banzaicloud.com", "Vault"),
    ],
)
def test_a_listed_kind_makes_pods_whatever_it_says(group: str, kind: str) -> None:
    obj = Object(group, "v1", kind, "shop", "x", {"spec": {}}, Place("x.yaml"))
    assert unknown_pods(obj) == f"{kind} x ({group}) makes pods that are not counted"


def test_another_kind_of_a_listed_group_makes_none() -> None:
    topic = Object("kagent.dev", "v1", "ModelConfig", "shop", "x", {"spec": {}}, Place("x.yaml"))
    assert unknown_pods(topic) == ""
