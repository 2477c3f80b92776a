"""Nothing outside of the repository is read, whatever leads there; and nothing that refers to itself runs for ever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from deployer_objects import argo_application, flux_kustomization
from gitops_outcome import checked, needed_helm
from manifests import quota, web
from written_files import Files, Link

from quotalint.accounts.quota_table import quota_tables
from quotalint.pipeline import Result
from quotalint.reports import json as json_report
from quotalint.reports import manifests, text_report
from quotalint.reports.summary import summarize_run
from quotalint.reports.terminal import Terminal

SECRET = "swordfish"
OUTSIDE: Files = {
    "outside/secret.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {SECRET}}}\ndata: {{a: {SECRET}}}\n",
    "outside/secret.txt": f"{SECRET}\n",
    "outside/values.yaml": f"secret: {SECRET}\n",
    "outside/base/kustomization.yaml": "resources: [secret.yaml]\n",
    "outside/base/secret.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {SECRET}}}\n",
    "outside/patch.yaml": f"[{{op: add, path: /metadata/annotations, value: {{a: {SECRET}}}}}]\n",
}
CHART: Files = {
    "in/chart/Chart.yaml": "{apiVersion: v2, name: chart, version: 1.0.0}\n",
    "in/chart/templates/a.yaml": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
        'data: {a: {{ .Values.secret | default "-" | quote }}, b: {{ .Files.Get "link.txt" | quote }}}\n'
    ),
}


def kustomization(text: str) -> Files:
    return {"in/kustomization.yaml": f"resources: [web.yaml]\n{text}\n", "in/web.yaml": web()}


def flux(path: str) -> str:
    return flux_kustomization(path, name="a", source="a")


def argo(source: str) -> str:
    return argo_application(name="a", source=source)


WAYS: dict[str, Files] = {
    "a resource": {"in/kustomization.yaml": "resources: [../outside/secret.yaml]\n"},
    "an absolute resource": {"in/kustomization.yaml": "resources: [@/outside/secret.yaml]\n"},
    "a base": {"in/kustomization.yaml": "resources: [../outside/base]\n"},
    "a component": {"in/kustomization.yaml": "components: [../outside/base]\n"},
    "a link to a file": {
        "in/kustomization.yaml": "resources: [a.yaml]\n",
        "in/a.yaml": Link("../outside/secret.yaml"),
    },
    "a link to a folder": {"in/kustomization.yaml": "resources: [a]\n", "in/a": Link("../outside/base")},
    "a file in a linked folder": {"in/kustomization.yaml": "resources: [a/secret.yaml]\n", "in/a": Link("../outside")},
    "a patch": kustomization("patches: [{path: ../outside/patch.yaml, target: {kind: Deployment}}]"),
    "a generator": kustomization("configMapGenerator: [{name: a, files: [../outside/secret.txt]}]"),
    "a generator's environment": kustomization("configMapGenerator: [{name: a, envs: [../outside/secret.txt]}]"),
    "a replacement": kustomization("replacements: [{path: ../outside/patch.yaml}]"),
    "a plain link": {"in/a.yaml": Link("../outside/secret.yaml")},
    "Flux": {"in/flux.yaml": flux("../outside"), "in/flux-b.yaml": flux("./a"), "in/a": Link("../outside")},
    "Argo CD": {
        "in/a.yaml": argo("repoURL: x, path: ../outside"),
        "in/b.yaml": argo("repoURL: x, path: b, directory: {recurse: true}"),
        "in/b/c": Link("../../outside"),
        "in/b/d.yaml": Link("../../outside/secret.yaml"),
    },
    "values": {
        **CHART,
        "in/a.yaml": argo("repoURL: x, path: chart, helm: {valueFiles: [../../outside/values.yaml]}"),
    },
    "a linked values file": {
        **CHART,
        "in/chart/more.yaml": Link("../../outside/values.yaml"),
        "in/a.yaml": argo("repoURL: x, path: chart, helm: {valueFiles: [more.yaml]}"),
    },
    "a file of a chart": {
        **CHART,
        "in/chart/link.txt": Link("../../outside/secret.txt"),
        "in/a.yaml": argo("repoURL: x, path: chart"),
    },
    "a parameter": {
        **CHART,
        "in/a.yaml": argo(
            "repoURL: x, path: chart, helm: {fileParameters: [{name: secret, path: ../../outside/secret.txt}]}"
        ),
    },
}


def said(result: Result) -> str:
    """Everything that any report says."""
    numbers = summarize_run(result.environments, result.findings)
    tables = quota_tables(result.environments, result.locate)
    return (
        json_report.render(result.environments[0].repository, result.findings, tables, numbers)
        + text_report.render(
            result.findings, numbers, result.environments, result.content, Terminal(), quiet=False, verbose=True
        )
        + manifests.render([(facts.environment, facts.cluster.objects) for facts in result.environments], result.locate)
    )


@pytest.mark.parametrize("way", WAYS)
def test_a_file_outside_is_never_read(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    helm = needed_helm() if any("chart" in name for name in WAYS[way]) else ""
    files = {name: _at(content, tmp_path) for name, content in {**OUTSIDE, **WAYS[way], "in/.git/HEAD": ""}.items()}
    assert SECRET not in said(checked(tmp_path, files, monkeypatch, helm, within="in"))


def _at(content: str | bytes | Link, folder: Path) -> str | bytes | Link:
    return content.replace("@", str(folder)) if isinstance(content, str) else content


QUOTA_OF_A = {"a/quota.yaml": quota("team-a")}
APPLICATIONS: Files = {
    "apps/0/quota.yaml": quota("team-a"),
    **{
        f"apps/{number}/next.yaml": argo(f"repoURL: x, path: apps/{(number + 1) % 50}").replace(": a,", f": a{number},")
        for number in range(50)
    },
}


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"in/a.yaml": argo("repoURL: x, path: .")}, id="an Application of itself"),
        pytest.param(
            {"a/a.yaml": argo("repoURL: x, path: b"), "b/b.yaml": argo("repoURL: x, path: a"), **QUOTA_OF_A},
            id="two of each other",
        ),
        pytest.param(APPLICATIONS, id="fifty in a ring"),
        pytest.param(
            {"a/kustomization.yaml": "resources: [../b]", "b/kustomization.yaml": "resources: [../a]"}, id="bases"
        ),
        pytest.param({"flux.yaml": flux("./"), "more.yaml": flux("./").replace("name: a", "name: b")}, id="Flux"),
    ],
)
def test_what_refers_to_itself_comes_to_an_end(files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = checked(tmp_path, {**files, "quota.yaml": quota("team-a")}, monkeypatch)
    report = json.loads(
        json_report.render(
            result.environments[0].repository,
            result.findings,
            quota_tables(result.environments, result.locate),
            summarize_run(result.environments, result.findings),
        )
    )
    assert [quota["name"] for quota in report["quotas"]] == ["base"] * len(result.environments)
