"""KEDA's ScaledJob: a Job for each message that waits.

Source: KEDA 2.15, apis/keda/v1alpha1/scaledjob_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import integer, mapping
from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Numbers, Size, Surroundings, finished_pods, implied, itself, pods
from quotalint.workloads.jobs import ended, parallel

_MOST = 100  # jobs at once, and of each kind of history, by default


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The ScaledJob, `minReplicaCount` of its Jobs when nothing waits, and `maxReplicaCount` when much does."""
    yield itself(obj)
    job = mapping(obj.spec.get("jobTargetRef"))
    each = parallel(obj, job)
    least = _count(obj, "minReplicaCount", 0)
    most = max(least, _count(obj, "maxReplicaCount", _MOST))
    ended_jobs = sum(_count(obj, field, _MOST) for field in ("successfulJobsHistoryLimit", "failedJobsHistoryLimit"))
    yield implied(obj, "batch", "Job", Numbers(least, least, most, most + ended_jobs))
    numbers = Numbers(*(number * each.value for number in (least, least, most, most)))
    size = Size(numbers, f"minReplicaCount {least}", each.unknowns, None, obj)
    place = obj.at("spec", "jobTargetRef", "template")
    yield from pods(obj, job.get("template"), place, size, surroundings)
    yield from finished_pods(obj, job.get("template"), place, ended_jobs * ended(each, job))


def _count(obj: Object, field: str, default: int) -> int:
    written = integer(obj.spec.get(field))
    return default if written is None else max(0, written)
