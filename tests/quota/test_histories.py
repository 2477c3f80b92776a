"""What is kept although it is of no more use, and when it leaves no room."""

from __future__ import annotations

import pytest
from workspace import Workspace


def quota(hard: str) -> str:
    return f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q, namespace: shop}}\nspec: {{hard: {{{hard}}}}}\n"


def job(name: str, spec: str) -> str:
    template = "template: {spec: {restartPolicy: Never, containers: [{name: c, image: c}]}}"
    return (
        f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: {name}, namespace: shop}}\nspec: {{{spec}, {template}}}\n"
    )


def cron_job(name: str, spec: str = "", job_spec: str = "") -> str:
    template = "template: {spec: {restartPolicy: Never, containers: [{name: c, image: c}]}}"
    return (
        f"apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: {name}, namespace: shop}}\n"
        f"spec: {{schedule: '0 * * * *', concurrencyPolicy: Forbid, {spec}"
        f"jobTemplate: {{spec: {{{job_spec}{template}}}}}}}\n"
    )


def messages(workspace: Workspace, files: dict[str, str]) -> list[str]:
    workspace.put(files)
    report = workspace.report()
    return [f"{found['severity']}: {found['message']}" for found in report["findings"] if found["rule"] == "QL303"]


@pytest.mark.parametrize(
    ("spec", "hard", "expected"),
    [
        ("completions: 12, parallelism: 2", "count/pods: 11", ["error: Job a never completes: "]),
        ("completions: 12, parallelism: 2", "count/pods: 12", []),
        ("completions: 12, parallelism: 2", "pods: 2", []),
        # Indexed Jobs may be done before all have succeeded.
        (
            "completions: 12, parallelism: 2, successPolicy: {}",
            "count/pods: 11",
            ["warning: After 9 more pods of Job a "],
        ),
        # Its Pods go only after the Job has ended.
        ("completions: 12, ttlSecondsAfterFinished: 0", "count/pods: 11", ["error: Job a never completes: "]),
    ],
)
def test_pods_that_have_ended(spec: str, hard: str, expected: list[str], workspace: Workspace) -> None:
    found = messages(workspace, {"q.yaml": quota(hard), "job.yaml": job("a", spec)})
    assert [message[: len(start)] for message, start in zip(found, expected, strict=True)] == expected


def test_jobs_that_are_deleted_do_not_add_up(workspace: Workspace) -> None:
    hard = quota("count/pods: 12")
    kept = {f"{name}.yaml": job(name, "completions: 10") for name in "ab"}
    assert messages(workspace, {"q.yaml": hard, **kept})[0].startswith("warning: After 10 more pods of the 2 workloads")
    brief = {f"{name}.yaml": job(name, "completions: 10, ttlSecondsAfterFinished: 60") for name in "ab"}
    assert messages(workspace, {"q.yaml": hard, **brief}) == []


@pytest.mark.parametrize(
    ("spec", "job_spec", "is_short"),
    [
        ("", "", True),
        ("successfulJobsHistoryLimit: 1, ", "", False),
        ("", "ttlSecondsAfterFinished: 600, ", False),
        ("", "ttlSecondsAfterFinished: 86400, ", True),
    ],
)
def test_finished_jobs_of_cron_jobs_add_up(spec: str, job_spec: str, is_short: bool, workspace: Workspace) -> None:
    files = {f"{name}.yaml": cron_job(name, spec, job_spec) for name in "ab"}
    found = messages(workspace, {"q.yaml": quota("count/jobs.batch: 6"), **files})
    assert [message[:22] for message in found] == (["warning: After 6 more "] if is_short else [])


def test_a_hook_that_stays_counts_once(workspace: Workspace) -> None:
    hook = job("a", "completions: 4").replace("shop}", "shop, annotations: {helm.sh/hook: pre-upgrade}}")
    assert messages(workspace, {"q.yaml": quota("count/pods: 5"), "job.yaml": hook}) == []
