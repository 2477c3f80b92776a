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


def sized(name: str, replicas: int, cpu: str) -> str:
    return web(name, replicas).replace("image: c", f"image: c, resources: {{requests: {{cpu: {cpu}}}}}")


def test_a_pod_larger_than_the_quota_never_fits_and_leaves_its_room(workspace: Workspace) -> None:
    workspace.put({"q.yaml": quota("requests.cpu: 2"), "a.yaml": sized("big", 2, "3"), "b.yaml": sized("web", 2, "1")})
    text = " ".join(workspace.text("check", "--select", "QL301")[1].split())
    assert "so 2 of 2 pods of Deployment big will be refused: exceeded quota: q, requested: requests.cpu=3" in text
    assert "then each asks for requests.cpu 3, so it never fits, whatever else runs" in text
    assert "whichever" not in text
    assert "or lower what one pod of Deployment big asks for: it alone is above the quota" in text


def test_others_that_do_not_fit_together_are_told_beside_it(workspace: Workspace) -> None:
    files = {f"{name}.yaml": sized(name, 2, "1") for name in ("api", "web")}
    workspace.put({"q.yaml": quota("requests.cpu: 3"), "z.yaml": sized("big", 1, "4"), **files})
    text = " ".join(workspace.text("check", "--select", "QL301")[1].split())
    assert "so 1 of 1 pods of Deployment big will be refused: " in text
    assert "then it asks for requests.cpu 4, so it never fits, whatever else runs" in text
    assert "so 1 of these 4 pods, whichever comes last, will be refused: " in text


def test_a_job_is_helped_by_its_parallelism(workspace: Workspace) -> None:
    job = sized("crunch", 1, "1").replace("apps/v1", "batch/v1").replace("Deployment", "Job")
    job = job.replace("replicas: 1", "parallelism: 8, completions: 20")
    workspace.put({"q.yaml": quota("requests.cpu: 4"), "job.yaml": job})
    text = " ".join(workspace.text("check", "--select", "QL301")[1].split())
    assert "raise requests.cpu to 8 or more, or set parallelism of Job crunch to 4" in text


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("argocd.argoproj.io/hook: PreSync", "Argo CD waits for this hook, so the sync stops here"),
        ("helm.sh/hook: post-upgrade", "Helm waits for this hook, so the release stops here, and a sync that runs it"),
    ],
)
def test_a_refused_hook_stops_what_waits_for_it(annotation: str, expected: str, workspace: Workspace) -> None:
    job = web("migrate", 1).replace("apps/v1", "batch/v1").replace("Deployment", "Job").replace("replicas: 1, ", "")
    job = job.replace("namespace: shop", f"namespace: shop, annotations: {{{annotation}}}")
    workspace.put({"q.yaml": quota("requests.cpu: 4"), "job.yaml": job})
    assert f"then {expected} " in " ".join(workspace.text("check", "--select", "QL401")[1].split())
