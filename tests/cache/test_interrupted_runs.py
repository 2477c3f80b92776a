"""Whatever happens to the cache while a run goes on, the answer is the right one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from kept_answers import answers_in, repository

SMALL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))"
"""No file may become larger than an entry is: as on a disk that is full."""
RUN = "import quotalint.__main__ as q; q.main()"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUOTALINT_CACHE_DIR", str(tmp_path / "kept"))
    top = repository(tmp_path / "repo")
    time.sleep(0.1)  # of a file that is written while a run begins nobody keeps an answer
    return top


def started(top: Path, *arguments: str, before: str = "pass") -> subprocess.Popen[str]:
    code = f"import sys; {before}; sys.argv = ['quotalint', 'check', *{arguments!r}]; {RUN}"
    command = [sys.executable, "-c", code]
    path = os.pathsep.join(sys.path)
    return subprocess.Popen(
        command,
        cwd=top,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(run: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = run.communicate(timeout=60)
    return run.returncode, out, err


def test_several_runs_at_once(repo: Path) -> None:
    runs = [started(repo) for _ in range(4)]
    answers = {said(run) for run in runs}
    assert answers == {said(started(repo, "--no-cache"))} == {said(started(repo))}


def test_a_run_that_is_killed_leaves_no_half_answer(repo: Path, tmp_path: Path) -> None:
    expected = said(started(repo, "--no-cache"))
    begin = time.monotonic()
    said(started(repo))
    whole = time.monotonic() - begin
    for part in (1, 3, 5, 7):
        for kept in answers_in(tmp_path / "kept"):
            kept.unlink()
        run = started(repo)
        time.sleep(whole * part / 8)
        run.kill()
        run.communicate()
        assert said(started(repo)) == expected


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_disk_without_room(repo: Path, tmp_path: Path) -> None:
    answer = said(started(repo, before=SMALL))
    assert answer == said(started(repo, "--no-cache"))
    assert list((tmp_path / "kept").glob("*.tmp")) == answers_in(tmp_path / "kept") == []


def test_a_folder_that_cannot_be_made(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("")
    assert said(started(repo)) == said(started(repo, "--no-cache"))
