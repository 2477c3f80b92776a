"""The two commands of action.yml, one after the other: what the first installs is what the second runs."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from github_runner import ROOT, Runner
from repositories import quota

OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0"}


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """A job of its own Python, in a repository that brings modules of its own."""
    folder = tmp_path_factory.mktemp("job")
    work = folder / "work"
    (work / "pip").mkdir(parents=True)
    for name in ("pip/__main__", "venv", "ensurepip"):
        (work / f"{name}.py").write_text("raise SystemExit('imported')\n")
    (work / "quota.yaml").write_text(quota("cpu.limit: 1"))
    return Runner(folder, work)


def test_the_checkout_is_installed_and_run(job: Runner) -> None:
    # Offline pip takes what builds the wheel, and quotalint its dependencies, from the environment of the tests.
    here = sysconfig.get_paths()["purelib"]
    job.environment |= {**OFFLINE, "PYTHONPATH": here}
    installed = job.run(step="install")
    assert (installed.status, installed.annotations, installed.commands) == (0, (), ()), installed.log
    job.python = installed.outputs["python"]
    assert Path(job.python).is_relative_to(job.temporary)
    site = subprocess.run(
        [job.python, "-Ic", "import sysconfig; print(sysconfig.get_paths()['purelib'])"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    # Appended, so that quotalint itself is the one that was installed.
    Path(site.stdout.strip(), "dependencies.pth").write_text(f"{here}\n")
    where = subprocess.run(
        [job.python, "-Ic", "import quotalint; print(quotalint.__file__)"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert Path(where.stdout).is_relative_to(job.temporary)
    ended = job.run()
    assert [one.partition(": ")[0] for one in ended.annotations] == ["error quota.yaml:6 QL102 unknown-resource"]
    # The second use in a job installs nothing.
    job.environment |= {"PIP_CONFIG_FILE": "/nowhere", "PYTHONPATH": ""}
    job.python = sys.executable
    again = job.run(step="install")
    assert (again.status, again.log, again.outputs) == (0, (), installed.outputs)


@pytest.mark.parametrize(
    "version",
    ["0.1.0 --index-url=https://example.com", "@ https://example.com/x.whl", "../evil", "-r", "latest", ".", "1;x"],
)
def test_a_version_is_nothing_but_a_version(job: Runner, version: str) -> None:
    before = {one.name for one in job.temporary.iterdir()}
    job.python = sys.executable
    ended = job.run({"version": version}, "install")
    assert (ended.status, ended.outputs, ended.annotations) == (
        2,
        {},
        (f"error quotalint: version: {version!r} is no version; write 0.1.0, for example, or nothing",),
    )
    assert {one.name for one in job.temporary.iterdir()} - before <= {
        "script.sh",
        "github_output",
        "github_step_summary",
    }


def test_a_release_comes_from_the_index(
    job: Runner, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from action import installing

    asked: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        asked.append(command)
        return subprocess.CompletedProcess(command, int("pip" in command), b"::error::no such release\n", None)

    monkeypatch.setattr(subprocess, "run", run)
    status = installing.main({"INPUT_VERSION": " 0.1.0 ", "RUNNER_TEMP": str(job.temporary)})
    made = [[part for part in command[2:] if not part.startswith("--")] for command in asked]
    folder = os.path.join(job.temporary, "quotalint-venv-0.1.0")
    assert (status, made) == (2, [["-m", "venv", folder], ["-m", "pip", "install", "quotalint==0.1.0"]])
    printed = capsys.readouterr().out
    assert printed.endswith("::error title=quotalint::quotalint==0.1.0 could not be installed; the log says why\n")


def test_a_folder_that_others_prepared_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Outside of GitHub there may be no folder of the job's own."""
    from action import installing

    trap = tmp_path / "quotalint-venv-0.1.0"
    trap.mkdir()
    (trap / "quotalint-installed").write_text("quotalint==0.1.0")
    monkeypatch.setattr(installing.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1, b"asked\n"))
    assert installing.main({"INPUT_VERSION": "0.1.0"}) == 2
    assert "asked" in capsys.readouterr().out


def test_what_is_installed_is_this_checkout() -> None:
    from action import installing

    assert Path(installing.__file__).parent.parent == ROOT


def test_another_command_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-I", str(ROOT / "action"), "remove"]
    ended = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "::error title=quotalint::install or run is what this does\n")


def test_a_bug_is_no_finding(tmp_path: Path) -> None:
    # A folder that is not there: python's own status would be 1, which says that there are findings.
    environment = {"PATH": os.environ["PATH"], "RUNNER_TEMP": str(tmp_path / "nowhere")}
    command = [sys.executable, "-I", str(ROOT / "action"), "run"]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    last = ended.stdout.splitlines()[-1]
    assert (ended.returncode, last) == (
        2,
        "::error title=quotalint::this is a bug in the action of quotalint, please report it with what is above",
    )
