"""What the configuration says about rendering: who builds kustomizations, and releases that nothing declares."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from gitops_outcome import Outcome, checked, needed_helm, outcome, outcome_of
from manifests import quota, web
from written_files import Files

VARS = """
    namespace: team-a
    resources: [quota.yaml, web.yaml, settings.yaml]
    vars:
    - {name: PODS, objref: {apiVersion: v1, kind: ConfigMap, name: settings}, fieldref: {fieldpath: data.pods}}
    configurations: [where.yaml]
"""
REPOSITORY: Files = {
    "kustomization.yaml": VARS,
    "quota.yaml": quota(hard='pods: "$(PODS)"'),
    "web.yaml": web(),
    "settings.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {pods: '9'}\n",
    "where.yaml": "varReference: [{path: spec/hard/pods, kind: ResourceQuota}]\n",
}


def with_kustomize(which: str) -> Files:
    return {**REPOSITORY, ".quotalint.yaml": f"renderers: {{kustomize: {which}}}\n"}


def needed_kubectl() -> str:
    program = os.environ.get("QUOTALINT_TEST_KUBECTL") or shutil.which("kubectl")
    if not program:
        pytest.skip("there is no kubectl on PATH, and QUOTALINT_TEST_KUBECTL does not name one")
    return os.path.abspath(program)


@pytest.mark.parametrize("which", ["auto", "builtin"])
def test_no_program_is_needed(which: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, with_kustomize(which), monkeypatch) == Outcome(["team-a/base pods 2/9 exact"], [])


def test_the_program_builds_if_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    actual_outcome = outcome(tmp_path, with_kustomize("binary"), monkeypatch, helm=needed_kubectl())
    assert actual_outcome == Outcome(["team-a/base pods 2/9 exact"], [])


def test_a_program_on_the_path_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**REPOSITORY, "kustomization.yaml": VARS + "    transformers: [plugin.yaml]\n"}
    files["plugin.yaml"] = "apiVersion: example.com/v1\nkind: Tripler\nmetadata: {name: x}\n"
    kubectl = needed_kubectl()  # before PATH is emptied
    without = outcome(tmp_path, files, monkeypatch)
    assert (outcome(tmp_path, files, monkeypatch, helm=kubectl), without.findings) == (
        without,
        ["kustomization.yaml:6:16 QL003 warning"],
    )


@pytest.mark.parametrize("which", ["binary", '"off"'])
def test_what_nobody_builds_is_said_to_be_missing(which: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**with_kustomize(which), "plain/quota.yaml": quota("team-b")}
    assert outcome(tmp_path, files, monkeypatch) == Outcome(
        ["team-b/base pods ?/8 unknown"], ["kustomization.yaml:1:1 QL003 warning"]
    )


CHART: Files = {
    "charts/web/Chart.yaml": "{apiVersion: v2, name: web, version: 1.0.0}\n",
    "charts/web/values.yaml": "replicas: 1\n",
    "charts/web/templates/web.yaml": web("{{ .Values.replicas }}", name="{{ .Release.Name }}"),
    "values/prod.yaml": "replicas: 9\n",
    "quota.yaml": quota("team-a"),
}


def test_a_chart_that_nothing_deploys_is_rendered_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = checked(tmp_path, CHART, monkeypatch)
    assert outcome_of(result).quotas == ["team-a/base pods 1/8 assumed"]


RELEASE = "{release: shop, namespace: team-a, values: [values/prod.yaml]}"


def test_a_release_of_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**CHART, ".quotalint.yaml": f"renderers: {{helm: {{charts/web: {RELEASE}}}}}\n"}
    result = checked(tmp_path, files, monkeypatch, helm=needed_helm())
    (exceeded,) = (finding for finding in result.findings if finding.rule.id == "QL301")
    assert (
        outcome_of(result).quotas,
        [(related_place.label, related_place.file, related_place.message) for related_place in exceeded.related],
    ) == (
        ["team-a/base pods 9/8 exact"],
        [
            ("used by", "values/prod.yaml", "Deployment shop: 9 pods × 1 = 9"),
            ("base", "charts/web/templates/web.yaml", "Deployment shop comes from this template"),
        ],
    )


@pytest.mark.parametrize(
    ("configuration", "place"),
    [
        pytest.param(
            f"renderers:\n  helm:\n    renderer: program\n    charts/web: {RELEASE}\n",
            ".quotalint.yaml:4:5",
            id="no program",
        ),
        pytest.param(
            "renderers:\n  helm:\n    charts/none: {namespace: team-a}\n", ".quotalint.yaml:3:5", id="no such chart"
        ),
    ],
)
def test_a_release_that_cannot_be_rendered(
    configuration: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    actual_outcome = outcome(tmp_path, {**CHART, ".quotalint.yaml": configuration}, monkeypatch)
    assert actual_outcome == Outcome(["team-a/base pods ?/8 unknown"], [f"{place} QL003 warning"])


def test_helm_charts_of_a_kustomization(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: Files = {
        **CHART,
        "live/kustomization.yaml": """
            namespace: team-a
            helmGlobals: {chartHome: ../charts}
            helmCharts:
            - {name: web, releaseName: shop, valuesInline: {replicas: 3}}
            replicas: [{name: shop, count: 4}]
        """,
    }
    assert outcome(tmp_path, files, monkeypatch, helm=needed_helm()) == Outcome(["team-a/base pods 4/8 exact"], [])
