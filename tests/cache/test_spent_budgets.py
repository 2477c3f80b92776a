"""Nothing is kept of a run that spends most of what it may: what is given of it would leave more for all else."""

from __future__ import annotations

from pathlib import Path

import pytest
from edited_repositories import at_work
from kept_answers import asked
from manifests import quota
from test_kept_folders import TEAMS
from written_files import write_as_is

COPIES = ", ".join(f"spec.copy{number}" for number in range(140))
MANY_VALUES = ", ".join(f"k{number}: 1" for number in range(1000))
COPYING = f"""replacements:
- source: {{kind: ResourceQuota, fieldPath: spec.values}}
  targets: [{{select: {{kind: ResourceQuota}}, fieldPaths: [{COPIES}], options: {{create: true}}}}]
"""


def listing(teams: list[str]) -> str:
    return "".join(("resources:\n", *(f"- ../teams/{team}\n" for team in teams)))


def make_costly_repository(folder: Path) -> None:
    """One overlay of the two takes two thirds of what a run may spend, and so would the other one."""
    (folder / ".git").mkdir(parents=True)
    files = {"first/kustomization.yaml": listing(TEAMS[:10]), "second/kustomization.yaml": listing(TEAMS[10:])}
    for team in TEAMS:
        text = quota(team, hard="pods: 2")
        files[f"teams/{team}/kustomization.yaml"] = f"namespace: {team}\nresources: [quota.yaml]\n{COPYING}"
        files[f"teams/{team}/quota.yaml"] = text.replace("{hard:", f"{{values: {{{MANY_VALUES}}}, hard:")
    write_as_is(folder, files)


def test_what_is_too_expensive_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever part of it was built in the run before."""
    with at_work(monkeypatch, make_costly_repository):
        assert "too expensive" in asked("check").out
        answer = asked("usage")
        monkeypatch.setenv("QUOTALINT_NO_CACHE", "1")
        assert answer == asked("usage")
