"""`--help` is a manual page."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
import pytest

from quotalint.cli import COMMANDS, run
from quotalint.cli.commands import LATER, command_of, main
from quotalint.cli.manual import Manual, Option


def manuals() -> Iterator[tuple[str, Manual]]:
    yield "quotalint", main
    for name in COMMANDS:
        command = command_of(name)
        assert isinstance(command, Manual)
        yield name, command


EXAMPLES = [line for _, manual in manuals() for line, _ in manual.examples]


def test_every_command_is_in_the_manual() -> None:
    assert {*main.commands, *LATER} == set(COMMANDS)


def test_every_option_says_what_it_does_in_a_sentence() -> None:
    messages = {
        f"{name} {option.opts[-1]}": option.help
        for name, command in manuals()
        for option in command.params
        if isinstance(option, click.Option)
    }
    assert {name: help_ for name, help_ in messages.items() if not re.fullmatch(r"[a-zA-Z].*\.", help_ or "")} == {}


def test_the_options_of_check_stand_in_sections() -> None:
    command = command_of("check")
    loose = [
        parameter.opts[-1]
        for parameter in command.params
        if isinstance(parameter, Option) and parameter.section == "Other options"
    ]
    assert loose == ["--watch"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_a_command_line_that_works(example: str) -> None:
    typed = next(part for part in example.split(" | ") if part.startswith("quotalint"))
    words = shlex.split(typed.partition(" > ")[0])[1:]
    name = words.pop(0) if words and words[0] in COMMANDS else "check"
    assert command_of(name).make_context(name, words).command.name == name


def test_the_whole_manual(capsys: pytest.CaptureFixture[str]) -> None:
    """In the order of a reader: what it is, commands, examples, options, and what else there is."""
    assert run(["--help"]) == 0
    titles = re.findall(r"^(\w.*):$", capsys.readouterr().out, re.MULTILINE)
    assert titles == ["Commands", "Examples", "Options", "Exit status", "Files", "Environment"]


def test_the_manual_of_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--help"]) == 0
    titles = re.findall(r"^(\w.*):$", capsys.readouterr().out, re.MULTILINE)
    assert titles == [
        "Examples",
        "Input",
        "Demand",
        "Findings and exit status",
        "Reports",
        "Fixes",
        "Other options",
        "Exit status",
        "Files",
        "Environment",
    ]


@pytest.mark.parametrize("name", ["quotalint", *COMMANDS])
def test_no_line_is_wider_than_a_terminal(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"] if name == "quotalint" else [name, "--help"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > 80] == []
