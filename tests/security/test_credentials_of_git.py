"""Git's own folder, in which runners keep a token, is no part of the repository: nothing of it is read or written."""

from __future__ import annotations

import os
from typing import Any

import pytest
from deployer_objects import argo_application
from git_repositories import Repository
from manifests import quota

from quotalint.cli import run
from quotalint.text.files import lies_in_repository

TOKEN = "swordfish"
WAYS = ("../.git/config", "../folder/config", "../link.txt", "../.git/../.git/config")


@pytest.fixture
def keeper(repository: Repository) -> Repository:
    """A repository whose configuration of git holds a token, with links to git's folder."""
    repository.commit({"victim/q.yaml": quota("victim", "victim", "pod: '1'")})
    repository.git("config", "http.https://example.com/.extraheader", f"AUTHORIZATION: basic {TOKEN}")
    os.symlink(".git", repository.folder / "folder")
    os.symlink(".git/config", repository.folder / "link.txt")
    return repository


def said(capsys: Any, *arguments: str) -> str:
    """Everything that a run prints."""
    run(list(arguments))
    printed = capsys.readouterr()
    return str(printed.out + printed.err)


def tells_token(capsys: Any) -> list[tuple[str, ...]]:
    """The commands that print it."""
    commands = (".",), ("-v", "-f", "json", "."), ("usage", "-f", "json", "."), ("render", "."), ("diff", "HEAD")
    return [command for command in commands if TOKEN in said(capsys, *command)]


@pytest.mark.parametrize("way", WAYS)
def test_a_kustomization_puts_no_token_into_a_name(way: str, keeper: Repository, capsys: Any) -> None:
    naming = "source: {kind: ConfigMap, name: c, fieldPath: data.x}"
    targets = "targets: [{select: {kind: ResourceQuota}, fieldPaths: [metadata.name]}]"
    kustomization = f"configMapGenerator: [{{name: c, files: ['x={way}']}}]\nreplacements: [{{{naming}, {targets}}}]\n"
    keeper.write(
        {"k/kustomization.yaml": f"resources: [q.yaml]\n{kustomization}", "k/q.yaml": quota("k", "q", "pod: '1'")}
    )
    assert tells_token(capsys) == []
    assert "k/kustomization.yaml" in said(capsys, "-v", ".")


