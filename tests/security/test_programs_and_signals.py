"""Nothing that a repository brings is run, and nothing is left behind by a run that is ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from git_repositories import Repository
from manifests import quota

from quotalint.cli import run
from quotalint.programs import distrust_folders, program, programs_brought

CHART = {
    "chart/Chart.yaml": "apiVersion: v2\nname: x\nversion: 0.1.0\n",
    "chart/templates/q.yaml": quota(name="q", hard="pods: '1'"),
    "app.yaml": (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: w, namespace: argocd}\n"
        "spec: {destination: {namespace: a}, source: {repoURL: '', path: chart}}\n"
    ),
    ".quotalint.yaml": "renderers: {helm: program, kustomize: binary}\n",
    "k/kustomization.yaml": "resources: [q.yaml]\n",
    "k/q.yaml": quota(name="k", hard="pods: '1'"),
}


def brings(folder: Path, name: str, ran: Path) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho $0 >>{ran}\nexit 1\n")
    path.chmod(0o755)


@pytest.mark.parametrize("linked", [False, True])
def test_no_program_of_the_change_is_run(
    linked: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = Repository(tmp_path / "r", CHART)
    ran = tmp_path / "ran"
    brought = [f"bin/{name}" for name in ("git", "helm", "kubectl", "kustomize")]
    for name in brought:
        brings(repository.folder, name, ran)
    repository.commit({"k/q.yaml": CHART["k/q.yaml"].replace("'1'", "'2'")})
    folder = repository.folder / "bin"
    if linked:
        (tmp_path / "elsewhere").symlink_to(folder)
        folder = tmp_path / "elsewhere"
    monkeypatch.chdir(repository.folder)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    for arguments in (["diff", "HEAD~1"], ["diff", "HEAD~1", "HEAD"], ["."], ["render", "."], ["usage", "."]):
        assert run(arguments) in (0, 1)
        printed = capsys.readouterr().err
        assert linked or all(name in printed for name in brought), printed
    assert not ran.exists()


def test_copies_of_a_repository_are_as_foreign_as_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    brings(tmp_path / "real", "bin/helm", tmp_path / "ran")
    monkeypatch.setenv("PATH", str(tmp_path / "real" / "bin"))
    assert program("helm", str(tmp_path / "copy"))
    with distrust_folders(str(tmp_path / "real")):
        assert program("helm", str(tmp_path / "copy")) is None
    assert program("helm", str(tmp_path / "copy"))


def test_a_relative_entry_of_the_path_is_no_place_for_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    brings(tmp_path, "helm", tmp_path / "ran")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}bin")
    assert (program("helm"), programs_brought(str(tmp_path))) == (None, ())


def test_no_module_of_the_repository_is_imported(tmp_path: Path) -> None:
    for name in ("yaml", "click", "quotalint_x", "helm_python", "json"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w')\nraise SystemExit(9)\n")
    (tmp_path / "q.yaml").write_text(CHART["k/q.yaml"])
    for environment in ({}, {"PYTHONPATH": str(tmp_path)}, {"PYTHONPATH": "."}):
        ended = subprocess.run(
            [sys.executable, "-m", "quotalint", "--quiet", "."],
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            check=False,
        )
        # What Python itself imports before the first line of ours is not ours to choose.
        assert (ended.returncode, ended.stderr, (tmp_path / "ran").exists()) == (0, b"", False)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_comparison_that_is_ended_takes_its_copies_away(number: str, tmp_path: Path) -> None:
    manifests = {f"{number}.yaml": CHART["k/q.yaml"].replace("name: k", f"name: k{number}") for number in range(1500)}
    repository = Repository(tmp_path / "r", manifests)
    repository.commit({"0.yaml": None})
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "quotalint", "diff", "HEAD~1", "HEAD"],
        cwd=repository.folder,
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    while not list(scratch.glob("quotalint-*")) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(getattr(signal, number))
    _, output = process.communicate(timeout=60)
    assert list(scratch.iterdir()) == []
    assert process.returncode in (128 + getattr(signal, number), 0)  # 0: it was faster
    assert output.strip() == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
@pytest.mark.parametrize("format_", ["text", "json", "sarif", "github", "gitlab", "junit", "markdown", "html"])
def test_a_full_disk_is_said(format_: str, tmp_path: Path) -> None:
    (tmp_path / "q.yaml").write_text(CHART["k/q.yaml"].replace("pods", "pod"))
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "quotalint", "-f", format_, "."],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (
        2,
        b"quotalint: standard output cannot be written: No space left on device\n",
    )
