"""Generators that are refused, and what is still generated."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, config_map, expected, names, rendered, tree

FOLDER = tree("generated-names")
USER = FOLDER["p.yaml"]

CASES = [
    Case(
        "one key twice",
        {
            "kustomization.yaml": "resources: [p.yaml]\nconfigMapGenerator: [{name: c, literals: [a=1, a=2]}]",
            **FOLDER,
        },
        USER,
        problems=(("refused", "the key `a` is given twice"),),
        kubectl="refuses",
    ),
    Case(
        "a literal without a value",
        {"kustomization.yaml": "resources: [p.yaml]\nconfigMapGenerator: [{name: c, literals: [a]}]", **FOLDER},
        USER,
        problems=(("refused", "the literal `a` is not key=value"),),
        kubectl="refuses",
    ),
    Case(
        "one without a name",
        {"kustomization.yaml": "resources: [p.yaml]\nconfigMapGenerator: [{literals: [a=1]}]", **FOLDER},
        USER,
        problems=(("refused", "the ConfigMap has no name"),),
        kubectl="refuses",
    ),
    Case(
        "a file that is not there: the rest is still generated",
        {"kustomization.yaml": "configMapGenerator: [{name: c, files: [nowhere], literals: [a=1]}]"},
        config_map("c-h29d89cmmt", {"a": "1"}),
        problems=(("refused", "there is no nowhere"),),
        kubectl="refuses",
    ),
    Case(
        "one that is there already",
        {
            "kustomization.yaml": "resources: [c.yaml]\nconfigMapGenerator: [{name: c, literals: [a=1]}]",
            "c.yaml": config_map("c"),
        },
        config_map("c"),
        problems=(("refused", "there is already a ConfigMap c; its behavior must be merge or replace"),),
        kubectl="refuses",
    ),
    Case(
        "nothing to merge into",
        {"kustomization.yaml": "resources: [p.yaml]\nconfigMapGenerator: [{name: c, behavior: merge}]", **FOLDER},
        USER,
        problems=(("refused", "there is no ConfigMap c to merge"),),
        kubectl="refuses",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_what_kustomize_refuses_to_generate_is_named(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
