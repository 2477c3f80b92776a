"""ValidatingAdmissionPolicies and what controllers make: pods as the plugins before policies leave them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cel_expr_python", reason="the extra `policies` is not installed")

from quotalint.cli import run

GROUP = "admissionregistration.k8s.io/v1"


def policy(expression: str, *resources: str, group: str = "", **spec: Any) -> dict[str, Any]:
    rule = {"apiGroups": [group], "apiVersions": ["*"], "operations": ["*"], "resources": list(resources or ("pods",))}
    rule |= spec.pop("rule", {})
    constraints = {"resourceRules": [rule], **spec.pop("constraints", {})}
    demand = {"matchConstraints": constraints, "validations": [{"expression": expression, "message": "no"}], **spec}
    return {"apiVersion": GROUP, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": "mine"}, "spec": demand}


BINDING = {
    "apiVersion": GROUP,
    "kind": "ValidatingAdmissionPolicyBinding",
    "metadata": {"name": "mine"},
    "spec": {"policyName": "mine", "validationActions": ["Deny"]},
}


def workload(kind: str = "Deployment", pod: Any = None, **spec: Any) -> dict[str, Any]:
    container = {"name": "web", "image": "web:1"}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [container], **(pod or {})}}
    group = "batch/v1" if "Job" in kind else "apps/v1"
    whole = {"selector": {"matchLabels": {"app": "web"}}, "template": template, **spec}
    if kind == "CronJob":
        whole = {
            "schedule": "* * * * *",
            "jobTemplate": {"metadata": {"labels": {"a": "b"}}, "spec": {"template": template}},
        }
    return {"apiVersion": group, "kind": kind, "metadata": {"name": "web", "namespace": "team-a"}, "spec": whole}


def findings_of(folder: Path, capsys: Any, *objects: object) -> list[tuple[str, str]]:
    """Severity and message of QL406."""
    (folder / "all.yaml").write_text("\n---\n".join(map(json.dumps, [BINDING, *objects])))
    run(["check", "--format", "json", "--select", "QL406"])
    out, err = capsys.readouterr()
    assert err == ""
    return [(finding["severity"], finding["message"]) for finding in json.loads(out)["findings"]]


def severities(folder: Path, capsys: Any, *objects: object) -> list[str]:
    return [severity for severity, _ in findings_of(folder, capsys, *objects)]


DENIED = "ValidatingAdmissionPolicy 'mine' with binding 'mine' denied request: no"


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job", "ReplicaSet"])
def test_pods_of_every_controller_are_asked_of(folder: Path, capsys: Any, kind: str) -> None:
    demand = policy("object.spec.containers.all(c, c.image.startsWith('registry/'))")
    assert findings_of(folder, capsys, demand, workload(kind)) == [
        ("error", f"the pods of {kind} web are refused: {DENIED}")
    ]
    assert findings_of(folder, capsys, policy("object.metadata.labels.app == 'web'"), workload(kind)) == []


def test_a_workload_without_pods_is_not_refused(folder: Path, capsys: Any) -> None:
    assert findings_of(folder, capsys, policy("false"), workload(replicas=0)) == []


def test_pods_that_stand_alone_are_refused_by_name(folder: Path, capsys: Any) -> None:
    spec = {"containers": [{"name": "web", "image": "web:1"}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "team-a"}, "spec": spec}
    assert findings_of(folder, capsys, policy("object.metadata.name != 'web'"), pod) == [
        ("error", f"Pod web is refused: {DENIED}")
    ]


def test_a_pod_without_a_name_is_named_when_it_is_created(folder: Path, capsys: Any) -> None:
    spec = {"containers": [{"name": "web", "image": "web:1"}]}
    metadata = {"generateName": "web-", "namespace": "team-a"}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
    assert findings_of(folder, capsys, policy("object.metadata.name != 'web-1'"), pod) == [
        (
            "info",
            "unknown whether ValidatingAdmissionPolicy mine with binding mine denies the pods called web-… in team-a: "
            "something else may set `metadata.name` before policies see the object",
        )
    ]
    assert findings_of(folder, capsys, policy("false"), pod) == [
        ("error", f"the pods called web-… are refused: {DENIED}")
    ]


def test_where_the_workload_is_refused_there_are_no_pods(folder: Path, capsys: Any) -> None:
    demand = policy("false", "pods", "deployments", rule={"apiGroups": ["*"]})
    assert findings_of(folder, capsys, demand, workload()) == [("error", f"Deployment web is refused: {DENIED}")]


LIMITS = {"type": "Container", "default": {"cpu": "500m"}, "defaultRequest": {"cpu": "250m"}}
LIMIT_RANGE = {
    "apiVersion": "v1",
    "kind": "LimitRange",
    "metadata": {"name": "defaults", "namespace": "team-a"},
    "spec": {"limits": [LIMITS]},
}


def test_what_limit_ranges_fill_in_is_there(folder: Path, capsys: Any) -> None:
    demand = policy("object.spec.containers.all(c, has(c.resources.limits) && 'cpu' in c.resources.limits)")
    assert severities(folder, capsys, demand, workload()) == ["error"]
    assert severities(folder, capsys, demand, workload(), LIMIT_RANGE) == []
    amount = policy("object.spec.containers.all(c, quantity(c.resources.requests.cpu) == quantity('0.25'))")
    assert severities(folder, capsys, amount, workload(), LIMIT_RANGE) == []


def test_requests_come_from_limits(folder: Path, capsys: Any) -> None:
    demand = policy("object.spec.containers.all(c, c.resources.requests.cpu == '1')")
    limited = {"containers": [{"name": "web", "image": "web:1", "resources": {"limits": {"cpu": 1}}}]}
    assert severities(folder, capsys, demand, workload(pod=limited)) == []


def test_the_service_account_is_filled_in(folder: Path, capsys: Any) -> None:
    demand = policy("object.spec.serviceAccountName != 'default'")
    assert severities(folder, capsys, demand, workload()) == ["error"]
    assert severities(folder, capsys, demand, workload(pod={"serviceAccountName": "web"})) == []


@pytest.mark.parametrize(
    ("expression", "pod", "expected"),
    [
        ("!has(object.spec.volumes)", {}, ["info"]),
        ("!has(object.spec.volumes)", {"automountServiceAccountToken": True}, ["error"]),
        ("!has(object.spec.volumes)", {"automountServiceAccountToken": False}, []),
        ("!has(object.spec.volumes) || object.spec.volumes.all(v, !has(v.hostPath))", {}, []),
        (
            "!has(object.spec.volumes) || object.spec.volumes.all(v, !has(v.hostPath))",
            {"volumes": [{"name": "a", "hostPath": {"path": "/"}}]},
            ["error"],
        ),
    ],
)
def test_the_token_of_the_service_account_is_mounted(
    folder: Path, capsys: Any, expression: str, pod: Any, expected: list[str]
) -> None:
    assert severities(folder, capsys, policy(expression), workload(pod=pod)) == expected


def test_no_token_is_mounted_where_something_else_is(folder: Path, capsys: Any) -> None:
    mount = {"name": "own", "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}
    pod = {
        "automountServiceAccountToken": True,
        "containers": [{"name": "web", "image": "web:1", "volumeMounts": [mount]}],
        "volumes": [{"name": "own", "emptyDir": {}}],
    }
    assert severities(folder, capsys, policy("object.spec.volumes.size() == 1"), workload(pod=pod)) == []


def test_a_service_account_in_view_says_whether_its_token_is_mounted(folder: Path, capsys: Any) -> None:
    metadata = {"name": "default", "namespace": "team-a"}
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}
    demand = policy("!has(object.spec.volumes)")
    assert severities(folder, capsys, demand, workload(), {**account, "automountServiceAccountToken": False}) == []
    assert severities(folder, capsys, demand, workload(), account) == ["error"]


@pytest.mark.parametrize(
    "expression",
    [
        "object.metadata.name == 'web'",
        "object.metadata['labels']['pod-template-hash'] == ''",
        "request.name == 'web'",
        "object.spec.tolerations.size() > 5",
        "object.spec.priority > 5",
        "has(object.metadata.ownerReferences)",
        "object.metadata.annotations['a'] == '' && object.spec.nodeName == ''",
    ],
)
def test_what_is_made_when_a_pod_is_created_is_not_known(folder: Path, capsys: Any, expression: str) -> None:
    assert severities(folder, capsys, policy(expression), workload()) == ["info"]


def test_a_selector_for_labels_of_controllers_is_not_decided(folder: Path, capsys: Any) -> None:
    selector = {"matchExpressions": [{"key": "pod-template-hash", "operator": "DoesNotExist"}]}
    demand = policy("false", constraints={"objectSelector": selector})
    assert severities(folder, capsys, demand, workload()) == ["info"]
    demand = policy("false", constraints={"objectSelector": {"matchLabels": {"app": "web"}}})
    assert severities(folder, capsys, demand, workload()) == ["error"]
    demand = policy("false", constraints={"objectSelector": {"matchLabels": {"app": "other"}}})
    assert severities(folder, capsys, demand, workload()) == []


def test_what_deployments_and_cron_jobs_make_besides(folder: Path, capsys: Any) -> None:
    assert findings_of(folder, capsys, policy("false", "replicasets", group="apps"), workload()) == [
        ("error", f"the ReplicaSets of Deployment web are refused: {DENIED}")
    ]
    demand = policy("object.spec.backoffLimit < 6", "jobs", group="batch")
    assert findings_of(folder, capsys, demand, workload("CronJob")) == [
        ("error", f"the Jobs of CronJob web are refused: {DENIED}")
    ]


def widget(**spec: Any) -> dict[str, Any]:
    metadata = {"name": "a", "namespace": "team-a"}
    return {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": spec}


def definition(*, v2_is_served: bool = True, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": properties}}}
    second = {"name": "v2"} if v2_is_served else {"name": "v2", "served": False}
    versions = [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}, second]
    names = {"kind": "Widget", "plural": "widgetry"}
    spec = {"group": "example.com", "scope": "Namespaced", "names": names, "versions": versions}
    metadata = {"name": "widgetry.example.com"}
    kind = "CustomResourceDefinition"
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": kind, "metadata": metadata, "spec": spec}


WIDGETS = "widgetry"


def test_custom_resources_are_asked_of(folder: Path, capsys: Any) -> None:
    demand = policy("object.spec.size < 5", WIDGETS, group="example.com")
    assert findings_of(folder, capsys, demand, definition(), widget(size=5)) == [
        ("error", f"Widget a is refused: {DENIED}")
    ]
    assert severities(folder, capsys, demand, definition(), widget(size=4)) == []


def test_a_default_of_a_definition_is_not_taken_for_missing(folder: Path, capsys: Any) -> None:
    demand = policy("has(object.spec.size)", WIDGETS, group="example.com")
    assert severities(folder, capsys, demand, definition(size={"type": "integer"}), widget()) == ["error"]
    assert severities(folder, capsys, demand, definition(size={"type": "integer", "default": 1}), widget()) == ["info"]


def test_of_a_kind_that_nothing_defines_only_what_is_written_is_known(folder: Path, capsys: Any) -> None:
    demand = policy("has(object.spec.size) && object.spec.size < 5", "widgets", group="example.com")
    assert severities(folder, capsys, demand, widget(size=5)) == ["warning"]
    assert severities(folder, capsys, demand, widget(size=4)) == []
    ((severity, message),) = findings_of(folder, capsys, demand, widget())
    assert severity == "info"
    assert "whether `size` is filled in is not known: no schema of Widget is in view" in message
    labelled = policy("'team' in object.metadata.labels", "*", group="example.com")
    assert severities(folder, capsys, labelled, widget()) == ["warning"]


@pytest.mark.parametrize(("match_policy", "expected"), [(None, ["info"]), ("Equivalent", ["info"]), ("Exact", [])])
def test_a_rule_about_another_version(folder: Path, capsys: Any, match_policy: str | None, expected: list[str]) -> None:
    constraints = {"matchPolicy": match_policy} if match_policy else {}
    demand = policy("false", WIDGETS, group="example.com", rule={"apiVersions": ["v2"]}, constraints=constraints)
    assert severities(folder, capsys, demand, definition(), widget()) == expected
    assert severities(folder, capsys, demand, definition(v2_is_served=False), widget()) == []
    demand = policy("false", WIDGETS, group="example.com", rule={"apiVersions": ["v3"]}, constraints=constraints)
    assert severities(folder, capsys, demand, definition(), widget()) == []


def test_an_excluding_rule_about_another_version_excludes(folder: Path, capsys: Any) -> None:
    rule = {"apiGroups": ["example.com"], "apiVersions": ["v2"], "operations": ["*"], "resources": [WIDGETS]}
    demand = policy("false", WIDGETS, group="example.com", constraints={"excludeResourceRules": [rule]})
    assert severities(folder, capsys, demand, definition(), widget()) == []
    constraints = {"excludeResourceRules": [rule], "matchPolicy": "Exact"}
    demand = policy("false", WIDGETS, group="example.com", constraints=constraints)
    assert severities(folder, capsys, demand, definition(), widget()) == ["error"]


NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team-a", "labels": {"tier": "test"}}}


@pytest.mark.parametrize(("scope", "expected"), [("*", 1), ("Cluster", 1), ("Namespaced", 0)])
def test_a_rule_is_about_the_scope_that_it_names(folder: Path, capsys: Any, scope: str, expected: int) -> None:
    demand = policy(
        "namespaceObject == null && object.metadata.labels.tier == 'prod'", "namespaces", rule={"scope": scope}
    )
    assert len(severities(folder, capsys, demand, NAMESPACE)) == expected


@pytest.mark.parametrize(("tier", "expected"), [("test", 1), ("prod", 0)])
def test_a_namespace_is_selected_by_its_own_labels(folder: Path, capsys: Any, tier: str, expected: int) -> None:
    selector = {"matchLabels": {"tier": tier}}
    demand = policy("false", "namespaces", constraints={"namespaceSelector": selector})
    assert len(severities(folder, capsys, demand, NAMESPACE)) == expected


def test_policies_are_not_asked_of_policies(folder: Path, capsys: Any) -> None:
    assert severities(folder, capsys, policy("false", "*", group="*", rule={"apiVersions": ["*"]})) == []


def test_names_of_resources(folder: Path, capsys: Any) -> None:
    named = policy("false", "deployments", group="apps", rule={"resourceNames": ["web"]})
    assert severities(folder, capsys, named, workload()) == ["error"]
    other = policy("false", "deployments", group="apps", rule={"resourceNames": ["api"]})
    assert severities(folder, capsys, other, workload()) == []


@pytest.mark.parametrize(("ignored", "expected"), [("Fail", ["warning"]), ("Ignore", [])])
@pytest.mark.parametrize(
    "spec",
    [
        {
            "variables": [{"name": "a", "expression": "object.spec.nowhere"}],
            "validations": [{"expression": "variables.a"}],
        },
        {"matchConditions": [{"name": "a", "expression": "object.spec.nowhere"}]},
        {"auditAnnotations": [{"key": "a", "valueExpression": "object.spec.nowhere"}]},
    ],
    ids=["variable", "condition", "annotation"],
)
def test_what_cannot_be_computed_denies(
    folder: Path, capsys: Any, spec: dict[str, Any], ignored: str, expected: list[str]
) -> None:
    demand = policy("true", "deployments", group="apps", failurePolicy=ignored, **spec)
    assert severities(folder, capsys, demand, workload()) == expected


def test_a_variable_may_be_a_quantity(folder: Path, capsys: Any) -> None:
    variables = [{"name": "most", "expression": "quantity('1Gi')"}]
    demand = policy("quantity('2Gi').isLessThan(variables.most)", "deployments", group="apps", variables=variables)
    assert severities(folder, capsys, demand, workload()) == ["error"]


def test_a_message_that_is_too_long_is_not_used(folder: Path, capsys: Any) -> None:
    long = {"expression": "false", "message": "no", "messageExpression": f"'{'a' * 5121}'"}
    demand = policy("", "deployments", group="apps", validations=[long])
    assert findings_of(folder, capsys, demand, workload())[0][1].endswith("denied request: no")


def test_the_fields_of_a_namespace(folder: Path, capsys: Any) -> None:
    demand = policy("namespaceObject.spec.finalizers.size() == 1", "deployments", group="apps")
    assert severities(folder, capsys, demand, workload(), NAMESPACE) == []


def test_amounts_that_another_policy_sets_may_be_what_is_demanded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """The refusal of the Deployment is only assumed, and its pods have what is demanded."""
    monkeypatch.chdir(tmp_path)
    limits = "has({0}.containers[0].resources.limits)"
    patch = {"spec": {"containers": [{"(name)": "*", "resources": {"limits": {"+(cpu)": 1}}}]}}
    rule = {"name": "a", "match": {"resources": {"kinds": ["Pod"]}}, "mutate": {"patchStrategicMerge": patch}}
    fill = {
        "apiVersion": "kyverno.io/v1",
        "kind": "ClusterPolicy",
        "metadata": {"name": "a"},
        "spec": {"rules": [rule]},
    }
    room = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q", "namespace": "team-a"}}
    beside = (workload(), {**room, "spec": {"hard": {"pods": "9"}}})
    of_deployments = policy(limits.format("object.spec.template.spec"), "deployments", group="apps")
    assert severities(tmp_path, capsys, of_deployments, *beside) == ["error"]
    assert severities(tmp_path, capsys, of_deployments, *beside, fill) == ["warning"]
    of_pods = policy(limits.format("object.spec"))
    assert severities(tmp_path, capsys, of_pods, *beside) == ["error"]
    assert severities(tmp_path, capsys, of_pods, *beside, fill) == []
