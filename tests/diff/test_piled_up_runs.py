"""Runs of a schedule that overlap since the change: what is compared, and when."""

from __future__ import annotations

from typing import Any

from git_repositories import Repository, quota
from test_attribution import markdown_of


def night(policy: str) -> str:
    """A CronJob of two cores each five minutes."""
    container = "{name: a, image: a, resources: {requests: {cpu: 2}}}"
    return (
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: sync, namespace: team-a}\nspec:\n"
        f"  schedule: '*/5 * * * *'\n  concurrencyPolicy: {policy}\n"
        f"  jobTemplate: {{spec: {{template: {{spec: {{restartPolicy: Never, containers: [{container}]}}}}}}}}\n"
    )


def test_what_piles_up_is_compared_with_what_all_runs_ask_for(repository: Repository, capsys: Any) -> None:
    start = {"q.yaml": quota("requests.cpu: 3"), "sync.yaml": night("Forbid")}
    text = markdown_of(repository, capsys, start, {"sync.yaml": night("Allow")})
    assert "runs of `sync` do not fit in `team-a` as they pile up: they need requests.cpu 4 of 3" in text
    because = "because concurrencyPolicy of `sync` goes from Forbid to Allow"
    assert f"**requests.cpu 2 → 4 of 3** as runs pile up, {because}" in text
    assert "New runs are refused until enough of the earlier ones are gone." in text
    assert "| `requests.cpu` as runs pile up | 2 | **4** | 3 | ⚠️ 133 % |" in text


def test_that_it_fits_again_is_said_of_the_same(repository: Repository, capsys: Any) -> None:
    start = {"q.yaml": quota("requests.cpu: 3"), "sync.yaml": night("Allow")}
    text = markdown_of(repository, capsys, start, {"sync.yaml": night("Forbid")})
    assert "`team-a` fits again as runs pile up: requests.cpu 4 → 2 of 3" in text
