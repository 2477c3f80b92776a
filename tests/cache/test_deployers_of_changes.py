"""Where something deploys to is known of whatever file says it, whoever applies that: `diff` looks at everything where
such an object comes or goes in what is built, or in what nobody applies."""

from __future__ import annotations

import pytest
from git_repositories import Repository, deployment
from test_compared_slices import RELEASE, Files, compare
from test_new_files import APPLICATION, DEPLOYED, SERVICE, STARTED

SHOP = RELEASE.replace("namespace: team-a", "namespace: one").replace("spec:\n", "spec:\n  targetNamespace: team-d\n")
NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n"
DECLARED: Files = {
    **STARTED,
    "namespaces.yaml": "---\n".join(NAMESPACE % name for name in ("team-a", "team-b", "one", "two")),
}
"""With a quota for team-d, which is said to be missing as long as nothing deploys to it."""
OVERLAY = "namespace: one\nresources: [../base, quota.yaml, shop.yaml]\npatches: [{path: without.yaml}]\n"
WITHOUT: Files = {
    **DECLARED,
    "c/one/kustomization.yaml": OVERLAY,
    "c/one/shop.yaml": SHOP,
    "c/one/without.yaml": f"$patch: delete\n{SHOP.partition('spec:')[0]}",
}
"""An overlay that takes away what it lists."""
LISTS_NOTHING_MORE = "namespace: one\nresources: [../base, quota.yaml]\npatches: []\n"
UNUSED: Files = {
    **DEPLOYED,
    **DECLARED,
    "off/base/kustomization.yaml": "resources:\n- web.yaml\n",
    "off/base/web.yaml": deployment(1, "web", ""),
}
"""A base on which nobody builds, where Argo CD deploys others."""
MADE: Files = {
    **DECLARED,
    "g/kustomization.yaml": "namespace: g\ngeneratorOptions: {disableNameSuffixHash: true}\n"
    "resources: [web.yaml]\nconfigMapGenerator: [{name: run, files: [shop.yaml]}]\n",
    "g/shop.yaml": SERVICE % ("shop", "g"),
    "g/web.yaml": deployment(1, "web", ""),
}
"""A ConfigMap that is made of a manifest."""
OF_MORE: dict[str, tuple[Files, Files]] = {
    "a release in a base that nobody builds on": (
        UNUSED,
        {"off/base/web.yaml": f"{deployment(1, 'web', '')}---\n{SHOP}"},
    ),
    "an Application in a base that nobody builds on": (
        UNUSED,
        {"off/base/web.yaml": f"{deployment(1, 'web', '')}---\n{APPLICATION % ('c', 'c/one', '', 'team-d')}"},
    ),
    "a file with a release in a base that nobody builds on": (
        UNUSED,
        {"off/base/kustomization.yaml": "resources:\n- web.yaml\n- shop.yaml\n", "off/base/shop.yaml": SHOP},
    ),
    "a release that no kustomization lists": (DECLARED, {"c/base/shop.yaml": SHOP}),
    "a release in what a ConfigMap is made of": (MADE, {"g/shop.yaml": f"{MADE['g/shop.yaml']}---\n{SHOP}"}),
    "no release in what a ConfigMap is made of": (
        {**MADE, "g/shop.yaml": f"{MADE['g/shop.yaml']}---\n{SHOP}"},
        {"g/shop.yaml": MADE["g/shop.yaml"]},
    ),
    "where what is taken away deploys to": (
        WITHOUT,
        {"c/one/shop.yaml": SHOP.replace("team-d", "team-x")},
    ),
    "a file of what is taken away": (
        {**DECLARED, "c/one/kustomization.yaml": LISTS_NOTHING_MORE},
        {name: WITHOUT[name] for name in ("c/one/kustomization.yaml", "c/one/shop.yaml", "c/one/without.yaml")},
    ),
    "no file of what is taken away": (
        WITHOUT,
        {"c/one/kustomization.yaml": LISTS_NOTHING_MORE, "c/one/shop.yaml": None, "c/one/without.yaml": None},
    ),
}


@pytest.mark.parametrize("change", OF_MORE)
def test_what_deploys_has_everything_looked_at(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *OF_MORE[change]).count("everything") == 2
