"""What folders came to is kept where one lists many: where a file has changed, the others are not built again."""

from __future__ import annotations

import marshal
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from edited_repositories import at_work
from git_repositories import Repository, deployment, quota
from kept_answers import Answer, anew, asked, judged_states, note_small_states
from written_files import write_as_is

from quotalint.gitops import kept_folders
from quotalint.gitops.kept_folders import KeptFolders, pack_folders
from quotalint.gitops.kustomize.build import Builder
from quotalint.gitops.listening_tree import ListeningTree

TEAMS = [f"team-{number:02}" for number in range(20)]
FORMS = (("check",), ("check", "--format", "json"), ("usage", "--format", "json"), ("render",))
PATCH = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 2}
"""
SETTING = """apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
namePrefix: our-
configMapGenerator: [{name: settings, literals: [a=b]}]
"""


def files_of(team: str) -> dict[str, str]:
    """A folder with a namespace of its own, on a base, with a component and a patch."""
    return {
        f"teams/{team}/kustomization.yaml": (
            f"namespace: {team}\nresources: [../../base, quota.yaml]\n"
            "components: [../../settings]\npatches: [{path: patch.yaml}]\n"
            "configMapGenerator: [{name: run, files: [run.sh]}]\n"
        ),
        f"teams/{team}/quota.yaml": quota("pods: 3", namespace=""),
        f"teams/{team}/patch.yaml": PATCH,
        f"teams/{team}/run.sh": "true\n",
    }


def listing(folder: str, more: str = "") -> str:
    entries = "".join(f"- {folder}/{team}\n" for team in TEAMS)
    return f"resources:\n{entries}{more}"


FILES = {
    **{name: text for team in TEAMS for name, text in files_of(team).items()},
    "base/kustomization.yaml": "resources: [web.yaml]\n",
    "base/web.yaml": deployment(1, "web", ""),
    "settings/kustomization.yaml": SETTING,
    "all/kustomization.yaml": listing("../teams", "commonLabels: {a: b}\n"),
    "staging/kustomization.yaml": listing("../teams", "namespace: staging\n"),
    "outer/kustomization.yaml": "resources: [../inner]\n",
    "inner/kustomization.yaml": listing("../teams", "namePrefix: inner-\n"),
}


def make_repository(folder: Path) -> None:
    (folder / ".git").mkdir(parents=True)
    write_as_is(folder, FILES)


@contextmanager
def folders_counted(patch: Any) -> Iterator[list[str]]:
    """The folders of which a kustomization is put to work."""
    worked: list[str] = []
    component = Builder.component

    def counted(self: Builder, folder: str, *others: Any) -> Any:
        worked.append(folder)
        return component(self, folder, *others)

    with patch.context() as inner:
        inner.setattr(Builder, "component", counted)
        yield worked


def same_as_anew(patch: pytest.MonkeyPatch) -> list[Answer]:
    """What each command says, which is what it says anew."""
    answers = [asked(*form) for form in FORMS]
    with patch.context() as inner:
        inner.setenv("QUOTALINT_NO_CACHE", "1")
        assert answers == [asked(*form) for form in FORMS]
    return answers


def test_only_the_folder_that_changed_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time a file changes, also where the run before built next to nothing: what it did not build is kept on."""
    with at_work(monkeypatch, make_repository):
        asked("check")
        for team in ("team-03", "team-04", "team-03"):
            kustomization = Path("teams", team, "kustomization.yaml")
            kustomization.write_text(kustomization.read_text() + "commonAnnotations: {x: y}\n")
            with folders_counted(monkeypatch) as worked:
                asked("check")
            teams = {folder for folder in worked if folder.startswith("teams/")}
            assert teams == {f"teams/{team}"}
            assert {"all", "staging", "outer", "inner"} <= set(worked)
        same_as_anew(monkeypatch)


