"""Quotas of several namespaces, to which a change adds one."""

from __future__ import annotations

from typing import Any

import pytest
from attributed_causes import cause_of
from git_repositories import Repository, deployment
from test_attribution import markdown_of

TEAM = (
    "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: team}\nspec:\n"
    "  selector: {labels: {matchLabels: {team: a}}}\n  quota: {hard: {pods: 5}}\n"
)


def namespace(name: str, labels: str = "") -> str:
    """A Namespace with labels on lines of their own."""
    more = f"  labels:\n    {labels}\n" if labels else ""
    return f"apiVersion: v1\nkind: Namespace\nmetadata:\n  name: {name}\n{more}"


def start() -> dict[str, str]:
    """Two namespaces with three pods each, the first of which is the team's."""
    return {
        "team.yaml": TEAM,
        "first.yaml": namespace("first", "team: a"),
        "second.yaml": namespace("second", "size: small"),
        "first/web.yaml": deployment(3, namespace="first"),
        "second/web.yaml": deployment(3, namespace="second"),
    }


def test_a_label_that_makes_a_namespace_one_of_a_quota_is_a_cause(repository: Repository, capsys: Any) -> None:
    change = {"second.yaml": namespace("second", "size: small\n    team: a")}
    assert cause_of(repository, capsys, start(), change) == ["second.yaml:7 Namespace second: labels.team unset → a"]


def test_a_namespace_that_comes_with_such_a_label_is_a_cause(repository: Repository, capsys: Any) -> None:
    before = {path: text for path, text in start().items() if path != "second.yaml"}
    change = {"second.yaml": namespace("second", "team: a")}
    text = markdown_of(repository, capsys, before, change)
    assert "because Namespace `second` is new (`second.yaml:1`)" in text


def test_other_labels_of_a_namespace_are_no_cause(repository: Repository, capsys: Any) -> None:
    change = {
        "first.yaml": namespace("first", "team: a\n    size: large"),
        "second.yaml": namespace("second", "size: large"),
        "first/web.yaml": deployment(6, namespace="first"),
    }
    assert cause_of(repository, capsys, start(), change) == ["first/web.yaml:5 Deployment web: replicas 3 → 6"]


@pytest.mark.parametrize(
    ("path", "text", "cause"),
    [
        pytest.param(
            "anchor.yaml",
            "apiVersion: hnc.x-k8s.io/v1alpha2\nkind: SubnamespaceAnchor\nmetadata: {name: second, namespace: first}\n",
            "anchor.yaml:1 SubnamespaceAnchor second: is new",
            id="an anchor",
        ),
        pytest.param(
            "tree.yaml",
            "apiVersion: hnc.x-k8s.io/v1alpha2\nkind: HierarchyConfiguration\n"
            "metadata: {name: hierarchy, namespace: second}\nspec: {parent: first}\n",
            "tree.yaml:4 HierarchyConfiguration hierarchy: is new",
            id="a parent",
        ),
    ],
)
def test_what_puts_a_namespace_below_another_is_a_cause(
    path: str, text: str, cause: str, repository: Repository, capsys: Any
) -> None:
    below_first = "apiVersion: hnc.x-k8s.io/v1alpha2\nkind: HierarchicalResourceQuota\n"
    before = {
        **start(),
        "team.yaml": f"{below_first}metadata: {{name: q, namespace: first}}\nspec: {{hard: {{pods: 5}}}}\n",
    }
    assert cause_of(repository, capsys, before, {path: text}) == [cause]
