"""OpenKruise's CloneSet, BroadcastJob and AdvancedCronJob. Its StatefulSet and DaemonSet work like those of Kubernetes.

Source: OpenKruise 1.8.0, apis/apps/v1alpha1/{cloneset,broadcastjob,advancedcronjob}_types.go and
apis/apps/defaults/v1alpha1.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import Body, dig, integer, mapping, text
from quotalint.kube.objects import Object
from quotalint.text.place import Path
from quotalint.workloads.daemon_sets import per_node
from quotalint.workloads.demand import (
    ROLLOUT,
    Demand,
    Number,
    Replicas,
    Size,
    Step,
    Surroundings,
    constant_size,
    finished_pods,
    pods,
    replicas,
    revision_history,
    size_with_step,
    uncounted_pods,
    unknown_because,
)
from quotalint.workloads.jobs import count_kept_runs, kept_runs, scheduled_jobs, scheduled_runs, size_of_runs
from quotalint.workloads.rolling_update import share_of_total, update_limits
from quotalint.workloads.volume_claims import claims

_STRATEGY = ("spec", "updateStrategy")


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The ControllerRevisions and pods of a CloneSet, and the claims of each pod."""
    yield revision_history(obj, "apps", "ControllerRevision")
    size = _size_of_set(obj, replicas(obj, surroundings))
    yield from pods(obj, obj.spec.get("template"), obj.at("spec", "template"), size, surroundings)
    # Each pod has its own claims, which are deleted with it.
    yield from claims(obj, obj.spec.get("volumeClaimTemplates"), obj.at("spec", "volumeClaimTemplates"), size)


def _size_of_set(obj: Object, wanted: Replicas) -> Size:
    strategy = mapping(obj.spec.get("updateStrategy"))
    if strategy.get("paused") is True:
        return size_with_step(wanted)
    limits = update_limits(strategy, surge=0, unavailable="20%")
    in_place = text(strategy.get("type")) == "InPlaceOnly"

    def surge_and_unavailable(total: int) -> tuple[int, int]:
        old = _old_pods(strategy, total)
        surge = min(share_of_total(limits.surge, total, up=True), total - old)
        # maxUnavailable is rounded down only if there is a surge.
        unavailable = 0 if in_place else min(share_of_total(limits.unavailable, total, up=not surge), total - old)
        return surge, unavailable

    surge, unavailable = surge_and_unavailable(wanted.steady)
    words = f"maxSurge {limits.surge} of {wanted.steady}" if isinstance(limits.surge, str) else f"maxSurge {surge}"
    step = Step(ROLLOUT, words, (*_STRATEGY, "maxSurge"), unavailable, gradual=True) if surge else None
    size = size_with_step(wanted, surge_and_unavailable, step)
    return size._replace(unknowns=(*size.unknowns, *(unknown_because(obj, reason) for reason in limits.invalid)))


def _old_pods(strategy: Body, total: int) -> int:
    """How many pods keep the old revision."""
    written = strategy.get("partition")
    limits = update_limits({"maxSurge": written}, surge=0)
    return min(0 if limits.invalid else share_of_total(limits.surge, total, up=True), total)


def expand_broadcast_job(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """A pod on each node."""
    nodes = _nodes_at_once(obj, obj.spec, surroundings)
    size = constant_size(nodes.value, nodes.because, nodes.unknowns)
    yield from pods(obj, obj.spec.get("template"), obj.at("spec", "template"), size, surroundings)


def expand_cron_job(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Jobs or BroadcastJobs of a schedule."""
    template = mapping(obj.spec.get("template"))
    paused = obj.spec.get("paused") is True
    if isinstance(template.get("jobTemplate"), dict):
        yield from scheduled_jobs(
            obj, ("spec", "template", "jobTemplate", "spec"), suspended=paused, surroundings=surroundings
        )
    elif isinstance(template.get("broadcastJobTemplate"), dict):
        yield from _broadcast_jobs(obj, paused=paused, surroundings=surroundings)
    else:
        yield uncounted_pods(obj, "it has neither a jobTemplate nor a broadcastJobTemplate")


def _broadcast_jobs(obj: Object, surroundings: Surroundings, *, paused: bool) -> Iterator[Demand]:
    path: Path = ("spec", "template", "broadcastJobTemplate", "spec")
    job = mapping(dig(obj.body, *path))
    nodes = _nodes_at_once(obj, job, surroundings)
    runs = scheduled_runs(obj, (text(obj.spec.get("schedule")),), _seconds_at_most(job), suspended=paused)
    keeps = count_kept_runs(obj) if runs.numbers.peak else 0
    yield kept_runs(obj, obj.group, "BroadcastJob", runs, keeps)
    place = obj.at(*path, "template")
    yield from pods(obj, job.get("template"), place, size_of_runs(runs, nodes), surroundings)
    yield from finished_pods(obj, job.get("template"), place, keeps * nodes.value, runs.numbers.peak * nodes.value)


def _nodes_at_once(obj: Object, job: Body, surroundings: Surroundings) -> Number:
    """How many pods a BroadcastJob runs at once."""
    if job.get("paused") is True:
        return Number(0, "paused")
    nodes = per_node(obj, job.get("template"), surroundings.nodes)
    limits = update_limits({"maxSurge": job.get("parallelism")}, surge=nodes.steady)
    unknowns = (
        *nodes.unknowns,
        *(unknown_because(obj, "its parallelism is no number of pods") for _ in limits.invalid),
    )
    most = share_of_total(limits.surge, nodes.steady, up=True)
    return (
        Number(most, f"parallelism {most}", unknowns)
        if most < nodes.steady
        else Number(nodes.steady, nodes.because, unknowns)
    )


def _seconds_at_most(job: Body) -> int | None:
    return integer(dig(job, "completionPolicy", "activeDeadlineSeconds"))
