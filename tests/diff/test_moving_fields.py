"""Fields that are no number, and that what is counted depends on all the same."""

from __future__ import annotations

from typing import Any

from git_repositories import Repository, deployment, quota
from test_attribution import markdown_of


def test_an_init_container_that_becomes_a_sidecar_is_a_cause(repository: Repository, capsys: Any) -> None:
    init = "      initContainers:\n        - name: i\n          resources: {requests: {cpu: 500m}}\n      containers:"
    web = deployment(2).replace("      containers:", init)
    start = {"q.yaml": quota("requests.cpu: 2"), "web.yaml": web}
    change = {"web.yaml": web.replace("name: i\n", "name: i\n          restartPolicy: Always\n")}
    assert "because restartPolicy of `web` is set to Always (`web.yaml:13`)" in markdown_of(
        repository, capsys, start, change
    )


def test_what_makes_pods_best_effort_is_a_cause(repository: Repository, capsys: Any) -> None:
    best_effort = quota("pods: 1", more="  scopes: [BestEffort]\n")
    web = deployment(2).partition("        - {name: web")[0] + "        - name: web\n"
    start = {"q.yaml": best_effort, "web.yaml": web + "          resources: {requests: {memory: 1Mi}}\n"}
    change = {"web.yaml": web + "          resources: {}\n"}
    text = markdown_of(repository, capsys, start, change)
    assert "because requests.memory of `web` is not set any more" in text
