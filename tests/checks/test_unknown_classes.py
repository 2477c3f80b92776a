"""Storage classes that the repository does not define: what nobody may have of one does no harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import head, quota

CLASSES = "".join(f"{head('storage.k8s.io/v1', 'StorageClass', name)}provisioner: a\n---\n" for name in ("gold", "tin"))


@pytest.mark.parametrize(
    ("name", "amount", "severity"),
    [
        pytest.param("local-path", "0", "info", id="forbidden"),
        pytest.param("local-path", "1Gi", "warning", id="limited"),
        pytest.param("glod", "0", "warning", id="forbidden, and perhaps another one meant"),
    ],
)
def test_a_class_that_is_forbidden_need_not_be_defined(
    name: str, amount: str, severity: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = f"{name}.storageclass.storage.k8s.io/requests.storage: {amount}"
    files = {"classes.yaml": CLASSES, "quota.yaml": quota("shop", hard=f'pods: "9", {entry}')}
    findings = checked(tmp_path, files, monkeypatch).findings
    assert [finding.severity for finding in findings if finding.rule.id == "QL205"] == [severity]
