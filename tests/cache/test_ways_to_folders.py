"""What a folder comes to may depend on the way by which one comes to it: of what is kept that counts for no other."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from edited_repositories import at_work
from git_repositories import quota
from kept_answers import asked
from test_kept_folders import FILES, PATCH, make_repository, same_as_anew
from written_files import write_as_is

from quotalint.gitops.kustomize.build import Builder
from quotalint.gitops.tree import Tree

TEAM = "teams/team-07"
NAMING_ITS_LISTER = FILES[f"{TEAM}/kustomization.yaml"].replace(
    "quota.yaml]", "quota.yaml, ../../all/kustomization.yaml]"
)
OTHER = "above/kustomization.yaml"
"""Of a folder that is built before all others."""


def test_a_folder_that_names_the_kustomization_of_who_lists_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a file below that one, and a folder that builds on it from anywhere else."""
    with at_work(monkeypatch, make_repository):
        write_as_is(Path(), {f"{TEAM}/kustomization.yaml": NAMING_ITS_LISTER})
        was = same_as_anew(monkeypatch)
        write_as_is(Path(), {OTHER: f"resources: [../{TEAM}]\nnamePrefix: other-\n"})
        assert same_as_anew(monkeypatch) != was
        os.unlink(OTHER)
        assert same_as_anew(monkeypatch) == was


ON_TOP = {
    "an order": "sortOptions: {order: none}\n",
    "a schema": "openapi: {path: schema.json}\npatches: [{path: patch.yaml}]\n",
}
"""What counts otherwise in a kustomization that is built than in those further below."""


def write_alone(name: str) -> None:
    """A folder that names nothing but its own files."""
    files = {
        "kustomization.yaml": f"resources: [quota.yaml, web.yaml]\n{ON_TOP[name]}",
        "quota.yaml": quota("pods: 3", namespace="team-07"),
        "web.yaml": FILES["base/web.yaml"],
        "patch.yaml": PATCH.replace("{replicas: 2}", "{template: {spec: {containers: [{name: web, tty: true}]}}}"),
        "schema.json": '{"definitions": {}}\n',
    }
    write_as_is(Path(TEAM), files)


def test_a_folder_of_which_more_is_refused_where_it_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is where it is all that is looked at, and beside what builds on it."""
    with at_work(monkeypatch, make_repository):
        write_alone("an order")
        asked("check")
        for paths in ((TEAM,), (TEAM, "all"), ()):
            answer = asked("check", *paths)
            with monkeypatch.context() as inner:
                inner.setenv("QUOTALINT_NO_CACHE", "1")
                assert answer == asked("check", *paths)
            assert ("sortOptions" in answer.out) == (paths == (TEAM,))


@pytest.mark.parametrize("name", ON_TOP)
def test_what_a_folder_comes_to_is_the_same_whatever_was_built_before(name: str, folder: Path) -> None:
    """By itself, and for others."""
    write_as_is(folder, FILES)
    write_alone(name)
    by_itself, for_others = (Builder(Tree(str(folder), {})).build(top) for top in (TEAM, "all"))
    builder = Builder(Tree(str(folder), {}))
    assert [builder.build(top) for top in ("all", TEAM, "all")] == [for_others, by_itself, for_others]
    builder = Builder(Tree(str(folder), {}))
    assert [builder.build(top) for top in (TEAM, "all", TEAM)] == [by_itself, for_others, by_itself]
