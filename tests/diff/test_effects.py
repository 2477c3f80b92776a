"""A field is a cause only if it is part of the sum that moves."""

from __future__ import annotations

from typing import Any

import pytest
from attributed_causes import cause_of
from git_repositories import Repository, deployment, quota

MEMORY = quota("requests.memory: 2Gi")


def _pods(container: str, init: str = "", pod: str = "") -> str:
    text: str = deployment(3).replace("resources: {requests: {cpu: '1'}}", f"resources: {{{container}}}")
    head = f"      initContainers:\n        - {{name: unpack, image: i, {init}}}\n" if init else ""
    spec = f"      resources: {{{pod}}}\n" if pod else ""
    return text.replace("      containers:\n", f"{spec}{head}      containers:\n")


def _requests(amount: str) -> str:
    return f"requests: {{memory: {amount}}}"


def _init(amount: str, more: str = "") -> str:
    return f"resources: {{{_requests(amount)}}}{more}"


@pytest.mark.parametrize(
    ("before", "after", "cause"),
    [
        (
            _pods(_requests("512Mi"), _init("256Mi")),
            _pods(_requests("600Mi"), _init("2Gi")),
            "requests.memory of init container unpack 256Mi → 2Gi",
        ),
        (
            _pods(_requests("512Mi"), _init("256Mi")),
            _pods(_requests("2Gi"), _init("300Mi")),
            "requests.memory 512Mi → 2Gi",
        ),
        (
            _pods(_requests("512Mi"), _init("10Mi", ", restartPolicy: Always")),
            _pods(_requests("600Mi"), _init("500Mi", ", restartPolicy: Always")),
            "requests.memory of init container unpack 10Mi → 500Mi, requests.memory 512Mi → 600Mi",
        ),
        (
            _pods(_requests("512Mi"), pod=_requests("512Mi")),
            _pods(_requests("600Mi"), pod=_requests("1Gi")),
            "requests.memory 512Mi → 1Gi",
        ),
        (
            _pods("requests: {memory: 512Mi}, limits: {memory: 1Gi}"),
            _pods("requests: {memory: 1Gi}, limits: {memory: 2Gi}"),
            "requests.memory 512Mi → 1Gi",
        ),
        (_pods("limits: {memory: 512Mi}"), _pods("limits: {memory: 1Gi}"), "limits.memory 512Mi → 1Gi"),
    ],
    ids=["init-container", "container", "sidecar", "whole-pod", "request-beside-limit", "limit-alone"],
)
def test_the_cause_is_what_adds_up(before: str, after: str, cause: str, repository: Repository, capsys: Any) -> None:
    (found,) = cause_of(repository, capsys, {"q.yaml": MEMORY, "web.yaml": before}, {"web.yaml": after})
    assert found.partition(": ")[2] == cause


def test_of_a_limit_range_only_what_fills_requests_is_a_cause(repository: Repository, capsys: Any) -> None:
    def bounds(default: str, request: str) -> str:
        limits = f"{{type: Container, default: {{memory: {default}}}, defaultRequest: {{memory: {request}}}}}"
        head = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: bounds, namespace: team-a}\n"
        return f"{head}spec: {{limits: [{limits}]}}\n"

    start = {"q.yaml": MEMORY, "b.yaml": bounds("1Gi", "512Mi"), "web.yaml": _pods("requests: {cpu: 1}")}
    (found,) = cause_of(repository, capsys, start, {"b.yaml": bounds("2Gi", "1Gi")})
    assert found.partition(": ")[2] == "defaultRequest.memory 512Mi → 1Gi"
