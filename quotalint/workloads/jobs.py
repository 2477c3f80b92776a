"""Job and CronJob; and for all scheduled kinds, how many runs overlap and how many finished runs are kept.

Kubernetes reads schedules with github.com/robfig/cron/v3 (ParseStandard): five fields, `@daily` and the like, and
`@every 90m`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from quotalint.kube.fields import Body, dig, integer, mapping, text
from quotalint.kube.objects import Object
from quotalint.kube.queue_names import suspended_for
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Path
from quotalint.workloads.demand import (
    RUN,
    Demand,
    Kept,
    Number,
    Numbers,
    Size,
    Step,
    Surroundings,
    constant_size,
    count,
    finished_pods,
    implied_objects,
    pods,
    unknown_because,
)


def expand_job(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The pods of a Job that run at once, and its terminated pods."""
    running = pods_at_once(obj, obj.spec, surroundings)
    size = constant_size(running.value, running.because, running.unknowns)
    place = obj.at("spec", "template")
    yield from pods(obj, obj.spec.get("template"), place, size, surroundings)
    ended = pods_left_behind(running, obj.spec) - running.value
    stay = integer(obj.spec.get("ttlSecondsAfterFinished")) is None
    yield from finished_pods(obj, obj.spec.get("template"), place, ended, stay=stay)


