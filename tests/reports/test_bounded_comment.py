"""A comment that stays short whatever the change: ten quotas, 60 lines outside of the fold, less than 16 kB."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from git_repositories import Repository, deployment, quota

from quotalint.cli import run

Files = Mapping[str, str]
TEAMS = [f"the-team-with-a-rather-long-name-{number:03}" for number in range(120)]
HARD = "requests.cpu: 4, pods: 5"


def namespaces(teams: list[str], replicas: int) -> Files:
    return {f"clusters/prod/{team}/web.yaml": deployment(replicas, namespace=team) for team in teams}


def quotas(teams: list[str]) -> Files:
    return {f"clusters/prod/{team}/quota.yaml": quota(HARD, namespace=team) for team in teams}


def one_namespace(replicas: int) -> Files:
    return {f"shop/{number}.yaml": deployment(replicas, f"service-{number}", "shop") for number in range(60)}


def without_requests(teams: list[str]) -> Files:
    return {name: re.sub(r", resources: .*}}}", "}", text) for name, text in namespaces(teams, 2).items()}


def repository_of_charts(teams: list[str], replicas: int) -> Files:
    release = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: web, namespace: {0}}}\nspec:\n"
        "  chart: {{spec: {{chart: web-{0}, sourceRef: {{kind: HelmRepository, name: stable}}}}}}\n"
        "  values: {{replicaCount: {1}}}\n"
    )
    return {f"clusters/prod/{team}/release.yaml": release.format(team, replicas) for team in teams}


CHANGES = {
    "each of 60 changes its own line and breaks its own quota": (
        {**quotas(TEAMS[:60]), **namespaces(TEAMS[:60], 3)},
        namespaces(TEAMS[:60], 7),
    ),
    "120 quotas are repaired": ({**quotas(TEAMS), **namespaces(TEAMS, 9)}, namespaces(TEAMS, 2)),
    "60 workloads of one namespace": (
        {"shop/quota.yaml": quota("requests.cpu: 120, pods: 90", namespace="shop"), **one_namespace(1)},
        one_namespace(3),
    ),
    "120 workloads whose pods are refused": ({**quotas(TEAMS), **namespaces(TEAMS, 2)}, without_requests(TEAMS)),
    "60 charts that are not in view": (
        {**quotas(TEAMS[:60]), **repository_of_charts(TEAMS[:60], 1)},
        repository_of_charts(TEAMS[:60], 9),
    ),
}


@pytest.mark.parametrize(("before", "after"), CHANGES.values(), ids=CHANGES)
def test_a_comment_stays_short(before: Files, after: Files, repository: Repository, capsys: Any) -> None:
    repository.commit(before)
    repository.commit(after)
    run(["diff", "HEAD~1", "HEAD", "--output", "text=-", "--output", "markdown=comment.md"])
    text, comment = capsys.readouterr().out, (repository.folder / "comment.md").read_text()
    visible = re.sub(r"<details>.*?</details>", "", comment, flags=re.DOTALL)
    assert len(comment.encode()) < 16_000
    assert len([line for line in visible.splitlines() if line.strip()]) <= 60
    assert len(set(re.findall(r"(?:`[^`]*`), quota `", comment))) < 10
    assert comment.count("```suggestion") <= 10
    assert comment.count("the full report has all") == (len(before) > 101)
    assert comment.count("<details>") == comment.count("</details>")
    assert len(text.splitlines()) <= 80


def test_what_is_left_out_is_counted(repository: Repository, capsys: Any) -> None:
    repository.commit(CHANGES["120 quotas are repaired"][0])
    repository.commit(CHANGES["120 quotas are repaired"][1])
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    comment = capsys.readouterr().out
    more = re.search(r"^And (\d+) more quotas, (\d+) more entries and (\d+) more repaired findings; ", comment, re.M)
    shown = re.search(r"(\d+) of 120 quotas in numbers", comment)
    assert more and shown
    assert int(shown[1]) + int(more[1]) == 120
    fixed = re.search(r"(\d+) of (\d+) findings repaired", comment)
    assert fixed and int(fixed[1]) + int(more[3]) == int(fixed[2])
