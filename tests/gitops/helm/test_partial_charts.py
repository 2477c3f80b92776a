"""Charts of which a part cannot be rendered here, because values or dependencies are out of view: the rest counts."""

from __future__ import annotations

import pytest
from gitops_outcome import needed_helm
from manifests import quota, web
from workspace import Workspace

from quotalint.gitops.helm import failed_template

pytest.importorskip("helm_python")

POLICY = """\
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec: {podSelector: {}, egress: [{ports: [{port: {{ .Values.site.port }}}]}]}
"""
CHART = {
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "charts/web/templates/web.yaml": web("{{ .Values.replicas }}"),
    "charts/web/templates/policy.yaml": POLICY,
    "quota.yaml": quota("shop", hard="pods: 4"),
    "values/web.yaml": "replicas: 6\n",
}
IN_VIEW = "releases: [{name: web, namespace: shop, chart: ./charts/web, values: [values/web.yaml]}]\n"
OUT_OF_VIEW = IN_VIEW.replace("values: [", "values: [/etc/site/defaults.yaml, ")


def row(workspace: Workspace) -> tuple[str, str]:
    (quota,) = workspace.report("usage")["quotas"]
    (entry,) = quota["resources"]
    return entry["steady"], entry["certainty"]


def rules(workspace: Workspace) -> list[str]:
    return [f"{finding['rule']} {finding['severity']}" for finding in workspace.report("check")["findings"]]


def test_a_template_that_fails_without_values_out_of_view_is_left_out(workspace: Workspace) -> None:
    workspace.put({**CHART, "helmfile.yaml": OUT_OF_VIEW})
    assert row(workspace) == ("6", "assumed")
    assert rules(workspace) == ["QL003 info", "QL301 warning"]
    message = workspace.report("check")["findings"][0]["message"]
    assert "rendered in part: charts/web/templates/policy.yaml is left out: web/templates/policy" in message


@pytest.fixture
def helm() -> str:
    return needed_helm()


def test_the_program_leaves_it_out_too(helm: str, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", helm.rpartition("/")[0])
    config = "renderers: {helm: program}\n"
    workspace.put({**CHART, "helmfile.yaml": OUT_OF_VIEW, ".quotalint.yaml": config})
    assert row(workspace) == ("6", "assumed")


def test_what_fails_with_everything_in_view_deploys_nothing(workspace: Workspace) -> None:
    workspace.put({**CHART, "helmfile.yaml": IN_VIEW})
    assert row(workspace) == ("0", "unknown")
    assert rules(workspace) == ["QL003 warning"]


def test_a_left_out_workload_may_add_to_the_sum(workspace: Workspace) -> None:
    more = web("{{ .Values.site.replicas }}", name="more")
    workspace.put({**CHART, "helmfile.yaml": OUT_OF_VIEW, "charts/web/templates/more.yaml": more})
    (quota,) = workspace.report("usage")["quotas"]
    assert row(workspace) == ("6", "assumed")
    assert any("charts/web/templates/more.yaml" in reason for reason in quota["unknowns"])


def test_at_most_five_templates_are_left_out(workspace: Workspace) -> None:
    more = {f"charts/web/templates/policy-{number}.yaml": POLICY for number in range(5)}
    workspace.put({**CHART, "helmfile.yaml": OUT_OF_VIEW, **more})
    assert row(workspace) == ("0", "unknown")


def test_a_template_that_no_values_repair_fails(workspace: Workspace) -> None:
    workspace.put({**CHART, "helmfile.yaml": OUT_OF_VIEW, "charts/web/templates/policy.yaml": "{{ if }}"})
    assert row(workspace) == ("0", "unknown")


DEPENDENT = """\
apiVersion: v2
name: web
version: 1.0.0
dependencies:
- {name: redis, version: 20.1.0, repository: 'https://charts.example.com'IMPORT}
"""


@pytest.mark.parametrize(
    ("imported", "expected"),
    [("", ("6", "at-least")), (", import-values: [defaults]", ("0", "unknown"))],
)
def test_a_missing_dependency_adds_to_the_rest(imported: str, expected: tuple[str, str], workspace: Workspace) -> None:
    chart = DEPENDENT.replace("IMPORT", imported)
    values = "{replicas: 1, site: {port: 80}}\n"
    workspace.put({**CHART, "helmfile.yaml": IN_VIEW, "charts/web/Chart.yaml": chart, "charts/web/values.yaml": values})
    assert row(workspace) == expected


@pytest.mark.parametrize(
    ("error", "template"),
    [
        ('template: web/templates/a.yaml:9:25: executing "web/templates/a.yaml" at <x>: nil', "templates/a.yaml"),
        ('web/templates/a.yaml:4:59 executing "web/templates/a.yaml" at <.a>: nil pointer', "templates/a.yaml"),
        ("execution error at (web/charts/db/templates/a.yaml:1:3): required", "charts/db/templates/a.yaml"),
        ("YAML parse error on web/templates/a.yaml: error converting", "templates/a.yaml"),
        ("parse error at (web/templates/a.yaml:1): unexpected", ""),
        ("values don't meet the specifications of the schema(s)", ""),
    ],
)
def test_errors_name_their_template(error: str, template: str) -> None:
    assert failed_template(error) == template


def test_a_chart_cannot_name_a_file_to_delete(workspace: Workspace) -> None:
    failing = '{{ fail "template: web/../../victim:1: x" }}'
    workspace.put({**CHART, "helmfile.yaml": OUT_OF_VIEW, "charts/web/templates/policy.yaml": failing})
    victim = workspace.folder / "charts/victim"
    victim.write_text("kept")
    assert row(workspace) == ("6", "assumed")
    assert victim.read_text() == "kept"
