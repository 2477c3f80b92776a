"""Objects that deploy others and are not followed: an unknown, never silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked, outcome
from manifests import quota, web

from quotalint.gitops.deployers import DEPLOYERS, DEPLOYING_KINDS

UNFOLLOWED = {name for name, kind in DEPLOYING_KINDS.items() if kind.render is None}

IN_OTHER = "forProvider: {manifest: {metadata: {name: x, namespace: other}}}"
HOME = {"quota.yaml": quota("shop"), "web.yaml": web(2, "shop"), "other.yaml": web(1, "other", "other")}


def deployer(group: str, kind: str, spec: str, namespace: str = "fleet-local") -> str:
    return f"apiVersion: {group}/v1\nkind: {kind}\nmetadata: {{name: one, namespace: {namespace}}}\nspec: {{{spec}}}\n"


@pytest.mark.parametrize(
    ("written", "certainty"),
    [
        (deployer("fleet.cattle.io", "GitRepo", "repo: 'https://example.com/x'"), "at-least"),
        (deployer("fleet.cattle.io", "GitRepo", "repo: 'https://example.com/x', targetNamespace: shop"), "at-least"),
        (deployer("fleet.cattle.io", "GitRepo", "repo: 'https://example.com/x', targetNamespace: other"), "exact"),
        (deployer("fleet.cattle.io", "GitRepo", "repo: 'https://example.com/x', paths: ['apps/*']"), "at-least"),
        (deployer("fleet.cattle.io", "HelmOp", "namespace: shop"), "at-least"),
        (deployer("helm.cattle.io", "HelmChart", "chart: redis, targetNamespace: shop", "kube-system"), "at-least"),
        (deployer("helm.cattle.io", "HelmChart", "chart: redis", "kube-system"), "exact"),
        (deployer("helm.crossplane.io", "Release", "forProvider: {namespace: shop}"), "at-least"),
        (deployer("kubernetes.crossplane.io", "Object", IN_OTHER.replace("other", "shop")), "at-least"),
        (deployer("kubernetes.crossplane.io", "Object", IN_OTHER), "exact"),
        (deployer("olm.operatorframework.io", "ClusterExtension", "namespace: shop"), "at-least"),
        (deployer("kappctrl.k14s.io", "App", "", "shop"), "at-least"),
        (deployer("tanka.dev", "Environment", "namespace: shop"), "at-least"),
        (deployer("tanka.dev", "Environment", "namespace: other"), "exact"),
        (deployer("core.oam.dev", "Application", "", "other"), "exact"),
        (deployer("work.open-cluster-management.io", "ManifestWork", "", "cluster1"), "exact"),
        (deployer("operators.coreos.com", "Subscription", "", "shop"), "at-least"),
    ],
)
def test_a_namespace_may_hold_more(
    written: str, certainty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    actual_outcome = outcome(tmp_path, {**HOME, "one.yaml": written}, monkeypatch)
    assert actual_outcome.quotas == [f"shop/base pods 2/8 {certainty}"]


@pytest.mark.parametrize(("group", "kind"), sorted(UNFOLLOWED))
def test_each_is_named(group: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = checked(tmp_path, {**HOME, "one.yaml": deployer(group, kind, "")}, monkeypatch)
    assert [
        finding.file for finding in result.findings if finding.rule.id == "QL003" and f"{kind} one" in finding.message
    ] == ["one.yaml"]


def test_what_goes_to_other_clusters_is_said_once_and_adds_nothing_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxies = [deployer("addons.cluster.x-k8s.io", "HelmChartProxy", "", f"team-{number}") for number in range(3)]
    result = checked(tmp_path, {**HOME, "one.yaml": "---\n".join(proxies)}, monkeypatch)
    assert [(finding.severity, finding.message) for finding in result.findings] == [
        (
            "info",
            "3 objects deploy to clusters that they choose, which is not followed (HelmChartProxy); what they deploy "
            "there is not counted in the cluster where they are",
        )
    ]


def test_what_deploys_here_and_is_not_followed_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    charts = [
        deployer("helm.crossplane.io", "Release", "forProvider: {namespace: shop}").replace("one", name)
        for name in "ab"
    ]
    result = checked(tmp_path, {**HOME, "one.yaml": "---\n".join(charts)}, monkeypatch)
    assert [(finding.severity, finding.message) for finding in result.findings] == [
        (
            "warning",
            "2 objects deploy what is not followed (Release of helm.crossplane.io); what they deploy to namespace "
            "shop is not counted",
        )
    ]


def test_the_documentation_names_every_deployer_with_its_kinds() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rendering.md").read_text()
    missing = [
        (deployer.name, kind.kind)
        for deployer in DEPLOYERS
        for kind in deployer.kinds
        if deployer.name not in page or kind.kind not in page
    ]
    assert missing == []
