"""Nobody else puts an answer into the folder, and whatever lies there, it does no harm."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_answers import anew, answers_in, asked, repository, trust_times

from quotalint.cache import folder, kept_answer
from quotalint.cache.kept_answer import frame_values
from quotalint.cli import run
from quotalint.runtime.transcript import DIGEST

KEY = "ab" * 24


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUOTALINT_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.chdir(repository(tmp_path / "repo"))
    trust_times(monkeypatch)
    return tmp_path / "repo"


def test_only_the_user_can_write_to_it(repo: Path, tmp_path: Path) -> None:
    asked("check")
    (entry,) = answers_in(tmp_path / "kept")
    modes = [path.stat().st_mode & 0o777 for path in (tmp_path / "kept", entry)]
    assert modes == [0o700, 0o600]


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_can_write_to_is_not_used(mode: int, repo: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept").chmod(mode)
    asked("check")
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_folder_of_somebody_else_is_not_used(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked("check")
    (kept,) = answers_in(tmp_path / "kept")
    key = kept.name.removesuffix(folder.ANSWER)
    assert folder.entry(str(kept.parent), key) is not None
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    assert (folder.is_trusted(str(kept.parent)), folder.entry(str(kept.parent), key)) == (False, None)


def test_a_link_is_neither_a_folder_nor_an_entry(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "kept").symlink_to("real")
    folder.keep(str(tmp_path / "kept"), KEY, b"x")
    assert list((tmp_path / "real").iterdir()) == []
    folder.keep(str(tmp_path / "real"), KEY, b"x")
    other = "cd" * 24
    (tmp_path / "real" / f"{other}.answer").symlink_to(f"{KEY}.answer")
    entries = [folder.entry(str(tmp_path / "real"), text) for text in (KEY, other)]
    assert entries == [b"x", None]


@pytest.mark.parametrize("inside", [".cache", "apps/kept", "."])
def test_never_in_the_repository(inside: str, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There a pull request could bring answers of its own."""
    monkeypatch.setenv("QUOTALINT_CACHE_DIR", str(repo / inside))
    for where in (repo, repo / "apps", repo.parent):
        monkeypatch.chdir(where)
        asked("check", str(repo))
        asked("check", str(repo / "quota.yaml"))
        asked("check", os.path.relpath(repo / "apps"))
    assert sorted(path.name for path in repo.rglob("*")) == [".git", "apps", "quota.yaml", "web.yaml"]


def test_what_is_damaged_is_no_answer(repo: Path, tmp_path: Path) -> None:
    asked("check")
    (entry,) = answers_in(tmp_path / "kept")
    whole = entry.read_bytes()
    damaged = (whole[:-1], whole[:40], b"", whole[:-1] + b"?", whole.replace(b"cache 2", b"cache 1"), whole + b"x")
    for data in damaged:
        entry.write_bytes(data)
        assert asked("check") == anew("check")


@given(st.binary(max_size=300), st.integers(0, 400))
def test_no_bytes_raise_anything_but_what_is_caught(data: bytes, cut: int) -> None:
    whole = frame_values([b"0", b"/a", data[:50], data[50:90], data, data, data[:9], data, data, data, data])
    for body in (data, whole, whole[:cut]):
        try:
            unpacked = kept_answer.unpack_answer(body)
        except (ValueError, IndexError):  # a UnicodeError is a ValueError
            continue
        assert isinstance(unpacked, kept_answer.KeptAnswer)


def test_it_is_bounded_and_what_was_used_last_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = str(tmp_path / "kept")
    monkeypatch.setattr(folder, "MOST_BYTES", 10_000)
    for number in range(20):
        folder.keep(kept, f"{number:048x}", bytes(1_000))
        os.utime(os.path.join(kept, f"{number:048x}.answer"), ns=(number + 1, number + 1))
    sizes = [size for _, size, _ in folder.kept_entries(kept)]
    assert (sum(sizes) <= 10_000, folder.entry(kept, f"{19:048x}") is not None, folder.entry(kept, f"{0:048x}")) == (
        True,
        True,
        None,
    )


