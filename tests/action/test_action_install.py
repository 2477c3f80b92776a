"""The two commands of action.yml, one after the other: what the first installs is what the second runs."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from git_repositories import Repository, quota
from github_runner import ROOT, Runner, Server
from packaging.requirements import Requirement

from action import git
from action.extras import CONFIGURATIONS, wanted_extras
from quotalint.settings.loading import NAMES
from quotalint.version import __version__

PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
NEEDED = re.findall(r'"([\w.-]+)', "".join(re.findall(r"^dependencies = \[.*?\]$", PROJECT, re.M | re.S)))


def pack(name: str, folder: Path) -> None:
    """Make wheels of what the tests run with, so that pip needs no index: a distribution and what it requires."""
    package = distribution(name)
    tags = re.findall(r"^Tag: (.+)$", package.read_text("WHEEL") or "", re.MULTILINE)
    file = folder / f"{package.name.replace('-', '_')}-{package.version}-{tags[0]}.whl"
    if file.exists():
        return
    paths = [
        package_path
        for package_path in package.files or ()
        if package_path.parts[0] not in ("..", "__pycache__") and package_path.suffix != ".pyc"
    ]
    record = next(package_path for package_path in paths if package_path.name == "RECORD")
    with ZipFile(file, "w") as archive:
        for path in paths:
            if path != record and os.path.isfile(path.locate()):
                archive.write(os.fspath(path.locate()), str(path))
        archive.writestr(str(record), "".join(f"{path},,\n" for path in paths))
    for text in package.requires or ():
        required = Requirement(text)
        if required.marker is None or required.marker.evaluate({"extra": ""}):
            pack(required.name, folder)


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """A job of its own Python, in a repository that brings modules of its own, on the path of the workflow's Python."""
    folder = tmp_path_factory.mktemp("job")
    work = folder / "work"
    (work / "pip").mkdir(parents=True)
    for name in ("pip/__main__", "venv", "ensurepip", "sitecustomize", "usercustomize", "hatchling", "zipfile"):
        (work / f"{name}.py").write_text(f"import os; os.close(os.open(r'{folder}/sprung', os.O_CREAT)); os._exit(0)\n")
    for name, text in {
        "pip.conf": "[global]\nindex-url = http://127.0.0.1:9/trap\n",
        "setup.cfg": "[install]\nprefix = /nowhere\n",
        "pyproject.toml": "[build-system]\nrequires = ['trap']\n",
    }.items():
        (work / name).write_text(text)
    (work / "quota.yaml").write_text(quota("cpu.limit: 1"))
    made = Runner(folder, work)
    made.environment |= {"PYTHONPATH": str(work), "PYTHONSTARTUP": str(work / "venv.py"), "PYTHONINSPECT": ""}
    return made


