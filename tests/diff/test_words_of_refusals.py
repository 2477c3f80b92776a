"""What is said to happen to what a change adds, and to what was there before, once a quota has no room for all."""

from __future__ import annotations

from typing import Any

import pytest
from git_repositories import Repository, autoscaler, deployment, quota

from quotalint.cli import run

SERVICE = """\
apiVersion: v1
kind: Service
metadata: {{name: {name}, namespace: team-a}}
spec: {{ports: [{{port: 80}}]}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: team-a}}
spec: {{containers: [{{name: c, image: a, resources: {{requests: {{cpu: {cpu}}}}}}}]}}
"""


def printed(repository: Repository, capsys: Any) -> str:
    run(["diff", "HEAD~1", "HEAD"])
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("counted", "text", "expected"),
    [
        (
            "services",
            SERVICE,
            "what is there stays, but 1 of these 2 Services, whichever comes last, would be refused ",
        ),
        (
            "pods",
            POD,
            "what runs stays, but 1 of these 2 pods, whichever comes last, will not start again after a rest",
        ),
    ],
)
def test_what_was_there_before_a_quota_is_lowered(
    counted: str, text: str, expected: str, repository: Repository, capsys: Any
) -> None:
    files = {f"{name}.yaml": text.format(name=name, cpu=1) for name in ("web", "db")}
    repository.commit({**files, "quota.yaml": quota(f"{counted}: 2")})
    repository.commit({"quota.yaml": quota(f"{counted}: 1")})
    assert expected in printed(repository, capsys)


def test_what_runs_is_not_spoken_of_where_only_what_autoscalers_may_add_has_no_room(
    repository: Repository, capsys: Any
) -> None:
    workload = {"web.yaml": deployment(3), "hpa.yaml": autoscaler(3, 5)}
    repository.commit({".quotalint.yaml": "scenario: peak\n", **workload, "quota.yaml": quota("pods: 9")})
    repository.commit({"quota.yaml": quota("pods: 4")})
    text = printed(repository, capsys)
    assert "QL301" in text
    assert "what runs stays" not in text


def test_nothing_runs_before_the_first_commit_of_it(repository: Repository, capsys: Any) -> None:
    repository.commit({"README.md": "shop\n"})
    files = {f"{name}.yaml": POD.format(name=name, cpu=cpu) for name, cpu in (("a", 1), ("b", 2), ("c", 3))}
    repository.commit({**files, "quota.yaml": quota("requests.cpu: 2, pods: 1")})
    text = printed(repository, capsys)
    assert "What runs stays" not in text
    assert "what runs stays" not in text


def test_the_same_pods_are_told_once(repository: Repository, capsys: Any) -> None:
    repository.commit({"README.md": "shop\n"})
    files = {f"{name}.yaml": POD.format(name=name, cpu=cpu) for name, cpu in (("a", 1), ("b", 2))}
    repository.commit({**files, "quota.yaml": quota("requests.cpu: 2, pods: 1")})
    text = printed(repository, capsys)
    assert "1 of the 2 new pods of a and b will not start. Running pods are not touched." in text
    assert "Some of the 2 new pods of a and b" not in text


def test_of_what_was_short_before_no_new_pods_are_told(repository: Repository, capsys: Any) -> None:
    """One of eight pods that stay has no room before and after: the sentence above and the note say one number."""
    changed = {cpu: {f"{name}.yaml": deployment(1, name, cpu=cpu) for name in "avwxy"} for cpu in ("500m", "250m")}
    repository.commit({"m.yaml": deployment(8, "m"), **changed["500m"], "quota.yaml": quota("requests.cpu: 8")})
    repository.commit(changed["250m"])
    text = printed(repository, capsys)
    assert "1 of the 5 new pods" in text
    assert "1 of these 5 new pods, whichever comes last, will be refused" in text


@pytest.mark.parametrize(
    ("cpu", "expected"),
    [
        # Without the third pod of a, there was room for another one of b: nobody knows which of them was without.
        (
            "500m",
            ("Some or all of the 2 new pods of b may not start.", "so some or all of the 2 new pods of Deployment b"),
        ),
        ("1", ("None of the 2 new pods of b will start.", "so 2 of 5 pods of Deployment b will be refused")),
    ],
)
def test_who_had_no_room_before_decides_how_much_there_is_now(
    repository: Repository, capsys: Any, cpu: str, expected: tuple[str, str]
) -> None:
    room = quota("requests.cpu: 4")
    repository.commit({"a.yaml": deployment(3, "a"), "b.yaml": deployment(3, "b", cpu=cpu), "quota.yaml": room})
    repository.commit({"b.yaml": deployment(5, "b", cpu=cpu)})
    text = printed(repository, capsys)
    assert [words for words in expected if words not in text] == []


def test_one_pod_alone_is_not_one_of_one(repository: Repository, capsys: Any) -> None:
    repository.commit({"m.yaml": deployment(1, "m"), "quota.yaml": quota("pods: 1")})
    repository.commit({"quota.yaml": quota("pods: 0")})
    assert "what runs stays, but the pod will not start again after a restart" in printed(repository, capsys)


@pytest.mark.parametrize(
    ("cpu", "hard", "number"),
    [
        ("1", "pods: 4, requests.cpu: 2", "3 of these 5 pods"),  # by their number alone it is 1
        ("500m", "pods: 3, requests.cpu: 1", "some of these 5 pods"),  # and 2, if there were cpu for the rest
    ],
)
def test_how_many_do_not_start_again_follows_from_all_that_is_short(
    cpu: str, hard: str, number: str, repository: Repository, capsys: Any
) -> None:
    workloads = {"a.yaml": deployment(2, "a"), "b.yaml": deployment(3, "b", cpu=cpu)}
    repository.commit({**workloads, "quota.yaml": quota("pods: 9, requests.cpu: 9")})
    repository.commit({"quota.yaml": quota(hard)})
    text = printed(repository, capsys)
    head = text[: text.index(" quota.yaml:6:")]
    assert head.count(" whichever come") == 1
    assert f"What runs stays, but {number}, whichever come last, will not start again after a restart." in head
