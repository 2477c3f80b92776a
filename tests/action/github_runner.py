"""What the tests of the action share: GitHub's runner, as far as its documentation says what it does, and a server with
a repository in which there are pull requests."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from git_repositories import Repository

ROOT = Path(__file__).parents[2]
TOKEN = "t0ken-of-the-job"
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: dict[str, dict[str, Any]] = {step.get("id", step["name"]): step for step in ACTION["runs"]["steps"]}
_BASH = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail"]  # what `shell: bash` stands for
_ANNOTATIONS = ("error", "warning", "notice")


class Ended(NamedTuple):
    """A step, seen from outside."""

    status: int
    log: tuple[str, ...]
    """The lines that are no commands."""
    annotations: tuple[str, ...]
    """`error file:line title: message`, the place only where there is one."""
    commands: tuple[str, ...]
    """The names of all other commands that were obeyed."""
    outputs: Mapping[str, str]
    summary: str


class Runner:
    """A job: its folder for temporary files, its event, and the working directory."""

    def __init__(self, folder: Path, workspace: Path) -> None:
        self.temporary = folder / "temp"
        self.temporary.mkdir(parents=True, exist_ok=True)
        self.workspace = workspace
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "RUNNER_TEMP": str(self.temporary),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_WORKSPACE": str(workspace),
            "GITHUB_REPOSITORY": "acme/shop",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_RUN_ID": "17",
        }
        self.python = sys.executable

    def event(self, name: str, payload: Mapping[str, Any]) -> None:
        """What the job runs for."""
        file = self.temporary / "event.json"
        file.write_text(json.dumps(payload), encoding="utf-8")
        self.environment |= {"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(file)}

    def run(self, inputs: Mapping[str, str] = {}, step: str = "quotalint") -> Ended:
        """Run a step of action.yml as the runner does, with the inputs of a workflow."""
        files = {name: self.temporary / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("", encoding="utf-8")
        script = self.temporary / "script.sh"
        script.write_text(STEPS[step]["run"], encoding="utf-8")
        given = {name: self._value(value, inputs) for name, value in STEPS[step]["env"].items()}
        done = subprocess.run(
            [*_BASH, str(script)],
            cwd=self.workspace,
            env={**self.environment, **{name: str(file) for name, file in files.items()}, **given},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        output, summary = (file.read_text(encoding="utf-8") for file in files.values())
        return Ended(done.returncode, *obeyed(done.stdout.decode()), outputs(output), summary)

    def _value(self, text: str, inputs: Mapping[str, str]) -> str:
        """The value of `${{ inputs.name }}`, `${{ steps.id.outputs.name }}` or the one comparison that there is."""
        if text == "${{ inputs.token == github.token }}":
            return str("token" not in inputs).lower()
        if text.startswith("${{ runner.temp }}/"):
            return text.replace("${{ runner.temp }}", str(self.temporary))
        match = re.fullmatch(r"\$\{\{ (inputs|steps)\.([\w-]+)(?:\.outputs\.[\w-]+)? }}", text)
        assert match, text
        if match[1] == "steps":
            return self.python
        name = match[2]
        default = str(ACTION["inputs"][name].get("default", "")).replace("${{ github.token }}", TOKEN)
        return inputs.get(name, default)


def obeyed(printed: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The log, the annotations, and the names of all other commands."""
    log, annotations, commands = [], [], []
    stopped = ""
    for line in printed.splitlines():
        match = re.fullmatch(r"\s*::([^ :]+)(?: ([^:]*))?::(.*)", line)
        if stopped:
            if match and match[1] == stopped:
                stopped = ""
            else:
                log.append(line)
        elif match and match[1] == "stop-commands":
            stopped = match[3]
        elif match and match[1] in _ANNOTATIONS:
            properties = dict(part.split("=", 1) for part in match[2].split(","))
            place = f"{properties['file']}:{properties['line']} " if "file" in properties else ""
            annotations.append(_unescaped(f"{match[1]} {place}{properties['title']}: {match[3]}"))
        elif match or "##[" in line:
            commands.append(match[1] if match else line)
        else:
            log.append(line)
    assert not stopped
    return tuple(log), tuple(annotations), tuple(commands)


def _unescaped(text: str) -> str:
    for code, char in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(code, char)
    return text


def outputs(text: str) -> dict[str, str]:
    """What a step has set."""
    outputs = {}
    lines = iter(text.splitlines())
    for line in lines:
        name, _, delimiter = line.partition("<<")
        value = []
        for part in lines:
            if part == delimiter:
                break
            value.append(part)
        outputs[name] = "\n".join(value)
    return outputs


class Server:
    """What GitHub keeps: a bare repository, with the two refs of a pull request."""

    def __init__(self, folder: Path, files: Mapping[str, str | None]) -> None:
        self.folder = folder
        self.bare = folder / "origin.git"
        self.work = Repository(folder / "work")
        self.work.git("init", "-q", "--bare", "-b", "main", str(self.bare))
        bare = ("--git-dir", str(self.bare), "config")
        self.work.git(*bare, "uploadpack.allowAnySHA1InWant", "true")
        self.work.git(*bare, "uploadpack.allowFilter", "true")
        self.url = self.bare.as_uri()
        self.work.git("remote", "add", "origin", self.url)
        self.base = self.push(files)

    def push(self, files: Mapping[str, str | None]) -> str:
        """Commit to main, and push that."""
        if self.work.git("branch"):
            self.work.git("checkout", "-q", "main")
        made = self.work.commit(files)
        self.work.git("push", "-q", "origin", "main")
        return made

    def pull(self, files: Mapping[str, str | None], branch: str = "change") -> dict[str, Any]:
        """Commit to the branch of pull request 1, let GitHub merge it to main, and tell the event."""
        listing = self.work.git("branch", "--list", branch)
        self.work.git("checkout", "-q", *([] if listing else ["-b"]), branch)
        head = self.work.commit(files)
        base = self.work.git("rev-parse", "main")
        self.work.git("checkout", "-q", "--detach", "main")
        self.work.git("merge", "-q", "--no-ff", "-m", "merge", head)
        self.work.git("push", "-q", "-f", "origin", f"{head}:refs/pull/1/head", "HEAD:refs/pull/1/merge")
        self.work.git("checkout", "-q", branch)
        repo = {"full_name": "acme/shop"}
        sides = {"base": {"sha": base, "ref": "main", "repo": repo}, "head": {"sha": head, "ref": branch, "repo": repo}}
        return {"pull_request": {"number": 1, **sides}}

    def clone(self, ref: str = "refs/pull/1/merge", name: str = "clone", *options: str) -> Path:
        """What actions/checkout makes: a clone of one commit, unless `options` for the fetch say otherwise."""
        clone = Repository(self.folder / name)
        clone.git("remote", "add", "origin", self.url)
        clone.git("fetch", "-q", "--no-tags", *(options or ("--depth=1",)), "origin", f"+{ref}:refs/remotes/checkout")
        clone.git("checkout", "-q", "--detach", "refs/remotes/checkout")
        return clone.folder