def test_what_nobody_built_is_kept_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that builds one of two overlays knows no less of the other one than the run before."""
    with at_work(monkeypatch, make_repository):
        asked("check")
        Path("all/kustomization.yaml").write_text(listing("../teams", "commonLabels: {a: c}\n"))
        with folders_counted(monkeypatch) as worked:
            asked("check")
        assert worked == ["all"]
        Path("inner/kustomization.yaml").write_text(listing("../teams", "namePrefix: other-\n"))
        with folders_counted(monkeypatch) as worked:
            asked("check")
        assert sorted(worked) == ["inner", "outer"]
        same_as_anew(monkeypatch)


TEAM = "teams/team-07"
CHANGES: dict[str, dict[str, str]] = {
    "the base of all": {"base/web.yaml": deployment(1, "web", "").replace("image: web", "image: other")},
    "the component of all": {"settings/kustomization.yaml": SETTING.replace("our-", "your-")},
    "a text that a ConfigMap is made of": {f"{TEAM}/run.sh": "false\n"},
    "a second kustomization": {f"{TEAM}/kustomization.yml": "resources: [quota.yaml]\n"},
    "a folder that is a Component": {f"{TEAM}/kustomization.yaml": SETTING},
    "a folder that holds nothing": {f"{TEAM}/kustomization.yaml": "{}\n"},
    "a folder that cannot be read": {f"{TEAM}/kustomization.yaml": "resources: [\n"},
    "a cycle": {f"{TEAM}/kustomization.yaml": "resources: [../../all]\n"},
    "a schema": {
        f"{TEAM}/kustomization.yaml": FILES[f"{TEAM}/kustomization.yaml"] + "openapi: {path: schema.json}\n",
        f"{TEAM}/schema.json": '{"definitions": {}}\n',
    },
    "a schema of an overlay": {
        "all/kustomization.yaml": FILES["all/kustomization.yaml"] + "openapi: {path: schema.json}\n",
        "all/schema.json": '{"definitions": {}}\n',
    },
    "what transformers learn": {
        f"{TEAM}/kustomization.yaml": FILES[f"{TEAM}/kustomization.yaml"] + "configurations: [more.yaml]\n",
        f"{TEAM}/more.yaml": "commonLabels: [{path: spec/labels, create: true}]\n",
    },
    "a variable": {
        f"{TEAM}/kustomization.yaml": FILES[f"{TEAM}/kustomization.yaml"]
        + "vars: [{name: WEB, objref: {apiVersion: apps/v1, kind: Deployment, name: web}}]\n"
    },
    "what is missing": {f"{TEAM}/kustomization.yaml": "resources: [quota.yaml, missing.yaml, ../missing]\n"},
    "what is remote": {f"{TEAM}/kustomization.yaml": "resources: [quota.yaml, https://example.com/all.yaml]\n"},
    "anchors": {f"{TEAM}/patch.yaml": PATCH.replace("{name: web}", "&a {name: web}").replace("2}", "2, x: *a}")},
    "another overlay": {"all/kustomization.yaml": listing("../teams", "namespace: all\n")},
}


@pytest.mark.parametrize("name", CHANGES)
def test_nothing_is_said_but_what_is_said_anew(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever changes, when it has changed, when another file does beside it, and when it is as before again."""
    elsewhere = {"teams/team-01/quota.yaml": quota("pods: 1", namespace="")}
    with at_work(monkeypatch, make_repository):
        was = same_as_anew(monkeypatch)
        write_as_is(Path(), CHANGES[name])
        changed = same_as_anew(monkeypatch)
        assert changed != was
        write_as_is(Path(), elsewhere)
        same_as_anew(monkeypatch)
        for file in CHANGES[name].keys() | elsewhere.keys():
            os.unlink(file)
        write_as_is(Path(), {file: FILES[file] for file in CHANGES[name].keys() | elsewhere.keys() if file in FILES})
        assert same_as_anew(monkeypatch) == was


def test_what_was_missing_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that looked for a file is built again when there is one."""
    with at_work(monkeypatch, make_repository):
        write_as_is(Path(), CHANGES["what is missing"])
        asked("check")
        for file, text in (("missing.yaml", deployment(5, "more", "")), ("../missing/kustomization.yaml", SETTING)):
            write_as_is(Path(), {f"{TEAM}/{file}": text})
            with folders_counted(monkeypatch) as worked:
                asked("check")
            assert {folder for folder in worked if folder.startswith("teams/team-")} == {TEAM}
            same_as_anew(monkeypatch)


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_what_is_reached_through_a_link_is_built_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which file that is depends on where the link leads."""
    with at_work(monkeypatch, make_repository):
        os.unlink(f"{TEAM}/quota.yaml")
        os.symlink("../team-08/quota.yaml", f"{TEAM}/quota.yaml")
        asked("check")
        Path("teams/team-08/quota.yaml").write_text(quota("pods: 9", namespace=""))
        same_as_anew(monkeypatch)
        os.unlink(f"{TEAM}/quota.yaml")
        os.symlink("../team-09/quota.yaml", f"{TEAM}/quota.yaml")
        same_as_anew(monkeypatch)


