"""Command lines as people know them from other programs."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from quotalint.cli import run
from quotalint.cli.actions import terminal_for
from quotalint.cli.commands import main
from quotalint.cli.habits import _OPTIONS, as_commands_here, option_here
from quotalint.version import __version__


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["version"], ["--version"]),
        (["help"], ["--help"]),
        (["help", "usage"], ["usage", "--help"]),
        (["--no-cache", "usage", "team"], ["usage", "--no-cache", "team"]),
        (["--no-cache", "apps", "usage"], ["--no-cache", "apps", "usage"]),
        (["help", "me"], ["help", "me"]),
        (["-q"], ["-q"]),
        ([], []),
    ],
    ids=" ".join,
)
def test_what_people_type(typed: list[str], meant: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert as_commands_here(typed) == meant


@pytest.mark.parametrize("name", ["version", "help", "usage"])
def test_a_folder_keeps_its_meaning(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).mkdir()
    assert as_commands_here(["-q", name]) == ["-q", name]


def test_version_and_help_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert (run(["version"]), capsys.readouterr().out) == (0, f"quotalint {__version__}\n")
    assert run(["help", "usage"]) == 0
    assert capsys.readouterr().out.startswith("Usage: quotalint usage ")


def test_no_hint_is_about_an_option_that_exists() -> None:
    known = {name for parameter in main.commands["check"].params for name in parameter.opts}
    assert not known & _OPTIONS.keys()
    assert option_here("--jbos") == ""


@pytest.mark.parametrize(
    ("variables", "colored", "bars"),
    [
        ({}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"CLICOLOR_FORCE": "1"}, True, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, True),
    ],
    ids=str,
)
def test_variables_that_force_colours(
    variables: dict[str, str], colored: bool, bars: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", io.StringIO())
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    terminal = terminal_for("auto")
    assert (terminal.color, terminal.bars) == (colored, bars)