def expand_cron_job(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The scheduled Jobs of a CronJob with their pods, and the finished Jobs that it keeps; none runs in the steady
    state."""
    suspended = obj.spec.get("suspend") is True
    yield from scheduled_jobs(obj, ("spec", "jobTemplate", "spec"), suspended=suspended, surroundings=surroundings)


def scheduled_jobs(obj: Object, path: Path, surroundings: Surroundings, *, suspended: bool) -> Iterator[Demand]:
    """The Jobs that a schedule starts; `path` is the path of the Job's spec."""
    job = mapping(dig(obj.body, *path))
    pods_of_job = pods_at_once(obj, job, surroundings)
    runs = scheduled_runs(obj, (text(obj.spec.get("schedule")),), seconds_at_most(job), suspended=suspended)
    keeps = _kept_jobs(obj, job) if runs.numbers.peak else 0
    yield kept_runs(obj, "batch", "Job", runs, keeps)
    place = obj.at(*path, "template")
    yield from pods(obj, job.get("template"), place, size_of_runs(runs, pods_of_job), surroundings)
    left = pods_left_behind(pods_of_job, job)
    yield from finished_pods(obj, job.get("template"), place, keeps * left, runs.numbers.peak * left)


def kept_runs(obj: Object, group: str, kind: str, runs: Size, keeps: int) -> Demand:
    """The objects of scheduled runs, and those of finished runs that are kept."""
    _, one, _, most = runs.numbers
    made = implied_objects(obj, group, kind, Numbers(0, one, 0, most + keeps))
    return made._replace(kept=Kept(keeps, most, RUN)) if keeps else made


def _kept_jobs(obj: Object, job: Body) -> int:
    """How many finished Jobs are kept, at most those that end within `ttlSecondsAfterFinished`."""
    keeps, seconds = count_kept_runs(obj), integer(job.get("ttlSecondsAfterFinished"))
    ended = most_firings_within(text(obj.spec.get("schedule")), seconds) if seconds is not None else None
    return keeps if ended is None else min(keeps, ended)


def size_of_runs(runs: Size, pods_of_run: Number) -> Size:
    """The size of pods when each run has `pods_of_run` of them."""
    at_once = Numbers(*(number * pods_of_run.value for number in runs.numbers))
    because = f"{pods_of_run.because} of one run" if runs.step else runs.because
    return Size(at_once, because, (*pods_of_run.unknowns, *runs.unknowns), runs.step)


def seconds_at_most(job: Body) -> int | None:
    """The maximum duration of a Job in seconds; None if it has none."""
    deadlines = (job.get("activeDeadlineSeconds"), dig(job, "template", "spec", "activeDeadlineSeconds"))
    return min((deadline for deadline in map(integer, deadlines) if deadline is not None), default=None)


def pods_at_once(obj: Object, job: Body, surroundings: Surroundings) -> Number:
    """How many pods a Job runs at once, which is the same for indexed Jobs (job/job_controller.go, manageJob)."""
    manager = job.get("managedBy") if surroundings.kubernetes.managed_jobs else None
    no_pods = no_pods_if_managed_elsewhere(obj, manager, "kubernetes.io/job-controller")
    if no_pods is not None:
        return no_pods
    if job.get("suspend") is True and not suspended_for(obj, surroundings.objects):
        return Number(0, "suspended")
    parallelism = count(obj, job.get("parallelism"), "parallelism", 1)
    completions = integer(job.get("completions"))
    if completions is not None and 0 <= completions < parallelism.value:
        return Number(completions, f"completions {completions}", parallelism.unknowns)
    return parallelism


def no_pods_if_managed_elsewhere(obj: Object, manager: object, controller: str) -> Number | None:
    """Zero pods if another controller manages the job, because its own controller then skips it; else None
    (job/job_controller.go, managedByExternalController)."""
    name = text(manager)
    if name in ("", controller):
        return None
    # MultiKueue runs it in another cluster; what other managers do is unknown.
    unknowns = () if name == _MULTIKUEUE else (unknown_because(obj, f"it is left to {name}, which may run pods"),)
    return Number(0, f"left to {name}", unknowns)


_MULTIKUEUE = "kueue.x-k8s.io/multikueue"


def pods_left_behind(running: Number, job: Body) -> int:
    """How many pods a Job leaves if all succeed."""
    completions = integer(job.get("completions"))
    return max(running.value, completions or 0) if running.value else 0


_MACROS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_EVERY = lazy_pattern(r"@every\s+(?=\S)(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?")
_MOST = 10_000
"""The most firings of a schedule that are examined."""


_HISTORY = (("successfulJobsHistoryLimit", 3), ("failedJobsHistoryLimit", 1))


def scheduled_runs(obj: Object, schedules: Sequence[str], lasts: int | None, *, suspended: bool) -> Size:
    """The runs of a scheduled object: none in the steady state, then one, and at peak as many as can overlap. `lasts`
    is the maximum duration of a run in seconds, if there is one."""
    if suspended:
        return constant_size(0, "suspended")
    most = 1
    reason: tuple[str, ...] = ()
    if text(obj.spec.get("concurrencyPolicy")) not in ("Forbid", "Replace"):
        most, reason = _overlapping_runs(obj, schedules, lasts)
    step = Step(RUN, "one run of its schedule", ("spec", "schedule"))
    return Size(Numbers(0, 1, 0, most), "idle until its schedule fires", reason, step)


def count_kept_runs(obj: Object) -> int:
    """How many finished runs are kept."""
    limits = ((integer(obj.spec.get(field)), default) for field, default in _HISTORY)
    return sum(default if written is None else max(0, written) for written, default in limits)


def _overlapping_runs(obj: Object, schedules: Sequence[str], lasts: int | None) -> tuple[int, tuple[str, ...]]:
    """How many runs overlap: those that start while one may last. Without a deadline it is two."""
    starting_deadline = integer(obj.spec.get("startingDeadlineSeconds"))
    if lasts is None and starting_deadline is None:
        return max(2, len(schedules)), ()
    within = max(0, lasts if lasts is not None else starting_deadline or 0)
    fired = 0
    for schedule in schedules:
        runs = most_firings_within(schedule, within)
        if runs is None:
            reason = f"the schedule {schedule[:40]!r} cannot be read, so two runs are taken to overlap"
            return max(2, len(schedules)), (unknown_because(obj, reason),)
        fired += runs
    # A late start says nothing about how long a run lasts.
    return max(1 if lasts is not None else 2, fired), ()


@lru_cache(maxsize=1024)
def most_firings_within(schedule: str, seconds: int) -> int | None:
    """The most firings of a schedule in any period of this length, excluding its last second; None if the schedule is
    unreadable."""
    seconds = max(1, seconds)
    schedule = re.sub(r"^(CRON_)?TZ=\S+\s+", "", schedule.strip())
    interval_match = _EVERY.fullmatch(schedule)
    if interval_match is not None:
        if any(len(part or "") > 9 for part in interval_match.groups()):
            return None  # time.ParseDuration refuses what does not fit into 64 bits
        hours, minutes, seconds_part = (int(part or 0) for part in interval_match.groups())
        interval = max(1, hours * 3600 + minutes * 60 + seconds_part)
        return -(-seconds // interval)
    from quotalint.kube.cron_schedules import firings, schedule_error

    expression = _MACROS.get(schedule, schedule)
    if len(expression.split()) != 5 or schedule_error(expression):
        return None
    from collections import deque
    from itertools import islice

    length = min(seconds, 10**9)
    last = _days_until_repeat(expression) * 86400 + length
    window: deque[int] = deque()
    most = 0
    for minute in islice(firings(expression), _MOST):
        time = minute * 60
        if time > last:
            break
        window.append(time)
        while time - window[0] >= length:
            window.popleft()
        most = max(most, len(window))
    return most or None


def _days_until_repeat(expression: str) -> int:
    """The number of days after which a schedule repeats; within 28 years each date falls on every weekday."""
    day, month, weekday = expression.split()[2:]
    return 28 * 366 if (day, month) != ("*", "*") else 7 if weekday != "*" else 1
