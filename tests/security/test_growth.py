"""Twice as much takes about twice the work: lines of ours that run are counted, so that every machine will do."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import pytest
from line_counts import lines_of
from manifests import web

from quotalint.cli import run
from quotalint.gitops.layout import layout_of
from quotalint.reports.html.page_addresses import _unique_ids
from quotalint.runtime import budget
from quotalint.text.documents import read
from quotalint.text.git_index import _SEARCHES, Tracked
from quotalint.text.patterns import COUNTED
from quotalint.text.sources import MOST_TRIES, TRIES_FOR_AN_ENTRY, find

LINEAR = 2.5
"""What twice as much may take, in lines, where once as much holds what every run does besides."""


def limit_range(name: str, namespace: str) -> str:
    return (
        f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: {name}, namespace: {namespace}}}\n"
        "spec: {limits: [{type: Pod, max: {cpu: 2}}, {type: Container, max: {cpu: 1}, default: {cpu: 1}}]}\n---\n"
    )


def test_addresses_of_findings_that_are_alike() -> None:
    def naming(number: int) -> Callable[[], object]:
        return lambda: list(_unique_ids("finding", ["x"] * number))

    assert list(_unique_ids("a", ["x", "x", "x-2", "x"])) == ["a-x", "a-x-2", "a-x-2-2", "a-x-3"]
    assert lines_of(naming(2000)) < LINEAR * lines_of(naming(1000))


@pytest.mark.parametrize("namespaces", ["one", "each"])
def test_limit_ranges_that_bound_whole_pods(namespaces: str, tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    lines = []
    for count in (150, 300):
        spaces = [f"team-{number}" if namespaces == "each" else "team" for number in range(count)]
        text = "".join(limit_range(f"limits-{number}", space) for number, space in enumerate(spaces))
        (tmp_path / "limits.yaml").write_text(text)
        lines.append(lines_of(lambda: run(["--jobs", "1", "."]), "/checks/limit_ranges.py"))
        assert "No findings" in capsys.readouterr().out
    assert 1000 < lines[1] < LINEAR * lines[0]


WILDCARDS = ("*a*b{}*", "**/x{}*/y", "/d{}/*.yaml", "a?{}", "*.y{}*", "[!a]{}-*")


@pytest.mark.parametrize("form", WILDCARDS)
def test_excluded_wildcards_are_looked_up(form: str, tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"manifest-{number}.yaml").write_text("")
    before = COUNTED.tries
    sources = find([str(tmp_path)], str(tmp_path), [form.format(number) for number in range(10_000)])
    assert len(sources.sources) == 60
    assert COUNTED.tries - before < MOST_TRIES


@pytest.mark.slow
@pytest.mark.parametrize("where", ["exclude", ".gitignore"])
def test_wildcards_that_all_might_match_end_in_a_finding(where: str, tmp_path: Path) -> None:
    for folder in "abcde":
        (tmp_path / folder).mkdir()
        for number in range(60):
            (tmp_path / folder / f"manifest-{number}.yaml").write_text("")
    lines = ["*" + "*".join(letters) + "*" for letters in islice(permutations("tsefinam"), 5_000)]
    if where == ".gitignore":
        (tmp_path / ".git").mkdir()
        (tmp_path / ".gitignore").write_text("\n".join(lines))
    before = COUNTED.tries
    sources = find([str(tmp_path)], str(tmp_path), lines if where == "exclude" else ())
    assert COUNTED.tries - before < MOST_TRIES + 310 * TRIES_FOR_AN_ENTRY + 102 * len(lines)
    assert {unreadable.reason.partition(": its")[0] for unreadable in sources.unreadable} == {
        "is not judged: too expensive"
    }


def test_folders_that_repeat_each_other_do_not_ask_for_each_other(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    """Three thousand copies of a folder, beside one of another namespace, took 25 seconds."""
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: %s}\nspec: {hard: {pods: 1}}\n"
    lines = []
    for count in (40, 80):
        folder = tmp_path / str(count)
        (folder / "shared").mkdir(parents=True)
        (folder / "shared" / "quota.yaml").write_text(quota % "shared")
        for number in range(count):
            (folder / f"env-{number:03}").mkdir()
            (folder / f"env-{number:03}" / "quota.yaml").write_text(quota % "team")
        monkeypatch.chdir(folder)
        lines.append(lines_of(lambda: run(["--jobs", "1", "."]), "/checks/folder_namespaces.py"))
        assert f"{count} environments" in capsys.readouterr().out
    assert 500 < lines[1] < LINEAR * lines[0]


@pytest.mark.parametrize("part", ["/gitops/environments.py", "/checks/folder_namespaces.py"])
def test_environments_are_not_compared_with_each_other(
    part: str, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: team}\nspec: {hard: {pods: 1}}\n"
    lines = []
    for count in (40, 80):
        folder = tmp_path / str(count)
        (folder / "base").mkdir(parents=True)
        (folder / "base" / "quota.yaml").write_text(quota)
        (folder / "base" / "kustomization.yaml").write_text("resources: [quota.yaml]\n")
        for number in range(count):
            (folder / "overlays" / f"env-{number:03}").mkdir(parents=True)
            text = "resources: [../../base]\nnamespace: team\n"
            (folder / "overlays" / f"env-{number:03}" / "kustomization.yaml").write_text(text)
        monkeypatch.chdir(folder)
        lines.append(lines_of(lambda: run(["--jobs", "1", "."]), part))
        assert f"{count} environments" in capsys.readouterr().out
    assert 500 < lines[1] < LINEAR * lines[0]


def test_plugins_ask_for_the_files_of_their_own_folder(tmp_path: Path) -> None:
    generator = "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: k}\nfiles: [secrets]\n"
    lines = []
    for count in (50, 100):
        readings = {}
        for number in range(count):
            readings[f"{number:03}/kustomization.yaml"] = read(b"generators: [g.yaml]\n")
            readings[f"{number:03}/g.yaml"] = read(generator.encode())
            readings[f"{number:03}/secrets/a.yaml"] = read(b"a: b\n")
        lines.append(lines_of(partial(layout_of, readings), "/gitops/layout.py"))
        assert layout_of(readings).kustomizations["007"].data == ("007/secrets/a.yaml",)
    assert lines[1] < LINEAR * lines[0]


def test_an_index_is_not_searched_for_each_name_that_is_ignored(tmp_path: Path) -> None:
    """Ten thousand ignored files beside an index of ten megabytes took a minute."""
    (tmp_path / ".git").mkdir()
    entry = bytes(60) + b"\0\6a.yaml" + bytes(4)
    (tmp_path / ".git" / "index").write_bytes(b"DIRC\0\0\0\2\0\0\0\1" + entry)
    tracked = Tracked()
    answers = [f"{tmp_path}/{number}.yaml" in tracked for number in range(1_000)]
    index = tracked._indexes[str(tmp_path)]
    assert (any(answers), f"{tmp_path}/a.yaml" in tracked, index._searches) == (False, True, _SEARCHES + 1)


def test_ignored_files_may_lie_deeper_than_python_calls(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("*.yaml\n")
    for _ in range(1_200):
        os.mkdir("d")
        os.chdir("d")
    Path("x.yaml").write_text("a: b\n")
    os.chdir(tmp_path)
    assert find([str(tmp_path)], str(tmp_path), ()).sources == ()
    for _ in range(1_200):  # pytest would remove it by recursion
        os.chdir("d")
    os.unlink("x.yaml")
    for _ in range(1_200):
        os.chdir("..")
        os.rmdir("d")


def test_charges_are_grouped_once_for_all_quotas(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q%d, namespace: a}\nspec: {hard: {pods: 3}}\n"
    lines = []
    for count in (100, 200):
        folder = tmp_path / str(count)
        folder.mkdir()
        (folder / "quotas.yaml").write_text("---\n".join(quota % number for number in range(count)))
        (folder / "web.yaml").write_text(web(3, "a"))
        monkeypatch.chdir(folder)
        lines.append(lines_of(lambda: run(["--jobs", "1", "."]), "/quota/excesses.py"))
        assert f"{count} quotas" in capsys.readouterr().out
    assert 500 < lines[1] < LINEAR * lines[0]


def test_many_quotas_for_many_workloads_end_in_a_finding(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(budget, "START", 50)
    monkeypatch.setattr(budget, "FOR_A_FILE", 0)
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q%d, namespace: a}\nspec: {hard: {pods: 100}}\n"
    (tmp_path / "quotas.yaml").write_text("---\n".join(quota % number for number in range(100)))
    (tmp_path / "web.yaml").write_text("---\n".join(web(2, "a", f"web-{number}") for number in range(40)))
    monkeypatch.chdir(tmp_path)
    run(["--jobs", "1", "."])
    assert "a namespace has too many quotas for too many workloads" in " ".join(capsys.readouterr().out.split())
