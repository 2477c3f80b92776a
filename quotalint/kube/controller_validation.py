"""Why the API server refuses a workload for fields outside its pod template: numbers, schedules and selectors.

Source: Kubernetes 1.36, pkg/apis/batch/validation/validation.go (validateJobSpec, validateCronJobSpec,
validateTimeZone), pkg/apis/batch/v1/defaults.go (SetDefaults_Job) and pkg/apis/apps/validation/validation.go
(ValidateDeploymentSpec, ValidateDaemonSetSpec, ValidateReplicaSetSpec, ValidateStatefulSetSpec).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.kube.amounts import is_stand_in
from quotalint.kube.cron_schedules import is_name, schedule_error
from quotalint.kube.fields import Body, dig, mapping
from quotalint.kube.pod_validation import Invalid
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Path

_JOB = ("activeDeadlineSeconds", "backoffLimit", "backoffLimitPerIndex", "maxFailedIndexes", "ttlSecondsAfterFinished")
_CRON_JOB = ("failedJobsHistoryLimit", "startingDeadlineSeconds", "successfulJobsHistoryLimit")
_NOT_NEGATIVE: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("apps", "DaemonSet"): ("minReadySeconds", "revisionHistoryLimit"),
    ("apps", "Deployment"): ("minReadySeconds", "progressDeadlineSeconds", "revisionHistoryLimit"),
    ("apps", "ReplicaSet"): ("minReadySeconds",),
    ("apps", "StatefulSet"): ("minReadySeconds",),
    ("batch", "CronJob"): _CRON_JOB,
    ("batch", "Job"): _JOB,
}
_EMPTY_SELECTOR = {
    "DaemonSet": "empty selector is invalid for daemonset",
    "Deployment": "empty selector is invalid for deployment",
    "ReplicaSet": "empty selector is invalid for deployment",  # the API server's own mistake
    "StatefulSet": "empty selector is invalid for statefulset",
}
_POLICIES = ("Allow", "Forbid", "Replace")
_PROGRESS_DEADLINE = 600
_PARTS = lazy_pattern("[-,/]")
"""The separators in one of the five fields of a schedule."""
_TEMPLATE: Path = ("spec", "jobTemplate", "spec")
_SPEC: Path = ("spec",)


def controller_errors(group: str, kind: str, body: Body) -> Iterator[Invalid]:
    """The known errors of a workload outside its pod template."""
    yield from _numbers_below_zero(body, _SPEC, _NOT_NEGATIVE.get((group, kind), ()))
    spec = mapping(body.get("spec"))
    if group == "apps" and kind in _EMPTY_SELECTOR:
        selector = spec.get("selector")
        if isinstance(selector, dict) and not (selector.get("matchLabels") or selector.get("matchExpressions")):
            yield _invalid((*_SPEC, "selector"), f"Invalid value: {{}}: {_EMPTY_SELECTOR[kind]}")
    if (group, kind) == ("apps", "Deployment"):
        yield from _deadline_errors(spec)
    elif (group, kind) == ("batch", "Job"):
        # If neither is written, both are 1.
        if spec.get("parallelism") is not None:
            yield from _index_errors(body, _SPEC)
    elif (group, kind) == ("batch", "CronJob"):
        yield from _cron_job_errors(spec)
        yield from _numbers_below_zero(body, _TEMPLATE, _JOB)
        yield from _index_errors(body, _TEMPLATE)


def _numbers_below_zero(body: Body, path: Path, fields: tuple[str, ...]) -> Iterator[Invalid]:
    holder = mapping(dig(body, *path)) if fields else {}
    for field in fields:
        number = holder.get(field)
        if isinstance(number, int) and not isinstance(number, bool) and number < 0:
            yield _invalid((*path, field), f"Invalid value: {number}: must be greater than or equal to 0")


def _deadline_errors(spec: Body) -> Iterator[Invalid]:
    """A Deployment that fails before its first pod can be ready."""
    written = spec.get("progressDeadlineSeconds")
    if written is None and "selector" not in spec:
        return  # it may be a patch, and the patched object may have both
    least = spec.get("minReadySeconds", 0)
    deadline = _PROGRESS_DEADLINE if written is None else written
    if isinstance(deadline, int) and isinstance(least, int) and 0 <= deadline <= least:
        path = (*_SPEC, "progressDeadlineSeconds")
        error = _invalid(path, f"Invalid value: {deadline}: must be greater than minReadySeconds")
        yield error if written is not None else error._replace(path=(*_SPEC, "minReadySeconds"))


def _index_errors(body: Body, path: Path) -> Iterator[Invalid]:
    job = mapping(dig(body, *path))
    if job.get("completionMode") == "Indexed" and job.get("completions") is None:
        error = _invalid((*path, "completions"), "Required value: when completion mode is Indexed")
        yield error._replace(path=(*path, "completionMode"))


def _cron_job_errors(spec: Body) -> Iterator[Invalid]:
    schedule, zone, policy = (spec.get(field) for field in ("schedule", "timeZone", "concurrencyPolicy"))
    # A CronJob without a schedule may be a patch.
    if isinstance(schedule, str) and not is_stand_in(schedule):
        error = schedule_error(schedule)
        if error and not _is_to_be_filled_in(schedule):
            yield _invalid((*_SPEC, "schedule"), f'Invalid value: "{schedule}": {error}' if schedule else error)
    if isinstance(zone, str) and not is_stand_in(zone) and _zone_error(zone):
        yield _invalid((*_SPEC, "timeZone"), f'Invalid value: "{zone}": {_zone_error(zone)}')
    if isinstance(policy, str) and policy not in ("", *_POLICIES) and not is_stand_in(policy):
        supported = ", ".join(f'"{supported}"' for supported in _POLICIES)
        yield _invalid((*_SPEC, "concurrencyPolicy"), f'Unsupported value: "{policy}": supported values: {supported}')


def _is_to_be_filled_in(schedule: str) -> bool:
    """Whether parts of a schedule are placeholders: `0 $HOUR * * *`. Names of months and days look similar."""
    return any(
        is_stand_in(part) and not is_name(part) for text in schedule.split() for part in (text, *_PARTS.split(text))
    )


def _zone_error(zone: str) -> str:
    """Why no time zone can have this name; empty if one may. Each server has its own database."""
    if not zone:
        return "timeZone must be nil or non-empty string"
    if zone.lower() == "local":
        return "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"
    if ".." in zone or zone[0] in "/\\":
        return "time: invalid location name"
    # `UTC+2` is a common mistake; zones with a number are named Etc/GMT+2, EST5EDT and so on.
    is_offset = zone[:3].upper() in ("UTC", "CET") and zone[3:4] in ("+", "-")
    return f"unknown time zone {zone}" if " " in zone or is_offset else ""


def _invalid(path: Path, detail: str) -> Invalid:
    return Invalid(".".join(map(str, path)), path, detail, "", of_workload=True)
