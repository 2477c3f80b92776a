"""ValidatingAdmissionPolicies, pods, and LimitRanges that may be there though they are not in view."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cel_expr_python", reason="the extra `policies` is not installed")

from test_denied_pods import policy, severities, workload


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [("HelmRelease", "info"), ("ExternalSecret", "error"), ("HelmRelease ExternalSecret", "info")],
)
def test_what_hidden_limit_ranges_fill_in_is_not_known(folder: Path, capsys: Any, kinds: str, expected: str) -> None:
    groups = {"HelmRelease": "helm.toolkit.fluxcd.io/v2", "ExternalSecret": "external-secrets.io/v1"}
    metadata = {"name": "hidden", "namespace": "team-a"}
    spec = {"chart": {"spec": {"chart": "a", "sourceRef": {}}}}
    hidden = [{"apiVersion": groups[kind], "kind": kind, "metadata": metadata, "spec": spec} for kind in kinds.split()]
    demand = policy("object.spec.containers.all(c, has(c.resources.limits))")
    assert severities(folder, capsys, demand, workload(), *hidden) == [expected]


def test_hidden_roles_are_no_limit_ranges(folder: Path, capsys: Any) -> None:
    remote = "https://github.com/example/shop/rbac?ref=v1"
    (folder / "kustomization.yaml").write_text(f"namespace: team-a\nresources: [all.yaml, '{remote}']\n")
    demand = policy("object.spec.containers.all(c, has(c.resources.limits))")
    assert severities(folder, capsys, demand, workload()) == ["error"]
