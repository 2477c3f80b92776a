"""`--watch`: the same again whenever a file changes."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest
from manifests import quota

from quotalint.cli import run

QUOTA = quota("team-a", hard="%s: 1")
WAITING = "quotalint: waiting for changes; Ctrl-C ends this\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "quota.yaml").write_text(QUOTA % "pods")
    return tmp_path


def _interruptible() -> None:
    """What a shell starts in the background ignores interruptions, and so does all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Watching:
    """A run that goes on, with both streams in one pipe."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-u", "-m", "quotalint", *arguments, "--watch"]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            preexec_fn=_interruptible,
        )
        self._deadline = Timer(60, self.process.kill)
        self._deadline.start()

    def answer(self) -> str:
        """Everything up to where it waits again."""
        assert self.process.stdout is not None
        lines: list[str] = []
        while not lines or lines[-1] != WAITING:
            line = self.process.stdout.readline()
            assert line, f"it ended: {lines}"
            lines.append(line)
        return "".join(lines[:-1])

    def end(self) -> tuple[str, int]:
        """What it said since, and its exit status."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.stdout is not None
        rest = self.process.stdout.read()
        status = self.process.wait()
        self._deadline.cancel()
        return rest, status


@pytest.fixture
def ended() -> Iterator[list[Watching]]:
    """Whatever a test leaves running."""
    running: list[Watching] = []
    yield running
    for watching in running:
        watching.process.kill()
        watching._deadline.cancel()
        watching.process.communicate()


def test_a_change_is_checked(repository: Path, ended: list[Watching]) -> None:
    watching = Watching(repository, "check", "--quiet")
    ended.append(watching)
    first = watching.answer()
    (repository / "quota.yaml").write_text(QUOTA % "pod")
    second = watching.answer()
    (repository / "more.yaml").write_text(QUOTA.replace("base", "more") % "services")
    (repository / "quota.yaml").write_text(QUOTA % "pods")
    third = watching.answer()
    refused = "quota.yaml:4:15: error QL102 `pod` is not a resource"
    assert (first, second[: len(refused)], third, watching.end()) == ("", refused, "", ("\n", 130))


def test_a_broken_configuration_is_waited_for(repository: Path, ended: list[Watching]) -> None:
    (repository / ".quotalint.yaml").write_text("failOn: error\n")
    watching = Watching(repository, "check", "--quiet")
    ended.append(watching)
    first = watching.answer()
    (repository / ".quotalint.yaml").write_text('failOn: eror\n"\\e[2J": 1\n')
    second = watching.answer()
    assert (first, second.startswith("quotalint: .quotalint.yaml:1: `failOn`")) == ("", True), second
    # The configuration of others does nothing to the terminal.
    assert "`\\x1b[2J` is not a known key" in second


def test_what_a_run_writes_starts_no_other(repository: Path, ended: list[Watching]) -> None:
    watching = Watching(repository, "usage", "--output", "json=usage.json", "--format", "markdown")
    ended.append(watching)
    first = watching.answer()
    (repository / "quota.yaml").write_text(QUOTA % "services")
    second = watching.answer()
    assert ("pods" in first, "services" in second, watching.end()) == (True, True, ("\n", 130))


def test_a_baseline_that_a_run_writes_starts_no_other(repository: Path, ended: list[Watching]) -> None:
    watching = Watching(repository, "check", "--quiet", "--write-baseline")
    ended.append(watching)
    first = watching.answer()
    (repository / "quota.yaml").write_text(QUOTA % "pod")
    second = watching.answer()
    wrote = "wrote .quotalint-baseline.yaml ({})\n".format
    assert (first, second, watching.end()) == (wrote("0 findings"), wrote("1 finding"), ("\n", 130))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--watch", "-"], "quotalint: --watch: standard input does not change\n"),
        (["--watch", "--config", "no.yaml"], "quotalint: no.yaml: cannot be read: No such file or directory\n"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_watched(
    arguments: list[str],
    message: str,
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(repository)
    assert (run(arguments), capsys.readouterr().err) == (2, message)


def test_without_the_package_it_says_what_to_install(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repository)
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    message = "quotalint: --watch needs the package watchfiles: pip install 'quotalint[watch]'\n"
    assert (run(["--watch"]), capsys.readouterr().err) == (2, message)
