"""Trees that lead out of the repository, or that are deeper and more tangled than any is meant to be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from kustomize_trees import A, B, build

from quotalint.gitops.kustomize import build as kustomize_build
from quotalint.text.place import Place


def test_symbolic_links_out_of_the_repository_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kustomization.yaml").write_text("resources: [secret.yaml]")
    (outside / "secret.yaml").write_text(B)
    root = tmp_path / "repository"
    root.mkdir()
    os.symlink(outside / "secret.yaml", root / "file.yaml")
    os.symlink(outside, root / "folder")
    os.symlink(root / "a.yaml", root / "inside.yaml")
    kustomization = """
        resources: [file.yaml, folder, inside.yaml]
        configMapGenerator: [{name: c, files: [file.yaml]}]
        patches: [{path: file.yaml}]
        """
    built = build(root, {"kustomization.yaml": kustomization, "a.yaml": A})
    assert ([resource.id.name for resource in built.resources], [problem.reason for problem in built.problems]) == (
        ["a", "c-6ct58987ht"],
        [
            "file.yaml lies outside the repository",
            "folder lies outside the repository",
            "there is no file.yaml",
            "the patch is not applied: there is no file.yaml",
        ],
    )


def test_a_name_in_other_capitals_is_another_file(tmp_path: Path) -> None:
    # macOS and Windows build this, the machines that deploy it do not.
    files = {"kustomization.yaml": "resources: [web.yaml, Base, gone.yaml, a.yaml]", "Web.yaml": B, "a.yaml": A}
    built = build(tmp_path, {**files, "base/kustomization.yaml": "resources: [b.yaml]", "base/b.yaml": B})
    assert ([resource.id.name for resource in built.resources], [problem.reason for problem in built.problems]) == (
        ["a"],
        ["there is no web.yaml, only Web.yaml", "there is no Base, only base", "there is no gone.yaml"],
    )


def test_paths_out_of_the_repository_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text(B)
    root = tmp_path / "repository"
    root.mkdir()
    kustomization = f"resources: [../secret.yaml, {tmp_path}/secret.yaml, a.yaml]"
    built = build(root, {"kustomization.yaml": kustomization, "a.yaml": A})
    assert ([resource.id.name for resource in built.resources], [problem.reason for problem in built.problems]) == (
        ["a"],
        [
            "../secret.yaml lies outside the repository",
            f"{tmp_path}/secret.yaml lies outside the repository",
        ],
    )


def test_a_path_that_goes_up_too_far_is_told_with_the_one_that_does_not(tmp_path: Path) -> None:
    overlay = "resources: [../../../base, ../../../../../b.yaml, ../../../gone, ../../..]"
    files = {"base/kustomization.yaml": "resources: [a.yaml]", "base/a.yaml": A, "b.yaml": B}
    built = build(tmp_path, {**files, "overlays/dev/kustomization.yaml": overlay}, "overlays/dev")
    assert [problem.reason for problem in built.problems] == [
        "../../../base lies outside the repository; ../../base lies in it",
        "../../../../../b.yaml lies outside the repository; ../../b.yaml lies in it",
        "../../../gone lies outside the repository",
        "../../.. lies outside the repository",
    ]


def test_a_base_that_is_listed_twice_by_each_that_builds_on_it(tmp_path: Path) -> None:
    """Two to the power of forty ways lead to the last of the folders."""
    files = {
        f"{number}/kustomization.yaml": f"resources: [../{number + 1}, ./../{number + 1}/]" for number in range(40)
    }
    built = build(tmp_path, {**files, "40/kustomization.yaml": "resources: [a.yaml]", "40/a.yaml": A}, "0")
    assert ([resource.id.name for resource in built.resources], len(built.problems)) == (["a"], 40)


def test_bases_that_double_their_objects_in_each_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kustomize_build, "MAX_WORK", 1_000)
    files = {"0/kustomization.yaml": "resources: [a.yaml]", "0/a.yaml": A}
    for number in range(30):
        for side in "pq":
            files[f"{side}{number}/kustomization.yaml"] = f"resources: [../{number}]\nnamePrefix: {side}"
        files[f"{number + 1}/kustomization.yaml"] = f"resources: [../p{number}, ../q{number}]"
    built = build(tmp_path, files, "30")
    assert {(problem.reason, problem.kind) for problem in built.problems} == {("too much is built on it", "missing")}


def test_a_cycle_that_is_come_to_in_many_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kustomize_build, "MAX_WORK", 1_000)
    files = {"p40/kustomization.yaml": "resources: [../p0]", "q40/kustomization.yaml": "resources: [../p0]"}
    for number in range(40):
        for side in "pq":
            below = f"[../p{number + 1}, ../q{number + 1}]"
            files[f"{side}{number}/kustomization.yaml"] = f"resources: {below}"
    built = build(tmp_path, files, "p0")
    assert (built.resources, {problem.reason.rpartition(": ")[2] for problem in built.problems}) == (
        (),
        {"it builds on itself", "too much is built on it"},
    )


@pytest.mark.parametrize("field", ["resources", "components"])
def test_folders_that_are_nested_too_deeply(field: str, tmp_path: Path) -> None:
    kind = "kind: Component\n" if field == "components" else ""
    files = {
        f"{number}/kustomization.yaml": f"{kind if number else ''}{field}: [../{number + 1}]" for number in range(500)
    }
    built = build(tmp_path, files, "0")
    assert [(problem.place, problem.reason, problem.kind, len(problem.via)) for problem in built.problems] == [
        (Place("101"), "it is nested too deeply", "missing", 101)
    ]
