"""Vendored sources in the two states of a change."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from chart_servers import Server, add_charts, server, web_chart
from deployer_objects import argo_application
from git_repositories import Repository, difference
from manifests import quota

from quotalint.cli import run
from quotalint.gitops.helm.library import is_installed

pytestmark = pytest.mark.skipif(not is_installed(), reason="Helm's library is not installed")


@pytest.fixture
def charts() -> Iterator[Server]:
    with server() as served:
        add_charts(served, {("web", "1.0.0"): web_chart(3, "1.0.0"), ("web", "2.0.0"): web_chart(9, "2.0.0")})
        yield served


def application(charts: Server, version: str) -> str:
    source = f"repoURL: '{charts.url}', chart: web, targetRevision: {version}"
    return argo_application(where="namespace: shop", name="web", source=source)


@pytest.fixture
def repository(tmp_path: Path, charts: Server, monkeypatch: pytest.MonkeyPatch) -> Repository:
    made = Repository(tmp_path / "ours", {"quota.yaml": quota("shop"), "web.yaml": application(charts, "1.0.0")})
    monkeypatch.chdir(made.folder)
    return made


def vendor(*arguments: str) -> None:
    assert run(["vendor", *arguments]) == 0


@pytest.mark.parametrize("is_committed", [True, False], ids=["committed", "kept in a cache"])
def test_each_state_has_its_own_lock(
    repository: Repository, charts: Server, capsys: pytest.CaptureFixture[str], is_committed: bool
) -> None:
    repository.write({".gitignore": "" if is_committed else ".quotalint/\n"})
    vendor()
    repository.git("add", "-A")
    repository.git("commit", "-q", "-m", "vendored")
    repository.write({"web.yaml": application(charts, "2.0.0")})
    vendor()
    if is_committed:
        shutil.rmtree(next(repository.folder.glob(".quotalint/sources/web-1.0.0-*")))
    capsys.readouterr()
    for head in ("", "HEAD"):
        if head:
            repository.git("add", "-A")
            repository.git("commit", "-q", "-m", "the next")
        status, report = difference(capsys, "HEAD~1" if head else "HEAD", *([head] if head else []))
        assert status == 1
        assert [finding["rule"] for finding in report["findings"]["new"]] == ["QL301"]
        assert report["unknowns"] == []


def test_a_content_that_changes_under_its_version_is_told(
    repository: Repository, charts: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    vendor()
    base = repository.commit({})
    add_charts(charts, {("web", "1.0.0"): web_chart(1, "1.0.0")})
    vendor("--update")
    head = repository.commit({})
    capsys.readouterr()
    _, report = difference(capsys, base, head)
    assert [(found["rule"], found["file"], found["line"], found["message"]) for found in report["findings"]["new"]] == [
        (
            "QL008",
            "quotalint.lock",
            4,
            f"the change replaces the content of chart web 1.0.0 of {charts.url} and keeps its version",
        )
    ]
    assert difference(capsys, head, head)[1]["findings"]["new"] == []


def test_what_the_head_changes_in_the_folder_does_not_count(
    repository: Repository, charts: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the lock, as its digest says."""
    vendor()
    base = repository.commit({})
    values = next(repository.folder.glob(".quotalint/sources/web-*/values.yaml"))
    values.write_text("replicas: 0\n")
    head = repository.commit({})
    capsys.readouterr()
    _, report = difference(capsys, base, head)
    assert "is not the chart web 1.0.0" in str(report["findings"]["new"]) + str(report["unknowns"])
