"""Quotas inside other objects: checked at their own lines, with what a template fills in unknown, and never counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_files import write_as_is

from quotalint.cli import run
from quotalint.text.documents import read
from quotalint.text.inner import mask_actions, show_masked
from quotalint.text.place import Place, inner_document
from quotalint.text.spans import locate

CROSSPLANE = """\
apiVersion: kubernetes.crossplane.io/v1alpha2
kind: Object
metadata: {name: q}
spec:
  forProvider:
    manifest:
      apiVersion: v1
      kind: ResourceQuota
      metadata: {namespace: a}
      spec:
        hard: {limits.cpus: "4"}
"""
GROUP_CONFIG = """\
apiVersion: redhatcop.redhat.io/v1alpha1
kind: GroupConfig
metadata: {name: q}
spec:
  templates:
  - objectTemplate: |
      {{- if .x }}
      apiVersion: v1
      kind: ResourceQuota
      metadata:
        name: {{ .Name }}-q
        namespace: {{ .Name }}
      spec:
        hard:
          cpu: {{ index .Annotations "cpu" }}
          memory: 4Gb
        scopes: {{ .scopes }}
      {{- end }}
      ---
      apiVersion: v1
      kind: LimitRange
      metadata: {name: l, namespace: "{{ .Name }}"}
      spec:
        limits:
        - type: Containr
"""
RAW_POLICY = """\
apiVersion: policy.open-cluster-management.io/v1
kind: ConfigurationPolicy
metadata: {name: raw}
spec:
  object-templates-raw: |
    {{- range (lookup "v1" "Namespace" "" "").items }}
    - complianceType: musthave
      objectDefinition:
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: q}
        spec:
          hard:
            requests.cpuu: 4
    - complianceType: mustnothave
      objectDefinition: {apiVersion: v1, kind: ResourceQuota, spec: {hard: {nonsense: 4}}}
    {{- end }}
"""
TEMPLATE = """\
apiVersion: template.openshift.io/v1
kind: Template
metadata: {name: team}
objects:
- apiVersion: v1
  kind: ResourceQuota
  metadata: {name: "${NAME}"}
  spec:
    hard:
      request.cpu: ${CPU}
      pods: ${{PODS}}
"""
KYVERNO = """\
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: quotas}
spec:
  rules:
  - name: generate
    generate:
      apiVersion: v1
      kind: ResourceQuota
      name: default
      namespace: "{{request.object.metadata.name}}"
      data:
        spec:
          hard:
            pods: "2.5"
            memory: "{{request.object.metadata.labels.memory}}"
  - name: check
    validate:
      pattern: {apiVersion: v1, kind: ResourceQuota, spec: {hard: {"(x)": "?*"}}}
"""
SYNC_SETS = """\
apiVersion: hive.openshift.io/v1
kind: SyncSet
metadata: {name: one}
spec:
  resources:
  - {apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: a}, spec: {hard: {pods: -1}}}
---
apiVersion: hive.openshift.io/v1
kind: SyncSet
metadata: {name: two}
spec:
  resources:
  - {apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: a}, spec: {hard: {pods: -2}}}
"""


def checked(
    tmp_path: Path, files: dict[str, str], capsys: pytest.CaptureFixture[str], *options: str
) -> dict[str, object]:
    write_as_is(tmp_path, files)
    run(["check", "--format", "json", *options, str(tmp_path)])
    report: dict[str, object] = json.loads(capsys.readouterr().out)
    return report


def found(report: dict[str, object]) -> list[str]:
    findings = report["findings"]
    assert isinstance(findings, list)
    return [f"{finding['line']}:{finding['column']} {finding['rule']}" for finding in findings]


@pytest.mark.parametrize(
    ("manifest", "expected", "quotas"),
    [
        pytest.param(
            CROSSPLANE, ["1:1 QL003", "11:16 QL102"], 1, id="an Object of Crossplane, whose quota has no name yet"
        ),
        pytest.param(GROUP_CONFIG, ["16:11 QL103", "25:11 QL121"], 1, id="text with Go templates"),
        pytest.param(RAW_POLICY, ["14:13 QL102"], 1, id="a policy in raw text, and what must not be"),
        pytest.param(TEMPLATE, ["10:7 QL102"], 1, id="an OpenShift Template"),
        pytest.param(KYVERNO, ["15:13 QL105"], 1, id="what Kyverno generates, and a pattern that is no quota"),
        pytest.param(SYNC_SETS, ["6:92 QL104", "13:92 QL104"], 2, id="quotas of one name for two clusters"),
    ],
)
def test_a_quota_inside_is_checked_at_its_own_line(
    manifest: str, expected: list[str], quotas: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = checked(tmp_path, {"host.yaml": manifest}, capsys)
    assert found(report) == expected
    summary = report["summary"]
    assert isinstance(summary, dict)
    assert (summary["quotasInTemplates"], summary["quotas"], report["quotas"]) == (quotas, 0, [])


def test_the_inputs_of_a_policy_generator_are_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        "kustomization.yaml": "generators: [generator.yaml]\n",
        "generator.yaml": (
            "apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\nmetadata: {name: g}\n"
            "policies: [{name: p, manifests: [{path: quotas}]}]\n"
        ),
        "quotas/a.yaml": (
            "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {limits.memmory: 4Gi}}\n"
        ),
    }
    report = checked(tmp_path, files, capsys, "--select", "QL1")
    assert found(report) == ["4:15 QL102"]


TIER = """\
apiVersion: toolchain.dev.openshift.com/v1alpha1
kind: TierTemplate
metadata: {name: t}
spec:
  template:
    objects:
    - apiVersion: quota.openshift.io/v1
      kind: ClusterResourceQuota
      metadata: {name: "for-${SPACE_NAME}"}
      spec:
        quota: {hard: {limits.cpu: 2x, pods: "10"}}
        selector: {labels: {matchLabels: {space: "${SPACE_NAME}"}}}
