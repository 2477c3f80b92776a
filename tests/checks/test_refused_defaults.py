"""Pods lack what a LimitRange would give them, were it not refused itself: who repairs that need not touch the pods."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota, web

SUGGESTED = "note: LimitRange sizes would give these, but the API server refuses it (QL121)"
TWICE = "{type: Container, max: {cpu: 2}}, {type: Container, min: {cpu: 10m}}"


@pytest.mark.parametrize(
    ("items", "hard", "notes"),
    [
        (f"{TWICE}, {{type: Container, default: {{cpu: 1}}}}", "limits.cpu: 9", [SUGGESTED]),
        (f"{TWICE}, {{type: Container, default: {{cpu: 1}}}}", "requests.cpu: 9, limits.cpu: 9", [SUGGESTED]),
        (f"{TWICE}, {{type: Container, default: {{cpu: 1}}}}", "cpu: 9", [SUGGESTED]),
        (f"{TWICE}, {{type: Container, default: {{cpu: 1}}}}", "limits.cpu: 9, limits.memory: 9Gi", []),
        ("{type: Pod, max: {cpu: 2}}, {type: Pod, max: {memory: 2Gi}}", "limits.cpu: 9", []),
        ("{type: Container, default: {memory: 1Gi}}", "limits.cpu: 9", []),
    ],
)
def test_a_refused_limit_range_is_named_where_it_would_help(
    items: str, hard: str, notes: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "quota.yaml": quota("shop", hard=hard),
        "sizes.yaml": "apiVersion: v1\nkind: LimitRange\nmetadata: {name: sizes, namespace: shop}\n"
        f"spec: {{limits: [{items}]}}\n",
        "web.yaml": web(1, "shop"),
    }
    (finding,) = (finding for finding in checked(tmp_path, files, monkeypatch).findings if finding.rule.id == "QL401")
    assert [f"{note.label}: {note.text}" for note in finding.notes] == notes
