"""Values of helmfiles that are not in the repository: what depends on them is assumed, and the rest is seen."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from gitops_outcome import checked
from installed_helmfiles import WEB, installed
from manifests import quota
from written_files import Files

from quotalint.accounts.facts import Facts

ENVIRONMENT = """
environments:
  prod:
    values:
    - values.yaml
    - /etc/company/cluster.yaml
---
"""
KNOWN = "size: 2\nnamespaces: {a: {}, b: {pods: 7}}\n"


@pytest.mark.parametrize(
    ("template", "values"),
    [
        pytest.param("a: {{ .Values.size }}", "'a': 2", id="what is known"),
        pytest.param("a: {{ .Values.region }}", "'a': '$(Values.region)'", id="what is not"),
        pytest.param("a: {{ .Environment.Values.region }}", "'a': '$(Values.region)'", id="by its other name"),
        pytest.param("a: {{ .StateValues.a.b }}", "'a': '$(Values.a.b)'", id="below what is not known"),
        pytest.param("a: {{ .Values.namespaces.a.x }}", "'a': '$(Values.namespaces.a.x)'", id="in a known map"),
        pytest.param("a: {{ index .Values `x-y` }}", "'a': '$(Values.x-y)'", id="by index"),
        pytest.param("a: {{ .Values | get `x` 3 }}", "'a': 3", id="get with a default"),
        pytest.param("a: {{ .Values | get `x.y` }}", "'a': '$(Values.x)'", id="get without"),
        pytest.param("a: {{ .Values | getOrNil `x` | default 4 }}", "'a': 4", id="getOrNil"),
        pytest.param("a: {{ .Values.x | default 5 }}", "'a': 5", id="a default"),
        pytest.param("a: {{ coalesce .Values.x 6 }}", "'a': 6", id="coalesce"),
        pytest.param("a: {{ or .Values.x 7 }}", "'a': 7", id="or"),
        pytest.param("a: {{ and .Values.x false }}", "'a': False", id="and with what is false"),
        pytest.param("a: {{ if .Values.x }}1{{ else }}2{{ end }}", "'a': 1", id="a condition"),
        pytest.param("a: {{ if not .Values.x }}1{{ else }}2{{ end }}", "'a': 2", id="its contrary"),
        pytest.param("a: {{ if eq .Values.x `y` }}1{{ else }}2{{ end }}", "'a': 1", id="a comparison"),
        pytest.param("a: {{ if semverCompare `>1.24` .Values.v }}1{{ end }}", "'a': 1", id="a version"),
        pytest.param("a: {{ if hasKey .Values `x` }}1{{ else }}2{{ end }}", "'a': 2", id="a key that may be there"),
        pytest.param("a: {{ if hasKey .Values `size` }}1{{ else }}2{{ end }}", "'a': 1", id="a key that is there"),
        pytest.param("a: {{ if hasKey .Values `x` }}1{{ else }}{{ fail `no` }}{{ end }}", "'a': 1", id="else it fails"),
        pytest.param("a: {{ if .Values.x }}{{ fail `no` }}{{ else }}2{{ end }}", "'a': 2", id="if it fails"),
        pytest.param("a: {{ ternary 1 2 .Values.x }}", "'a': 1", id="ternary"),
        pytest.param("a: x{{ range .Values.x }}1{{ else }}0{{ end }}", "'a': 'x0'", id="a list"),
        pytest.param("a: {{ with .Values.x }}{{ .y }}{{ end }}", "'a': '$(Values.x.y)'", id="with"),
        pytest.param("a: {{ printf `%s-%s` .Values.x `b` }}", "'a': '$(Values.x)-b'", id="in a text"),
        pytest.param("a: {{ .Values.x | quote }}", "'a': '$(Values.x)'", id="quoted"),
        pytest.param("a: {{ .Values.x | toYaml | nindent 6 }}", "'a': '$(Values.x)'", id="as YAML"),
        pytest.param("a: {{ dict `k` .Values.x | toYaml | nindent 6 }}", "'a': {'k': '$(Values.x)'}", id="in a map"),
        pytest.param("a: {{ .Values.x | upper | trunc 3 }}", "'a': '$(Values.x)'", id="changed"),
        pytest.param(
            "a: {{ range $k, $v := mergeOverwrite .Values.services .Values.namespaces }}{{ $k }}"
            "{{ $v | get `pods` 1 }}{{ end }}",
            "'a': 'a1b7'",
            id="a map laid over one that is not known",
        ),
        pytest.param("a: {{ requiredEnv `REGION` }}", "'a': '$(REGION)'", id="a variable"),
        pytest.param("a: {{ exec `id` (list) | trim }}", "'a': '$(exec)'", id="a program"),
        pytest.param("a: {{ envExec (dict `A` `b`) `id` (list) }}", "'a': '$(envExec)'", id="one with variables"),
        pytest.param("a: {{ fetchSecretValue `ref+vault://x` }}", "'a': '$(fetchSecretValue)'", id="a secret"),
        pytest.param("a: {{ (expandSecretRefs .Values).x }}", "'a': '$(expandSecretRefs.x)'", id="secrets"),
        pytest.param("a: {{ expandenv `$HOME` }}", "'a': '$(expandenv)'", id="variables in a text"),
        pytest.param("a: {{ range readDirEntries `x` }}1{{ end }}", "'a': None", id="entries of a folder"),
        pytest.param("a: {{ required `no size` .Values.size }}", "'a': 2", id="what is required and there"),
        pytest.param("a: {{ .Values.x | required `no x` }}", "'a': '$(Values.x)'", id="what is required and may be"),
        pytest.param("a: {{ readFile `/etc/x` }}", "'a': '$(/etc/x)'", id="a file"),
        pytest.param("a: {{ if isFile `/etc/x` }}1{{ end }}", "'a': 1", id="whether there is a file"),
        pytest.param("a: {{ env `X` | default `none` }}", "'a': 'none'", id="the environment is empty"),
    ],
)
def test_what_is_not_known_spreads(template: str, values: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = f"releases:\n- name: web\n  namespace: team\n  chart: ./charts/web\n  values:\n  - {template}\n"
    files = {**WEB, "values.yaml": KNOWN, "helmfile.yaml.gotmpl": ENVIRONMENT + release}
    releases = installed(tmp_path, cast("Files", files), monkeypatch, "helmfile.yaml.gotmpl")
    assert releases == {"prod": [f"team/web charts/web {{{values}}}"]}


def test_a_base_that_depends_on_what_is_not_known_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        **WEB,
        "values.yaml": KNOWN,
        "more.yaml": "releases: [{name: web, namespace: team, chart: ./charts/web}]\n",
        "helmfile.yaml.gotmpl": ENVIRONMENT
        + "bases:\n{{- if semverCompare `>1.24` .Values.kubernetesVersion }}\n- more.yaml\n{{- end }}\n---\n"
        + "kubeVersion: '{{ .Values.kubernetesVersion }}'\n",
    }
    releases = installed(tmp_path, cast("Files", files), monkeypatch, "helmfile.yaml.gotmpl")
    assert releases == {"prod": ["team/web charts/web {}"]}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("x.enabled", ["team/web charts/web {}"]), ("size.enabled", None)],
    ids=["not known", "known, and no map"],
)
def test_a_condition_that_is_not_known_holds(
    condition: str, expected: list[str] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = f"releases: [{{name: web, namespace: team, chart: ./charts/web, condition: {condition}}}]\n"
    files = {**WEB, "values.yaml": KNOWN, "helmfile.yaml": ENVIRONMENT + release}
    releases = installed(tmp_path, cast("Files", files), monkeypatch, "helmfile.yaml")
    assert releases.get("prod") == expected


def test_a_part_may_use_the_values_that_it_declares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
values: [{backfill: false}]
environments:
  prod: {values: [{names: ["a{{ if .Values.backfill }}-backfill{{ end }}"]}]}
{{- if .Values.backfill }}
helmDefaults: {}
{{- end }}
---
releases:
{{- range .Values.names }}
- {name: {{ . }}, namespace: team, chart: ./charts/web}
{{- end }}
"""
    releases = installed(tmp_path, cast("Files", {**WEB, "helmfile.yaml": text}), monkeypatch, "helmfile.yaml")
    assert releases == {"prod": ["team/a charts/web {}"]}


