"""Admission policies that keep the quota of a namespace from being changed, and nonsense in all that decides on it."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest
from access_manifests import (
    MINE,
    QUOTA,
    Manifest,
    binding,
    by,
    files,
    group,
    lets,
    messages,
    namespace,
    part,
    role,
    rule,
    sa,
    sum_of,
    user,
    verdict,
)
from gitops_outcome import checked
from yaml_texts import dump_documents, load_documents

POLICY: Manifest = {
    "apiGroups": [""],
    "apiVersions": ["v1"],
    "operations": ["UPDATE", "DELETE"],
    "resources": ["resourcequotas"],
}


def policy(*rules: Any, version: str = "v1", checks: bool = True, **constraints: Any) -> Manifest:
    validations = [{"expression": "false"}] if checks else []
    constraints = {"resourceRules": list(rules) or [POLICY], **constraints}
    return {
        "apiVersion": f"admissionregistration.k8s.io/{version}",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "p"},
        "spec": {"matchConstraints": constraints, "validations": validations},
    }


def bound(*actions: str, name: str = "p", **more: Any) -> Manifest:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": "b"},
        "spec": {"policyName": name, "validationActions": list(actions) or ["Deny"], **more},
    }


def labelled(key: str, value: str) -> Manifest:
    return {"matchLabels": {key: value}}


NAMED = "kubernetes.io/metadata.name"


@pytest.mark.parametrize(
    ("manifests", "protected"),
    [
        pytest.param([policy(), bound()], True, id="a policy that denies"),
        pytest.param([policy(version="v1beta1"), bound("Audit", "Deny")], True, id="of an older version"),
        pytest.param([policy()], False, id="without a binding"),
        pytest.param([bound()], False, id="without a policy"),
        pytest.param([policy(), bound(name="q")], False, id="a binding of another policy"),
        pytest.param([policy(), bound("Warn", "Audit")], False, id="that only warns"),
        pytest.param([policy(checks=False), bound()], False, id="that checks nothing"),
        pytest.param([policy({**POLICY, "operations": ["DELETE"]}), bound()], True, id="of deletions"),
        pytest.param([policy({**POLICY, "operations": ["CREATE"]}), bound()], False, id="of creations"),
        pytest.param(
            [policy({**POLICY, "operations": ["*"], "resources": ["*/*"]}), bound()], True, id="of everything"
        ),
        pytest.param([policy({**POLICY, "resources": ["resourcequotas/status"]}), bound()], False, id="of the status"),
        pytest.param([policy({**POLICY, "resources": ["pods"]}), bound()], False, id="of pods"),
        pytest.param([policy({**POLICY, "apiGroups": ["apps"]}), bound()], False, id="of another group"),
        pytest.param([policy({**POLICY, "apiVersions": ["v2"]}), bound()], False, id="of another version"),
        pytest.param([policy({**POLICY, "scope": "Cluster"}), bound()], False, id="of cluster-wide objects"),
        pytest.param([policy({**POLICY, "resourceNames": ["base"]}), bound()], True, id="of this quota"),
        pytest.param([policy({**POLICY, "resourceNames": ["other"]}), bound()], False, id="of another quota"),
        pytest.param([policy(excludeResourceRules=[POLICY]), bound()], False, id="excluded"),
        pytest.param([policy(objectSelector=labelled("a", "b")), bound()], False, id="of labelled quotas"),
        pytest.param(
            [policy(), bound(matchResources={"namespaceSelector": labelled(NAMED, "team-a")})], True, id="here by name"
        ),
        pytest.param(
            [policy(), bound(matchResources={"namespaceSelector": labelled(NAMED, "team-b")})], False, id="elsewhere"
        ),
        pytest.param(
            [policy(), bound(matchResources={"namespaceSelector": labelled("tenant", "yes")})],
            True,
            id="by labels of a namespace that is not in view",
        ),
        pytest.param(
            [policy(), bound(matchResources={"namespaceSelector": labelled("tenant", "yes")}), namespace(tenant="yes")],
            True,
            id="by labels that it has",
        ),
        pytest.param(
            [policy(), bound(matchResources={"namespaceSelector": labelled("tenant", "yes")}), namespace(tenant="no")],
            False,
            id="by labels that it has not",
        ),
        pytest.param(
            [policy(), bound(matchResources={"resourceRules": [{**POLICY, "resources": ["pods"]}]})],
            False,
            id="bound for pods",
        ),
    ],
)
def test_a_policy_that_judges_changes_protects(
    manifests: list[Manifest], protected: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = files(role(rule("*")), binding(), *manifests)
    actual_verdict = verdict(messages(checked(tmp_path, everything, monkeypatch).findings))
    assert actual_verdict == ("" if protected else lets("change and delete"))


def test_a_policy_protects_from_what_it_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = files(role(rule("delete")), binding(), policy({**POLICY, "operations": ["UPDATE"]}), bound())
    assert verdict(messages(checked(tmp_path, everything, monkeypatch).findings)) == lets("delete")


NONSENSE: tuple[Any, ...] = (
    None,
    3,
    True,
    "",
    "${X}",
    "*",
    [],
    [1],
    [[]],
    {},
    {"a": 1},
    {"name": None},
    [{"kind": []}],
)
ALL = (
    role(rule("*"), rule("update", names="base")),
    part({"mine": "yes"}),
    sum_of(MINE, by("tier", "In", "a"), name="sum"),
    binding("Role", user("jane"), sa("team-a"), sa("argocd")),
    binding("ClusterRole", group("devs"), name="sum"),
    policy(
        {**POLICY, "resourceNames": ["base"]}, namespaceSelector=by("a", "NotIn", "b"), excludeResourceRules=[POLICY]
    ),
    bound(matchResources={"namespaceSelector": labelled("tenant", "yes"), "resourceRules": [POLICY]}),
    namespace(tenant="yes"),
)


@pytest.mark.parametrize("seed", range(6))
def test_nonsense_anywhere_breaks_nothing(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    asked = "severity: {QL501: warning, QL503: warning}\nrequiredLimits: [cpu]\ncapacity: {pods: 1}\n"
    for _ in range(25):
        documents = [*copy.deepcopy(ALL), *(document for text in QUOTA.values() for document in load_documents(text))]
        spoiled = [_spoiled(document, chance, 2 if chance.random() < 0.5 else 0) for document in documents]
        text = dump_documents(spoiled, sort_keys=False)
        findings = checked(tmp_path, {".quotalint.yaml": asked, "all.yaml": text}, monkeypatch).findings
        lines = text.count("\n") + 1
        assert [finding for finding in findings if not 1 <= finding.span.line <= lines] == []


def _spoiled(value: Any, chance: random.Random, times: int) -> Any:
    for _ in range(times):
        inner = value
        while True:
            if not isinstance(inner, (dict, list)) or not inner:
                break
            key = chance.choice(list(inner if isinstance(inner, dict) else range(len(inner))))
            if chance.random() < 0.3 or not isinstance(inner[key], (dict, list)):
                if key not in ("apiVersion", "kind"):
                    inner[key] = chance.choice(NONSENSE)
                break
            inner = inner[key]
    return value
