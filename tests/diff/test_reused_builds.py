"""What was made of the first state counts for the second one where nothing that it looked at has changed; and
everything else is made anew, whatever it was that changed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

import pytest
from git_repositories import Repository, deployment, difference, quota

from quotalint.cli import states
from quotalint.gitops.kustomize.build import Builder
from quotalint.text.virtual_files import VirtualFile, VirtualFiles

Files = Mapping[str, str | None]

QUOTA = quota("pods: 50, requests.cpu: 50")
OVERLAY = "resources: [../base]\n"
BASE: Files = {
    "base/kustomization.yaml": "resources: [web.yaml]\n",
    "base/web.yaml": deployment(2),
    "a/kustomization.yaml": "resources: [../base, quota.yaml]\n",
    "a/quota.yaml": QUOTA,
    "b/kustomization.yaml": "resources: [other.yaml]\n",
    "b/other.yaml": deployment(1, "other"),
}
NEW: Files = {"c/kustomization.yaml": "resources: [new.yaml]\n", "c/new.yaml": deployment(4, "new")}
"""What makes the names differ, so that nothing is taken to lie where it lay."""

PLAIN: Files = {
    "plain/quota.yaml": quota("pods: 3, requests.cpu: 4", namespace="team-p"),
    "plain/one.yaml": deployment(2, "one", "team-p"),
    "plain/two.yaml": deployment(2, "two", "team-p"),
    "other/quota.yaml": quota("pods: 3", namespace="team-q"),
    "other/one.yaml": deployment(4, "one", "team-q"),
}
"""What is applied as it is written."""
LIMITS = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: limits, namespace: team-p}\nspec:\n  limits:\n"
LIMITS += "    - {type: Container, default: {cpu: 2}, max: {cpu: 3}}\n"

CHANGES: Mapping[str, tuple[Files, Files]] = {
    "a plain workload grows": (PLAIN, {"plain/one.yaml": deployment(7, "one", "team-p", "3")}),
    "a plain workload is called otherwise": (PLAIN, {"plain/one.yaml": deployment(2, "three", "team-p")}),
    "a plain workload goes elsewhere": (PLAIN, {"plain/one.yaml": deployment(2, "one", "team-q")}),
    "a plain quota shrinks": (PLAIN, {"plain/quota.yaml": quota("pods: 1", namespace="team-p")}),
    "a plain quota is broken": (PLAIN, {"plain/quota.yaml": quota("pods: -1", namespace="team-p")}),
    "what is written twice changes": (
        {**PLAIN, "plain/again.yaml": deployment(3, "one", "team-p")},
        {"plain/again.yaml": deployment(5, "one", "team-p"), "plain/zero.yaml": deployment(6, "zero", "team-p")},
    ),
    "limits come": (PLAIN, {"plain/limits.yaml": LIMITS}),
    "limits change": ({**PLAIN, "plain/limits.yaml": LIMITS}, {"plain/limits.yaml": LIMITS.replace("3", "1")}),
    "a root comes": ({}, NEW),
    "a root goes": (NEW, dict.fromkeys(NEW)),
    "a base changes": ({}, {**NEW, "base/web.yaml": deployment(5)}),
    "what was missing comes": (
        {"base/kustomization.yaml": "resources: [web.yaml, more.yaml]\n"},
        {**NEW, "base/more.yaml": deployment(3, "more")},
    ),
    "what was listed goes": ({}, {**NEW, "base/web.yaml": None}),
    "a kustomization is called otherwise": (
        {},
        {**NEW, "base/kustomization.yaml": None, "base/kustomization.yml": "resources: [web.yaml]\nnamePrefix: my-\n"},
    ),
    "a second kustomization comes": ({}, {**NEW, "base/Kustomization": "resources: []\n"}),
    "a file becomes a folder": (
        {"base/kustomization.yaml": "resources: [web.yaml, more]\n", "base/more": deployment(3, "more")},
        {
            **NEW,
            "base/more": None,
            "base/more/kustomization.yaml": "resources: [x.yaml]\n",
            "base/more/x.yaml": QUOTA.replace("base", "x"),
        },
    ),
    "a file that is no manifest changes": (
        {
            "base/kustomization.yaml": "resources: [web.yaml]\npatches:\n- {path: more.patch}\n",
            "base/more.patch": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 7}\n",
        },
        {
            **NEW,
            "base/more.patch": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 9}\n",
        },
    ),
    "what generates changes": (
        {"a/kustomization.yaml": OVERLAY + "configMapGenerator:\n- {name: m, files: [m.txt]}\n", "a/m.txt": "x"},
        {**NEW, "a/m.txt": None, "a/quota.yaml": QUOTA.replace("50", "40")},
    ),
    "a component changes": (
        {
            "a/kustomization.yaml": "resources: [../base, quota.yaml]\ncomponents: [../part]\n",
            "part/kustomization.yaml": "kind: Component\nreplicas:\n- {name: web, count: 3}\n",
        },
        {**NEW, "part/kustomization.yaml": "kind: Component\nreplicas:\n- {name: web, count: 30}\n"},
    ),
    "a chart changes": (
        {
            "a/kustomization.yaml": "resources: [quota.yaml]\nhelmCharts:\n- {name: app, releaseName: app}\n",
            "a/charts/app/Chart.yaml": "apiVersion: v2\nname: app\nversion: 1.0.0\n",
            "a/charts/app/values.yaml": "n: 2\n",
            "a/charts/app/templates/web.yaml": deployment(0, "chart").replace("0", "{{ .Values.n }}", 1),
        },
        {**NEW, "a/charts/app/templates/web.yaml": deployment(0, "chart").replace("0", "{{ add .Values.n 5 }}", 1)},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_difference_is_as_if_nothing_were_known_of_the_other_state(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any, change: str
) -> None:
    before, after = CHANGES[change]
    repository.commit({**BASE, **before})
    repository.commit(after)
    asked = difference(capsys, "HEAD~1", "HEAD")
    back = difference(capsys, "HEAD", "HEAD~1")

    monkeypatch.setattr(states, "recalling", lambda _: nullcontext())
    assert asked == difference(capsys, "HEAD~1", "HEAD")
    assert back == difference(capsys, "HEAD", "HEAD~1")


def built_folders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that are built from here on."""
    built: list[str] = []
    build = Builder.build

    def noting(self: Builder, folder: str) -> Any:
        built.append(folder)
        return build(self, folder)

    monkeypatch.setattr(Builder, "build", noting)
    return built


