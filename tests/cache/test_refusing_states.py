"""What is noted where something is refused: what was there before keeps its place, which a check knows nothing of."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from git_repositories import Repository, deployment, quota
from kept_answers import asked, note_small_states
from test_checked_states import BASE, SMALL, Files, change, is_judged

from quotalint.cli import compared_slices
from quotalint.cli.state_notes import StateNote
from quotalint.cli.unchanged import ComparedBy
from quotalint.diff.standing import Standing

REFUSING: Mapping[str, Files] = {
    "pods of one": {"d/quota.yaml": quota("pods: 2", namespace="team-d")},
    "pods of two": {
        "d/quota.yaml": quota("pods: 6", namespace="team-d"),
        "d/more.yaml": deployment(3, "more", "team-d"),
    },
    "all that ask for nothing": {"d/quota.yaml": quota("limits.cpu: 2", namespace="team-d")},
    "pods in two namespaces": {
        "d/quota.yaml": quota("pods: 2", namespace="team-d"),
        "c/quota.yaml": quota("pods: 3, requests.cpu: 1", namespace="team-c"),
        "c/web.yaml": deployment(2, "web", "team-c"),
        "c/more.yaml": deployment(3, "more", "team-c"),
    },
    "the pods of a rollout": {"d/quota.yaml": quota("pods: 5", namespace="team-d")},
}


@pytest.fixture
def repository(remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    note_small_states(monkeypatch)
    return remembered_repository


@pytest.mark.parametrize("kind", sorted(REFUSING))
@pytest.mark.parametrize("edit", SMALL)
def test_what_is_refused_keeps_its_place(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, kind: str, edit: str
) -> None:
    repository.commit(BASE)
    repository.commit(REFUSING[kind])
    asked("check")
    change(repository, SMALL[edit])
    assert not is_judged(monkeypatch)


def test_what_is_noted_of_refusals_is_asked_once_where_it_is_shown(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({**BASE, **REFUSING["pods in two namespaces"]})
    asked("check")
    change(repository, SMALL["more replicas"])
    notes = []
    standing_after_itself = compared_slices.standing_after_itself

    def noted(note: StateNote, by: ComparedBy) -> Standing | None:
        notes.append(note)
        return standing_after_itself(note, by)

    numbers = []
    monkeypatch.setattr(compared_slices, "standing_after_itself", noted)
    for form in ("text", "json", "json"):
        asked("diff", "HEAD~1", "HEAD", "--format", form)
        numbers.append(len(notes))
    assert numbers == [0, 1, 1]
