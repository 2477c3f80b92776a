"""Patches that are not applied, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import CONF, THREE, WEB, Case, expected, names, rendered

CASES = [
    Case(
        "a legacy list of patch files",
        {
            "kustomization.yaml": "resources: [web.yaml]\npatches: [three.yaml]",
            "web.yaml": WEB,
            "three.yaml": THREE,
        },
        THREE,
        problems=(("refused", "`patches` lists files: Kustomize refuses it since release 5, write `- path: …`"),),
        kubectl="refuses",
    ),
    Case(
        "a JSON patch without a target",
        {
            "kustomization.yaml": "resources: [web.yaml]\npatches: [{path: patch.yaml}]",
            "web.yaml": WEB,
            "patch.yaml": "- {op: remove, path: /spec}",
        },
        WEB,
        problems=(("refused", "the patch is not applied: a JSON patch needs a target"),),
        kubectl="refuses",
    ),
    Case(
        "a patch for an object that is not there",
        {
            "kustomization.yaml": "resources: [conf.yaml]\npatches: [{path: three.yaml}]",
            "conf.yaml": CONF,
            "three.yaml": THREE,
        },
        CONF,
        problems=(("refused", "the patch is not applied: there is no Deployment web (apps/v1)"),),
        kubectl="refuses",
    ),
    Case(
        "a patch of another version",
        {
            "kustomization.yaml": "resources: [web.yaml]\npatches: [{path: three.yaml}]",
            "web.yaml": WEB,
            "three.yaml": THREE.replace("apps/v1", "apps/v1beta1"),
        },
        WEB,
        problems=(
            ("refused", "the patch is not applied: there is no Deployment web (apps/v1beta1); there is one of apps/v1"),
        ),
        kubectl="refuses",
    ),
    Case(
        "a patch whose target selects nothing",
        {
            "kustomization.yaml": "resources: [conf.yaml]\npatches: [{path: three.yaml, target: {kind: Deployment}}]",
            "conf.yaml": CONF,
            "three.yaml": THREE,
        },
        CONF,
    ),
    Case(
        "a patch that is not there, one that is empty, one without anything, one with both",
        {
            "kustomization.yaml": """
                resources: [web.yaml]
                patches:
                - path: nowhere.yaml
                - path: empty.yaml
                - target: {kind: Deployment}
                - {path: three.yaml, patch: "a: b"}
                """,
            "web.yaml": WEB,
            "empty.yaml": "# nothing\n",
            "three.yaml": THREE,
        },
        WEB,
        problems=(
            ("refused", "the patch is not applied: there is no nowhere.yaml"),
            ("refused", "the patch is not applied: it gives neither `patch` nor `path`"),
            ("refused", "the patch is not applied: it gives both `patch` and `path`"),
        ),
        kubectl="refuses",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_what_kustomize_refuses_to_patch_is_named(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
