"""Templates that write quotas are named, with what renders them; nothing beside them says that there is no quota."""

from __future__ import annotations

from pathlib import Path

import pytest
from manifests import quota
from written_files import write_as_is

from quotalint.cli.commands import run_commands

QUOTA = quota(hard="pods: 4")
JINJA = QUOTA.replace("name: base", "name: '{{ name }}'")
CHART = {"chart/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0}\n"}


@pytest.mark.parametrize(
    ("files", "name", "command"),
    [
        ({"quota.yaml.j2": JINJA}, "quota.yaml.j2", "`jinja2 quota.yaml.j2 | quotalint -`"),
        ({"team/quota.gotmpl": QUOTA}, "team/quota.gotmpl", "`gomplate -f team/quota.gotmpl | quotalint -`"),
        (
            {"team/quota.gotmpl": QUOTA, "helmfile.yaml": "releases: []\n"},
            "team/quota.gotmpl",
            "`helmfile template | quotalint -`",
        ),
        ({"a.jsonnet": "{ apiVersion: 'v1', kind: 'LimitRange' }"}, "a.jsonnet", "`jsonnet a.jsonnet | quotalint -`"),
        ({"q.libsonnet": "k.core.v1.resourceQuota.new('a')"}, "q.libsonnet", "`jsonnet` of what imports it"),
        ({"q.cue": 'kind: "ResourceQuota"\n'}, "q.cue", "`cue export q.cue --out yaml | quotalint -`"),
        (
            {"m.tf": 'variable "a" {}\nresource "kubernetes_limit_range_v1" "a" {}\n'},
            "m.tf",
            "`terraform show -json PLAN | quotalint -`",
        ),
        ({"q.erb": QUOTA}, "q.erb", "`erb q.erb | quotalint -`"),
        ({"q.yaml": "#@ name = 1\n" + QUOTA}, "q.yaml", "`ytt -f q.yaml | quotalint -`"),
        ({"q.yaml": QUOTA.replace("base", "{{ cookiecutter.name }}")}, "q.yaml", "what renders it"),
        (
            {"tasks/main.yml": "- k8s: {definition: {apiVersion: v1, kind: ResourceQuota, spec: {hard: {pods: 1}}}}\n"},
            "tasks/main.yml",
            "what renders it",
        ),
        (
            {**CHART, "chart/templates/q.yaml": "{{ if .Values.on }}\n" + QUOTA + "{{ end }}\n"},
            "chart/templates/q.yaml",
            "`helm template chart | quotalint -`",
        ),
        (
            {"{x}/Chart.yaml": CHART["chart/Chart.yaml"], "{x}/templates/q.yaml": "{{ if .Values.on }}\n" + QUOTA},
            "{x}/templates/q.yaml",
            "`helm template {x} | quotalint -`",
        ),
        (
            {**CHART, "chart/templates/_q.tpl": '{{ define "q" }}\n' + QUOTA + "{{ end }}\n"},
            "chart/templates/_q.tpl",
            "`helm template chart | quotalint -`",
        ),
        (
            {
                "lib/Chart.yaml": "apiVersion: v2\nname: lib\ntype: library  # of others\nversion: 1.0.0\n",
                "lib/templates/_q.tpl": '{{ define "q" }}\n' + QUOTA + "{{ end }}\n",
            },
            "lib/templates/_q.tpl",
            "`helm template` of a chart that includes it, piped into `quotalint -`, would show them",
        ),
        (
            {
                "t.yaml": "apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: t}\nobjects:\n- "
                + QUOTA.replace("\n", "\n  ")
            },
            "t.yaml",
            "`oc process -f t.yaml | quotalint -`",
        ),
    ],
)
def test_a_template_is_named(
    files: dict[str, str],
    name: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_as_is(tmp_path, {**files, "web.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"})
    status = run_commands(["check", "."])
    message = " ".join(capsys.readouterr().out.split())
    assert status == 0
    assert f"{name}: " in message and command in message
    assert "No ResourceQuota" not in message and "No quota" not in message


@pytest.mark.parametrize(
    "files",
    [
        {"web.yaml.j2": JINJA.replace("ResourceQuota", "ConfigMap")},
        {"a.tpl": "# no ResourceQuota here: see https://kubernetes.io\n"},
        {"p.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: kind ResourceQuota}\n"},
        {"p.j2": "kind: AppProject\nspec:\n  allowed:\n  - group: ''\n    kind: ResourceQuota\n"},
        {"p.j2": "kind: AppProject\nspec:\n  allowed:\n  - kind: LimitRange\n    group: ''\n"},
        {"p.j2": "kind: AppProject\nspec: {allowed: [{group: '', kind: ResourceQuota}]}\n"},
    ],
)
def test_what_only_speaks_of_quotas_is_none(
    files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for file, text in {**files, "web.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"}.items():
        Path(file).write_text(text)
    assert run_commands(["check", "."]) == 0
    assert "No ResourceQuota or LimitRange in" in capsys.readouterr().out
