"""A remote base of roles alone: whether it matters is said by what is counted where it goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import head, quota

LISTING = "resources:\n- https://github.com/example/shop//config/rbac?ref=v1\n- limits.yaml\n"
SIZES = f"{head('v1', 'LimitRange', 'sizes', 'shop')}spec: {{limits: [{{type: Container, max: {{memory: 4Gi}}}}]}}\n"


@pytest.mark.parametrize(
    ("limits", "severity"),
    [
        pytest.param(SIZES, "info", id="no number of objects"),
        pytest.param(quota("shop", hard="pods: 4"), "info", id="another number"),
        pytest.param(quota("shop", hard="pods: 4, count/roles.rbac.authorization.k8s.io: 1"), "warning", id="theirs"),
    ],
)
def test_roles_that_are_not_in_view_matter_where_they_are_counted(
    limits: str, severity: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"kustomization.yaml": LISTING, "limits.yaml": limits}
    findings = [finding for finding in checked(tmp_path, files, monkeypatch).findings if finding.rule.id == "QL003"]
    assert [(finding.span.line, finding.severity) for finding in findings] == [(2, severity)]
