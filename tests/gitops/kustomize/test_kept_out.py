"""Files that a generator reads, and that .gitignore keeps out of the repository on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota, web

BUILD = "namespace: shop\nresources: [quota.yaml, web.yaml]\nsecretGenerator: [{name: s, envs: [secret.env]}]\n"


@pytest.mark.parametrize(
    ("ignored", "severity"),
    [
        ({".gitignore": "*.env\n"}, "info"),
        ({"apps/.gitignore": "/shop/secret.env\n"}, "info"),
        ({"apps/shop/.gitignore": "!secret.env\n", ".gitignore": "*.env\n"}, "warning"),
        ({".gitignore": "*.key\n"}, "warning"),
        ({}, "warning"),
    ],
    ids=["by the root", "by a folder around it", "kept by the nearest", "another file", "no .gitignore"],
)
def test_only_what_was_forgotten_is_a_warning(
    ignored: dict[str, str], severity: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"apps/shop/kustomization.yaml": BUILD, "apps/shop/quota.yaml": quota(), "apps/shop/web.yaml": web()}
    result = checked(tmp_path, {**ignored, **files}, monkeypatch)
    assert [finding.severity for finding in result.findings if finding.rule.id == "QL003"] == [severity]