RAW = """
releases:
- name: quotas
  chart: company/raw
  values:
  - resources:
    {{- range $name, $limits := .Values.namespaces }}
    - apiVersion: v1
      kind: ResourceQuota
      metadata: {name: base, namespace: {{ $name }}}
      spec: {hard: {pods: {{ $limits | get "pods" $.Values.pods }}}}
    {{- end }}
"""


def facts_of(files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Facts:
    result = checked(folder, cast("Files", files), monkeypatch)
    return next(iter(result.environments))


def test_quotas_are_shown_as_assumed_with_one_cause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"values.yaml": KNOWN, "helmfile.yaml.gotmpl": ENVIRONMENT + RAW}
    facts = facts_of(files, tmp_path, monkeypatch)
    limits = [
        (quota.object.namespace, *quota.hard, *(unknown.reason for unknown in quota.unknowns)) for quota in facts.quotas
    ]
    assert limits == [("a", "is the placeholder '$(Values.pods)'"), ("b", "pods")]
    reasons = [(guess.reason, guess.cure) for guess in facts.quotas[0].object.guesses]
    cure = "keep stand-ins in the repository and name their folder: `sources: {/etc/company: FOLDER}`"
    assert reasons[1:] == [
        ("values files in /etc/company lie outside the repository, and may change what is counted", cure),
        ("`.Values.pods` is not in view, and may change what is counted", cure),
    ]


