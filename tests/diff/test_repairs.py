"""What a change could say instead, so that everything fits: the line below what `diff` says of a quota."""

from __future__ import annotations

from typing import Any

import pytest
from git_repositories import Repository, deployment, quota

from quotalint.cli import run

BOTH_TEAMS = (
    "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: both}\nspec:\n"
    "  selector: {labels: {matchLabels: {unit: shop}}}\n  quota:\n    hard: {requests.cpu: 12}\n"
    "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: team-a, labels: {unit: shop}}\n"
    "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: team-b, labels: {unit: shop}}\n"
)


def rolling(replicas: int, name: str = "web", cpu: str = "1") -> str:
    """A Deployment that starts new pods beside the old ones: a quarter of them."""
    return deployment(replicas, name, cpu=cpu).replace("  strategy: {type: Recreate}\n", "")


def nightly(parallelism: int) -> str:
    return (
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly, namespace: team-a}\nspec:\n"
        "  schedule: '0 3 * * *'\n  concurrencyPolicy: Forbid\n  jobTemplate:\n    spec:\n"
        f"      parallelism: {parallelism}\n      completions: 20\n"
        "      template: {spec: {restartPolicy: Never, containers: [{name: c, image: c}]}}\n"
    )


def autoscaler(most: int, least: int = 1) -> str:
    bounds = f"minReplicas: {least}, maxReplicas: {most}"
    return (
        "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: team-a}\n"
        f"spec: {{scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}, {bounds}}}\n"
    )


@pytest.mark.parametrize(
    ("start", "change", "repairs"),
    [
        pytest.param(
            {"quota.yaml": quota("pods: 10"), "other.yaml": rolling(4, "other"), "run.yaml": nightly(3)},
            {"run.yaml": nightly(9)},
            ["`parallelism: 6` in `run.yaml:9`", "`pods: 13` in `quota.yaml:6`"],
            id="a run, while others are at rest",
        ),
        pytest.param(
            {"quota.yaml": quota("requests.cpu: 12"), "other.yaml": rolling(4, "other"), "web.yaml": rolling(4)},
            {"web.yaml": rolling(4, cpu="2")},
            [
                "`{name: web, image: web, resources: {requests: {cpu: '1600m'}}}` in `web.yaml:11`",
                "`requests.cpu: 14` in `quota.yaml:6`",
            ],
            id="pods in a rollout, while others are at rest",
        ),
        pytest.param(
            {
                "quota.yaml": quota("pods: 10"),
                "web.yaml": deployment(2) + autoscaler(7),
                "job.yaml": deployment(1, "job"),
            },
            {"job.yaml": deployment(5, "job").replace("replicas: 5", "replicas: 5 # for the sale")},
            ["`replicas: 3` in `job.yaml:5`", "`pods: 12` in `quota.yaml:6`"],
            id="another that is autoscaled, while this one is at rest",
        ),
        pytest.param(
            {"quota.yaml": quota("requests.cpu: 5500m, pods: 5"), "web.yaml": rolling(1)},
            {"web.yaml": rolling(6)},
            ["`replicas: 4` in `web.yaml:5`", "`requests.cpu: 8` and `pods: 8` in `quota.yaml:6`"],
            id="pods that have to leave room for a rollout",
        ),
        pytest.param(
            {"quota.yaml": quota("pods: 3"), "web.yaml": deployment(2), "hpa.yaml": autoscaler(3)},
            {"hpa.yaml": autoscaler(6, least=6)},
            ["`minReplicas: 3` and `maxReplicas: 3` in `hpa.yaml:5`", "`pods: 6` in `quota.yaml:6`"],
            id="both bounds of an autoscaler",
        ),
        pytest.param(
            {"quota.yaml": quota("pods: 3"), "web.yaml": deployment(2)},
            {"hpa.yaml": autoscaler(8, least=6)},
            ["`minReplicas: 3` and `maxReplicas: 3` in `hpa.yaml:5`", "`pods: 8` in `quota.yaml:6`"],
            id="both bounds of an autoscaler that is new",
        ),
        pytest.param(
            {"quota.yaml": quota("pods: 5"), "web.yaml": rolling(2), "hpa.yaml": autoscaler(4)},
            {"hpa.yaml": autoscaler(8, least=6)},
            ["`minReplicas: 4` and `maxReplicas: 4` in `hpa.yaml:5`", "`pods: 8` in `quota.yaml:6`"],
            id="both bounds of an autoscaler, with room for a rollout",
        ),
        pytest.param(
            {"quota.yaml": BOTH_TEAMS, "a.yaml": deployment(4, cpu="2"), "b.yaml": deployment(2, namespace="team-b")},
            {"b.yaml": deployment(2, namespace="team-b", cpu="3")},
            [
                "`{name: web, image: web, resources: {requests: {cpu: '2'}}}` in `b.yaml:12`",
                "`requests.cpu: 14` in `quota.yaml:7`",
            ],
            id="pods of one of two Deployments of a name in several namespaces",
        ),
    ],
)
def test_what_a_change_could_say_instead(
    repository: Repository, capsys: Any, start: dict[str, str], change: dict[str, str], repairs: list[str]
) -> None:
    repository.commit(start)
    repository.commit(change)
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("**Do one of:**")] == [f"**Do one of:** {' · '.join(repairs)}"]
