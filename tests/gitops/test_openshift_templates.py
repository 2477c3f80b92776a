"""OpenShift Templates: what they would make counts where the configuration says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import applied, checked, outcome_of
from written_files import Files

from quotalint.gitops.openshift_templates import process_templates
from quotalint.gitops.rendering import Rendering
from quotalint.kube.objects import objects
from quotalint.text.place import Place

ON = "templates: true\n"
TEMPLATE = """
    apiVersion: template.openshift.io/v1
    kind: Template
    metadata: {name: web}
    parameters:
      - {name: REPLICAS, value: "3"}
      - {name: NAME, value: web}
      - {name: CPU, value: 500m}
    objects:
      - apiVersion: apps/v1
        kind: Deployment
        metadata: {name: "${NAME}", namespace: elsewhere}
        spec:
          replicas: ${{REPLICAS}}
          strategy: {type: Recreate}
          template:
            spec:
              containers:
                - name: app
                  image: app
                  resources: {requests: {cpu: "${CPU}"}}
    """
QUOTA = """
    apiVersion: v1
    kind: ResourceQuota
    metadata: {name: base, namespace: team-a}
    spec: {hard: {pods: "2", requests.cpu: "4"}}
    """


def test_without_the_setting_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = checked(tmp_path, {"template.yaml": TEMPLATE, "quota.yaml": QUOTA}, monkeypatch)
    assert applied(result) == {"": ["ResourceQuota team-a/base", "Template team-a/web"]}


def test_its_objects_count_and_findings_point_into_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: Files = {".quotalint.yaml": ON, "template.yaml": TEMPLATE, "quota.yaml": QUOTA}
    result = checked(tmp_path, files, monkeypatch)
    assert (applied(result), outcome_of(result).quotas, outcome_of(result).findings) == (
        {"": ["Deployment team-a/web", "ResourceQuota team-a/base"]},
        ["team-a/base pods 3/2 assumed", "team-a/base requests.cpu 1500m/4 assumed"],
        ["quota.yaml:4:15 QL301 warning"],
    )
    related = [
        f"{related_place.file}:{related_place.span.line} {related_place.message}"
        for related_place in result.findings[0].related
    ]
    assert related == ["template.yaml:9 Deployment web: 3 pods × 1 = 3"]


def test_a_template_of_a_kustomization(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: Files = {
        ".quotalint.yaml": ON,
        "kustomization.yaml": "resources: [template.yaml, quota.yaml]\nnamespace: team-b\n",
        "template.yaml": TEMPLATE,
        "quota.yaml": QUOTA,
    }
    result = checked(tmp_path, files, monkeypatch)
    assert (applied(result), outcome_of(result).quotas) == (
        {"": ["Deployment team-b/web", "ResourceQuota team-b/base"]},
        ["team-b/base pods 3/2 assumed", "team-b/base requests.cpu 1500m/4 assumed"],
    )
    assert [f"{related_place.file}:{related_place.span.line}" for related_place in result.findings[0].related][:1] == [
        "template.yaml:9"
    ]


def made(template: dict[str, object]) -> list[object]:
    """The bodies of what a template makes."""
    body = {"apiVersion": "template.openshift.io/v1", "kind": "Template", "metadata": {"name": "t"}, **template}
    rendering = process_templates(Rendering(tuple(objects(body, Place("t.yaml")))))
    return [obj.body for obj in rendering.objects]


def config(data: object, **metadata: object) -> dict[str, object]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", **metadata}, "data": data}


PARAMETERS = [
    {"name": "A", "value": "a"},
    {"name": "N", "value": "3"},
    {"name": "T", "value": "true"},
    {"name": "O", "value": '{"x": [1]}'},
    {"name": "Q", "value": "not json"},
    {"name": "NUMBER", "value": 7},
    {"name": "EMPTY", "value": ""},
    {"name": "NEEDED", "value": "", "required": True},
    {"name": "MADE", "generate": "expression", "from": "[a-z]{8}"},
    {"name": "GIVEN"},
    {"name": "LOOP", "value": "${LOOP}"},
]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("${A}", "a"),
        ("x-${A}-${N}-${A}", "x-a-3-a"),
        ("${{N}}", 3),
        ("${{T}}", True),
        ("${{O}}", {"x": [1]}),
        ("${{Q}}", "not json"),
        ("x${{N}}", "x${{N}}"),
        ("${N}", "3"),
        ("${NUMBER}", "7"),
        ("${EMPTY}!", "!"),
        ("${NEEDED}", "${NEEDED}"),
        ("${MADE}", "${MADE}"),
        ("${{MADE}}", "${{MADE}}"),
        ("${GIVEN}", "${GIVEN}"),
        ("${UNKNOWN} ${a-b} $A ${", "${UNKNOWN} ${a-b} $A ${"),
        ("${LOOP}", "${LOOP}"),
        (["${A}", {"${A}": "${N}"}, 1, None], ["a", {"a": "3"}, 1, None]),
    ],
    ids=str,
)
def test_a_parameter_is_filled_in_or_named(written: object, expected: object) -> None:
    assert made({"parameters": PARAMETERS, "objects": [config(written)]}) == [config(expected)]


@pytest.mark.parametrize(
    ("namespace", "expected"),
    [
        ("fixed", {}),
        ("${A}", {"namespace": "a"}),
        ("${GIVEN}", {"namespace": "${GIVEN}"}),
        ("x-${A}", {"namespace": "x-a"}),
    ],
)
def test_only_a_namespace_from_a_parameter_stays(namespace: str, expected: dict[str, object]) -> None:
    actual_objects = made({"parameters": PARAMETERS, "objects": [config({}, namespace=namespace)]})
    assert actual_objects == [config({}, **expected)]


def test_labels_are_given_to_every_object() -> None:
    labels = {"app": "${A}", "${A}": "b"}
    actual_objects = made(
        {"parameters": PARAMETERS, "labels": labels, "objects": [config({}, labels={"own": "x", "app": "y"})]}
    )
    assert actual_objects == [config({}, labels={"own": "x", "app": "a", "a": "b"})]


def test_the_core_group_of_old_is_the_group_of_today() -> None:
    body = {"apiVersion": "v1", "kind": "Template", "objects": [{"apiVersion": "v1", "kind": "DeploymentConfig"}]}
    (obj,) = process_templates(Rendering(tuple(objects(body, Place("t.yaml"))))).objects
    assert (obj.group, obj.kind, obj.place) == (
        "apps.openshift.io",
        "DeploymentConfig",
        Place("t.yaml", 0, ("objects", 0)),
    )


def test_a_list_in_a_template_is_its_items() -> None:
    listed = {"apiVersion": "v1", "kind": "List", "items": [config({"a": "${A}"}), config({"n": "${N}"})]}
    assert made({"parameters": PARAMETERS, "objects": [listed]}) == [config({"a": "a"}), config({"n": "3"})]


def test_growth_has_an_end() -> None:
    parameters = [{"name": "X", "value": "x" * 1_000_000}]
    (body,) = made({"parameters": parameters, "objects": [config(["${X}${X}${X}"] * 1000)]})
    assert isinstance(body, dict)
    assert sum(map(len, body["data"])) < 5_000_000