def test_a_stand_in_takes_the_place_of_a_file_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "values.yaml": KNOWN,
        "helmfile.yaml.gotmpl": ENVIRONMENT + RAW,
        "ci/company/cluster.yaml": "pods: 3\n",
        ".quotalint.yaml": "sources: {/etc/company: ci/company}\n",
    }
    facts = facts_of(files, tmp_path, monkeypatch)
    assert [(quota.object.namespace, str(quota.hard["pods"].nano // 10**9)) for quota in facts.quotas] == [
        ("a", "3"),
        ("b", "7"),
    ]
    assert [guess.reason for guess in facts.quotas[0].object.guesses if "/etc" in guess.reason] == []


def test_a_value_is_reported_where_the_environment_says_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = "namespaces:\n  a:\n    pods: 2x\n  b:\n    pods: 7\n"
    files = {"values.yaml": values, "helmfile.yaml.gotmpl": ENVIRONMENT + RAW}
    result = checked(tmp_path, cast("Files", files), monkeypatch)
    assert [(finding.rule.id, finding.file, finding.span.line) for finding in result.findings] == [
        ("QL103", "values.yaml", 3)
    ]


def test_a_chart_that_counts_with_what_is_not_known_leaves_a_lower_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("helm_python")
    from gitops_outcome import outcome

    web = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
        "spec:\n  replicas: {{ .Values.replicas | int }}\n"
        "  selector: {matchLabels: {app: a}}\n"
        "  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: a}]}}\n"
    )
    helmfile = ENVIRONMENT + (
        "releases:\n- {name: web, namespace: team, chart: ./charts/web, values: [{replicas: '{{ .Values.n }}'}]}\n"
    )
    files = {
        **WEB,
        "charts/web/templates/web.yaml": web,
        "values.yaml": KNOWN,
        "helmfile.yaml.gotmpl": helmfile,
        "quota.yaml": quota("team", hard="pods: 20"),
    }
    actual_outcome = outcome(tmp_path, cast("Files", files), monkeypatch)
    assert [quota.split()[-1] for quota in actual_outcome.quotas if "20" in quota] == ["at-least"]


def test_a_release_that_fails_for_want_of_values_has_that_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("helm_python")
    template = "{{ range $name := list 1 2 }}{{ index $.Values.proxies (print $name) }}{{ end }}"
    helmfile = ENVIRONMENT + "".join(
        f"{'releases:' if not number else ''}\n- {{name: w{number}, namespace: team, chart: ./charts/web}}"
        for number in range(3)
    )
    files = {
        **WEB,
        "charts/web/templates/web.yaml": template,
        "values.yaml": KNOWN,
        "helmfile.yaml": helmfile,
        "quota.yaml": quota("team", hard="pods: 20"),
    }
    result = checked(tmp_path, cast("Files", files), monkeypatch)
    assert [(finding.rule.id, finding.message) for finding in result.findings] == [
        (
            "QL003",
            "3 releases need values that lie outside the repository (/etc/company); what they deploy to namespace "
            "team is not counted",
        )
    ]


def test_one_release_is_spoken_of_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("helm_python")
    environments = ENVIRONMENT.replace("  prod:", "  dev: {values: [/etc/company/cluster.yaml]}\n  prod:")
    files = {
        **WEB,
        "charts/web/templates/web.yaml": "{{ .Values.proxies.a.b }}",
        "values.yaml": KNOWN,
        "helmfile.yaml": environments + "releases: [{name: web, namespace: team, chart: ./charts/web}]\n",
        "quota.yaml": quota("team", hard="pods: 20"),
    }
    result = checked(tmp_path, cast("Files", files), monkeypatch)
    messages = [finding.message.partition(":")[0] for finding in result.findings if finding.rule.id == "QL003"]
    assert messages == ["the chart charts/web (release web) is not rendered"]


def test_values_that_whoever_runs_helmfile_gives_are_assumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "helmfile.yaml.gotmpl": "values: [{namespaces: {a: {pods: 3}}}]\n---\n"
        + RAW
        + "  installed: {{ .Values.installed }}\n"
    }
    facts = facts_of(files, tmp_path, monkeypatch)
    assert [(quota.object.namespace, *quota.hard) for quota in facts.quotas] == [("a", "pods")]
    assert [guess.reason for guess in facts.quotas[0].object.guesses][1:] == [
        "values for helmfile.yaml.gotmpl are passed when helmfile runs, and may change what is counted",
        "`.Values.installed` is not in view, and may change what is counted",
    ]


def test_a_variable_that_may_be_missing_is_said_once_to_be_taken_for_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helmfile = RAW.replace('$limits | get "pods" $.Values.pods', "env `PODS` | default 3").replace(
        "range $name, $limits := .Values.namespaces", "range $name := list `a` (env `PODS` | default `b`)"
    )
    facts = facts_of({"helmfile.yaml.gotmpl": helmfile}, tmp_path, monkeypatch)
    assert [[guess.reason for guess in quota.object.guesses if "PODS" in guess.reason] for quota in facts.quotas] == [
        ["the environment variable PODS is not known here: it is assumed to be empty"]
    ] * 2
