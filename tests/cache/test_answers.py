"""An answer is given again where nothing has changed that it rests on, and in no other case."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from kept_answers import QUOTA, Answer, anew, answers_in, asked, repository, runs_counted, trust_times


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for answers of this test's own, beside a repository to ask about."""
    monkeypatch.setenv("QUOTALINT_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.chdir(repository(tmp_path / "repo"))
    trust_times(monkeypatch)
    return tmp_path / "kept"


def test_what_has_not_changed_is_not_found_out_again(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with runs_counted(monkeypatch) as ran:
        answers = [asked("check"), asked("check"), asked("check")]
    assert (len(ran), answers[0].status, set(answers)) == (1, 1, {anew("check")})


@pytest.mark.parametrize("command", [["usage"], ["render"], ["check", "-f", "json"], ["check", "-q", "apps"], []])
def test_every_command_that_only_looks_is_answered_so(
    command: list[str], kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with runs_counted(monkeypatch) as ran:
        first, second = asked(*command), asked(*command)
    assert (len(ran), second) == (1, first)


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file is written": lambda top: (top / "quota.yaml").write_text(QUOTA.replace('"2"', '"9"')),
    "a file of another kind is written": lambda top: (top / "notes.txt").write_text("x"),
    "a file comes": lambda top: (top / "apps" / "more.yaml").write_text(QUOTA.replace("base", "more")),
    "a file goes": lambda top: (top / "apps" / "web.yaml").unlink(),
    "a file is renamed": lambda top: (top / "quota.yaml").rename(top / "quota.txt"),
    "a folder is renamed": lambda top: (top / "apps").rename(top / "more"),
    "an empty folder comes": lambda top: (top / "empty").mkdir(),
    "a configuration comes": lambda top: (top / ".quotalint.yaml").write_text("failOn: never\n"),
    "a configuration comes above": lambda top: (top.parent / ".quotalint.yaml").write_text("failOn: never\n"),
    "a baseline comes": lambda top: (top / ".quotalint-baseline.yaml").write_text("version: 1\nfindings: []\n"),
    "a file is ignored": lambda top: (top / ".gitignore").write_text("apps/\n"),
    "a file is ignored by this clone alone": lambda top: exclude(top, "apps/\n"),
    "a link comes": lambda top: (top / "link.yaml").symlink_to("quota.yaml"),
    "a file becomes a link": lambda top: linked(top),
    "nothing may read a file": lambda top: (top / "quota.yaml").chmod(0o200),
}


def exclude(top: Path, text: str) -> None:
    (top / ".git" / "info").mkdir()
    (top / ".git" / "info" / "exclude").write_text(text)


def linked(top: Path) -> None:
    outside = top.parent / "outside.yaml"
    outside.write_text((top / "quota.yaml").read_text())
    (top / "quota.yaml").unlink()
    (top / "quota.yaml").symlink_to(outside)


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_is_seen(change: str, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked("check")
    CHANGES[change](Path.cwd())
    with runs_counted(monkeypatch) as ran:
        answer = asked("check")
    assert (len(ran), answer) == (1, anew("check"))


def test_a_change_back_is_one_too(kept: Path) -> None:
    first = asked("check")
    Path("quota.yaml").write_text(QUOTA.replace('"2"', '"9"'))
    second = asked("check")
    Path("quota.yaml").write_text(QUOTA)
    assert (asked("check"), second) == (first, Answer(0, second.out, second.err))


def test_times_alone_are_no_change(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh checkout has other times and inodes."""
    first = asked("check")
    os.utime("quota.yaml")
    shutil.copy("quota.yaml", "new")
    os.replace("new", "quota.yaml")
    with runs_counted(monkeypatch) as ran:
        assert [asked("check"), asked("check")] == [first, first]
    assert ran == []


def test_the_same_size_and_time_hide_nothing(kept: Path) -> None:
    """Whoever writes a file can set its time, but not the time at which it was set."""
    asked("check")
    before = os.stat("quota.yaml")
    Path("quota.yaml").write_text(QUOTA.replace('"2"', '"9"'))
    os.utime("quota.yaml", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert os.stat("quota.yaml").st_mtime_ns == before.st_mtime_ns
    assert (asked("check"), anew("check").status) == (anew("check"), 0)


def test_what_has_just_been_written_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be written again before the clock of the file system moves on."""
    monkeypatch.setenv("QUOTALINT_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.chdir(repository(tmp_path / "repo"))
    future = 1 << 61
    os.utime("quota.yaml", ns=(future, future))
    Path("quota.yaml").touch()
    asked("check")
    assert answers_in(tmp_path / "kept") == []


def test_what_changes_meanwhile_is_not_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from quotalint.cli import actions

    deliver = actions.deliver_reports

    def late(*given: object) -> None:
        Path("quota.yaml").write_text(QUOTA.replace('"2"', '"9"'))
        deliver(*given)  # type: ignore[arg-type]  # what was given

    with monkeypatch.context() as patch:
        patch.setattr(actions, "deliver_reports", late)
        assert asked("check").status == 1
    assert asked("check").status == 0


@pytest.mark.parametrize(
    "writes",
    [["--fix"], ["--unsafe-fixes"], ["--fix", "--diff"], ["--write-baseline"], ["-o", "json=report.json"], ["-"]],
)
def test_what_writes_into_the_repository_is_never_kept(writes: list[str], kept: Path) -> None:
    asked("check", *writes)
    assert answers_in(kept) == []


def test_reports_elsewhere_are_written_again(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = tmp_path / "report.json"
    with runs_counted(monkeypatch) as ran:
        answer = asked("check", "-o", f"json={report}")
        first = report.read_bytes()
        report.unlink()
        assert (asked("check", "-o", f"json={report}"), report.read_bytes(), len(ran)) == (answer, first, 1)


def test_a_file_beside_the_repository_is_looked_at(kept: Path, tmp_path: Path) -> None:
    beside = tmp_path / "cluster.yaml"
    beside.write_text(QUOTA.replace("base", "live"))
    first = asked("usage", "--with", str(beside))
    beside.write_text(QUOTA.replace("base", "live").replace('"2"', '"7"'))
    assert (asked("usage", "--with", str(beside)) != first, asked("usage", "--with", str(beside))) == (
        True,
        anew("usage", "--with", str(beside)),
    )


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("PATH", ""), ("COLUMNS", "60"), ("TERM", "dumb")])
def test_the_environment_belongs_to_the_question(
    variable: str, value: str, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked("check")
    monkeypatch.setenv(variable, value)
    with runs_counted(monkeypatch) as ran:
        asked("check")
    assert len(ran) == 1


def test_a_program_that_is_put_on_path_is_seen(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    asked("check")
    (tmp_path / "bin" / "helm").write_text("#!/bin/sh\n")
    (tmp_path / "bin" / "helm").chmod(0o755)
    with runs_counted(monkeypatch) as ran:
        asked("check")
    assert len(ran) == 1


def test_git_may_look_at_the_files_without_a_new_answer(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = tmp_path / "tracked"
    shutil.copytree("apps", top / "apps")
    (top / ".gitignore").write_text("apps/\n")
    monkeypatch.chdir(top)

    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], check=True, capture_output=True)

    git("init", "-q")
    git("add", "-f", ".")
    first = asked("check", "-v")
    (top / "apps" / "web.yaml").touch()
    git("update-index", "--refresh")
    with runs_counted(monkeypatch) as ran:
        assert (asked("check", "-v"), ran) == (first, [])
    git("rm", "--cached", "-q", "apps/web.yaml")
    assert asked("check", "-v") == anew("check", "-v")
    assert asked("check", "-v") != first


def test_many_files_read_by_several_processes(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What children have read belongs to the answer."""
    for number in range(900):
        Path(f"q{number}.yaml").write_text(QUOTA.replace("namespace: a", f"namespace: n{number}"))
    first = asked("check", "-q", "-j", "2")
    with runs_counted(monkeypatch) as ran:
        assert (asked("check", "-q", "-j", "2"), ran) == (first, [])
    Path("q801.yaml").write_text(QUOTA.replace("pods", "podz"))
    assert (asked("check", "-q", "-j", "2") != first, asked("check", "-q", "-j", "2")) == (
        True,
        anew("check", "-q", "-j", "2"),
    )


def test_a_repository_that_is_large_beside_what_is_read_is_not_kept(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from quotalint.cache import answers

    monkeypatch.setattr(answers, "_SPARE", 0)
    for number in range(400):
        Path(f"{number}.txt").touch()
    asked("check")
    assert answers_in(kept) == []


DECIDING = {
    "a configuration that is named": ("judged.yaml", ("--config", "judged.yaml")),
    "one that another extends": ("judged.yaml", ()),
    "a baseline that is named": ("judged.yaml", ("--baseline", "judged.yaml")),
}


@pytest.mark.parametrize("kind", DECIDING)
def test_what_decides_how_everything_is_judged_is_looked_at(kind: str, kept: Path) -> None:
    """Though it holds no object."""
    name, options = DECIDING[kind]
    if not options:
        Path(".quotalint.yaml").write_text(f"extends: {name}\n")
    is_baseline = "--baseline" in options
    Path(name).write_text("findings: []\n" if is_baseline else "scenario: surge\n")
    assert asked("check", *options) == anew("check", *options)
    if is_baseline:
        asked("check", "--write-baseline", *options)
    else:
        Path(name).write_text("severity: {QL301: info}\n")
    answer = asked("check", *options)
    assert (answer, answer.status) == (anew("check", *options), 0)


def test_a_clean_answer_imports_next_to_nothing(tmp_path: Path) -> None:
    repository(tmp_path / "repo")
    where = {**os.environ, "QUOTALINT_CACHE_DIR": str(tmp_path / "kept")}
    show = "import atexit, sys; atexit.register(lambda: sys.stderr.write(' '.join(sys.modules)))"
    code = f"{show}; sys.path[:] = {sys.path!r}; sys.argv = ['quotalint']; import quotalint.__main__ as q; q.main()"
    os.utime(tmp_path)
    import time

    time.sleep(0.1)
    modules = [
        set(
            subprocess.run(
                [sys.executable, "-S", "-c", code], cwd=tmp_path / "repo", env=where, capture_output=True, text=True
            ).stderr.split()
        )
        for _ in range(2)
    ]
    below = (name.removeprefix("quotalint.").removeprefix("runtime.") for name in modules[1] if "quotalint." in name)
    rooms = {name.split(".")[0] for name in below}
    assert ("yaml" in modules[0], rooms - PRINTING, modules[1] & {"yaml", "hashlib", "json", "click"}) == (
        True,
        {"__main__", "answering", "runtime", "streams", "transcript", "version", "cache"},
        set(),
    )


PRINTING = {"cli", "resource_limits", "budget", "faults", "named_tuples", "reports", "text"}
"""What a fresh answer goes through as well."""


def test_what_goes_on_for_hours_is_not_noted(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would grow with every answer."""
    from quotalint.cli import watching
    from quotalint.runtime import transcript

    noted: list[bool] = []
    monkeypatch.setattr(watching, "_run_again", lambda *_: noted.append(transcript.end() is not None))
    monkeypatch.setattr("watchfiles.watch", lambda *_, **__: iter([set()]))
    asked("check", "--watch")
    assert noted == [False]
