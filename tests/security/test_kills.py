"""Each command that writes is killed before each of its writing calls: a file is as before or as the command leaves it.

`python -m fuzz.kills` does the same with strace, at every system call, with errors and with runs at once."""

from __future__ import annotations

import builtins
import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chart_servers import add_charts, server, web_chart
from deployer_objects import argo_application
from manifests import quota, web

import quotalint.cli.commands  # noqa: F401  # once, and not in each process
from quotalint.cache import folder as cache_folder
from quotalint.cli import run
from quotalint.text.files import make_temporary, write_whole

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are copied")
CALLS = ("link", "mkdir", "rename", "replace", "unlink", "rmdir", "chmod")
COMMANDS = {
    "fix": ("check", "--fix", "typo.yaml"),
    "suggest": ("suggest", "--write", "."),
    "baseline": ("check", "--write-baseline", "--baseline", "accepted.yaml"),
    "output": ("usage", "-o", "json=report.json"),
    "init": ("init", "--force"),
    "snapshot": ("snapshot", "--from", "web.yaml", "-o", "report.json"),
    "vendor": ("vendor",),
}
Tree = dict[str, tuple[bytes, int]]


@pytest.fixture(scope="module")
def charts() -> Iterator[str]:
    with server() as served:
        add_charts(served, {("web", "1.2.3"): web_chart(3)})
        yield served.url


def begin(top: Path, url: str) -> None:
    source = f"repoURL: '{url}', chart: web, targetRevision: 1.2.3"
    files = {
        "typo.yaml": quota("a", "q", "pod: '1'").replace("\n", "\r\n"),
        "web.yaml": web(3, "shop"),
        "quota.yaml": quota("shop", "q", "pods: '1'"),
        "app.yaml": argo_application(name="web", where="namespace: a", source=source),
        "report.json": "{}",
        ".quotalint.yaml": "{}\n",
    }
    (top / "repo/.git").mkdir(parents=True)
    for name, text in files.items():
        (top / "repo" / name).write_bytes(text.encode())
        (top / "repo" / name).chmod(0o755 if name == "typo.yaml" else 0o640)
        os.utime(top / "repo" / name, (0, 0))


def tree(top: Path) -> Tree:
    found: Tree = {}
    for path in top.rglob("*"):
        if path.is_file() and not (path.suffix == ".tmp" or ".tmp/" in f"{path}"):
            found[str(path.relative_to(top))] = (path.read_bytes(), path.stat().st_mode)
    return found


def killed(top: Path, arguments: tuple[str, ...], at: int) -> bool:
    """Whether a process that is killed at its call of this number, which writes, came so far."""
    process = os.fork()
    if not process:
        try:
            os.environ["QUOTALINT_NO_CACHE"] = "1"
            os.chdir(top / "repo")
            sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
            kill_at(at)
            run(list(arguments))
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(process, 0)[1])


def kill_at(at: int) -> None:
    """Let the call of this number end the process, before it does anything; a file is opened first, and so empty."""
    left = at
    really_open = builtins.open

    def count() -> None:
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **more: Any) -> Any:
            count()
            return real(*given, **more)

        return call

    def opened(file: Any, mode: str = "r", *given: Any, **more: Any) -> Any:
        stream = really_open(file, mode, *given, **more)
        if not mode.startswith("r"):
            count()
        return stream

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))
    builtins.open = opened


@pytest.mark.slow
@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_file_is_old_or_new(arguments: tuple[str, ...], charts: str, tmp_path: Path) -> None:
    begin(tmp_path / "whole", charts)
    before = tree(tmp_path / "whole")
    assert not killed(tmp_path / "whole", arguments, 10_000)
    after = tree(tmp_path / "whole")
    assert before != after
    for at in range(1, 100):
        top = tmp_path / str(at)
        begin(top, charts)
        was_killed = killed(top, arguments, at)
        found = tree(top)
        for path in {*before, *after, *found}:
            assert found.get(path) in (before.get(path), after.get(path)), path
        if not was_killed:
            assert at > 2
            return
        killed(top, arguments, 10_000)
        assert tree(top) == after
    pytest.fail("too many calls write")


@pytest.mark.parametrize("make", [Path.touch, Path.mkdir])
def test_what_a_killed_run_left_is_removed_later(make: Callable[[Path], None], tmp_path: Path) -> None:
    left, young, other = (tmp_path / f".quotalint.{name}" for name in ("1.0.tmp", "2.0.tmp", "yaml"))
    for path in (left, young, other):
        make(path)
    os.utime(left, (0, 0))
    os.utime(other, (0, 0))
    assert write_whole(str(tmp_path / "a"), b"") == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == [young.name, other.name, "a"]


def test_a_process_of_the_same_number_that_was_killed_is_not_in_the_way(tmp_path: Path) -> None:
    """In containers, the processes of all runs may have the same number."""
    made = [make_temporary(str(tmp_path), os.mkdir)[0] for _ in range(2)]
    assert made == [str(tmp_path / f".quotalint.{os.getpid()}.{number}.tmp") for number in range(2)]
    cache_folder.keep(str(tmp_path / "kept"), "ab" * 24, b"x")
    (tmp_path / "kept" / f"CACHEDIR.TAG.{os.getpid()}.tmp").touch()
    (tmp_path / "kept/CACHEDIR.TAG").unlink()
    cache_folder.keep(str(tmp_path / "kept"), "cd" * 24, b"y")
    assert cache_folder.entry(str(tmp_path / "kept"), "cd" * 24) == b"y"


def test_a_repair_that_cannot_be_taken_back_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(quota(name, "q", "pod: '1'"))
    monkeypatch.chdir(tmp_path)
    real, calls = os.replace, iter(range(10))

    def replace(first: str, other: str) -> None:
        if next(calls):  # the disk is full after the first file
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(first, other)

    monkeypatch.setattr(os, "replace", replace)
    run(["--fix", "."])
    err = capsys.readouterr().err
    assert "quotalint: a.yaml is changed, and cannot be made as it was: No space left on device" in err
    assert "left b.yaml:4 QL102: b.yaml: it cannot be written: No space left on device" in err
