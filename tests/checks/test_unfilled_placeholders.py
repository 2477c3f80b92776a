"""Placeholders that nobody filled in: a mistake where they are written, none where a cluster holds them."""

from __future__ import annotations

from manifests import quota
from workspace import Workspace

HELD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ name }}', namespace: shop}\n"
QUOTA = quota("shop", "q", "pods: 3")


def test_in_a_repository_and_in_a_snapshot(workspace: Workspace) -> None:
    workspace.put({"repo/q.yaml": QUOTA, "repo/settings.yaml": HELD})
    assert [line.split()[1] for line in workspace.lines("repo", "--select", "QL007")] == ["QL007"]
    (workspace.folder / "repo/settings.yaml").rename(workspace.folder / "live.yaml")
    assert workspace.lines("repo", "--with", "live.yaml", "--select", "QL007") == []