def locked(folder: Path, wheels: Path, helm: str = "") -> Path:
    """A checkout of the action whose lock names these wheels: the index of the tests has no others. One of them may
    stand in for what the extra helm adds."""
    for name in ("action", "quotalint", "rules", "schemas"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    lines: dict[str, list[str]] = {"requirements.txt": [], "requirements-helm.txt": []}
    for wheel in sorted(wheels.iterdir()):
        name, version, *_ = wheel.name.split("-")
        file = "requirements-helm.txt" if name == helm else "requirements.txt"
        lines[file].append(f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n")
    for file, locked_wheels in lines.items():
        (folder / "action" / file).write_text("".join(locked_wheels))
    return folder


@pytest.mark.slow
def test_the_checkout_is_run_with_what_its_lock_names(job: Runner) -> None:
    wheels = job.temporary / "wheels"
    wheels.mkdir()
    for name in NEEDED:
        pack(name, wheels)
    checkout = locked(job.temporary / "checkout", wheels)
    job.environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "GITHUB_ACTION_PATH": str(checkout)}
    installed = job.run(step="install")
    assert (installed.status, installed.annotations, installed.commands) == (0, (), ()), installed.log
    job.python = installed.outputs["python"]
    assert Path(job.python).is_relative_to(job.temporary)
    # Without a clone there is no name for what is here, and nothing is kept.
    kept_for = [installed.outputs[name] for name in ("version", "extras", "contents")]
    assert kept_for == [__version__, "", ""]
    where = subprocess.run(
        [job.python, "-Ic", "import quotalint; print(quotalint.__file__)"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert Path(where.stdout).is_relative_to(checkout)
    ended = job.run()
    assert [line.partition(": ")[0] for line in ended.annotations] == ["error quota.yaml:6 QL102 unknown-resource"]
    # The second use in a job installs nothing.
    job.environment |= {"PIP_CONFIG_FILE": "/nowhere", "PIP_FIND_LINKS": "/nowhere"}
    job.python = sys.executable
    again = job.run(step="install")
    assert (again.status, again.log, again.outputs) == (0, (), installed.outputs)
    assert not (job.temporary.parent / "sprung").exists()


@pytest.mark.slow
def test_an_extra_comes_from_its_own_lock_into_an_environment_of_its_own(job: Runner, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for name in ("pluggy", "iniconfig"):
        pack(name, wheels)
    runner = Runner(tmp_path, job.workspace)
    checkout = locked(tmp_path / "checkout", wheels, helm="iniconfig")
    runner.environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "GITHUB_ACTION_PATH": str(checkout)}
    ends = [runner.run({"extras": extras}, "install") for extras in ("none", "helm")]
    found = []
    for ended in ends:
        command = [ended.outputs["python"], "-Ic", "import pluggy, iniconfig"]
        found.append(subprocess.run(command, capture_output=True, check=False).returncode)
    assert ([ended.outputs["extras"] for ended in ends], found) == (["", "helm"], [1, 0])
    (wheel,) = wheels.glob("iniconfig*")
    with ZipFile(wheel, "a") as archive:
        archive.writestr("iniconfig/more.py", "")
    shutil.rmtree(tmp_path / "temp" / "quotalint-venv-checkout-helm")
    ended = runner.run({"extras": "helm"}, "install")
    assert (ended.status, ended.outputs) == (2, {})
    assert ended.annotations[0].endswith("the log says why; `extras: none` does without the extras")


CHART = {"charts/web/Chart.yaml": "name: web\n"}


@pytest.mark.parametrize(
    ("files", "inputs", "extras"),
    [
        ({"web.yaml": "kind: Deployment\n"}, {}, ()),
        (CHART, {}, ("helm",)),
        (CHART, {"INPUT_PATHS": "teams"}, ("helm",)),
        ({"helmfile.yaml": ""}, {}, ("helm",)),
        ({"deploy/helmfile-prod.yaml.gotmpl": ""}, {}, ("helm",)),
        ({"helmfile.d/00-web.yaml": ""}, {}, ("helm",)),
        ({"docs/helmfile.md": ""}, {}, ()),
        ({"quotalint.lock": '- source: "https://a"\n  chart: "web"\n'}, {}, ("helm",)),
        ({"quotalint.lock": '- source: "https://a"\n  resolved: "1"\n'}, {}, ()),
        ({".quotalint.yaml": "policies:\n- id: x\n"}, {}, ("policies",)),
        ({"teams/a/quotalint.yml": "environments: [{name: a, policies: [p]}]\n"}, {}, ("policies",)),
        ({".quotalint.yaml": "extends: ../base.yaml\n"}, {}, ("policies",)),
        ({".quotalint.yaml": "# policies: []\nignore: [QL101]\n"}, {}, ()),
        ({"ci/rules.yaml": "policies: []\n"}, {}, ()),
        ({"ci/rules.yaml": "policies: []\n", **CHART}, {"INPUT_CONFIG": "ci/rules.yaml"}, ("helm", "policies")),
        ({"infra/quota.tf": 'resource "kubernetes_resource_quota" "q" {}'}, {}, ("terraform",)),
        ({"infra/web.tofu": 'resource  "helm_release" "web" {}', **CHART}, {}, ("helm", "terraform")),
        ({"infra/main.tf": 'resource "aws_instance" "kubernetes_node" {}'}, {}, ()),
        (CHART, {"INPUT_EXTRAS": "none"}, ()),
        ({}, {"INPUT_EXTRAS": "policies, helm"}, ("helm", "policies")),
        (CHART, {"INPUT_EXTRAS": "policies"}, ("policies",)),
    ],
)
def test_which_extras_are_needed(
    files: dict[str, str],
    inputs: dict[str, str],
    extras: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Repository(tmp_path).write(files)
    monkeypatch.chdir(tmp_path)
    assert wanted_extras(inputs) == extras


def test_what_a_change_removes_is_needed_to_compare_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(tmp_path, {**CHART, ".quotalint.yaml": "policies: []\n", "web.yaml": ""})
    payload = server.pull({"charts/web/Chart.yaml": None, ".quotalint.yaml": None})
    runner = Runner(tmp_path, server.clone(name="deep", ref="refs/pull/1/merge"))
    runner.event("pull_request", payload)
    monkeypatch.chdir(runner.workspace)
    # The base is not in a clone of one commit; the run itself fetches it.
    assert wanted_extras(runner.environment) == ()
    monkeypatch.chdir(server.work.folder)
    assert wanted_extras(runner.environment) == ("helm", "policies")
    assert wanted_extras({"INPUT_BASE": "main"}) == ("helm", "policies")
    assert wanted_extras({"INPUT_BASE": "change"}) == ()


def test_an_extra_that_is_unknown_is_refused(job: Runner) -> None:
    job.python = sys.executable
    ended = job.run({"extras": "helm,policy"}, "install")
    message = (
        "error quotalint: extras: 'policy' is unknown; write auto, none, or a list such as helm,policies,terraform"
    )
    assert (ended.status, ended.outputs, ended.annotations) == (2, {}, (message,))


def test_equal_files_have_one_name_whatever_the_commit(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "clone")
    names = []
    for text in ("pods: 1", "pods: 2", "pods: 1"):
        repository.commit({"quota.yaml": quota(text)})
        here = git.clone(str(repository.folder))
        assert not isinstance(here, str)
        names.append(git.contents(here))
    assert names[0] == names[2] != names[1]
    assert re.fullmatch("[0-9a-f]{40}", names[0])


@pytest.mark.slow
def test_a_wheel_that_is_not_the_one_of_the_lock_is_not_installed(job: Runner, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    pack("pluggy", wheels)
    checkout = locked(tmp_path / "checkout", wheels)
    (wheel,) = wheels.iterdir()
    with ZipFile(wheel, "a") as archive:
        archive.writestr("pluggy/more.py", "")
    runner = Runner(tmp_path, job.workspace)
    runner.environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "GITHUB_ACTION_PATH": str(checkout)}
    ended = runner.run(step="install")
    assert (ended.status, ended.outputs) == (2, {})
    assert any("DO NOT MATCH THE HASHES" in line for line in ended.log)


def test_the_lock_names_every_dependency_with_hashes() -> None:
    text = (ROOT / "action" / "requirements.txt").read_text(encoding="utf-8")
    entries = re.findall(r"^([\w.-]+)==(\S+).*?((?: \\\n {4}--hash=sha256:[0-9a-f]{64})+)$", text, re.MULTILINE)
    pinned = {re.sub(r"[-_.]+", "-", name.lower()): version for name, version, _ in entries}
    assert len(entries) == len(re.findall(r"^\w", text, re.MULTILINE))
    wanted = re.search(r"^dependencies = \[(.*?)\]$", PROJECT, re.M | re.S)
    assert wanted
    for requirement in map(Requirement, re.findall(r'"([^"]+)"', wanted[1])):
        assert pinned[re.sub(r"[-_.]+", "-", requirement.name.lower())] in requirement.specifier, requirement


@pytest.mark.parametrize(
    "version",
    ["1.0.0 --index-url=https://example.com", "@ https://example.com/x.whl", "../evil", "-r", "latest", ".", "1;x"],
)
def test_a_version_is_nothing_but_a_version(job: Runner, version: str) -> None:
    before = {path.name for path in job.temporary.iterdir()}
    job.python = sys.executable
    ended = job.run({"version": version}, "install")
    assert (ended.status, ended.outputs, ended.annotations) == (
        2,
        {},
        (f"error quotalint: version: {version!r} is no version; write 1.0.0, for example, or nothing",),
    )
    assert {path.name for path in job.temporary.iterdir()} - before <= {
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
    inputs = {"INPUT_VERSION": " 1.0.0 ", "INPUT_EXTRAS": "helm"}
    status = installing.main({**inputs, "RUNNER_TEMP": str(job.temporary)})
    made = [[part for part in command[2:] if not part.startswith("--")] for command in asked]
    folder = os.path.join(job.temporary, "quotalint-venv-1.0.0-helm")
    python = os.path.join(folder, "bin", "python")
    assert (status, made) == (2, [["-m", "venv", folder], ["-m", "pip", python, "install", "quotalint[helm]==1.0.0"]])
    assert "--only-binary=:all:" in asked[1]
    printed = capsys.readouterr().out
    cure = "the log says why; `extras: none` does without the extras"
    assert printed.endswith(f"::error title=quotalint::quotalint[helm]==1.0.0 could not be installed; {cure}\n")


def test_a_folder_that_others_prepared_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Outside of GitHub there may be no folder of the job's own."""
    from action import installing

    trap = tmp_path / "quotalint-venv-1.0.0"
    trap.mkdir()
    (trap / "quotalint-installed").write_text("quotalint==1.0.0")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1, b"asked\n"))
    assert installing.main({"INPUT_VERSION": "1.0.0", "INPUT_EXTRAS": "none"}) == 2
    assert "asked" in capsys.readouterr().out


def test_what_is_installed_is_this_checkout() -> None:
    from action import installing

    assert Path(installing.__file__).parent.parent == ROOT


def test_another_command_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-I", str(ROOT / "action"), "remove"]
    ended = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (
        2,
        "::error title=quotalint::install or run or vendor or comment is what this does\n",
    )


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


def test_a_configuration_is_looked_for_under_the_names_that_quotalint_knows() -> None:
    assert CONFIGURATIONS == NAMES
