"""`--format` and `--output`: which reports go where, and what becomes of the files."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from pathlib import Path

import pytest
from manifests import quota

from quotalint.cli import run
from quotalint.cli.formats import CHECK, USAGE
from quotalint.cli.outputs import Output, wanted_outputs, write_file

QUOTA = quota("team-a", hard="pod: 1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "quota.yaml").write_text(QUOTA)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("format_", "given", "wanted"),
    [
        (None, "", "text=-"),
        ("json", "", "json=-"),
        (None, "sarif=a.sarif", "sarif=a.sarif text=-"),
        ("github", "sarif=a.sarif junit=b.xml", "sarif=a.sarif junit=b.xml github=-"),
        (None, "markdown=- sarif=a.sarif", "sarif=a.sarif markdown=-"),
    ],
)
def test_one_report_goes_to_standard_output(format_: str | None, given: str, wanted: str) -> None:
    outputs = [Output(*part.split("=")) for part in given.split()]
    actual_outputs = wanted_outputs(format_, outputs)
    assert isinstance(actual_outputs, tuple)
    assert " ".join("=".join(output) for output in actual_outputs) == wanted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--output", "json=-", "--output", "sarif=-"],
            "quotalint: --output json=- and --output sarif=-: only one report can go to standard output\n",
        ),
        (
            ["--format", "text", "--output", "sarif=-"],
            "quotalint: --format text and --output sarif=-: only one report can go to standard output\n",
        ),
        (
            ["--output", "json=a", "--output", "sarif=./a"],
            "quotalint: --output sarif=./a: this file is given twice\n",
        ),
        (
            ["--output", "xml=a"],
            "Error: Invalid value for '-o' / '--output': 'xml' is not a format; "
            f"there are {', '.join([*CHECK][:-1])} and {[*CHECK][-1]}\n",
        ),
        (
            ["--output", "report.json"],
            "Error: Invalid value for '-o' / '--output': 'report.json' is not FORMAT=FILE, such as json=report.json\n",
        ),
        (
            ["--output", "json="],
            "Error: Invalid value for '-o' / '--output': 'json=' is not FORMAT=FILE, such as json=report.json\n",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_refused_before_the_run(
    arguments: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = run(["check", "repo", *arguments])
    out, err = capsys.readouterr()
    assert (status, out, err.endswith(message), sorted(os.listdir())) == (2, "", True, ["repo"]), err


def test_usage_has_fewer_formats(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = run(["usage", "repo", "--format", "sarif"])
    assert (
        status,
        "'sarif' is not a format; there are text, json, markdown, html and csv" in capsys.readouterr().err,
    ) == (
        2,
        True,
    )


def test_all_formats_in_one_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each file holds what is printed for the format alone; whatever else happens does not depend on it. The page names
    the command line."""

    def without_command(text: str) -> str:
        return re.sub("<footer.*?</footer>", "", text)

    status = run(["check", "repo", *(part for name in CHECK for part in ("--output", f"{name}=out.{name}"))])
    printed = {"": (status, capsys.readouterr().out)}
    written = {name: Path(f"out.{name}").read_bytes().decode() for name in CHECK}
    for name in CHECK:
        printed[name] = (run(["check", "repo", "--format", name]), capsys.readouterr().out)
    without = {name: (status, without_command(text)) for name, (status, text) in printed.items()}
    assert without == {"": (1, written["text"]), **{name: (1, without_command(written[name])) for name in CHECK}}


def test_files_of_usage(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["usage", "repo", *(part for name in USAGE for part in ("-o", f"{name}=out.{name}"))])
    assert (Path("out.text").read_text(), json.loads(Path("out.json").read_text())["version"]) == (
        capsys.readouterr().out,
        1,
    )


def test_a_file_that_cannot_be_written_fails_the_run_and_no_other_report(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["-o", "json=nowhere/a.json", "-o", "junit=repo", "-o", "gitlab=b.json"]
    status = run(["check", "repo", "--quiet", *given])
    out, err = capsys.readouterr()
    assert (status, out.count("\n"), len(json.loads(Path("b.json").read_text())), err) == (
        2,
        1,
        1,
        "quotalint: --output json=nowhere/a.json: No such file or directory\n"
        "quotalint: --output junit=repo: Is a directory\n",
    )


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    target, link = tmp_path / "report.json", tmp_path / "link.json"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    with target.open() as reader:
        errors = write_file(str(link), "new\n")
        content = reader.read()
    mode = stat.S_IMODE(target.stat().st_mode)
    assert (errors, content, target.read_bytes(), mode, link.is_symlink()) == ("", "old", b"new\n", 0o640, True)
    assert sorted(os.listdir(tmp_path)) == ["link.json", "report.json"]


def test_a_new_file_may_be_read_by_whom_the_umask_lets(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_file(str(tmp_path / "a"), "")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    error = write_file(str(tmp_path / "a"), "new")
    assert (error, (tmp_path / "a").read_text(), os.listdir(tmp_path)) == ("No space left on device", "old", ["a"])


def test_what_is_no_unicode_is_written_as_an_escape(tmp_path: Path) -> None:
    write_file(str(tmp_path / "a"), "größe \udcff\n")
    assert (tmp_path / "a").read_bytes() == "größe \\udcff\n".encode()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        error = write_file(str(pipe), "a report\n")
        content = os.read(reader, 100)
    finally:
        os.close(reader)
    assert (error, content, stat.S_ISFIFO(pipe.stat().st_mode)) == ("", b"a report\n", True)


@pytest.mark.skipif(sys.platform == "win32", reason="a device of POSIX")
def test_a_device_is_never_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "replace")
    assert (write_file("/dev/null", "a report\n"), Path("/dev/null").is_char_device()) == ("", True)


def test_no_format_imports_what_another_needs(tmp_path: Path) -> None:
    import subprocess

    (tmp_path / "a.yaml").write_text(QUOTA)
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; from quotalint.cli import run; run(['check', '--format', 'github'])"
        "; print(sorted({'xml.etree.ElementTree', 'urllib.parse'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
