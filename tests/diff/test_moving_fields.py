"""Fields that are no number, and that what is counted depends on all the same."""

from __future__ import annotations

from typing import Any

from git_repositories import Repository, autoscaler, deployment, quota
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


DEFAULTS = """\
apiVersion: v1
kind: LimitRange
metadata: {name: defaults, namespace: team-a}
spec: {limits: [{type: Container, defaultRequest: {cpu: 500m}}]}
"""


def test_a_request_that_is_written_out_as_it_was_is_no_cause(repository: Repository, capsys: Any) -> None:
    """It came from a LimitRange; what comes with it decides."""
    written = deployment(2, cpu="500m")
    web = written.replace("{requests: {cpu: '500m'}}", "{}")
    start = {"q.yaml": quota("requests.cpu: 2"), "defaults.yaml": DEFAULTS, "web.yaml": web}
    text = markdown_of(repository, capsys, start, {"web.yaml": written, "hpa.yaml": autoscaler(2, 9)})
    assert "because HorizontalPodAutoscaler `web` is new (`hpa.yaml:4`)" in text


def test_what_two_containers_have_in_common_is_told_once(repository: Repository, capsys: Any) -> None:
    web = deployment(2, cpu="500m")
    both = web + "        - {name: log, image: log, resources: {requests: {cpu: '500m'}}}\n"
    start = {"q.yaml": quota("requests.cpu: 2"), "web.yaml": both}
    text = markdown_of(repository, capsys, start, {"web.yaml": both.replace("'500m'", "'2'")})
    assert "because requests.cpu of `web` goes from 500m to 2 (`web.yaml:12`)" in text
