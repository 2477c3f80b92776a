"""KEDA's ScaledJob: a Job for each waiting message.

Source: KEDA 2.15, apis/keda/v1alpha1/scaledjob_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import integer, mapping
from quotalint.kube.objects import Object
from quotalint.workloads.demand import (
    RUN,
    Demand,
    Kept,
    Numbers,
    Size,
    Surroundings,
    finished_pods,
    implied_objects,
    pods,
)
from quotalint.workloads.jobs import pods_at_once, pods_left_behind

_MOST = 100  # default: jobs at once, and jobs in each history


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Jobs of a ScaledJob: `minReplicaCount` in the steady state, `maxReplicaCount` under load."""
    job = mapping(obj.spec.get("jobTargetRef"))
    pods_of_job = pods_at_once(obj, job, surroundings)
    least = _count_field(obj, "minReplicaCount", 0)
    most = max(least, _count_field(obj, "maxReplicaCount", _MOST))
    ended_jobs = sum(
        _count_field(obj, field, _MOST) for field in ("successfulJobsHistoryLimit", "failedJobsHistoryLimit")
    )
    made = implied_objects(obj, "batch", "Job", Numbers(least, least, most, most + ended_jobs))
    yield made._replace(kept=Kept(ended_jobs, 0, RUN))
    numbers = Numbers(*(number * pods_of_job.value for number in (least, least, most, most)))
    size = Size(numbers, f"minReplicaCount {least}", pods_of_job.unknowns, None, obj)
    place = obj.at("spec", "jobTargetRef", "template")
    yield from pods(obj, job.get("template"), place, size, surroundings)
    yield from finished_pods(obj, job.get("template"), place, ended_jobs * pods_left_behind(pods_of_job, job))


def _count_field(obj: Object, field: str, default: int) -> int:
    written = integer(obj.spec.get(field))
    return default if written is None else max(0, written)
