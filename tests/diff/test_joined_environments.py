"""What was taken for several clusters turns out to be one, or the other way round: no quota comes or goes with that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from deployer_objects import argo_application
from git_repositories import Repository, deployment, difference, in_short, quota

APART = {
    f"apps/{stage}/{name}.yaml": argo_application(f"deployed/{name}", f"namespace: {name}", name=name)
    for stage, name in (("non-prod", "dev"), ("non-prod", "test"), ("prod", "live"))
} | {
    f"deployed/{name}/{file}.yaml": text
    for name in ("dev", "test", "live")
    for file, text in (("quota", quota("pods: 9", namespace=name)), ("web", deployment(2, namespace=name)))
}
"""Applications in two folders, each of which is taken for a cluster."""
JOINED = {"bootstrap.yaml": argo_application(source="repoURL: x, path: apps, directory: {recurse: true}", name="all")}
"""An Application that applies both folders to one cluster."""
MORE = {"deployed/test/web.yaml": deployment(3, namespace="test")}
GONE: Mapping[str, str | None] = {"deployed/test/quota.yaml": None}


@pytest.mark.parametrize(
    ("start", "change", "expected"),
    [
        (APART, JOINED, []),
        (APART | JOINED, dict.fromkeys(JOINED), []),
        (
            APART,
            JOINED | MORE,
            ["changed non-prod:test/base", "  pods: hard 9, steady 2 → 3", "  changed Deployment web: 2 → 3"],
        ),
        (
            APART | JOINED,
            dict.fromkeys(JOINED) | MORE,
            ["changed non-prod:test/base", "  pods: hard 9, steady 2 → 3", "  changed Deployment web: 2 → 3"],
        ),
    ],
    ids=["joined", "split", "joined, and changed", "split, and changed"],
)
def test_a_quota_in_another_environment_is_the_one_that_was_there(
    start: Mapping[str, str], change: Mapping[str, str | None], expected: list[str], repository: Repository, capsys: Any
) -> None:
    repository.commit(start)
    repository.commit(change)
    status, report = difference(capsys, "HEAD~1", "HEAD")
    assert (in_short(report), status) == (expected, 0)


def test_a_quota_that_goes_with_its_environment_is_gone(repository: Repository, capsys: Any) -> None:
    repository.commit(APART)
    repository.commit({**JOINED, **GONE})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert in_short(report)[:2] == ["removed non-prod:test/base", "  pods: hard 9 → None, steady 2 → None"]


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [((10, "1"), "QL301: replicas 2 → 10"), ((2, "x"), "QL404: requests.cpu 1 → x")],
    ids=["of a quota", "of an object"],
)
def test_nothing_that_was_in_another_environment_is_called_new(
    amounts: tuple[int, str], expected: str, repository: Repository, capsys: Any
) -> None:
    replicas, cpu = amounts
    repository.commit(APART)
    repository.commit(
        JOINED
        | {
            f"deployed/{name}/web.yaml": deployment(replicas, namespace=name, cpu=cpu)
            for name in ("dev", "test", "live")
        }
    )
    _, report = difference(capsys, "HEAD~1", "HEAD")
    causes = [f"{finding['rule']}: {', '.join(finding['cause']['changes'])}" for finding in report["findings"]["new"]]
    assert causes == [expected] * 3


def test_an_untouched_error_is_not_worse_where_a_new_file_makes_another_environment(
    repository: Repository, capsys: Any
) -> None:
    stages = {
        f"overlays/{stage}/{name}": text
        for stage in ("dev", "prod")
        for name, text in (("kustomization.yaml", "resources: [web.yaml]\n"), ("web.yaml", deployment(1, "web")))
    }
    never_counted = quota("limits.nvidia.com/gpu: '5'", namespace="students")
    repository.commit({**stages, "components/api.yaml": deployment(1, "api"), "gpu/quota.yaml": never_counted})
    repository.commit({"dev/api.yaml": deployment(1, "api")})
    status, report = difference(capsys, "HEAD~1", "HEAD")
    assert len(report["findings"]["unchanged"]) == 1
    assert (report["findings"]["new"], status) == ([], 0)