def test_a_folder_is_given_as_it_was_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that was accumulated comes back equal, with what it cost and what was looked at."""
    with at_work(monkeypatch, make_repository) as top:
        tree = ListeningTree(str(top), {}, lambda _: None)
        builder = Builder(tree)
        for folder in ("all", "staging", "outer"):
            builder.build(folder)
        listed = {(of.folder, of.namespace): of for of in builder.listed_folders()}
        assert listed.keys() == {(f"teams/{team}", namespace) for team in TEAMS for namespace in ("", "staging")}
        packed = pack_folders(listed.values(), tree, {})
        given = KeptFolders(packed, lambda _: True)
        assert {key: given.folder(*key) for key in listed} == listed
        assert given.folder("teams", "") is None
        stale = KeptFolders(packed, lambda read: "teams/team-05/run.sh" not in read)
        assert [key for key in listed if stale.folder(*key) is None] == [
            ("teams/team-05", ""),
            ("teams/team-05", "staging"),
        ]


def test_the_smallest_are_kept_where_not_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for anything reads all that is kept, so that there is an end to it."""
    with at_work(monkeypatch, make_repository) as top:
        write_as_is(Path(), {f"{TEAM}/quota.yaml": "\n---\n".join([quota("pods: 1", namespace="")] * 30)})
        tree = ListeningTree(str(top), {}, lambda _: None)
        builder = Builder(tree)
        builder.build("all")
        listed = list(builder.listed_folders())
        whole = pack_folders(listed, tree, {})
        monkeypatch.setattr(kept_folders, "_MOST", len(whole) // 2)
        given = KeptFolders(pack_folders(listed, tree, {}), lambda _: True)
        missing = {of.folder for of in listed if given.folder(of.folder, of.namespace) is None}
        assert TEAM in missing
        assert 0 < len(missing) < len(TEAMS)


@pytest.mark.parametrize("build", [b"", b"damaged", marshal.dumps(1), marshal.dumps(((1, 2, 3), 4))])
def test_what_is_damaged_is_built(build: bytes) -> None:
    """Whatever is wrong with what is kept means that there is none."""
    folder = {(TEAM, ""): (("all",), f"{TEAM}/kustomization.yaml", build)}
    assert KeptFolders(marshal.dumps(folder), lambda _: True).folder(TEAM, "") is None
    assert KeptFolders(b"damaged", lambda _: True).folder(TEAM, "") is None


def test_diff_builds_the_folders_that_changed(
    remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an overlay of which one folder changes, in whichever state it is built, the others are known."""
    note_small_states(monkeypatch)
    remembered_repository.commit({**FILES})
    asked("check")
    text = FILES[f"{TEAM}/kustomization.yaml"]
    remembered_repository.commit({f"{TEAM}/kustomization.yaml": f"{text}commonAnnotations: {{x: y}}\n"})
    states = judged_states(monkeypatch)
    with folders_counted(monkeypatch) as worked:
        answer = asked("diff", "HEAD~1", "HEAD")
    assert answer == anew("diff", "HEAD~1", "HEAD")
    teams = {folder for folder in worked if folder.startswith("teams/")}
    assert teams == {TEAM}
    assert states


def test_what_changes_after_a_folder_was_taken_over_is_built(
    remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the first state nobody reads the files of a folder that is known; in the second, one of them is another."""
    note_small_states(monkeypatch)
    remembered_repository.commit({**FILES})
    asked("check")
    for team in ("team-03", "team-07", "team-04"):
        text = FILES[f"teams/{team}/kustomization.yaml"]
        remembered_repository.commit(
            {f"teams/{team}/kustomization.yaml": f"{text}replicas: [{{name: web, count: 9}}]\n"}
        )
    answers = [asked("diff", "HEAD~2", state) for state in ("HEAD~1", "HEAD", "HEAD~1")]
    assert answers == [anew("diff", "HEAD~2", state) for state in ("HEAD~1", "HEAD", "HEAD~1")]
    assert "team-07" in answers[0].out
