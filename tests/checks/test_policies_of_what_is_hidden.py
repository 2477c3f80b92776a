"""What policies of the user's own ask for and what is not in view."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from git_repositories import quota
from policy_runs import policy, reported, written

pytest.importorskip("cel_expr_python", reason="the extra `policies` is not installed")

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a, labels: {tier: prod}}\n"
RELEASE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: hidden, namespace: team-b}
spec: {chart: {spec: {chart: a, sourceRef: {kind: HelmRepository, name: a}}}}
"""
SECRET = """apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: hidden, namespace: team-b}
spec: {target: {name: hidden}}
"""


@pytest.mark.parametrize(
    ("hidden", "subject", "expression", "expected"),
    [
        pytest.param(RELEASE, "cluster", 'cluster.hard.pods > quantity("9")', ["info"], id="a quota of some namespace"),
        pytest.param(SECRET, "cluster", 'cluster.hard.pods > quantity("9")', ["error"], id="a secret is no quota"),
        pytest.param(RELEASE, "namespace", "namespace.quotas.size() == 1", ["info"], id="a quota of this namespace"),
        pytest.param(SECRET, "namespace", "namespace.quotas.size() == 0", ["error"], id="a secret of this namespace"),
        pytest.param(RELEASE, "quota", "quota.pods > cluster.hard.pods", ["error"], id="a lower bound is enough"),
    ],
)
def test_what_is_hidden_may_be_a_quota(
    folder: Path, capsys: Any, hidden: str, subject: str, expression: str, expected: list[str]
) -> None:
    written(folder, policy(expression, **{"for": subject}), a=quota("pods: 4", namespace="team-b"), b=hidden)
    assert [severity for severity, _, _ in reported(capsys)] == expected


ROLES = "namespace: team-b\nresources: [team.yaml, 'https://github.com/example/shop/rbac?ref=v1']\n"
GENERATING = """apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: quotas}
spec: {rules: [{name: quota, generate: {data: {apiVersion: v1, kind: ResourceQuota}}}]}
"""


@pytest.mark.parametrize(
    ("files", "expression", "expected"),
    [
        ({"kustomization": ROLES}, "namespace.limits.size() == 1", ["error"]),
        ({"kustomization": ROLES}, 'cluster.hard.pods > quantity("9")', ["error"]),
        ({"release": RELEASE}, "namespace.limits.size() == 1", ["info"]),
        ({"policy": GENERATING}, "namespace.limits.size() == 1", ["error"]),
        ({"policy": GENERATING}, "namespace.quotas.size() == 0", ["info"]),
    ],
    ids=["roles", "roles, of all", "a release", "what makes quotas makes no limits", "what makes quotas"],
)
def test_what_is_hidden_is_of_its_kinds(
    folder: Path, capsys: Any, files: dict[str, str], expression: str, expected: list[str]
) -> None:
    subject = expression.partition(".")[0]
    written(folder, policy(expression, **{"for": subject}), team=quota("pods: 4", namespace="team-b"), **files)
    assert [severity for severity, _, _ in reported(capsys)] == expected


def test_totals_equal_nothing_where_a_quota_may_be_hidden(folder: Path, capsys: Any) -> None:
    demand = policy('cluster.totals.tier.prod.hard["pods"] == quantity("4")', **{"for": "cluster"})
    written(folder, demand, a=NAMESPACE + "---\n" + quota("pods: 4"), b=SECRET.replace("team-b", "team-a"))
    assert reported(capsys) == []
    written(folder, demand, a=NAMESPACE + "---\n" + quota("pods: 4"), b=RELEASE.replace("team-b", "team-a"))
    assert [severity for severity, _, _ in reported(capsys)] == ["info"]


def test_what_is_hidden_elsewhere_is_no_quota_of_this_namespace(folder: Path, capsys: Any) -> None:
    written(folder, policy("namespace.quotas.size() == 0", **{"for": "namespace"}), a=quota("pods: 4"), b=RELEASE)
    assert [(severity, place) for severity, place, _ in reported(capsys)] == [
        ("error", "a.yaml:1"),
        ("info", "b.yaml:1"),
    ]
