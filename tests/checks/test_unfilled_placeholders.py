"""Placeholders that nobody filled in: a mistake where they are written, none where a cluster holds them."""

from __future__ import annotations

from workspace import Workspace

HELD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ name }}', namespace: shop}\n"
QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: shop}\nspec: {hard: {pods: 3}}\n"


def test_in_a_repository_and_in_a_snapshot(workspace: Workspace) -> None:
    workspace.put({"repo/q.yaml": QUOTA, "repo/settings.yaml": HELD})
    assert [line.split()[1] for line in workspace.lines("repo", "--select", "QL007")] == ["QL007"]
    (workspace.folder / "repo/settings.yaml").rename(workspace.folder / "live.yaml")
    assert workspace.lines("repo", "--with", "live.yaml", "--select", "QL007") == []
