"""Job and CronJob."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import Body, dig, integer, mapping, text
from quotalint.kube.objects import Object
from quotalint.text.place import Path
from quotalint.workloads.demand import (
    Demand,
    Number,
    Numbers,
    Size,
    Surroundings,
    constant_size,
    count,
    demand_of_itself,
    finished_pods,
    implied_objects,
    pods,
    unknown_because,
)
from quotalint.workloads.schedules import count_kept_runs, scheduled_runs


def expand_job(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Job, the pods that it runs at once, and those that have ended."""
    yield demand_of_itself(obj)
    running = pods_at_once(obj, obj.spec, surroundings)
    size = constant_size(running.value, running.because, running.unknowns)
    place = obj.at("spec", "template")
    yield from pods(obj, obj.spec.get("template"), place, size, surroundings)
    yield from finished_pods(obj, obj.spec.get("template"), place, pods_left_behind(running, obj.spec) - running.value)


def expand_cron_job(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The CronJob, idle in the steady state; the Jobs of its schedule with their pods, and those that it keeps."""
    yield demand_of_itself(obj)
    suspended = obj.spec.get("suspend") is True
    yield from scheduled_jobs(obj, ("spec", "jobTemplate", "spec"), suspended=suspended, surroundings=surroundings)


def scheduled_jobs(obj: Object, path: Path, surroundings: Surroundings, *, suspended: bool) -> Iterator[Demand]:
    """The Jobs that a schedule starts, of which the spec stands at `path`."""
    job = mapping(dig(obj.body, *path))
    pods_of_job = pods_at_once(obj, job, surroundings)
    runs = scheduled_runs(obj, (text(obj.spec.get("schedule")),), seconds_at_most(job), suspended=suspended)
    keeps = count_kept_runs(obj) if runs.numbers.peak else 0
    yield implied_objects(obj, "batch", "Job", Numbers(0, runs.numbers.surge, 0, runs.numbers.peak + keeps))
    place = obj.at(*path, "template")
    yield from pods(obj, job.get("template"), place, of_runs(runs, pods_of_job), surroundings)
    yield from finished_pods(obj, job.get("template"), place, keeps * pods_left_behind(pods_of_job, job))


def of_runs(runs: Size, pods_of_run: Number) -> Size:
    """The size of what each of these runs has so many of."""
    at_once = Numbers(*(number * pods_of_run.value for number in runs.numbers))
    because = f"{pods_of_run.because} of one run" if runs.step else runs.because
    return Size(at_once, because, (*pods_of_run.unknowns, *runs.unknowns), runs.step)


def seconds_at_most(job: Body) -> int | None:
    """How many seconds a Job lasts at most, where it says so."""
    deadlines = (job.get("activeDeadlineSeconds"), dig(job, "template", "spec", "activeDeadlineSeconds"))
    return min((deadline for deadline in map(integer, deadlines) if deadline is not None), default=None)


def pods_at_once(obj: Object, job: Body, surroundings: Surroundings) -> Number:
    """How many pods a Job runs at once; indexed Jobs no more either (job/job_controller.go, manageJob)."""
    manager = job.get("managedBy") if surroundings.kubernetes.managed_jobs else None
    elsewhere = no_pods_here(obj, manager, "kubernetes.io/job-controller")
    if elsewhere is not None:
        return elsewhere
    if job.get("suspend") is True:
        return Number(0, "suspended")
    parallelism = count(obj, job.get("parallelism"), "parallelism", 1)
    completions = integer(job.get("completions"))
    if completions is not None and 0 <= completions < parallelism.value:
        return Number(completions, f"completions {completions}", parallelism.unknowns)
    return parallelism


def no_pods_here(obj: Object, manager: object, controller: str) -> Number | None:
    """No pods, where a job is left to another manager than its own controller, which then passes it over; else None
    (job/job_controller.go, managedByExternalController)."""
    name = text(manager)
    if name in ("", controller):
        return None
    # MultiKueue runs it in another cluster; what any other manager makes of it, nobody else knows.
    unknowns = () if name == _MULTIKUEUE else (unknown_because(obj, f"it is left to {name}, which may run pods"),)
    return Number(0, f"left to {name}", unknowns)


_MULTIKUEUE = "kueue.x-k8s.io/multikueue"


def pods_left_behind(running: Number, job: Body) -> int:
    """How many pods a Job leaves behind when each of them succeeds."""
    completions = integer(job.get("completions"))
    return max(running.value, completions or 0) if running.value else 0
