"""Objects that are refused are called by their kind, and counted."""

from __future__ import annotations

import pytest
from workspace import Workspace


def quota(hard: str) -> str:
    return f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q, namespace: shop}}\nspec: {{hard: {{{hard}}}}}\n"


def web(name: str, replicas: int) -> str:
    return (
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}, namespace: shop}}\n"
        f"spec: {{replicas: {replicas}, template: {{spec: {{containers: [{{name: c, image: c}}]}}}}}}\n"
    )


def test_other_objects_are_called_by_their_kind(workspace: Workspace) -> None:
    claims = "volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}]"
    database = web("db", 3).replace("Deployment", "StatefulSet").replace("replicas: 3", f"replicas: 3, {claims}")
    workspace.put({"q.yaml": quota("persistentvolumeclaims: 1"), "db.yaml": database})
    text = " ".join(workspace.text("check", "--select", "QL301")[1].split())
    assert "so 2 of 3 PersistentVolumeClaims of StatefulSet db will be refused: exceeded quota: q" in text


def test_of_several_pods_that_stay_pending_it_is_said_how_many(workspace: Workspace) -> None:
    pods = web("web", 2).replace("image: c", "image: c, resources: {requests: {cpu: 1}}")
    workspace.put({"q.yaml": quota("requests.cpu: 1"), "web.yaml": pods})
    text = " ".join(workspace.text("check", "--enforcement", "deferred", "--select", "QL301")[1].split())
    assert "so 1 of 2 pods of Deployment web stays Pending (Unschedulable): " in text


SCALED = (
    "---\napiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: web, namespace: shop}\n"
    "spec: {minReplicaCount: 0, maxReplicaCount: 1, scaleTargetRef: {name: web}}\n"
)


@pytest.mark.parametrize(
    ("hard", "manifests", "words"),
    [
        (
            "pods: 0",
            web("web", 0) + SCALED,
            "ScaledObject web cannot bring Deployment web to 1 pod: that needs pods 1; quota q allows 0",
        ),
        ("pods: 0", web("web", 0) + SCALED, "so it stops at 0 of 1 pod, just when the load calls for more: "),
    ],
)
def test_one_alone_is_not_one_of_one(hard: str, manifests: str, words: str, workspace: Workspace) -> None:
    workspace.put({"q.yaml": quota(hard), "web.yaml": manifests})
    assert words in " ".join(workspace.text("check")[1].split())
