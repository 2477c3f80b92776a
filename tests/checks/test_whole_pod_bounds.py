"""Bounds of containers that a bound of whole pods overrides (QL206)."""

from __future__ import annotations

import pytest
from manifests import head
from workspace import Workspace


def limit_range(name: str, item: str) -> str:
    return f"{head('v1', 'LimitRange', name, 'shop')}spec: {{limits: [{{{item}}}]}}\n"


@pytest.mark.parametrize("wholes", [("4", "1"), ("1", "4"), ("1", "1")])
def test_the_smallest_maximum_of_whole_pods_counts(wholes: tuple[str, str], workspace: Workspace) -> None:
    pods = {
        f"pod-{at}.yaml": limit_range(f"pod-{at}", f"type: Pod, max: {{cpu: {most}}}") for at, most in enumerate(wholes)
    }
    workspace.put({"own.yaml": limit_range("own", "type: Container, max: {cpu: 2}, default: {cpu: 500m}"), **pods})
    (finding,) = workspace.report("check", "--select", "QL206")["findings"]
    assert "max.cpu 2" in finding["message"]
    assert f"pod-{wholes.index('1')}" in finding["message"]
