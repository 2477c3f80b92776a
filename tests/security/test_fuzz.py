"""A short run of the fuzzer; `python -m fuzz --seconds 3600 --log fuzz.jsonl` is a long one."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from fuzz.commands import COMMANDS
from fuzz.confusion import NEIGHBOUR, Case, cases
from fuzz.copying import copy_of, run_copy
from fuzz.judging import wrong
from fuzz.running import Outcome, Runner, again, kept
from fuzz.seeds import FOLDERS, MANIFESTS, TOP, seeds

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_wrong_with_mutated_repositories(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not on PATH")
    monkeypatch.setattr("fuzz.running._bound_memory", lambda: None)  # of this process, which goes on
    monkeypatch.setenv("QUOTALINT_DEBUG", "1")
    with Runner(seed) as runner:
        outcomes = [runner.run() for _ in range(15)]
    assert [(outcome.arguments, outcome.reason) for outcome in outcomes if outcome.reason] == []


def test_nothing_is_wrong_with_values_of_another_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few of all cases: all values at once at some paths, and single ones at others."""
    if shutil.which("git") is None:
        pytest.skip("git is not on PATH")
    monkeypatch.setattr("fuzz.running._bound_memory", lambda: None)
    monkeypatch.setenv("QUOTALINT_DEBUG", "1")
    together = sum(len(case.values) > 1 for case in cases())
    outcomes = []
    for first in (0, together):
        with Runner(0, first) as runner:
            outcomes += [runner.confuse() for _ in range(3)]
    assert [(outcome.arguments, outcome.reason) for outcome in outcomes if outcome.reason] == []


def test_a_value_of_another_type_is_the_only_change() -> None:
    case = Case({"a.yaml": b"kind: A\nb: [1, {c: d}]\n"}, "a.yaml", 0, ("b", 1, "c"), ("1e400",))
    assert case.files() == {**NEIGHBOUR, "a.yaml": b'{"kind": "A", "b": [1, {"c": 1e400}]}'}


def test_the_same_seed_does_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzz.running._judged", lambda *_, **__: "")
    monkeypatch.setattr("fuzz.running.converse", lambda said: "")
    monkeypatch.setattr("fuzz.running._commit", lambda folder: None)
    monkeypatch.setattr("fuzz.running._bound_memory", lambda: None)
    runs = []
    for _ in range(2):
        with Runner(7) as runner:
            runs.append([runner.run() for _ in range(40)])
    assert runs[0] == runs[1]
    assert len({tuple(outcome.arguments) for outcome in runs[0]}) > 10


def test_each_folder_of_seeds_holds_some() -> None:
    assert [folder for folder in (*FOLDERS, MANIFESTS) if not any(TOP.glob(folder))] == []
    assert len(seeds()) > len(FOLDERS)


def test_every_command_and_format_is_tried() -> None:
    from quotalint import cli
    from quotalint.cli import formats

    assert set(cli.COMMANDS) - {command[0] for command in COMMANDS} <= {
        "completion",
        "lsp",
    }  # which take nothing of a repository, or end with their editor
    tried = {(arguments[0], *arguments[arguments.index("-f") + 1 :][:1]) for arguments in COMMANDS if "-f" in arguments}
    assert {("check", name) for name in formats.CHECK} | {("usage", name) for name in formats.USAGE} <= tried


@pytest.mark.parametrize(
    ("arguments", "status", "out", "err"),
    [
        (("check", "-f", "json", "."), 0, "{", ""),
        (("check", "-f", "junit", "."), 1, "<a>", ""),
        (("check", "-f", "text", "."), 0, "\x1b[31m", ""),
        (("check", "-f", "text", "."), 0, "\n ::error::x", ""),
        (("check", "-f", "html", "."), 0, "<img src=x>", ""),
        (("render", "."), 0, "a: [", ""),
        (("check", "-f", "json", "."), 0, '{"findings": []}', ""),
        (("usage", "-f", "json", "."), 0, "{}", ""),
        (("diff", "HEAD", "-f", "json"), 0, "{}", ""),
        (("check", "-f", "gitlab", "."), 1, '[{"fingerprint": "x", "location": {"path": ""}}]', ""),
        (("check", "-f", "sarif", "."), 1, '{"version": "2.1.0", "runs": []}', ""),
        (("check", "-f", "rdjson", "."), 1, '{"diagnostics": [{"severity": "FATAL"}]}', ""),
        (("usage", "-f", "csv", "."), 0, "quota,file\n=cmd(),a\n", ""),
        (("check", "-f", "github", "."), 1, "::warning nothing", ""),
        (("check", "-f", "html", "."), 0, "<a href='javascript:x'>", ""),
        (("check", "."), 2, "", ""),
        (("check", "."), 2, "", "this is a bug in quotalint"),
        (("check", "."), 3, "", ""),
    ],
)
def test_what_is_wrong_is_seen(arguments: tuple[str, ...], status: int, out: str, err: str) -> None:
    assert wrong(arguments, status, out, err)


def test_what_went_wrong_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUOTALINT_DEBUG", "1")
    folder = kept(tmp_path / "crashes", Outcome({"a.yaml": b"a: 1\n"}, ("check", "."), "KeyError: 'x'"))
    assert json.loads((folder / "arguments").read_text()) == ["check", "."]
    assert (again(folder), capsys.readouterr().out) == (0, "nothing is wrong any more\n")


def test_what_is_fuzzed_is_a_copy_of_the_commit(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not on PATH")
    who = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
    (tmp_path / "a.py").write_text("committed")
    for arguments in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "x"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    with copy_of("HEAD", tmp_path) as folder:
        (tmp_path / "a.py").write_text("edited")
        assert (folder / "a.py").read_text() == "committed"
    assert not folder.exists()


def test_the_copy_is_what_runs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "fuzz").mkdir()
    (tmp_path / "fuzz" / "__init__.py").touch()  # or the project's own, which is installed, goes before
    (tmp_path / "fuzz" / "__main__.py").write_text("import sys\nprint(__file__, *sys.argv[1:])\nsys.exit(3)\n")
    assert run_copy(tmp_path, ["--here"]) == 3
    assert capfd.readouterr().out == f"{tmp_path / 'fuzz' / '__main__.py'} --here\n"
