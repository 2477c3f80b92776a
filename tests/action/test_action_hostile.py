"""Nothing that a pull request or an input says is run, imported or obeyed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from git_repositories import deployment, quota
from github_runner import Runner, Server

from action.git import clone
from action.inputs import Inputs, inputs
from action.running import run

TRAP = "import pathlib; pathlib.Path(r'{}').touch()\n"
OVER = "requests.cpu: 4"


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path, {"quota.yaml": quota(OVER), "web.yaml": deployment(3)})


def test_no_module_of_the_repository_is_imported(server: Server, tmp_path: Path) -> None:
    trap = TRAP.format(tmp_path / "sprung")
    modules = ("quotalint/__main__", "action/__main__", "yaml", "json", "click", "sitecustomize", "usercustomize")
    event = server.pull({f"{name}.py": trap for name in (*modules, "quotalint/__init__", "action/__init__", "git")})
    runner = Runner(tmp_path, server.clone())
    runner.event("pull_request", event)
    assert (runner.run().status, (tmp_path / "sprung").exists()) == (0, False)


def test_no_program_of_the_repository_is_started(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = server.clone("main")
    (folder / "git").write_text("#!/bin/sh\ntouch sprung\n")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:.:")
    monkeypatch.chdir(folder)
    assert (clone("."), (folder / "sprung").exists()) == ("there is no program git on PATH", False)


def test_a_hook_does_not_run(server: Server, tmp_path: Path) -> None:
    event = server.pull({"web.yaml": deployment(4)})
    folder = server.clone()
    for name in ("reference-transaction", "post-index-change", "pre-auto-gc"):
        hook = folder / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\n")
        hook.chmod(0o755)
    runner = Runner(tmp_path, folder)
    runner.event("pull_request", event)
    ended = runner.run()
    assert (ended.status, ended.outputs["command"], (tmp_path / "sprung").exists()) == (0, "diff", False)


NAMES = (
    "::error::obey.yaml",
    "::set-output name=findings::0.yaml",
    "::stop-commands::x.yaml",
    "a\n::add-mask::e.yaml",
    "##[error]obey.yaml",
    " ::debug::b.yaml",
    "a\r::debug::c.yaml",
    "a%0A::debug::d.yaml",
    "$(touch trap).yaml",
    "`touch trap`.yaml",
    "--fix.yaml",
    "-.yaml",
    "\x1b[31m\x07.yaml",
    "\u202elmay.\u2066x.yaml",
    "\u2003::error::e.yaml",
    "##[[##[error]f.yaml",
    os.fsdecode(b"\xff\xfe::error::g.yaml"),
    f"{'n' * 250}.yaml",
)


def test_the_name_of_a_file_is_no_command(server: Server, tmp_path: Path) -> None:
    event = server.pull({name: quota("cpu.limit: 1", f"quota-{number}", "team-b") for number, name in enumerate(NAMES)})
    runner = Runner(tmp_path, server.clone())
    runner.event("pull_request", event)
    ended = runner.run()
    kinds = [line.split()[0] for line in ended.annotations]
    # Ten are annotations, the others are listed in a group of the log.
    assert (ended.status, kinds, ended.commands) == (1, ["error"] * 10, ("group", "endgroup"))
    assert (ended.outputs["findings"], ended.outputs["status"]) == (str(len(NAMES)), "1")
    assert [line for line in (*ended.log, *ended.annotations) if set(line) & set("\x1b\x07\u202e\u2066")] == []
    assert not (runner.workspace / "trap").exists()


def test_what_is_said_of_a_run_that_failed_is_no_command(server: Server, tmp_path: Path) -> None:
    server.push({".quotalint.yaml": '"::error::obey": 1\n"##[error]obey": 2\n"\\e[2J\\r::debug::x": 3\n'})
    runner = Runner(tmp_path, server.clone("main"))
    ended = runner.run()
    assert (ended.status, ended.commands) == (2, ())
    assert [line for line in (*ended.log, *ended.annotations) if "\x1b" in line] == []
    assert [line.split(": ")[0] for line in ended.annotations] == ["error quotalint"]


INPUTS: dict[str, tuple[str, str]] = {
    "a command": ("paths", "$(touch trap)"),
    "a quote": ("paths", "'; touch trap; '"),
    "double quotes": ("paths", '"; touch trap; "'),
    "an option": ("paths", "--write-baseline"),
    "another": ("paths", "--output=text=trap"),
    "a command of the runner": ("paths", "::set-output name=findings::0"),
    "the end of the options": ("paths", "--"),
    "a configuration": ("config", "$(touch trap)"),
    "an option for one": ("config", "--fix"),
    "a severity": ("fail-on", "error --write-baseline"),
    "a format": ("formats", "$(touch${IFS}trap)"),
    "an option for a format": ("formats", "--fix --write-baseline"),
    "a switch": ("comment", "true; touch trap"),
    "another switch": ("upload-sarif", "$(touch trap)"),
}


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """A job in a folder where there is nothing to find."""
    folder = tmp_path_factory.mktemp("quiet")
    (folder / "work").mkdir()
    (folder / "work" / "quota.yaml").write_text(quota(OVER))
    return Runner(folder, folder / "work")


@pytest.mark.parametrize("case", INPUTS)
def test_an_input_is_nothing_but_a_value(quiet: Runner, case: str) -> None:
    name, value = INPUTS[case]
    ended = quiet.run({name: value})
    left = [path.name for path in quiet.workspace.iterdir()]
    assert (ended.status, ended.commands, left) == (2, (), ["quota.yaml"])
    assert [line.split(": ")[0] for line in ended.annotations] == ["error quotalint"]


def test_a_path_may_have_any_name(server: Server, tmp_path: Path) -> None:
    paths = sorted(["a b", "it's", 'a"b', "$HOME", "-", "--fix", "check", "usage", "::error::x", "*"])
    files = {f"{path}/quota.yaml": quota("cpu.limit: 1", namespace=f"team-{paths.index(path)}") for path in paths}
    event = server.pull({**files, "web.yaml": deployment(9)})
    runner = Runner(tmp_path, server.clone())
    runner.event("pull_request", event)
    ended = runner.run({"paths": "".join(f"\n  {path}\n" for path in paths)})
    places = [line.partition(" QL102 ")[0] for line in ended.annotations]
    assert (ended.status, ended.commands, sorted(places)) == (1, (), [f"error {file}:6" for file in sorted(files)])


LINKS: dict[str, tuple[str, str, str, str]] = {
    "a report over a file of the runner": ("quotalint.xml", "../.bashrc", "formats", "junit=quotalint.xml"),
    "a report over a file that is not there yet": ("quotalint.xml", "../new", "formats", "junit=quotalint.xml"),
    "a report into a folder of the runner": ("reports", "..", "formats", "text=reports/.bashrc"),
    "a report over the configuration of git": ("quotalint.xml", ".git/config", "formats", "text=./quotalint.xml"),
    "a detour": ("x", "../elsewhere", "formats", "text=x/../.bashrc"),
    "a folder of the runner": ("clusters", "/", "paths", "clusters"),
    "what is in a folder of the runner": ("clusters", "../elsewhere", "paths", "clusters/prod"),
    "the folder of git": ("clusters", ".git", "paths", "clusters/"),
    "a file of the runner as configuration": ("ql.yaml", "../.bashrc", "config", "ql.yaml"),
}


@pytest.mark.parametrize("case", LINKS)
def test_no_link_of_the_repository_leads_a_path_of_the_workflow_out_of_it(quiet: Runner, case: str) -> None:
    link, to, name, value = LINKS[case]
    around = quiet.workspace.parent
    (around / "elsewhere").mkdir(exist_ok=True)
    (quiet.workspace / ".git").mkdir()
    kept = [around / ".bashrc", quiet.workspace / ".git" / "config"]
    for file in kept:
        file.write_text("s3cret: 1\n")
    (quiet.workspace / link).symlink_to(to)
    ended = quiet.run({name: value})
    (quiet.workspace / link).unlink()
    assert [file.read_text() for file in kept] == ["s3cret: 1\n"] * 2
    shutil.rmtree(quiet.workspace / ".git")
    path = value.rpartition("=")[2]
    message = f"error quotalint: {name}: {path} leads out of the repository by a symbolic link"
    assert (ended.status, ended.annotations, ended.log, (around / "new").exists()) == (2, (message,), (), False)


def test_links_within_the_repository_are_followed(quiet: Runner) -> None:
    folder = quiet.workspace / "real"
    folder.mkdir()
    (quiet.workspace / "link").symlink_to("real")
    # What the workflow itself names may lie anywhere.
    outside = quiet.workspace.parent / "outside.xml"
    ended = quiet.run({"formats": f"text=link/log.txt junit={outside}", "paths": "link\n."})
    assert (ended.status, (folder / "log.txt").is_file(), outside.is_file()) == (0, True, True)
    shutil.rmtree(folder)
    (quiet.workspace / "link").unlink()


def test_quotalint_is_told_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interpreter = tmp_path / "python"
    interpreter.write_text(f"#!/bin/sh\nenv > '{tmp_path}/told'\nexit 2\n")
    interpreter.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(interpreter))
    given = {"INPUT_TOKEN": "s3cret", "ACTIONS_RUNTIME_TOKEN": "s3cret", "GITHUB_TOKEN": "s3cret", "GH_TOKEN": "s3cret"}
    wanted = inputs(given)
    assert isinstance(wanted, Inputs)
    public = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "acme/shop", "GITHUB_SHA": "c0ffee"}
    theirs = {"PATH": os.environ["PATH"], "KUBECONFIG": "its own", "GITHUB_OUTPUT": "/dev/null"}
    run(wanted, "", "", {**given, **public, **theirs})
    messages = dict(line.split("=", 1) for line in (tmp_path / "told").read_text().splitlines())
    assert {*messages} - {"PWD", "SHLVL", "_", "OLDPWD"} == {"KUBECONFIG", "PATH", *public}
