"""The one writer of files: what is there is replaced as a whole or not at all, and nothing is left beside it."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from quotalint.text.files import content, write_whole

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and pipes of POSIX")


def nothing(folder: Path) -> None:
    pass


def a_file(folder: Path) -> None:
    (folder / "a").write_text("old")


def a_folder(folder: Path) -> None:
    (folder / "a").mkdir()


def a_link(folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "b").write_text("old")
    (folder / "a").symlink_to("inner/b")


def a_dangling_link(folder: Path) -> None:
    (folder / "a").symlink_to("b")


def a_link_into_nowhere(folder: Path) -> None:
    (folder / "a").symlink_to("nowhere/b")


def a_loop(folder: Path) -> None:
    (folder / "a").symlink_to("a")


def leftovers(folder: Path) -> None:
    a_file(folder)
    (folder / f".quotalint.{os.getpid()}.0.tmp").write_text("of a run that was killed")


CASES: dict[str, tuple[Callable[[Path], None], bool, str, dict[str, str]]] = {
    "a new file": (nothing, False, "", {"a": "new"}),
    "a file that must be new": (nothing, True, "", {"a": "new"}),
    "a file": (a_file, False, "", {"a": "new"}),
    "a file where none may be": (a_file, True, "File exists", {"a": "old"}),
    "a folder": (a_folder, False, "Is a directory", {}),
    "a link": (a_link, False, "", {"a": "-> inner/b", "inner/b": "new"}),
    "a dangling link": (a_dangling_link, False, "", {"a": "-> b", "b": "new"}),
    "a dangling link where nothing may be": (a_dangling_link, True, "File exists", {"a": "-> b"}),
    "a link into a folder that is not there": (
        a_link_into_nowhere,
        False,
        "No such file or directory",
        {"a": "-> nowhere/b"},
    ),
    "a link to itself": (a_loop, False, "Too many levels of symbolic links", {"a": "-> a"}),
    "beside what a killed run left": (
        leftovers,
        False,
        "",
        {"a": "new", f".quotalint.{os.getpid()}.0.tmp": "of a run that was killed"},
    ),
}


def held(folder: Path) -> dict[str, str]:
    """Every file and link below a folder."""
    return {
        str(path.relative_to(folder)): f"-> {os.readlink(path)}" if path.is_symlink() else path.read_text()
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


@posix
@pytest.mark.parametrize(("before", "new", "reason", "after"), CASES.values(), ids=CASES)
def test_what_is_there(
    before: Callable[[Path], None], new: bool, reason: str, after: dict[str, str], tmp_path: Path
) -> None:
    before(tmp_path)
    assert (write_whole(str(tmp_path / "a"), b"new", new=new), held(tmp_path)) == (reason, after)


@posix
@pytest.mark.parametrize(("there", "mode"), [(None, 0o640), (0o400, 0o400), (0o755, 0o755)], ids=["new", "400", "755"])
def test_a_file_keeps_its_mode_and_a_new_one_gets_that_of_the_umask(
    there: int | None, mode: int, tmp_path: Path
) -> None:
    path = tmp_path / "a"
    if there is not None:
        path.write_text("old")
        path.chmod(there)
    old = os.umask(0o027)
    try:
        write_whole(str(path), b"new")
    finally:
        os.umask(old)
    assert (stat.S_IMODE(path.stat().st_mode), path.read_bytes()) == (mode, b"new")


@posix
@pytest.mark.parametrize("refused", [False, True], ids=["allowed", "refused"])
def test_the_owner_stays_where_that_is_allowed(refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def chown(path: str, user: int, group: int) -> None:
        asked.append((user, group))
        if refused:
            raise PermissionError(errno.EPERM, "Operation not permitted")

    real = os.stat

    def by_somebody_else(path: str, **given: bool) -> os.stat_result:
        stat_result = real(path, **given)
        return (
            os.stat_result((*stat_result[:4], 1234, 5678, *stat_result[6:])) if str(path).endswith("a") else stat_result
        )

    path = tmp_path / "a"
    path.write_text("old")
    monkeypatch.setattr(os, "chown", chown)
    monkeypatch.setattr(os, "stat", by_somebody_else)
    failure = write_whole(str(path), b"new")
    assert (failure, asked, path.read_bytes()) == ("", [(1234, 5678)], b"new")


FAILURES = {
    "a full disk": ("write", errno.ENOSPC, "No space left on device"),
    "a folder that may not be written": ("open", errno.EACCES, "Permission denied"),
    "a file that cannot be replaced": ("replace", errno.EPERM, "Operation not permitted"),
}


@pytest.mark.parametrize(("step", "number", "reason"), FAILURES.values(), ids=FAILURES)
def test_a_failure_leaves_what_was_there(
    step: str, number: int, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    class Full:
        """A disk without room, where a file can be opened and closed."""

        def __init__(self, file: int, _: str) -> None:
            self.file = file

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            os.close(self.file)

        write = fails

    (tmp_path / "a").write_text("old")
    with monkeypatch.context() as broken:
        if step == "write":
            broken.setattr("builtins.open", Full)
        else:
            broken.setattr(os, step, fails)
        refusal = write_whole(str(tmp_path / "a"), b"new")
    assert (refusal, held(tmp_path)) == (reason, {"a": "old"})


def test_an_interruption_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "a").write_text("old")
    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(str(tmp_path / "a"), b"new")
    assert held(tmp_path) == {"a": "old"}


@posix
@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_somebody_else_is_faster(links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes into being while the file is written is not replaced, where the file system can tell."""
    real = os.link

    def link(first: str, other: str) -> None:
        if not links:
            raise PermissionError(errno.EPERM, "no hard links here")
        Path(other).write_text("theirs")
        real(first, other)

    monkeypatch.setattr(os, "link", link)
    refusal = write_whole(str(tmp_path / "a"), b"new", new=True)
    assert (refusal, held(tmp_path)) == (("File exists", {"a": "theirs"}) if links else ("", {"a": "new"}))


@posix
def test_a_long_name(tmp_path: Path) -> None:
    name = "😀" * 63  # 252 of the 255 bytes that there are
    assert (write_whole(str(tmp_path / name), b"new"), held(tmp_path)) == ("", {name: "new"})


@posix
def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    reader = os.open(tmp_path / "a", os.O_RDONLY | os.O_NONBLOCK)
    try:
        failure = write_whole(str(tmp_path / "a"), b"new")
        content = os.read(reader, 10)
    finally:
        os.close(reader)
    assert (failure, content, stat.S_ISFIFO((tmp_path / "a").stat().st_mode)) == ("", b"new", True)


@posix
def test_a_device_is_written_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "replace")
    assert (write_whole("/dev/null", b"new"), Path("/dev/null").is_char_device()) == ("", True)


def test_a_name_that_no_file_has() -> None:
    assert "embedded null" in write_whole("a\0b", b"new")  # and then byte or character, as Python has it


def test_a_small_file_takes_little_memory_whatever_the_largest_may_be(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    tracemalloc.start()
    try:
        assert content(str(tmp_path / "a"), 1 << 33) == b"abc"
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("limit", [0, 1, 99_999, 100_000, 100_001, 1 << 30])
def test_a_file_is_read_to_the_limit(tmp_path: Path, limit: int) -> None:
    data = bytes(range(250)) * 400
    (tmp_path / "a").write_bytes(data)
    assert content(str(tmp_path / "a"), limit) == data[: limit + 1]