NAMED = "{{ .Files.Get `link.txt` | quote }}: '1', {{ .Values.x | default `none` | quote }}: '1'"
CHART = {
    "chart/Chart.yaml": "apiVersion: v2\nname: chart\nversion: 0.1.0\n",
    "chart/templates/q.yaml": quota("a", "q", NAMED),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_chart_puts_no_token_into_a_name(way: str, keeper: Repository, capsys: Any) -> None:
    source = f"repoURL: '', path: chart, helm: {{fileParameters: [{{name: x, path: '{way}'}}]}}"
    keeper.write({**CHART, "app.yaml": argo_application(source=source)})
    assert tells_token(capsys) == []


def test_the_program_helm_gets_no_folder_of_git(
    keeper: Repository, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """It takes all that lies in a chart for files of it, and the chart may be the whole repository."""
    folder = tmp_path_factory.mktemp("bin")
    helm, seen = folder / "helm", folder / "seen"
    helm.write_text(
        f'#!/bin/sh\nfor at; do [ -f "$at/Chart.yaml" ] && /bin/ls -aR "$at" >>{seen}; done\necho v3.16.0\n'
    )
    helm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    chart = {name.removeprefix("chart/"): text for name, text in CHART.items()}
    application = argo_application(source="repoURL: '', path: .")
    for link in ("folder", "link.txt"):
        os.unlink(link)
    keeper.write({**chart, "app.yaml": application, ".quotalint.yaml": "renderers: {helm: program}\n"})
    run(["."])
    listed = seen.read_text().split()
    assert ("templates" in listed, ".git" in listed) == (True, False)
    # A subchart that was cloned by itself has such a folder of its own.
    seen.unlink()
    Repository(keeper.folder / "inner" / "charts" / "sub", chart)
    keeper.write({f"inner/{name}": text for name, text in chart.items()})
    keeper.write({"app.yaml": argo_application(source="repoURL: '', path: inner")})
    run(["."])
    listed = seen.read_text().split()
    assert ("sub" in listed, ".git" in listed) == (True, False)


def test_a_chart_has_no_file_that_links_to_a_token(keeper: Repository, capsys: Any) -> None:
    keeper.write({**CHART, "app.yaml": argo_application(source="repoURL: '', path: chart")})
    os.symlink("../.git/config", "chart/link.txt")
    assert tells_token(capsys) == []


@pytest.mark.parametrize("way", WAYS)
def test_a_helmfile_puts_no_token_into_a_name(way: str, keeper: Repository, capsys: Any) -> None:
    values = f'[{{x: {{{{ readFile "{way}" | quote }}}}}}]'
    release = f"releases:\n- {{name: a, namespace: a, chart: ../chart, values: {values}}}\n"
    keeper.write({**CHART, "h/helmfile.yaml.gotmpl": release})
    assert tells_token(capsys) == []


@pytest.mark.parametrize("way", [".git/config", "folder/config", "link.txt"])
@pytest.mark.parametrize("configuration", ["extends: {}\n", "policies: [{}]\n"])
def test_a_configuration_builds_on_nothing_of_git(
    configuration: str, way: str, keeper: Repository, capsys: Any
) -> None:
    keeper.write({".quotalint.yaml": configuration.format(way)})
    assert "it leads out of the repository" in said(capsys, ".")


@pytest.mark.parametrize("way", [".git/config", "folder/config", "link.txt", "../outside.yaml"])
def test_a_configuration_has_no_baseline_elsewhere(way: str, keeper: Repository, capsys: Any) -> None:
    """What is wrong with it would be shown, with words of it."""
    (keeper.folder / "../outside.yaml").write_text(f"{TOKEN}: 1\n")
    keeper.write({".quotalint.yaml": f"baseline: {way}\n"})
    for command in ([], ["diff", "HEAD", "--trust-head-config"], ["--write-baseline"]):
        told = said(capsys, *command)
        assert (TOKEN in told, "the repository" in told) == (False, True), told
    assert TOKEN in said(capsys, "--baseline", "../outside.yaml")


def test_a_change_does_not_lead_the_baseline_elsewhere(keeper: Repository, capsys: Any) -> None:
    keeper.commit({".quotalint.yaml": "baseline: known.yaml\n", "known.yaml": "findings: []\n"})
    os.unlink("known.yaml")
    os.symlink(".git/config", "known.yaml")
    keeper.commit({})
    assert [TOKEN in said(capsys, "diff", *states) for states in (["HEAD~1"], ["HEAD~1", "HEAD"])] == [False, False]


@pytest.mark.parametrize("name", ["hooks/pre-commit", "info/attributes", "new"])
def test_no_baseline_is_written_into_the_folder_of_git(name: str, keeper: Repository, capsys: Any) -> None:
    keeper.write({".quotalint.yaml": f"baseline: .git/{name}\n"})
    assert "outside the repository" in said(capsys, "--write-baseline")
    assert not (keeper.folder / ".git" / name).exists()


def test_a_manifest_links_into_no_folder_of_git(keeper: Repository, capsys: Any) -> None:
    """Neither that of the repository nor that of one in it."""
    keeper.write({"in/.git/config": f"{TOKEN}: [\n"})
    os.symlink(".git/config", "own.yaml")
    os.symlink("in/.git/config", "inner.yaml")
    assert tells_token(capsys) == []
    assert said(capsys, "-f", "json", ".").count("is a symbolic link into the folder of git") == 2


def test_what_belongs_to_a_repository() -> None:
    paths = "/r", "/r/a", "/r/.gitignore", "/r/a.git/b"
    others = "", "/", "/ra", "/r/.git", "/r/.git/config", "/r/a/.GIT/config"
    assert [lies_in_repository(path, "/r") for path in (*paths, *others)] == [True] * len(paths) + [False] * len(others)
    assert lies_in_repository("/r/.git/modules/a/x", "/r/.git/modules/a")
    assert [lies_in_repository(path, "/") for path in ("/a", "/.git/config", "")] == [True, False, False]
