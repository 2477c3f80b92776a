"""Quotas and LimitRanges that Kyverno makes in namespaces are in force there."""

from __future__ import annotations

import pytest
from manifests import namespace, quota, web
from workspace import Workspace

GENERATE = """\
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {{name: limits}}
spec:
  rules:
    - name: limits
      match: {{any: [{{resources: {{kinds: [Namespace]{match}}}}}]}}
      generate:
        apiVersion: v1
        kind: {kind}
        name: made
        namespace: "{{{{request.object.metadata.name}}}}"
        {content}
"""
PODS = "data: {spec: {hard: {pods: \"{{ request.object.metadata.labels.size || '2' }}\"}}}"
DEFAULTS = "data: {spec: {limits: [{type: Container, default: {cpu: 200m}}]}}"


def policy(match: str = "", kind: str = "ResourceQuota", content: str = PODS) -> str:
    return GENERATE.format(match=f", {match}" if match else "", kind=kind, content=content)


def tables(workspace: Workspace, *documents: str) -> dict[str, str]:
    """By namespace and quota: the sum and limit of its first entry, and how sure the sum is."""
    workspace.put({f"{number}.yaml": text for number, text in enumerate(documents)})
    return {
        f"{table['namespace']}/{table['name']}": f"{row['steady']} of {row['hard']} {row['certainty']}"
        for table in workspace.report("check")["quotas"]
        for row in table["resources"][:1]
    }


def findings(workspace: Workspace) -> list[str]:
    return [f"{finding['severity']} {finding['rule']}" for finding in workspace.report("check")["findings"]]


def test_a_generated_quota_limits_each_namespace_that_is_matched(workspace: Workspace) -> None:
    labels = "selector: {matchLabels: {tier: free}}"
    there = (namespace("a", "tier: free"), namespace("b", "tier: free, size: '5'"), namespace("c"))
    workloads = (web(3, name) for name in "abc")
    assert tables(workspace, policy(labels), *there, *workloads) == {
        "a/made": "3 of 2 exact",
        "b/made": "3 of 5 exact",
    }
    assert findings(workspace) == ["error QL301"]


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        pytest.param("names: ['te*']", {"team/made": "1 of 2 exact"}, id="its name"),
        pytest.param("names: [other]", {}, id="another name"),
        pytest.param("selector: {matchLabels: {a: b}}", {"team/made": "1 of 2 assumed"}, id="labels out of view"),
        pytest.param("annotations: {a: b}", {"team/made": "1 of 2 assumed"}, id="annotations out of view"),
    ],
)
def test_a_namespace_that_only_objects_name(workspace: Workspace, match: str, expected: dict[str, str]) -> None:
    content = 'data: {spec: {hard: {pods: "2"}}}'
    assert tables(workspace, policy(match, content=content), web(1, "team")) == expected


def test_generated_defaults_admit_pods(workspace: Workspace) -> None:
    own = quota("team", hard="limits.cpu: 1")
    assert tables(workspace, policy(kind="LimitRange", content=DEFAULTS), own, namespace("team"), web(2, "team")) == {
        "team/base": "400m of 1 exact"
    }
    assert findings(workspace) == []


def test_a_clone_is_as_its_source(workspace: Workspace) -> None:
    clone = policy(content="clone: {namespace: templates, name: base}")
    source = quota("templates", hard="pods: 7")
    assert tables(workspace, clone, source, namespace("team"), web(3, "team"))["team/made"] == "3 of 7 exact"
    listed = clone.replace("clone: {", "cloneList: {kinds: [v1/ResourceQuota], ").replace(", name: base", "")
    listed = "\n".join(line for line in listed.splitlines() if "name: made" not in line and "  kind: Res" not in line)
    assert tables(workspace, listed, source, namespace("team"), web(3, "team"))["team/base"] == "3 of 7 exact"


def test_defaults_out_of_view_are_of_unknown_amount(workspace: Workspace) -> None:
    clone = policy(kind="LimitRange", content="clone: {namespace: templates, name: base}")
    own = quota("team", hard="limits.cpu: 1")
    assert tables(workspace, clone, own, namespace("team"), web(2, "team"))["team/base"].endswith("at-least")
    assert findings(workspace) == []


def test_an_object_of_the_repository_is_not_made_again(workspace: Workspace) -> None:
    own = quota("team", "made", hard="pods: 9")
    assert tables(workspace, policy(), own, namespace("team"), web(3, "team")) == {"team/made": "3 of 9 exact"}


def test_what_is_wrong_is_said_once(workspace: Workspace) -> None:
    workspace.put({"p.yaml": policy(content="data: {spec: {hard: {pods: 1x}}}"), "a.yaml": namespace("a")})
    report = workspace.report("check")
    assert [finding["rule"] for finding in report["findings"]] == ["QL103"]
    assert "request.object" not in str(report["findings"])


EXPRESSIONS = """\
apiVersion: policies.kyverno.io/v1alpha1
kind: GeneratingPolicy
metadata: {name: limits}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [namespaces]}]
    objectSelector: {matchLabels: {tier: free}}
  variables:
    - {name: where, expression: object.metadata.name}
    - name: limits
      expression: >-
        [{"kind": dyn("ResourceQuota"), "apiVersion": dyn("v1"), "metadata": dyn({"name": "made"}),
          "spec": dyn({"hard": dyn({"pods": string("2")})})}]
  generate:
    - expression: generator.Apply(variables.where, variables.limits)
"""


def test_expressions_that_are_literal(workspace: Workspace) -> None:
    there = (namespace("a", "tier: free"), namespace("b"))
    assert tables(workspace, EXPRESSIONS, *there, web(3, "a"), web(3, "b")) == {"a/made": "3 of 2 exact"}
    named = EXPRESSIONS.replace('"name": "made"', '"name": "made-" + variables.where')
    assert tables(workspace, named, *there, web(3, "a")) == {}


def test_an_entry_that_binds_elsewhere_is_not_shadowed(workspace: Workspace) -> None:
    own = quota("team", hard="pods: 1, secrets: 9")
    tables(workspace, policy(), own, namespace("team"))
    assert findings(workspace) == []


@pytest.mark.parametrize(
    ("wanted", "number"), [("team: '?*'", 1), ("'*': free", 1), ("team: a?", 0)], ids=["value", "key", "another value"]
)
def test_wildcards_in_labels(workspace: Workspace, wanted: str, number: int) -> None:
    made = tables(workspace, policy(f"selector: {{matchLabels: {{{wanted}}}}}"), namespace("a", "team: free"))
    assert len(made) == number


@pytest.mark.parametrize(("more", "certainty"), [("", "assumed"), ("generateExisting: true", "exact")])
def test_the_first_namespace_is_older_than_any_policy(workspace: Workspace, more: str, certainty: str) -> None:
    rule = policy(content=f"{PODS}\n        {more}")
    assert tables(workspace, rule, namespace("default"), web(1, "default"))["default/made"] == f"1 of 2 {certainty}"
