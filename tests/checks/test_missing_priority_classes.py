"""Pods whose PriorityClass does not exist, and those with a priority and no class."""

from __future__ import annotations

import json
from typing import Any

import pytest
from git_repositories import quota
from workspace import Workspace

CLASS = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: %s}\nvalue: 1000\n---\n"
REMOTE = (
    "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [https://example.com/classes.yaml]\n"
)


def pod(spec: str, name: str = "web") -> str:
    containers = "containers: [{name: a, image: a}]"
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: shop}}\nspec: {{{spec}, {containers}}}\n---\n"
    )


def checked(workspace: Workspace, files: dict[str, str]) -> dict[str, Any]:
    workspace.put(files)
    report: dict[str, Any] = json.loads(workspace.text("check", "--format", "json")[1])
    return report


def found(report: dict[str, Any], rule: str = "QL409") -> list[tuple[str, str]]:
    return [(each["field"], each["severity"]) for each in report["findings"] if each["rule"] == rule]


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ("priorityClassName: hihg", "spec.priorityClassName"),
        ("priorityClassName: batch", "spec.priorityClassName"),
        ("priorityClassName: high", ""),
        ("priorityClassName: system-cluster-critical", ""),
        ("priorityClassName: system-cluster-critcal", "spec.priorityClassName"),
        ("priorityClassName: ${CLASS}", ""),
        ("priority: 5", "spec.priority"),
        ("preemptionPolicy: Never", "spec.preemptionPolicy"),
        ("priority: 0", ""),
    ],
)
def test_the_class_of_a_pod_has_to_exist(workspace: Workspace, spec: str, field: str) -> None:
    report = checked(workspace, {"a.yaml": CLASS % "high" + pod(spec)})
    assert found(report) == ([(field, "error")] if field else [])


def test_without_any_class_in_view_they_are_elsewhere(workspace: Workspace) -> None:
    assert found(checked(workspace, {"a.yaml": pod("priorityClassName: batch")})) == []


def test_the_default_class_gives_its_priority(workspace: Workspace) -> None:
    default = CLASS.replace("value:", "globalDefault: true\nvalue:") % "normal"
    report = checked(workspace, {"a.yaml": default + pod("priority: 1000") + pod("priority: 5", "other")})
    assert (found(report), [field for field, _ in found(report, "QL404")]) == ([], ["spec.priority"])


def test_a_class_may_be_in_what_is_not_rendered(workspace: Workspace) -> None:
    files = {"a.yaml": CLASS % "high", "kustomization.yaml": REMOTE.replace("[", "[a.yaml, b.yaml, ")}
    assert found(checked(workspace, {**files, "b.yaml": pod("priorityClassName: batch")})) == [
        ("spec.priorityClassName", "warning")
    ]
    assert found(checked(workspace, {"b.yaml": pod("priorityClassName: hihg")})) == [
        ("spec.priorityClassName", "error")
    ]


def test_a_class_of_another_environment_counts_as_defined(workspace: Workspace) -> None:
    limits = quota("pods: 9").replace("team-a", "shop")
    files = {
        "dev/a.yaml": CLASS % "batch" + limits,
        "prod/a.yaml": CLASS % "high" + limits + "---\n" + pod("priorityClassName: batch"),
    }
    assert found(checked(workspace, files)) == []


def test_the_sum_of_pods_that_may_be_refused_is_assumed(workspace: Workspace) -> None:
    limits = quota("pods: 1").replace("team-a", "shop") + "---\n"
    pods = pod("priorityClassName: hihg") + pod("priorityClassName: high", "other")
    report = checked(workspace, {"a.yaml": CLASS % "high" + limits + pods})
    assert [quota["certainty"] for quota in report["quotas"]] == ["assumed"]
    assert {each["severity"] for each in report["findings"] if each["rule"] == "QL301"} == {"warning"}


@pytest.mark.parametrize(("shown", "certainty", "steady"), [(False, "assumed", "1"), (True, "exact", "0")])
def test_a_snapshot_shows_all_classes(workspace: Workspace, shown: bool, certainty: str, steady: str) -> None:
    limits = quota("pods: 1").replace("team-a", "shop") + "---\n"
    files = {"repo/a.yaml": CLASS % "high" + limits + pod("priorityClassName: batch"), "cluster.yaml": CLASS % "other"}
    workspace.put(files)
    options = ("--with", "cluster.yaml") if shown else ()
    report = json.loads(workspace.text("check", "--format", "json", *options, "repo")[1])
    (entry,) = report["quotas"][0]["resources"]
    assert (report["quotas"][0]["certainty"], entry["steady"]) == (certainty, steady)


def test_classes_that_are_only_assumed_here_prove_nothing(workspace: Workspace) -> None:
    files = {
        "overlays/dev/web.yaml": pod("priorityClassName: urgent"),
        "overlays/prod/web.yaml": pod("priorityClassName: urgent"),
        "classes/high.yaml": CLASS % "high",
    }
    assert {severity for _, severity in found(checked(workspace, files))} == {"warning"}
