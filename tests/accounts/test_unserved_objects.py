"""Objects that no server of the release accepts take no room, and the sums say that they are missing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from manifests import quota
from workspace import Workspace

from quotalint.accounts.unserved_objects import unserved_object
from quotalint.kube.discovery import discover_kinds
from quotalint.kube.guess import CONTENT, VERSION, Guess
from quotalint.kube.objects import objects
from quotalint.text.place import Place

PODS = "spec: {replicas: 3, template: {spec: {containers: [{name: a, image: a}]}}}\n"


def kind_of(api_version: str, kind: str, name: str, spec: str, namespace: str = "team") -> str:
    return f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: {name}, namespace: {namespace}}}\n{spec}"


def entry_of(workspace: Workspace, name: str, *options: str) -> dict[str, Any]:
    workspace.report()
    _, out, _ = workspace.text("usage", "--format", "json", *options)
    (table,) = json.loads(out)["quotas"]
    (row,) = (row for row in table["resources"] if row["resource"] == name)
    return {"steady": row["steady"], "certainty": table["certainty"], "unknowns": table["unknowns"]}


@pytest.mark.parametrize(
    ("api_version", "served"),
    [
        ("extensions/v1beta1", "serves only before 1.16"),
        ("apps/v1beta2", "serves only before 1.16"),
        ("v1", "does not serve"),
        ("app/v1", "does not serve"),
    ],
)
def test_pods_of_a_refused_workload_take_no_room(workspace: Workspace, api_version: str, served: str) -> None:
    old = kind_of(api_version, "Deployment", "old", PODS)
    new = kind_of("apps/v1", "Deployment", "new", PODS)
    workspace.put({"q.yaml": quota("team", hard="pods: 4"), "a.yaml": f"{old}---\n{new}"})
    reason = f"Deployment old is not counted: it is written as {api_version}, which Kubernetes {served}"
    assert entry_of(workspace, "pods") == {"steady": "3", "certainty": "at-least", "unknowns": [reason]}
    assert workspace.lines() == ["a.yaml:1:1 QL410"]


def test_a_refused_autoscaler_scales_nothing(workspace: Workspace) -> None:
    spec = (
        "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 9, maxReplicas: 9}\n"
    )
    scaler = kind_of("autoscaling/v2beta1", "HorizontalPodAutoscaler", "web", spec)
    workspace.put({"a.yaml": f"{quota('team')}---\n{kind_of('apps/v1', 'Deployment', 'web', PODS)}---\n{scaler}"})
    assert entry_of(workspace, "pods")["steady"] == "3"
    assert [line.split()[1] for line in workspace.lines()] == ["QL410"]


def test_an_object_that_makes_no_pods_concerns_only_its_own_number(workspace: Workspace) -> None:
    budget = kind_of("policy/v1beta1", "PodDisruptionBudget", "web", "spec: {minAvailable: 1}\n")
    web = kind_of("apps/v1", "Deployment", "web", PODS)
    hard = "{pods: 4, count/poddisruptionbudgets.policy: 1}"
    workspace.put({"a.yaml": f"{quota('team', hard=hard[1:-1])}---\n{web}---\n{budget}"})
    report = workspace.report("check")
    (table,) = report["quotas"]
    assert {row["resource"]: row["steady"] for row in table["resources"]} == {
        "count/poddisruptionbudgets.policy": "0",
        "pods": "3",
    }
    assert [finding["rule"] for finding in report["findings"]] == ["QL410"]


def test_the_release_decides(workspace: Workspace) -> None:
    job = "spec: {schedule: '0 1 * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, "
    job += "containers: [{name: a, image: a}]}}}}}\n"
    cron_job = kind_of("batch/v1beta1", "CronJob", "a", job)
    workspace.put({"a.yaml": f"{quota('team', hard='count/cronjobs.batch: 2')}---\n{cron_job}"})
    assert entry_of(workspace, "count/cronjobs.batch", "--kube-version", "1.24")["steady"] == "1"
    assert entry_of(workspace, "count/cronjobs.batch", "--kube-version", "1.28")["steady"] == "0"


@pytest.mark.parametrize(("about", "is_refused"), [(CONTENT, True), (VERSION, False)])
def test_only_a_chart_that_asks_for_versions_may_write_another(about: str, *, is_refused: bool) -> None:
    body = {"apiVersion": "extensions/v1beta1", "kind": "Deployment", "metadata": {"name": "a"}}
    (obj,) = objects(body, Place("a.yaml"))
    guessed = obj._replace(guesses=(Guess(about, "the chart asks the cluster", "say it"),))
    assert (unserved_object(guessed, discover_kinds((), "1.36")) is not None) is is_refused


@pytest.mark.parametrize(
    ("options", "origin"),
    [
        ((), "1.36 (the default; `kubeVersion` sets another)"),
        (("--kube-version", "1.33"), "1.33 (by `kubeVersion` or `--kube-version`)"),
    ],
)
def test_where_the_release_comes_from_is_said(workspace: Workspace, options: tuple[str, ...], origin: str) -> None:
    claim = kind_of("resource.k8s.io/v1alpha2", "ResourceClaim", "a", "spec: {resourceClassName: a}\n")
    workspace.put({"a.yaml": f"{quota('team')}---\n{claim}"})
    (finding,) = (each for each in workspace.report("check", *options)["findings"] if each["rule"] == "QL410")
    assert finding["notes"] == [f"note: the cluster is assumed to have Kubernetes {origin}"]


def test_what_a_snapshot_shows_is_there(workspace: Workspace) -> None:
    workspace.put({"q.yaml": quota("team"), "live/pods.yaml": kind_of("apps/v1beta2", "Deployment", "a", PODS)})
    assert [line.split()[1] for line in workspace.lines("q.yaml", "--with", "live/pods.yaml")] == []


def test_a_refused_workload_leaves_other_entries_exact(workspace: Workspace) -> None:
    runs = f"spec: {{schedule: '* * * * *', jobTemplate: {{{PODS.strip()}}}}}\n"
    old = kind_of("batch/v1beta1", "CronJob", "old", runs)
    workspace.put(
        {"a.yaml": f"{quota('team', hard='services: 4')}---\n{old}---\n{kind_of('v1', 'Service', 'web', '')}"}
    )
    assert entry_of(workspace, "services")["unknowns"] == []
