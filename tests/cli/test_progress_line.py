"""The line that says what a long run is busy with."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from quotalint.cli import progress_line, run
from quotalint.cli.progress_line import Progress
from quotalint.reports.terminal import column_width
from quotalint.text.progress import tell_nobody

WAIT = 60  # seconds, for a machine that has much else to do
CLEAR = "\r\x1b[2K"


class Screen:
    """The other end of a terminal that standard error goes to."""

    def __init__(self, end: int) -> None:
        self._end = end
        self.seen = ""

    def wait(self, until: Callable[[str], bool]) -> None:
        """Until what was written so far is as it should be."""
        while not until(self.seen):
            ready, _, _ = select.select([self._end], [], [], WAIT)
            assert ready, f"nothing more was written after {self.seen!r}"
            self.seen += os.read(self._end, 65536).decode()

    @property
    def lines(self) -> list[str]:
        """What was drawn, without the spinner and the seconds."""
        return [line.partition(" s  ")[2] for line in self.seen.split(CLEAR) if line]


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress_line, "_PATIENCE", 0.01)
    monkeypatch.setattr(progress_line, "_EVERY", 0.01)
    with open(theirs, "w", closefd=True) as stderr:
        monkeypatch.setattr(progress_line, "sys", SimpleNamespace(stderr=stderr))  # pytest has its own sys.stderr
        yield Screen(ours)
    os.close(ours)


def test_what_was_told_is_drawn_while_it_lasts(screen: Screen) -> None:
    with Progress(wanted=True) as tell:
        tell("reading files", 3, 1200)
        screen.wait(lambda seen: "s  reading files 3 of 1,200" in seen)
        tell("checking")
        screen.wait(lambda seen: "s  checking" in seen)
    screen.wait(lambda seen: seen.endswith(CLEAR))
    assert list(dict.fromkeys(screen.lines)) == ["reading files 3 of 1,200", "checking"]


def test_without_a_timer_it_is_drawn_when_something_is_told(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "setitimer")
    monkeypatch.setattr(progress_line, "_PATIENCE", 0)
    monkeypatch.setattr(progress_line, "_EVERY", 0)
    with Progress(wanted=True) as tell:
        tell("checking")
    screen.wait(lambda seen: seen.endswith(CLEAR) and "checking" in seen)
    assert screen.lines == ["checking"]


@pytest.mark.parametrize(
    ("what", "shown"),
    [
        ("rendering " + "a/very/long/path/" * 9 + "to/prod", "rendering a/ver…ong/path/to/prod"),
        ("rendering 配额配额配额配额配额配额配额配额配额配额配额配额配额配额配额", "renderi….{8}"),
        ("rendering a\x1b[31mb", r"rendering a\\x1b\[31mb"),
    ],
)
def test_a_line_fits_the_terminal_and_does_nothing_to_it(what: str, shown: str, screen: Screen) -> None:
    with Progress(wanted=True) as tell:
        tell(what)
        screen.wait(bool)
    screen.wait(lambda seen: seen.endswith(CLEAR))
    (line,) = set(screen.lines)
    assert re.fullmatch(shown, line)
    assert max(column_width(drawn) for drawn in screen.seen.split(CLEAR)) < 40


def test_nothing_is_left_of_the_timer(screen: Screen) -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(KeyboardInterrupt), Progress(wanted=True) as tell:
        tell("checking")
        screen.wait(bool)
        raise KeyboardInterrupt
    screen.wait(lambda seen: seen.endswith(CLEAR))
    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == (before, (0.0, 0.0))


def test_quiet_means_quiet(screen: Screen) -> None:
    with Progress(wanted=False) as tell:
        assert tell is tell_nobody


def test_a_dumb_terminal_shows_none(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with Progress(wanted=True) as tell:
        assert tell is tell_nobody


def test_a_pipe_shows_none(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(wanted=True) as tell:
        assert tell is tell_nobody


def test_a_terminal_that_goes_away_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delattr(signal, "setitimer")
    monkeypatch.setattr(progress_line, "_PATIENCE", 0)
    monkeypatch.setattr(progress_line, "_EVERY", 0)
    with open(theirs, "w", closefd=False) as stderr:
        monkeypatch.setattr(progress_line, "sys", SimpleNamespace(stderr=stderr))  # pytest has its own sys.stderr
        with Progress(wanted=True) as tell:
            assert tell is not tell_nobody
            os.close(ours)
            os.close(theirs)
            tell("checking")


def test_the_stages_of_a_run(screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every stage says what it does, in this order."""
    (tmp_path / "kustomization.yaml").write_text("resources: [quota.yaml]\n")
    (tmp_path / "quota.yaml").write_text("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delattr(signal, "setitimer")
    monkeypatch.setattr(progress_line, "_PATIENCE", 0)
    monkeypatch.setattr(progress_line, "_EVERY", 0)
    run(["check", "--fail-on", "never", "--jobs", "1"])
    screen.wait(lambda seen: seen.endswith(CLEAR) and "checking" in seen)
    assert screen.lines == [
        "looking for manifests",
        "reading files 0 of 2",
        "reading files 1 of 2",
        "rendering .",
        "adding up requests",
        "checking",
    ]
