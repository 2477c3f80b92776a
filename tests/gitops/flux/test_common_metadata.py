"""Labels and annotations that Flux writes over those of everything it applies: quotas choose namespaces by them."""

from __future__ import annotations

from pathlib import Path

import pytest
from flux_repositories import flux
from gitops_outcome import checked
from manifests import web

SPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: core, a: b}}\n"
LIMIT = (
    "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: edge}\n"
    "spec: {selector: {labels: {matchLabels: {team: TEAM}}}, quota: {hard: {pods: 1}}}\n"
)


@pytest.mark.parametrize(("team", "rules"), [("edge", ["QL301"]), ("core", [])])
def test_those_of_a_kustomization_win(
    team: str, rules: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "flux.yaml": flux(more="commonMetadata: {labels: {team: edge}, annotations: {c: d}}"),
        "apps/all.yaml": f"{SPACE}---\n{LIMIT.replace('TEAM', team)}---\n{web(2, 'shop')}",
    }
    result = checked(tmp_path, files, monkeypatch)
    (space,) = (obj for obj in result.environments[0].cluster.objects if obj.kind == "Namespace")
    assert space.metadata["labels"] == {"team": "edge", "a": "b"}
    assert space.metadata["annotations"] == {"c": "d"}
    assert [finding.rule.id for finding in result.findings if finding.rule.id == "QL301"] == rules
