"""What Fleet deploys: its bundles, by GitRepos in view and out of view."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import Case, expected, outcome, params
from manifests import quota, web

URL = "https://example.com/fleet"


def git_repo(paths: str, more: str = "", name: str = "apps", namespace: str = "fleet-local") -> str:
    return (
        f"apiVersion: fleet.cattle.io/v1alpha1\nkind: GitRepo\nmetadata: {{name: {name}, namespace: {namespace}}}\n"
        f"spec: {{repo: '{URL}', branch: main, paths: [{paths}]{more}}}\n"
    )


SHOP = {"apps/shop/quota.yaml": quota(), "apps/shop/web.yaml": web(3)}
IN_SHOP = {"apps/shop/fleet.yaml": "defaultNamespace: shop\n", **SHOP}
AT_HOME = {".git/config": f'[remote "origin"]\n\turl = {URL}\n'}
EAST_AND_WEST = ", targets: [{clusterName: east}, {clusterName: west}]"

CASES = [
    Case("a bundle of manifests", {**IN_SHOP, "repo.yaml": git_repo("apps/shop")}, ("shop/base pods 3/8 exact",)),
    Case(
        "bundles below a path",
        {
            **IN_SHOP,
            "apps/api/fleet.yaml": "namespace: shop\n",
            "apps/api/deep/api.yaml": web(2, "other", "api"),
            "repo.yaml": git_repo("apps"),
        },
        ("shop/base pods 5/8 exact",),
    ),
    Case(
        "the target namespace of the GitRepo",
        {**IN_SHOP, "repo.yaml": git_repo("apps/shop", ", targetNamespace: live")},
        ("live/base pods 3/8 exact",),
    ),
    Case(
        "a kustomization of another folder",
        {
            "apps/shop/fleet.yaml": "namespace: shop\nkustomize: {dir: ./overlays/prod}\n",
            "apps/shop/overlays/prod/kustomization.yaml": (
                "resources: [../../base]\nreplicas: [{name: web, count: 7}]\n"
            ),
            "apps/shop/base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
            "apps/shop/base/quota.yaml": quota(),
            "apps/shop/base/web.yaml": web(3),
            "repo.yaml": git_repo("apps/shop"),
        },
        ("shop/base pods 7/8 exact",),
    ),
    Case(
        "two clusters by name",
        {**IN_SHOP, "repo.yaml": git_repo("apps/shop", EAST_AND_WEST, namespace="fleet-default")},
        ("east: shop/base pods 3/8 exact", "west: shop/base pods 3/8 exact"),
    ),
    Case(
        "a GitRepo that is paused",
        {**IN_SHOP, "repo.yaml": git_repo("apps/shop", ", paused: true")},
        ("shop/base pods 3/8 assumed",),
    ),
    Case(
        "a bundle that is paused",
        {
            **SHOP,
            "apps/shop/fleet.yaml": "defaultNamespace: shop\npaused: true\n",
            "repo.yaml": git_repo("apps/shop"),
        },
        ("shop/base pods 3/8 assumed",),
    ),
    Case(
        "clusters by their labels",
        {
            **IN_SHOP,
            "repo.yaml": git_repo(
                "apps/shop", ", targets: [{clusterSelector: {matchLabels: {env: prod}}}]", namespace="fleet-default"
            ),
        },
        ("shop/base pods 3/8 assumed",),
    ),
    Case(
        "without paths it is the whole repository",
        {**AT_HOME, **IN_SHOP, "repo.yaml": git_repo("", EAST_AND_WEST, namespace="fleet-default")},
        ("east: shop/base pods 3/8 exact", "west: shop/base pods 3/8 exact"),
    ),
    Case(
        "without paths, and a bundle of the root folder",
        {
            **AT_HOME,
            "fleet.yaml": "defaultNamespace: shop\n",
            "quota.yaml": quota(),
            "api/fleet.yaml": "namespace: shop\n",
            "api/api.yaml": web(2, "other", "api"),
            "web.yaml": web(3),
            "repo.yaml": git_repo(""),
        },
        ("shop/base pods 5/8 exact",),
    ),
    Case(
        "without paths, and a kustomization that is no bundle",
        {
            **AT_HOME,
            **IN_SHOP,
            "more/kustomization.yaml": "resources: [web.yaml]\n",
            "more/web.yaml": web(4),
            "repo.yaml": git_repo(""),
        },
        ("shop/base pods 3/8 at-least",),
        ("repo.yaml:1:1 QL003 warning",),
    ),
    Case("no GitRepo in view", IN_SHOP, ("shop/base pods 3/8 assumed",)),
    Case(
        "another folder is applied as ever",
        {**IN_SHOP, "tools/quota.yaml": quota("tools"), "tools/web.yaml": web(1, "tools")},
        ("shop/base pods 3/8 assumed", "tools/base pods 1/8 exact"),
    ),
    Case(
        "what is customised for single clusters",
        {
            "home/quota.yaml": quota("shop"),
            "home/web.yaml": web(1, "shop", "own"),
            "apps/shop/fleet.yaml": "namespace: shop\ntargetCustomizations: [{clusterName: east}]\n",
            "apps/shop/web.yaml": web(3),
        },
        ("shop/base pods ?/8 unknown",),
        ("apps/shop/fleet.yaml:2:1 QL003 warning",),
    ),
    Case(
        "what is customised for another cluster",
        {
            **SHOP,
            "apps/shop/fleet.yaml": "namespace: shop\ntargetCustomizations: [{clusterName: west}]\n",
            "repo.yaml": git_repo("apps/shop", EAST_AND_WEST, namespace="fleet-default"),
        },
        ("east: shop/base pods 3/8 exact", "west: shop/base pods ?/8 unknown"),
        ("apps/shop/fleet.yaml:2:1 QL003 warning in west",),
    ),
    Case(
        "what is customised for clusters by their labels",
        {
            **SHOP,
            "apps/shop/fleet.yaml": "namespace: shop\ntargetCustomizations: [{clusterGroup: big}]\n",
            "repo.yaml": git_repo("apps/shop", EAST_AND_WEST, namespace="fleet-default"),
        },
        ("east: shop/base pods ?/8 unknown", "west: shop/base pods ?/8 unknown"),
        ("apps/shop/fleet.yaml:2:1 QL003 warning in east, west",),
    ),
    Case(
        "two bundles that have one object",
        {
            **IN_SHOP,
            "apps/more/fleet.yaml": "defaultNamespace: shop\n",
            "apps/more/web.yaml": web(1),
            "repo.yaml": git_repo("apps"),
        },
        ("shop/base pods 3/8 assumed",),
        ("apps/shop/web.yaml:1:1 QL005 warning",),
    ),
    Case(
        "what is left alone in a cluster is no difference of it",
        {
            **SHOP,
            "apps/shop/fleet.yaml": "namespace: shop\ndiff: {comparePatches: []}\n",
            "repo.yaml": git_repo("apps/shop"),
        },
        ("shop/base pods 3/8 exact",),
    ),
    Case(
        "a chart",
        {
            "home/quota.yaml": quota("shop"),
            "home/web.yaml": web(1, "shop", "own"),
            "apps/shop/fleet.yaml": "namespace: shop\nhelm: {chart: redis, repo: 'https://example.com/charts'}\n",
            "repo.yaml": git_repo("home, apps/shop"),
        },
        ("shop/base pods 1/8 at-least",),
        ("apps/shop/fleet.yaml:1:1 QL003 warning",),
    ),
    Case(
        "manifests of which `helm` tells only how they are released",
        {
            **SHOP,
            "apps/shop/fleet.yaml": "namespace: shop\nhelm: {releaseName: x}\n",
            "repo.yaml": git_repo("apps/shop"),
        },
        ("shop/base pods 3/8 exact",),
    ),
    Case(
        "a repository that is a bundle",
        {"fleet.yaml": "defaultNamespace: shop\n", **SHOP},
        ("shop/base pods 3/8 assumed",),
    ),
    Case(
        "our own list of repositories is no bundle",
        {"fleet.yaml": "repositories: [apps]\n", **SHOP},
        ("default/base pods 3/8 exact",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_a_user_of_fleet_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
