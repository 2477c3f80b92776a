"""Releases of Helm that Terraform installs."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import Case, expected, outcome, params
from manifests import quota

CHART = {
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "charts/web/values.yaml": "replicas: 1\n",
    "charts/web/templates/web.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: {{ .Release.Name }}}\n"
    "spec:\n  replicas: {{ .Values.replicas }}\n  selector: {matchLabels: {a: b}}\n"
    "  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}\n",
    "quota.yaml": quota("team-a"),
}


def release(more: str, chart: str = "${path.module}/../charts/web") -> dict[str, str]:
    """A repository with a chart, a quota, and a release of Terraform."""
    text = f'resource "helm_release" "web" {{\n  name = "web"\n  namespace = "team-a"\n  chart = "{chart}"\n{more}}}\n'
    return {**CHART, "tf/main.tf": text}


CASES = [
    Case("a chart with its own values", release(""), ("team-a/base pods 1/8 exact",)),
    Case("values", release("  values = [yamlencode({ replicas = 3 })]\n"), ("team-a/base pods 3/8 exact",)),
    Case(
        "a text of values and a parameter",
        release(
            '  values = [<<-END\n    replicas: 9\n  END\n  ]\n  set {\n    name  = "replicas"\n    value = 2\n  }\n'
        ),
        ("team-a/base pods 2/8 exact",),
    ),
    Case(
        "a list of parameters",
        release('  set = [{ name = "replicas", value = 4 }]\n'),
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "more than fits",
        release("  values = [<<-END\n    replicas: 9\n  END\n  ]\n"),
        ("team-a/base pods 9/8 exact",),
        ("quota.yaml:4:15 QL301 error",),
    ),
    Case(
        "a value that is not in view",
        release("  values = [yamlencode({ replicas = data.aws_x.y.z })]\n"),
        ("team-a/base pods 0/8 at-least",),
    ),
    Case(
        "a remote chart",
        release('  repository = "https://charts.example.com"\n', "redis"),
        ("team-a/base pods ?/8 unknown",),
        ("tf/main.tf:1:1 QL003 warning",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_a_release_counts(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
