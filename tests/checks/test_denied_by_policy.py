"""ValidatingAdmissionPolicies of the repository: what they deny, and what only the cluster can tell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from git_repositories import deployment, quota

pytest.importorskip("cel_expr_python", reason="the extra `policies` is not installed")

from quotalint import cel
from quotalint.cli import run

GROUP = "admissionregistration.k8s.io/v1"
NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team-a", "labels": {"tier": "prod"}}}
WEB = deployment(3)


def policy(expression: str, operations: tuple[str, ...] = ("CREATE", "UPDATE"), **spec: Any) -> dict[str, Any]:
    rule = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": list(operations), "resources": ["deployments"]}
    return {
        "apiVersion": GROUP,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "mine"},
        "spec": {
            "matchConstraints": {"resourceRules": [rule]},
            "validations": [{"expression": expression}],
            **spec,
        },
    }


def binding(*actions: str, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": GROUP,
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": "mine"},
        "spec": {"policyName": "mine", "validationActions": list(actions or ("Deny",)), **spec},
    }


def messages(folder: Path, capsys: Any, *objects: object, more: str = WEB) -> list[tuple[str, str]]:
    """Severity and message of QL406."""
    (folder / "all.yaml").write_text("\n---\n".join([*map(json.dumps, objects), more]))
    run(["check", "--format", "json", "--select", "QL406"])
    out, err = capsys.readouterr()
    assert err == ""
    return [(finding["severity"], finding["message"]) for finding in json.loads(out)["findings"]]


DENIED = "Deployment web is refused: ValidatingAdmissionPolicy 'mine' with binding 'mine' denied request: "
OPEN = "unknown whether ValidatingAdmissionPolicy mine with binding mine denies Deployment web in team-a: "


def test_what_is_not_true_is_denied_in_the_servers_words(folder: Path, capsys: Any) -> None:
    expression = "object.spec.replicas < 3"
    assert messages(folder, capsys, policy(expression), binding()) == [
        ("error", f"{DENIED}failed expression: {expression}")
    ]
    assert messages(folder, capsys, policy("object.spec.replicas < 4"), binding()) == []


def test_messages_go_before_expressions(folder: Path, capsys: Any) -> None:
    first = policy("false", validations=[{"expression": "false", "message": "no", "messageExpression": "'n' + 'ever'"}])
    second = policy("false", validations=[{"expression": "false", "message": "no", "messageExpression": "'a\\nb'"}])
    assert messages(folder, capsys, first, binding()) == [("error", f"{DENIED}never")]
    assert messages(folder, capsys, second, binding()) == [("error", f"{DENIED}no")]
    blank = policy("false", validations=[{"expression": "false", "message": "no", "messageExpression": "'  '"}])
    assert messages(folder, capsys, blank, binding()) == [("error", f"{DENIED}no")]


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("authorizer == null", "what the authorizer allows is known to the cluster alone"),
        ("request.userInfo.username == 'a'", "who applies it is not known"),
        ("namespaceObject.metadata.labels.tier == 'a'", "its Namespace is not in view"),
        ("object.metadata.uid == ''", "something else may set `uid` before policies see the object"),
        ("oldObject.spec.replicas == 1", "the object that is there already is not in view"),
        ("ip('::1').family() == 4", "the engine does not take `ip('::1').family() == 4`: undeclared reference to 'ip'"),
        (
            f"ip('::1').family() == 4{' || false' * 5}",
            "the engine does not take `ip('::1').family() == 4 || false || false || false || false…`: "
            "undeclared reference to 'ip'",
        ),
    ],
)
def test_what_the_cluster_alone_knows_is_unknown(folder: Path, capsys: Any, expression: str, reason: str) -> None:
    operations = ("UPDATE",) if "oldObject" in expression else ("CREATE", "UPDATE")
    assert messages(folder, capsys, policy(expression, operations), binding()) == [("info", OPEN + reason)]


def test_what_does_not_depend_on_it_is_decided(folder: Path, capsys: Any) -> None:
    actual_messages = messages(
        folder, capsys, policy("object.spec.replicas < 3 && request.userInfo.username == 'a'"), binding()
    )
    assert [severity for severity, _ in actual_messages] == ["error"]


def test_an_object_that_is_there_may_be_updated(folder: Path, capsys: Any) -> None:
    actual_messages = messages(folder, capsys, policy("oldObject != null"), binding())
    assert [severity for severity, _ in actual_messages] == ["warning"]


def test_of_a_policy_about_updates_the_creation_is_no_error(folder: Path, capsys: Any) -> None:
    assert [text for text, _ in messages(folder, capsys, policy("false", ("UPDATE",)), binding())] == ["warning"]
    assert [text for text, _ in messages(folder, capsys, policy("false", ("CREATE",)), binding())] == ["error"]
    assert messages(folder, capsys, policy("false", ("DELETE", "CONNECT")), binding()) == []


def test_the_labels_of_a_namespace(folder: Path, capsys: Any) -> None:
    constraints = policy("false")["spec"]["matchConstraints"]
    chosen = policy("false", matchConstraints={**constraints, "namespaceSelector": {"matchLabels": {"tier": "prod"}}})
    unseen = "labels of a Namespace decide that is not in view"
    assert messages(folder, capsys, chosen, binding()) == [("info", OPEN + unseen)]
    accepted = policy("true", matchConstraints=chosen["spec"]["matchConstraints"])
    assert messages(folder, capsys, accepted, binding()) == [], "whichever labels it has, nothing is refused"
    assert [text for text, _ in messages(folder, capsys, chosen, binding(), NAMESPACE)] == ["error"]
    other = {**NAMESPACE, "metadata": {"name": "team-a", "labels": {"tier": "test"}}}
    assert messages(folder, capsys, chosen, binding(), other) == []


@pytest.mark.parametrize(
    ("actions", "expected"), [(("Deny", "Audit"), ["error"]), (("Warn",), ["info"]), (("Audit",), [])]
)
def test_what_a_binding_does_decides_the_severity(
    folder: Path, capsys: Any, actions: tuple[str, ...], expected: list[str]
) -> None:
    assert [text for text, _ in messages(folder, capsys, policy("false"), binding(*actions))] == expected


@pytest.mark.parametrize(("ignored", "expected"), [("Fail", ["warning"]), ("Ignore", [])])
def test_an_expression_that_fails(folder: Path, capsys: Any, ignored: str, expected: list[str]) -> None:
    actual_messages = messages(folder, capsys, policy("object.spec.nowhere == 1", failurePolicy=ignored), binding())
    assert [severity for severity, _ in actual_messages] == expected
    assert all("resulted in error: no such key: nowhere" in message for _, message in actual_messages)


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("object.spec.replicas / 0 == 1", "division by zero"),
        ("object.spec.replicas % 0 == 1", "modulus by zero"),
        ("object.spec.template.spec.containers[7].name == ''", "index out of bounds: 7"),
        ("quantity(object.metadata.name).isLessThan(quantity('1'))", ""),
    ],
)
def test_errors_that_the_api_server_has_as_well(folder: Path, capsys: Any, expression: str, error: str) -> None:
    ((severity, message),) = messages(folder, capsys, policy(expression), binding())
    assert severity == "warning"
    assert f"resulted in error: {error}" in message


def test_conditions_and_variables(folder: Path, capsys: Any) -> None:
    large = {"name": "large", "expression": "object.spec.replicas > 2"}
    conditions = [{"name": "named", "expression": "object.metadata.name == 'web' && request.operation != 'DELETE'"}]
    demand = policy("!variables.large", variables=[large], matchConditions=conditions)
    assert [text for text, _ in messages(folder, capsys, demand, binding())] == ["error"]
    conditions[0]["expression"] = "object.metadata.name == 'other'"
    assert messages(folder, capsys, demand, binding()) == []


@pytest.mark.parametrize(
    ("value", "demand", "expected"),
    [
        ("{'a': {'b': [1, 2]}}", "variables.it.a.b[1] == 3", ["error"]),
        ("{'a': {'b': [1, 2]}}", "variables.it.a.b[1] == 2", []),
        # Of a map with other keys nothing is known: it is handed on with strings for keys.
        ("{1: 'a'}", "variables.it[1] == 'a'", ["info"]),
        ("[{true: 'a'}]", "variables.it[0][true] == 'a'", ["info"]),
    ],
)
def test_a_variable_may_be_a_map_or_a_list(
    folder: Path, capsys: Any, value: str, demand: str, expected: list[str]
) -> None:
    variables = [{"name": "it", "expression": value}]
    hits = messages(folder, capsys, policy(demand, variables=variables), binding())
    assert [severity for severity, _ in hits] == expected


@pytest.mark.parametrize(
    ("reference", "data", "expected"),
    [
        ({"name": "most", "namespace": "platform"}, "2", ["error"]),
        ({"name": "most", "namespace": "platform"}, "3", []),
        ({"name": "other", "namespace": "platform"}, "2", ["info"]),
        ({"selector": {"matchLabels": {"a": "b"}}, "namespace": "platform"}, "2", ["error"]),
        ({"selector": {"matchLabels": {"a": "b"}}, "namespace": "platform"}, "3", ["info"]),
    ],
)
def test_parameters_are_looked_up_where_the_binding_says(
    folder: Path, capsys: Any, reference: Any, data: str, expected: list[str]
) -> None:
    demand = policy(
        "object.spec.replicas <= int(params.data.most)", paramKind={"apiVersion": "v1", "kind": "ConfigMap"}
    )
    metadata = {"name": "most", "namespace": "platform", "labels": {"a": "b"}}
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"most": data}}
    actual_messages = messages(folder, capsys, demand, binding(paramRef=reference), config)
    assert [severity for severity, _ in actual_messages] == expected


@pytest.mark.parametrize(("expression", "expected"), [("params == null", 0), ("params != null", 1)])
def test_a_binding_without_a_reference_has_no_parameters(
    folder: Path, capsys: Any, expression: str, expected: int
) -> None:
    demand = policy(expression, paramKind={"apiVersion": "v1", "kind": "ConfigMap"})
    assert [severity for severity, _ in messages(folder, capsys, demand, binding())] == ["error"] * expected


def test_a_placeholder_decides_nothing(folder: Path, capsys: Any) -> None:
    more = WEB.replace("replicas: 3", "replicas: ${REPLICAS}")
    assert [
        text for text, _ in messages(folder, capsys, policy("object.spec.replicas == 3"), binding(), more=more)
    ] == ["info"]
    assert messages(folder, capsys, policy("object.spec.strategy.type == 'Recreate'"), binding(), more=more) == []


def test_where_webhooks_change_objects_it_is_no_error(folder: Path, capsys: Any) -> None:
    hook = {"apiVersion": GROUP, "kind": "MutatingWebhookConfiguration", "metadata": {"name": "a"}, "webhooks": []}
    assert [text for text, _ in messages(folder, capsys, policy("false"), binding(), hook)] == ["warning"]


def test_quotas_and_limit_ranges(folder: Path, capsys: Any) -> None:
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["resourcequotas"]}
    demand = policy(
        "quantity(object.spec.hard['requests.cpu']).isLessThan(quantity('4'))",
        matchConstraints={"resourceRules": [rule]},
    )
    assert messages(folder, capsys, demand, binding(), more=quota("requests.cpu: 3999m")) == []
    assert [text for text, _ in messages(folder, capsys, demand, binding(), more=quota("requests.cpu: 4"))] == ["error"]


def test_without_the_engine_it_says_so(folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cel, "MODULE", "no_such_module_at_all")
    actual_messages = messages(folder, capsys, policy("false"), binding())
    assert [severity for severity, _ in actual_messages] == ["info"]
    assert "pip install 'quotalint[policies]'" in actual_messages[0][1]


@pytest.mark.parametrize(
    "spec", [None, [], {"validations": 1}, {"validations": [1]}, {"variables": [{}], "matchConstraints": []}]
)
def test_any_policy_is_read(folder: Path, capsys: Any, spec: object) -> None:
    assert messages(folder, capsys, {**policy("true"), "spec": spec}, binding()) == []


@pytest.mark.parametrize(
    "expression", ["object.spec.replicas < 'a'", "object.spec.replicas.nowhere == 1", "object.metadata.name.nowhere()"]
)
def test_what_the_engine_cannot_do_is_not_known(folder: Path, capsys: Any, expression: str) -> None:
    actual_messages = messages(folder, capsys, policy(expression), binding())
    assert [severity for severity, _ in actual_messages] == ["info"]
