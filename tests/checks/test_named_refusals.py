"""Objects that are refused are called by their kind, and counted."""

from __future__ import annotations

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