def test_what_a_new_root_does_not_concern_is_built_once(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    repository.commit(BASE)
    repository.commit(NEW)
    built = built_folders(monkeypatch)
    difference(capsys, "HEAD~1", "HEAD")
    assert sorted(built) == ["a", "b", "c"]


def test_what_reads_a_changed_file_is_built_again(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    repository.commit(BASE)
    repository.commit({**NEW, "base/web.yaml": deployment(5)})
    built = built_folders(monkeypatch)
    difference(capsys, "HEAD~1", "HEAD")
    assert sorted(built) == ["a", "a", "b", "c"]


def folder(files: Mapping[str, VirtualFile]) -> VirtualFiles:
    """One that has these, and no content."""
    made = VirtualFiles("/top", lambda path, leaf: b"")
    for way, leaf in files.items():
        made.add(way, leaf)
    return made


def test_names_the_files_and_folders_that_came_or_went_or_hold_something_else() -> None:
    before = folder({"same": VirtualFile("1", 1), "other": VirtualFile("2", 1), "gone/x": VirtualFile("3", 1)})
    after = folder({"same": VirtualFile("1", 1), "other": VirtualFile("4", 1), "come/y": VirtualFile("3", 1)})
    changed = frozenset({"/top/other", "/top/gone", "/top/gone/x", "/top/come", "/top/come/y"})
    assert after.changes_since(before) == before.changes_since(after) == changed


def test_what_has_no_id_may_hold_anything() -> None:
    both = folder({"own": VirtualFile("", 1), "same": VirtualFile("1", 1)})
    assert both.changes_since(folder({"own": VirtualFile("", 1), "same": VirtualFile("1", 1)})) == frozenset(
        {"/top/own"}
    )


def test_where_links_differ_any_path_may_lead_elsewhere() -> None:
    first, other = (folder({"link": VirtualFile("1", 1, target=target)}) for target in ("a", "b"))
    assert first.changes_since(other) is None
    assert first.changes_since(folder({})) is None
    assert first.changes_since(first) == frozenset()
