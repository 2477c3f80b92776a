"""What the tests of changes share: real git repositories, and manifests to put into them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quotalint.cli import run


class Repository:
    """A git repository in a folder; files are given by path, None to delete one."""

    def __init__(self, folder: Path, files: Mapping[str, str | None] = {}) -> None:
        if shutil.which("git") is None:
            pytest.skip("git is not on PATH")
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", "--template=")
        if files:
            self.commit(files)

    def git(self, *arguments: str, given: bytes = b"") -> str:
        """What git says."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            **{f"GIT_{who}_{what}": "me@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }
        # After a commit nothing is tidied up, which would be another process each time.
        options = ("protocol.file.allow=always", "maintenance.auto=false", "gc.auto=0")
        command = ["git", *(word for option in options for word in ("-c", option)), *arguments]
        done = subprocess.run(command, cwd=self.folder, env=environment, input=given, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().strip()

    def write(self, files: Mapping[str, str | None]) -> None:
        """Change the work tree."""
        for name, text in files.items():
            path = self.folder / name
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")

    def commit(self, files: Mapping[str, str | None]) -> str:
        """Change it and commit that; the commit."""
        self.write(files)
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "-m", "a change")
        return self.git("rev-parse", "HEAD")


def failing_git(repository: Repository, monkeypatch: pytest.MonkeyPatch, command: str, words: str) -> None:
    """Put a git first on PATH that is as the one there but for a command, such as `cat-file --batch`, which fails."""
    folder, real = repository.folder.parent / "bin", shutil.which("git")
    folder.mkdir()
    refused = f'case "$*" in *"{command}"*) echo "{words}" >&2; exit 1;; esac'
    (folder / "git").write_text(f'#!/bin/sh\n{refused}\nexec "{real}" "$@"\n', encoding="utf-8")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def quota(hard: str, name: str = "base", namespace: str = "team-a", more: str = "") -> str:
    """A ResourceQuota; `hard` is the inside of a flow mapping."""
    head = f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: {name}, namespace: {namespace}}}\n"
    return f"{head}spec:\n{more}  hard:\n    {{{hard}}}\n"


def deployment(replicas: int, name: str = "web", namespace: str = "team-a", cpu: str = "1") -> str:
    """A Deployment that replaces its pods without new ones beside them."""
    space = f", namespace: {namespace}" if namespace else ""
    return (
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}{space}}}\nspec:\n  replicas: {replicas}\n"
        f"  strategy: {{type: Recreate}}\n  selector: {{matchLabels: {{app: {name}}}}}\n  template:\n"
        f"    metadata: {{labels: {{app: {name}}}}}\n    spec:\n      containers:\n"
        f"        - {{name: web, image: web, resources: {{requests: {{cpu: {cpu!r}}}}}}}\n"
    )


def autoscaler(least: int, most: int) -> str:
    """What scales the Deployment `web` of `team-a`."""
    return (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: team-a}\nspec:\n"
        "  {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, "
        f"minReplicas: {least}, maxReplicas: {most}}}\n"
    )


def difference(capsys: Any, *arguments: str) -> tuple[int, dict[str, Any]]:
    """What `quotalint diff` says in JSON, and its exit status."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    status = run(["diff", *arguments[:at], "--format", "json", *arguments[at:]])
    out, err = capsys.readouterr()
    assert err == "", err
    return status, json.loads(out)


def in_short(actual: Mapping[str, Any]) -> list[str]:
    """A line for everything that changes."""
    lines = []
    for quota in actual["quotas"]:
        where = f"{quota['environment']}:{quota['namespace']}/{quota['name']}".removeprefix(":")
        lines.append(f"{quota['change']} {where}")
        for entry in quota["resources"]:
            numbers = [f"{field} {_moved(entry[field])}" for field in ("hard", "steady")]
            below = f" below {entry['loweredBelow']}" if entry["loweredBelow"] else ""
            lines.append(f"  {entry['resource']}: {', '.join(numbers)}{below}")
        for user in quota["consumers"]:
            pods = {side: user[side] and user[side]["pods"]["steady"] for side in ("before", "after")}
            lines.append(f"  {user['change']} {user['kind']} {user['name']}: {_moved(pods)}")
    for group in ("new", "fixed", "unknown", "silenced", "unchanged"):
        lines += [
            f"{group} {finding['rule']} {finding['file']}:{finding['line']}" for finding in actual["findings"][group]
        ]
    return lines


def _moved(pair: Mapping[str, Any]) -> str:
    before, after = pair["before"], pair["after"]
    return str(before) if before == after else f"{before} → {after}"
