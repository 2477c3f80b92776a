"""What a shell is told when somebody presses Tab."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from quotalint.catalogue import rule_ids
from quotalint.cli import COMMANDS, run

Ask = Callable[..., list[str]]
GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgSign=false")


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """The answer to a line whose last word is begun."""

    def asked(line: str, shell: str = "bash") -> list[str]:
        monkeypatch.setenv("_QUOTALINT_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1) if shell != "fish" else line.split(" ")[-1])
        assert run([]) == 0
        return capsys.readouterr().out.splitlines()

    return asked


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("quotalint ", ["file,", *(f"plain,{name}" for name in COMMANDS)]),
        ("quotalint us", ["file,us", "plain,usage"]),
        ("quotalint usage cl", ["file,cl"]),
        ("quotalint --fail", ["plain,--fail-on"]),
        ("quotalint clusters --fail", ["plain,--fail-on"]),
        ("quotalint check --fail-on ", ["plain,error", "plain,warning", "plain,info", "plain,never", "plain,unknown"]),
        ("quotalint --format ma", ["plain,markdown"]),
        ("quotalint usage --format j", ["plain,json"]),
        ("quotalint --output sa", ["plain,sarif"]),
        ("quotalint --select QL305,ql20", [f"plain,QL305,{name}" for name in rule_ids() if name.startswith("QL20")]),
        ("quotalint --config a", ["file,a"]),
        ("quotalint explain QL305", ["plain,QL305"]),
        ("quotalint explain quota-e", ["plain,quota-exceeded"]),
        ("quotalint completion f", ["plain,fish"]),
        ("quotalint init f", ["dir,f"]),
        ("quotalint nonsense --nothing", []),
    ],
)
def test_a_line_is_completed_with_what_fits(line: str, answer: list[str], ask: Ask) -> None:
    assert ask(line) == answer


@pytest.mark.parametrize(
    ("shell", "answer"),
    [
        ("bash", ["plain,QL305"]),
        ("zsh", ["plain", "QL305", "quota-nearly-full"]),
        ("fish", ["plain,QL305\tquota-nearly-full"]),
    ],
)
def test_each_shell_has_its_own_way(shell: str, answer: list[str], ask: Ask) -> None:
    assert ask("quotalint explain QL305", shell) == answer


def test_diff_knows_branches_and_tags(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "x"], ["tag", "v1"]):
        subprocess.run([*GIT, *command], check=True)
    subprocess.run([*GIT, "branch", "feature/x"], check=True)
    assert (ask("quotalint diff "), ask("quotalint diff main v"), ask("quotalint diff main...f")) == (
        ["plain,HEAD", "plain,feature/x", "plain,main", "plain,v1"],
        ["plain,v1"],
        ["plain,main...feature/x"],
    )


NO_NAMES = ("main;touch${IFS}trap", "main$(touch${IFS}trap)", "main`trap`", "main|trap", "main&trap", "main'", "main!1")


def test_no_branch_is_proposed_that_a_shell_would_run(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run([*GIT, *command], check=True)
    for name in (*NO_NAMES, "main-ü+1"):
        subprocess.run([*GIT, "branch", name], check=True)
    # Plumbing makes what `git branch` refuses.
    subprocess.run([*GIT, "update-ref", "refs/heads/--output=text=main", "HEAD"], check=True)
    assert (ask("quotalint diff m"), ask("quotalint diff ")) == (
        ["plain,main", "plain,main-ü+1"],
        ["plain,HEAD", "plain,main", "plain,main-ü+1"],
    )


def test_diff_knows_no_revision_outside_of_a_repository(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ask("quotalint diff ") == ["plain,HEAD"]


@pytest.mark.parametrize("asked", ["bash_source", "tcsh_complete", "nonsense", ""])
def test_what_no_script_asks_is_answered_with_nothing(
    asked: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_QUOTALINT_COMPLETE", asked)
    assert (run([]), capsys.readouterr().out) == (1, "")


def test_the_script_works_in_a_real_bash(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "bash"]) == 0
    (tmp_path / "script").write_text(capfd.readouterr().out)
    program = tmp_path / "bin" / "quotalint"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m quotalint "$@"\n')
    program.chmod(0o755)
    asking = (
        f"PATH={program.parent}:$PATH; . {tmp_path}/script; complete -p quotalint\n"
        "COMP_WORDS=(quotalint explain QL30); COMP_CWORD=2; _quotalint_completion quotalint; echo ${COMPREPLY[@]}\n"
    )
    result = subprocess.run(["bash", "--norc", "-c", asking], capture_output=True, text=True, check=False)
    assert (result.stdout.splitlines(), result.stderr) == (
        ["complete -o nosort -F _quotalint_completion quotalint", "QL301 QL302 QL303 QL304 QL305 QL306"],
        "",
    )


@pytest.mark.parametrize(
    ("shell", "word"),
    [
        ("zsh", "#compdef quotalint"),
        ("fish", "complete --no-files --command quotalint"),
    ],
)
def test_the_scripts_of_the_other_shells(shell: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    assert word in capsys.readouterr().out
