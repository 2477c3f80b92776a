"""Runs of hooks, which have ended once a sync or a release has settled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gitops_outcome import Case, expected, outcome, params
from manifests import quota
from workload_demands import Four, Manifest, demanded, pods

PRE_SYNC = {"argocd.argoproj.io/hook": "PreSync"}
POST_SYNC = {"argocd.argoproj.io/hook": "PostSync"}
PRE_UPGRADE = {"helm.sh/hook": "pre-install,pre-upgrade"}


def job(annotations: dict[str, str], **spec: Any) -> Manifest:
    spec.setdefault("template", {"spec": {"containers": [{"name": "app"}]}})
    metadata = {"name": "migrate", "annotations": annotations}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        ({}, (2, 2, 2, 2)),
        (PRE_SYNC, (0, 2, 0, 2)),
        (POST_SYNC, (0, 2, 0, 2)),
        ({"argocd.argoproj.io/hook": "Sync"}, (0, 2, 0, 2)),
        ({"argocd.argoproj.io/hook": "presync"}, (2, 2, 2, 2)),
        (PRE_UPGRADE, (0, 2, 0, 2)),
        ({"helm.sh/hook": "Post-Install"}, (0, 2, 0, 2)),
        ({"helm.sh/hook": "crd-install"}, (2, 2, 2, 2)),
        ({"argocd.argoproj.io/hook": "Skip", **PRE_UPGRADE}, (2, 2, 2, 2)),
    ],
)
def test_the_pods_of_a_hook_run_for_a_while_alone(annotations: dict[str, str], expected: Four) -> None:
    assert pods(job(annotations, parallelism=2)) == expected


def test_so_does_a_pod_that_somebody_wrote() -> None:
    pod = {"kind": "Pod", "metadata": {"name": "check", "annotations": POST_SYNC}, "spec": {"containers": []}}
    assert pods({"apiVersion": "v1", **pod}) == (0, 1, 0, 1)


def test_pods_that_have_ended_stay_with_their_job_until_the_next_sync() -> None:
    run = job(PRE_SYNC, parallelism=2, completions=5)
    assert ended_pods(run) == (5, 3, 5, 3)
    gone = job({**PRE_SYNC, "argocd.argoproj.io/hook-delete-policy": "HookSucceeded"}, parallelism=2, completions=5)
    assert ended_pods(gone) == (0, 0, 0, 3)


def ended_pods(manifest: Manifest) -> Four:
    bodies = [demand for demand in demanded(manifest) if demand.kind == "Pod" and "status" in demand.body]
    steady, surge, scaled, peak = (sum(demand.size.numbers[index] for demand in bodies) for index in range(4))
    return steady, surge, scaled, peak


@pytest.mark.parametrize(
    ("annotations", "spec", "expected"),
    [
        (PRE_SYNC, {}, (1, 1, 1, 1)),
        ({**PRE_SYNC, "argocd.argoproj.io/hook-delete-policy": "BeforeHookCreation"}, {}, (1, 1, 1, 1)),
        ({**PRE_SYNC, "argocd.argoproj.io/hook-delete-policy": "HookSucceeded"}, {}, (0, 1, 0, 1)),
        ({**PRE_UPGRADE, "helm.sh/hook-delete-policy": "before-hook-creation, hook-succeeded"}, {}, (0, 1, 0, 1)),
        (PRE_UPGRADE, {"ttlSecondsAfterFinished": 0}, (0, 1, 0, 1)),
        ({}, {"ttlSecondsAfterFinished": 0}, (1, 1, 1, 1)),
    ],
)
def test_its_job_stays_unless_something_deletes_it(
    annotations: dict[str, str], spec: dict[str, int], expected: Four
) -> None:
    (itself,) = (demand for demand in demanded(job(annotations, **spec)) if demand.kind == "Job")
    assert itself.size.numbers == expected


APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  destination: {name: prod, namespace: shop}
  source: {repoURL: https://github.com/acme/gitops.git, targetRevision: main, path: shop}
"""
WEB = """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
"""


def hook(name: str, phase: str, pods: int) -> str:
    return (
        f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: {name}, annotations: "
        f"{{argocd.argoproj.io/hook: {phase}}}}}\nspec:\n  parallelism: {pods}\n"
        "  template: {spec: {restartPolicy: Never, containers: [{name: job, image: job}]}}\n"
    )


CASES = (
    Case(
        "hooks of two phases, each of which fits",
        {
            "argocd/shop.yaml": APPLICATION,
            "shop/quota.yaml": quota("shop", "q", "pods: 4"),
            "shop/web.yaml": WEB,
            "shop/before.yaml": hook("before", "PreSync", 2),
            "shop/after.yaml": hook("after", "PostSync", 2),
        },
        ("prod: shop/q pods 2/4 exact",),
    ),
)


@pytest.mark.parametrize("case", params(CASES))
def test_what_a_user_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
