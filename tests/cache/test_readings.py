"""What was read in a file before is not read again where the file is the same, whatever it is called."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from kept_answers import DEPLOYMENT, QUOTA, anew, asked, repository, trust_times

from quotalint.cache import readings
from quotalint.text import reading
from quotalint.text.sources import Source


@pytest.fixture
def read_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A repository as the working directory, and the names of the files that are read in it from then on."""
    monkeypatch.setenv("QUOTALINT_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.chdir(repository(tmp_path / "repo"))
    trust_times(monkeypatch)
    names: list[str] = []
    whole = reading._read_file

    def noted(source: Source, stdin: object) -> object:
        names.append(source.name)
        return whole(source, stdin)  # type: ignore[arg-type]  # what was given

    monkeypatch.setattr(reading, "_read_file", noted)
    return names


def test_only_what_changed_is_read(read_now: list[str]) -> None:
    asked("check")
    Path("quota.yaml").write_text(QUOTA.replace('"2"', '"9"'))
    read_now.clear()
    answer = asked("check")
    assert ([*read_now], answer) == (["quota.yaml"], anew("check"))


def test_what_was_there_before_comes_back_without_being_read(read_now: list[str]) -> None:
    first = asked("check")
    Path("quota.yaml").write_text(QUOTA.replace('"2"', '"9"'))
    asked("check")
    Path("quota.yaml").write_text(QUOTA)
    read_now.clear()
    assert (asked("check"), read_now) == (first, [])


def test_a_fresh_checkout_is_not_read(read_now: list[str]) -> None:
    asked("check")
    shutil.copytree("apps", "copy")
    shutil.rmtree("apps")
    os.rename("copy", "apps")
    Path("more.yaml").write_text("a: 1\n")
    read_now.clear()
    answer = asked("usage")
    assert ([*read_now], answer) == (["more.yaml"], anew("usage"))


def test_json_is_another_reading(read_now: list[str]) -> None:
    """The same bytes mean something else where a file is called JSON."""
    Path("a.yaml").write_text("{a: 1}\n")
    asked("check")
    os.rename("a.yaml", "a.json")
    read_now.clear()
    answer = asked("check")
    assert ([*read_now], answer) == (["a.json"], anew("check"))


def test_both_sides_of_a_comparison_are_remembered(read_now: list[str]) -> None:
    shutil.rmtree(".git")
    for arguments in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"],
    ):
        subprocess.run(["git", *arguments], check=True)
    Path("apps", "web.yaml").write_text(DEPLOYMENT.replace("replicas: 3", "replicas: 4"))
    first = asked("diff", "HEAD")
    read_now.clear()
    assert (asked("diff", "HEAD"), read_now) == (first, [])
    assert first == anew("diff", "HEAD")


def test_no_other_quotalint_uses_it(read_now: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked("check")
    monkeypatch.setattr(readings, "identity_of_readers", lambda: ("another version",))
    Path("more.yaml").write_text("a: 1\n")
    read_now.clear()
    asked("check")
    assert sorted(read_now) == ["apps/web.yaml", "more.yaml", "quota.yaml"]


def test_what_nobody_asks_for_goes(read_now: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "_SPARE", 0)
    sizes = []
    for number in range(12):
        Path("quota.yaml").write_text(
            QUOTA + f"# {number}\n" + "".join(f"---\na{entry}: {number}\n" for entry in range(200))
        )
        asked("check")
        sizes.append(max(path.stat().st_size for path in (tmp_path / "kept").glob("*.readings")))
    assert sizes[-1] < 2.5 * sizes[0]
