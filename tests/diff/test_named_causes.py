"""What is new where a finding names it is its cause, before what decides for the whole namespace."""

from __future__ import annotations

from typing import Any

from git_repositories import Repository, deployment, difference, quota
from test_first_lines import ADMIN

LIMITS = """\
apiVersion: v1
kind: LimitRange
metadata: {name: limits, namespace: team-a}
spec: {limits: [{type: Container, default: {cpu: 1}}]}
"""


def test_a_new_quota_that_others_may_delete_is_the_cause_and_not_a_limit_range(
    repository: Repository, capsys: Any
) -> None:
    repository.commit({"deployer.yaml": ADMIN})
    repository.commit({"limits.yaml": LIMITS, "q.yaml": quota("pods: 1")})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    (cause,) = (finding["cause"] for finding in report["findings"]["new"] if finding["rule"] == "QL504")
    assert (cause["object"], cause["file"], cause["line"]) == ("ResourceQuota base", "q.yaml", 1)


BOUNDS = """\
apiVersion: v1
kind: LimitRange
metadata: {name: bounds, namespace: team-a}
spec:
  limits:
  - type: Container
    min: {cpu: 2}
"""


def test_the_cause_is_not_named_again_beside_the_bound_that_it_sets(repository: Repository, capsys: Any) -> None:
    repository.commit({"web.yaml": deployment(1, cpu="1")})
    repository.commit({"bounds.yaml": BOUNDS})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    (finding,) = (finding for finding in report["findings"]["new"] if finding["rule"] == "QL402")
    assert (finding["file"], finding["line"], finding["cause"]["object"]) == ("bounds.yaml", 7, "LimitRange bounds")
    assert [place["message"] for place in finding["related"] if place["label"] == "and"] == []


def test_a_bound_is_the_cause_and_not_a_probe_that_comes_with_it(repository: Repository, capsys: Any) -> None:
    web = deployment(1, cpu="1").replace("image: web,", "image: web,\n          ")
    repository.commit({"web.yaml": web})
    probed = web.replace("{name: web, image", "{startupProbe: {tcpSocket: {port: 80}}, name: web, image")
    repository.commit({"bounds.yaml": BOUNDS, "web.yaml": probed})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    (finding,) = (finding for finding in report["findings"]["new"] if finding["rule"] == "QL402")
    assert (finding["file"], finding["line"], finding["cause"]["object"]) == ("bounds.yaml", 7, "LimitRange bounds")


def test_a_container_that_comes_is_named_before_what_it_asks_for(repository: Repository, capsys: Any) -> None:
    repository.commit({"bounds.yaml": BOUNDS, "web.yaml": deployment(1, cpu="2")})
    init = (
        "      initContainers:\n      - name: setup\n        resources:\n          requests: {cpu: 1, memory: 1Mi}\n"
        "          limits: {cpu: 1, memory: 1Mi}\n      containers:"
    )
    repository.commit({"web.yaml": deployment(1, cpu="2").replace("      containers:", init)})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    (finding,) = (finding for finding in report["findings"]["new"] if finding["rule"] == "QL402")
    assert finding["cause"]["changes"][0] == "init container setup is new"
