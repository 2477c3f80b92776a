"""What a process of its own does: exit status, streams, pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from quotalint.version import __version__

BAD = b"apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: team-a}\nspec: {hard: {pod: 1}}\n"
WARNED = BAD.replace(b"pod: 1", b"pods: null")


def quotalint(*arguments: str, cwd: Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "quotalint", *arguments]
    return subprocess.run(command, cwd=cwd, input=given, capture_output=True, check=False)


@pytest.mark.parametrize(
    ("manifest", "arguments", "status"),
    [
        (b"", (), 0),
        (BAD, (), 1),
        (BAD, ("check", "."), 1),
        (BAD, ("--fail-on", "never"), 0),
        (BAD, ("--ignore", "QL102"), 0),
        (BAD, ("--select", "QL2"), 0),
        (WARNED, (), 0),
        (WARNED, ("--fail-on", "warning"), 1),
        (WARNED, ("--fail-on", "info"), 1),
        (BAD, ("nowhere",), 2),
        (BAD, ("--nodes", "many"), 2),
        (BAD, ("--config", "nowhere.yaml"), 2),
        (BAD, ("--select", "QL999"), 2),
        (BAD, ("--help",), 0),
        (BAD, ("usage",), 0),
    ],
)
def test_the_exit_status_says_whether_there_are_errors(
    tmp_path: Path, manifest: bytes, arguments: tuple[str, ...], status: int
) -> None:
    (tmp_path / "quota.yaml").write_bytes(manifest)
    run = quotalint(*arguments, cwd=tmp_path)
    assert (run.returncode, b"Traceback" in run.stderr) == (status, False), run.stderr.decode()


def test_reads_standard_input(tmp_path: Path) -> None:
    run = quotalint("check", "-", "--format", "json", cwd=tmp_path, given=BAD)
    report = json.loads(run.stdout)
    assert [
        (finding["rule"], finding["file"], finding["line"], finding["column"]) for finding in report["findings"]
    ] == [("QL102", "<stdin>", 4, 15)]


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "quota.yaml").write_bytes(b"---\n".join([BAD] * 2000))
    command = f"{sys.executable} -m quotalint check --quiet . | head -n 1; echo ${{PIPESTATUS[0]}}"
    run = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.stderr, len(run.stdout.splitlines())) == ("", 2)


def test_a_pipe_gets_neither_colours_nor_bars(tmp_path: Path) -> None:
    (tmp_path / "quota.yaml").write_bytes(BAD.replace(b"pod:", b"pods:"))
    plain = quotalint("usage", cwd=tmp_path).stdout.decode()
    painted = quotalint("usage", "--color", "always", cwd=tmp_path).stdout.decode()
    assert ("\x1b[" in plain, "\x1b[" in painted) == (False, True)


def test_output_is_utf8_whatever_the_locale_says(tmp_path: Path) -> None:
    (tmp_path / "ünïcode.yaml").write_bytes(BAD)
    command = [sys.executable, "-m", "quotalint", "check", "--quiet"]
    environment = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (run.returncode, "ünïcode.yaml:4:15" in run.stdout.decode("utf-8")) == (1, True), run.stderr


def test_the_version_is_printed(tmp_path: Path) -> None:
    assert quotalint("--version", cwd=tmp_path).stdout.decode() == f"quotalint {__version__}\n"


def test_nothing_to_check_is_said(tmp_path: Path) -> None:
    run = quotalint(cwd=tmp_path)
    assert (run.returncode, run.stderr.decode()) == (
        0,
        "quotalint: nothing to check: no YAML or JSON file below .\n",
    )


def test_many_files_in_two_processes_print_what_one_prints(tmp_path: Path) -> None:
    for number in range(1000):
        name = f"team-{number % 7}"
        (tmp_path / f"{number:04}.yaml").write_bytes(
            BAD.replace(b"team-a", name.encode()).replace(b"base", b"q%d" % number)
        )
    outputs = [quotalint("check", "-f", "json", "-j", jobs, cwd=tmp_path).stdout for jobs in ("1", "2", "2")]
    assert outputs[0] == outputs[1] == outputs[2]
    assert len(json.loads(outputs[0])["findings"]) == 1000