"""
DATA = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: bootstrap}
data:
  quota.yaml: |
    apiVersion: v1
    kind: ResourceQuota
    metadata: {name: q, namespace: "{{ team }}"}
    spec:
      hard: {limits.cpuu: 4}
"""


def test_a_quota_of_several_projects_inside_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert found(checked(tmp_path, {"tier.yaml": TIER}, capsys)) == ["11:24 QL103"]


def test_configuration_says_which_config_maps_hold_manifests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"bootstrap/a.yaml": DATA, "other/a.yaml": DATA, ".quotalint.yaml": "configMaps: [bootstrap/]\n"}
    report = checked(tmp_path, files, capsys)
    assert found(report) == ["10:14 QL102"]
    summary = report["summary"]
    assert isinstance(summary, dict)
    assert (summary["quotasInTemplates"], summary["quotas"]) == (1, 0)


def test_what_is_text_in_a_readable_document_is_no_template(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: ${A}}\n"
    report = checked(tmp_path, {"host.yaml": GROUP_CONFIG + broken}, capsys, "--select", "QL007")
    assert found(report) == []


@pytest.mark.parametrize("kind", ["ConfigMap", "CustomResourceDefinition", "Test"])
def test_examples_and_data_are_no_quotas(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    host = f"apiVersion: example.com/v1\nkind: {kind}\nmetadata: {{name: a}}\nspec:\n  a: "
    inside = "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {nonsense: 4}}}\n"
    report = checked(tmp_path, {"host.yaml": host + inside}, capsys)
    assert found(report) == []


def test_a_repair_inside_text_is_left_to_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checked(tmp_path, {"host.yaml": RAW_POLICY.replace("requests.cpuu", "request.cpu")}, capsys, "--fix")
    assert "request.cpu: 4" in (tmp_path / "host.yaml").read_text()


def test_everything_stands_where_it_stood() -> None:
    text = "a:\n  {{- if .x }}\n  b: {{ .y }}-c # {{ d }}\n  {{ end }}\n  e: {{ `f\n  g` }}\n"
    as_yaml = mask_actions(text).decode()
    assert [len(line) for line in as_yaml.split("\n")] == [len(line) for line in text.split("\n")]
    assert show_masked(read(as_yaml.encode()).documents[0].value) == {"a": {"b": "{{…}}-c", "e": None}}


@given(st.text())
def test_any_text_is_masked_in_place(text: str) -> None:
    assert [len(line) for line in mask_actions(text).decode("utf-8", "replace").split("\n")] == [
        len(line) for line in text.encode("utf-8", "replace").decode("utf-8", "replace").split("\n")
    ]


def test_a_path_into_a_block_of_text_is_found() -> None:
    data = b"a:\n  b: |\n\n    c:\n      d: e\n    ---\n    f: g\n"
    places = [Place("", 0, ("a", "b", inner_document(0), "c", "d")), Place("", 0, ("a", "b", inner_document(1), "f"))]
    spans = locate(data, places)
    assert [(spans[place].line, spans[place].column) for place in places] == [(5, 7), (7, 5)]


def test_what_a_list_holds_is_in_no_other_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "a"}, "spec": {"hard": {"pods": "1"}}}
    (tmp_path / "list.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [quota]}))
    monkeypatch.chdir(tmp_path)
    assert run(["--format", "json"]) == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert (summary["quotas"], summary.get("quotasInTemplates", 0)) == (1, 0)


RESOURCE_SET = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: tenants, namespace: flux-system}
spec:
  inputs: [{tenant: amber}, {tenant: coral}]
  resources:
  - apiVersion: v1
    kind: ResourceQuota
    metadata: {name: base, namespace: << inputs.tenant >>}
    spec:
      hard: {pods: 2, limit.cpu: 2}
"""
AS_TEXT = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: tenants, namespace: flux-system}
spec:
  inputsFrom: [{kind: ResourceSetInputProvider, name: pull-requests}]
  resourcesTemplate: |
    apiVersion: v1
    kind: ResourceQuota
    metadata:
      name: base
      namespace: app-<< inputs.id >>
    spec:
      hard:
        pods: << inputs.pods >>
        limit.cpu: 2
"""


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"host.yaml": RESOURCE_SET}, ["11:23 QL102"]),  # once, although it becomes two quotas
        ({"host.yaml": RESOURCE_SET.replace(", limit.cpu: 2", "")}, []),
        ({"host.yaml": RESOURCE_SET.replace("pods: 2", "pods: << inputs.pods >>")}, ["11:39 QL102"]),  # fails
        ({"host.yaml": AS_TEXT}, ["15:9 QL102"]),
        ({"host.yaml": AS_TEXT.replace("    limit.cpu: 2\n", "")}, []),
    ],
)
def test_what_the_flux_operator_fills_in_is_no_name_and_no_amount(
    files: dict[str, str], expected: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = checked(tmp_path, files, capsys, "--ignore", "QL003,QL305")
    assert found(report) == expected
