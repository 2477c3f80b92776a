"""A change of a repository, and what is printed of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from git_repositories import Repository, deployment, quota

from quotalint.cli import run

CHANGE = {
    "team-a/web.yaml": deployment(5),
    "team-a/quota.yaml": quota("requests.cpu: 4, pods: 4", more="  scopes: [NotTerminating]\n"),
    "team-b/quota.yaml": None,
    "team-c/quota.yaml": quota("pods: 10", "new", "team-c"),
    "team-c/bad.yaml": quota("pods: 1", "bad", "team-c"),
}


def changed_repository(folder: Path) -> Repository:
    """A repository whose files are not those of its tag `v1` any more."""
    repository = Repository(
        folder,
        {
            "team-a/quota.yaml": quota("requests.cpu: 4, pods: 10", more="  scopes: [NotBestEffort]\n"),
            "team-a/web.yaml": deployment(3),
            "team-b/quota.yaml": quota("pods: 2", "old", "team-b"),
            "team-b/api.yaml": deployment(2, "api", "team-b"),
            "team-c/bad.yaml": quota("pod: 1", "bad", "team-c"),
        },
    )
    repository.git("tag", "v1")
    repository.write(CHANGE)
    return repository


def printed(capsys: Any, *options: str) -> str:
    """What a format says of the change."""
    run(["diff", "v1", *options])
    out: str = capsys.readouterr().out
    return out
