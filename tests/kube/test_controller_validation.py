"""Which workloads are refused for what stands beside their pod templates, in the API server's words."""

from __future__ import annotations

import pytest
import yaml

from quotalint.kube.controller_validation import controller_errors


def errors(group: str, kind: str, spec: str) -> list[str]:
    found = controller_errors(group, kind, {"spec": yaml.safe_load(spec)})
    return [f"{error.field}: {error.detail}" for error in found]


SCHEDULED = "{schedule: '@daily', %s}"
ZONE = "spec.timeZone: Invalid value: "
LATER = "must be greater than minReadySeconds"
NEGATIVE = "Invalid value: -1: must be greater than or equal to 0"
MISSING = "completions: Required value: when completion mode is Indexed"


@pytest.mark.parametrize(
    ("kind", "spec", "expected"),
    [
        ("Job", "{completionMode: Indexed}", []),  # alone, it is one of one
        ("Job", "{completionMode: Indexed, parallelism: 2, completions: 4}", []),
        ("Job", "{completionMode: NonIndexed, parallelism: 2}", []),
        ("Job", "{completionMode: Indexed, parallelism: 2}", [f"spec.{MISSING}"]),
        ("Job", "{backoffLimit: -1}", [f"spec.backoffLimit: {NEGATIVE}"]),
        ("Job", "{backoffLimit: '${LIMIT}', ttlSecondsAfterFinished: 0}", []),
        ("CronJob", SCHEDULED % "jobTemplate: {spec: {completionMode: Indexed}}", [f"spec.jobTemplate.spec.{MISSING}"]),
        (
            "CronJob",
            SCHEDULED % "jobTemplate: {spec: {backoffLimit: -1}}, failedJobsHistoryLimit: -1",
            [f"spec.failedJobsHistoryLimit: {NEGATIVE}", f"spec.jobTemplate.spec.backoffLimit: {NEGATIVE}"],
        ),
        ("CronJob", "{jobTemplate: {}}", []),  # what a patch may look like
        ("CronJob", "{schedule: ''}", ["spec.schedule: Required value"]),
        ("CronJob", "{schedule: '${WHEN}', timeZone: '{{ .zone }}', concurrencyPolicy: <policy>}", []),
        ("CronJob", "{schedule: '0 $HOUR * * *'}", []),
        ("CronJob", "{schedule: '__MINUTE__ */$HOURS * * @DAY@'}", []),
        ("CronJob", "{schedule: 'MM HH * * MON-FRI'}", []),
        ("CronJob", "{schedule: '<path:apps/report#minute> 3 * * *'}", []),
        ("CronJob", SCHEDULED % "timeZone: Europe/Berlin, concurrencyPolicy: Replace", []),
        ("CronJob", SCHEDULED % "timeZone: Etc/GMT+2", []),
        ("CronJob", SCHEDULED % "timeZone: UTC+2", [f'{ZONE}"UTC+2": unknown time zone UTC+2']),
        ("CronJob", SCHEDULED % "timeZone: ''", [f'{ZONE}"": timeZone must be nil or non-empty string']),
        (
            "CronJob",
            SCHEDULED % "concurrencyPolicy: forbid",
            ['spec.concurrencyPolicy: Unsupported value: "forbid": supported values: "Allow", "Forbid", "Replace"'],
        ),
    ],
)
def test_jobs_and_their_schedules(kind: str, spec: str, expected: list[str]) -> None:
    assert errors("batch", kind, spec) == expected


@pytest.mark.parametrize(
    ("kind", "spec", "expected"),
    [
        ("Deployment", "{minReadySeconds: 599}", []),
        ("Deployment", "{minReadySeconds: 600}", []),  # what a patch may look like
        (
            "Deployment",
            "{selector: {matchLabels: {a: b}}, minReadySeconds: 600}",
            [f"spec.progressDeadlineSeconds: Invalid value: 600: {LATER}"],
        ),
        ("Deployment", "{minReadySeconds: 600, progressDeadlineSeconds: 601}", []),
        ("Deployment", "{progressDeadlineSeconds: 0}", [f"spec.progressDeadlineSeconds: Invalid value: 0: {LATER}"]),
        ("Deployment", "{minReadySeconds: '${READY}', progressDeadlineSeconds: 0}", []),
        ("StatefulSet", "{minReadySeconds: 900}", []),
        ("DaemonSet", "{revisionHistoryLimit: -1}", [f"spec.revisionHistoryLimit: {NEGATIVE}"]),
        (
            "StatefulSet",
            "{selector: {matchLabels: {}}}",
            ["spec.selector: Invalid value: {}: empty selector is invalid for statefulset"],
        ),
        ("Deployment", "{selector: {matchLabels: '${LABELS}'}}", []),
        ("Deployment", "{selector: '${SELECTOR}'}", []),
    ],
)
def test_numbers_and_selectors_of_what_keeps_pods(kind: str, spec: str, expected: list[str]) -> None:
    assert errors("apps", kind, spec) == expected


def test_kinds_of_other_groups_are_not_looked_at() -> None:
    assert errors("example.com", "Deployment", "{selector: {}, minReadySeconds: 900}") == []