def test_several_runs_at_once(tmp_path: Path) -> None:
    kept = str(tmp_path / "kept")

    def write(number: int) -> None:
        for _ in range(50):
            folder.keep(kept, KEY, bytes([number]) * 5_000)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    seen = {folder.entry(kept, KEY) for _ in range(200)}
    for thread in threads:
        thread.join()
    assert seen <= {None, *(bytes([number]) * 5_000 for number in range(4))}


def test_info_and_clear(repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "kept"
    asked("check")
    (kept / "mine.txt").write_text("x")
    (kept / "other.tmp").write_text("x")
    statuses = [run(["cache", "info"]), run(["cache", "clear"]), run(["cache", "info"])]
    out = capsys.readouterr().out.splitlines()
    assert (statuses, out) == (
        [0, 0, 0],
        [f"{kept}: 1 entry, 0.0 of 134 MB", f"{kept}: removed 1 entry", f"{kept}: 0 entries, 0.0 of 134 MB"],
    )
    assert sorted(path.name for path in kept.iterdir()) == ["CACHEDIR.TAG", "mine.txt", "other.tmp"]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="other systems have other folders")
def test_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QUOTALINT_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    assert folder.cache_folder() == ""
    monkeypatch.setenv("HOME", "/home/me")
    at_home = folder.cache_folder()
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/me")
    by_xdg = folder.cache_folder()
    monkeypatch.setenv("QUOTALINT_CACHE_DIR", "/srv/q")
    assert (at_home, by_xdg, folder.cache_folder()) == ("/home/me/.cache/quotalint", "/var/me/quotalint", "/srv/q")


FORGED = "\x1b]0;mine\x07::set-env name=PATH::/tmp\n##[add-path]/tmp\n\x1b[31mred"


def forge(entry: Path, **instead: Any) -> None:
    """Put another answer in place of the one that is kept, as whoever can write to a shared cache may."""
    known = kept_answer.unpack_answer(entry.read_bytes()[len(folder._HEAD) + DIGEST :])
    for name, value in instead.items():
        setattr(known, name, value)
    folder.keep(str(entry.parent), entry.name[: folder.KEY], kept_answer.pack_answer(known))


def test_what_is_forged_writes_nothing_that_the_command_line_does_not_name(repo: Path, tmp_path: Path) -> None:
    report, other = tmp_path / "report.json", tmp_path / "other"
    command = ("check", "-o", f"json={report}", "--config", "named.yaml")
    (repo / "named.yaml").write_text("failOn: never\n")
    asked(*command)
    (entry,) = answers_in(tmp_path / "kept")
    for path in (other, repo / "quota.yaml", repo / "named.yaml", Path("named.yaml")):
        before = path.read_bytes() if path.exists() else None
        forge(entry, written=[(str(report), "json", "{}"), (str(path), "json", "{}")])
        report.unlink(missing_ok=True)
        assert asked(*command) == anew(*command)
        assert (path.read_bytes() if path.exists() else None, report.read_text() == "{}") == (before, False)
        asked(*command)


@pytest.mark.parametrize("kind", ["text", "markdown", "github", "json", "html", "junit", "patch", "?"])
def test_what_is_forged_does_nothing_to_a_terminal_or_a_runner(repo: Path, tmp_path: Path, kind: str) -> None:
    report = tmp_path / "report"
    command = ("check", "-o", f"markdown={report}")
    asked(*command)
    (entry,) = answers_in(tmp_path / "kept")
    said = [(1, kind, False, FORGED), (2, kind, True, FORGED + "\n")]
    forge(entry, said=said, written=[(str(report), kind, FORGED)])
    given = asked(*command)
    for text in (given.out, given.err, report.read_text()):
        assert "\x1b" not in text
        assert "\x07" not in text
        assert "##[" not in text
        assert not any(line.lstrip().startswith("::set-env") for line in text.splitlines())


@pytest.mark.parametrize("instead", [{"status": 3}, {"status": -1}, {"covered": ()}, {"digests": b""}])
def test_what_has_not_the_shape_of_an_answer_is_none(repo: Path, tmp_path: Path, instead: dict[str, Any]) -> None:
    asked("check")
    (entry,) = answers_in(tmp_path / "kept")
    forge(entry, said=[(1, "text", False, "forged")], **instead)
    assert asked("check") == anew("check")
