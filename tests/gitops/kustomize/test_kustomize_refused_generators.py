"""Generators that are refused, and what is still generated."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from kustomize_trees import Case, config_map, expected, names, rendered, tree
from manifests import quota, web

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


ABSENT = "namespace: shop\nresources: [quota.yaml, web.yaml]\nsecretGenerator: [{name: s, envs: [secret.env]}]\n"


@pytest.mark.parametrize(
    ("ignored", "severity"),
    [
        ({".gitignore": "*.env\n"}, "info"),
        ({"apps/.gitignore": "/shop/secret.env\n"}, "info"),
        ({"apps/shop/.gitignore": "!secret.env\n", ".gitignore": "*.env\n"}, "warning"),
        ({".gitignore": "*.key\n"}, "warning"),
        ({}, "warning"),
    ],
    ids=["by the root", "by a folder around it", "kept by the nearest", "another file", "no .gitignore"],
)
def test_only_what_was_forgotten_is_a_warning(
    ignored: dict[str, str], severity: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"apps/shop/kustomization.yaml": ABSENT, "apps/shop/quota.yaml": quota(), "apps/shop/web.yaml": web()}
    result = checked(tmp_path, {**ignored, **files}, monkeypatch)
    assert [finding.severity for finding in result.findings if finding.rule.id == "QL003"] == [severity]


def test_an_absent_file_outside_of_the_repository_ends_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kustomization = "configMapGenerator: [{name: c, files: [/nowhere/x.txt, ../../nowhere/y.txt]}]\n"
    result = checked(tmp_path, {"kustomization.yaml": kustomization, "quota.yaml": quota()}, monkeypatch)
    assert {problem.kind for problem in result.environments[0].problems} == {"refused"}
