"""Whether anybody applies a base beside stages depends on which namespaces its objects name, and on which folders there
are: `diff` knows that of changed states."""

from __future__ import annotations

import pytest
from git_repositories import Repository, deployment, quota
from test_compared_slices import Files, compare
from test_new_files import SERVICE, STARTED

WEB = deployment(3, "web", "")
UNUSED: Files = {
    **STARTED,
    "shop/base/kustomization.yaml": "resources: [web.yaml]\n",
    "shop/base/web.yaml": f"{quota('pods: 2', namespace='default').replace(', namespace: default', '')}---\n{WEB}",
    "shop/overlays/dev/kustomization.yaml": "namespace: shop-dev\nresources: [web.yaml]\n",
    "shop/overlays/dev/web.yaml": WEB,
}
WITHOUT_QUOTA: Files = {**UNUSED, "shop/base/web.yaml": WEB}
WATCHED = "apiVersion: example.com/v1\nkind: Monitor\nmetadata: {name: web}\n"
CHANGES: dict[str, tuple[Files, Files]] = {
    "an object that names a namespace": (
        UNUSED,
        {"shop/base/web.yaml": f"{UNUSED['shop/base/web.yaml']}---\n{SERVICE % ('web', 'team-a')}"},
    ),
    "a namespace for an object": (
        UNUSED,
        {"shop/base/web.yaml": str(UNUSED["shop/base/web.yaml"]).replace("{name: web}", "{name: web, namespace: a}")},
    ),
    "the first object of a namespace": (
        {**UNUSED, "shop/base/web.yaml": WATCHED},
        {"shop/base/web.yaml": f"{WATCHED}---\n{UNUSED['shop/base/web.yaml']}"},
    ),
    "the only object of a namespace that goes": (
        {**UNUSED, "shop/base/web.yaml": f"{WATCHED}---\n{WEB}"},
        {"shop/base/web.yaml": WATCHED},
    ),
    "the first object of a namespace in a file of its own": (
        {**UNUSED, "shop/base/web.yaml": WATCHED},
        {"shop/base/kustomization.yaml": "resources: [web.yaml, api.yaml]\n", "shop/base/api.yaml": WEB},
    ),
    "a Service that names a namespace": (
        WITHOUT_QUOTA,
        {"shop/base/web.yaml": f"{WEB}---\n{SERVICE % ('web', 'team-a')}"},
    ),
    "a file with a Service that names a namespace": (
        WITHOUT_QUOTA,
        {
            "shop/base/kustomization.yaml": "resources: [web.yaml, api.yaml]\n",
            "shop/base/api.yaml": SERVICE % ("web", "team-a"),
        },
    ),
    "no Service that names a namespace": (
        {**WITHOUT_QUOTA, "shop/base/web.yaml": f"{WEB}---\n{SERVICE % ('web', 'team-a')}"},
        {"shop/base/web.yaml": WEB},
    ),
    "the first workload": (
        {**UNUSED, "shop/base/web.yaml": WATCHED},
        {"shop/base/web.yaml": f"{WATCHED}---\n{WEB}"},
    ),
    "the first stage beside workloads": (
        {name: text for name, text in WITHOUT_QUOTA.items() if "overlays" not in name},
        {name: text for name, text in WITHOUT_QUOTA.items() if "overlays" in name},
    ),
    "no stage beside workloads": (WITHOUT_QUOTA, {name: None for name in UNUSED if "overlays" in name}),
    "the first stage": (
        {name: text for name, text in UNUSED.items() if "overlays" not in name},
        {name: text for name, text in UNUSED.items() if "overlays" in name},
    ),
    "no stage": (UNUSED, {name: None for name in UNUSED if "overlays" in name}),
    "a stage that builds on it": (
        UNUSED,
        {"shop/overlays/dev/kustomization.yaml": "namespace: shop-dev\nresources: [../../base]\n"},
    ),
    "another stage": (
        UNUSED,
        {
            "shop/overlays/prod/kustomization.yaml": "namespace: shop-prod\nresources: [web.yaml]\n",
            "shop/overlays/prod/web.yaml": WEB,
        },
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_about_a_base_is_known(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *CHANGES[change])  # which asserts that all is as without memory
