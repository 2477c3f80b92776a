"""LeaderWorkerSet: groups of pods, each with a leader.

Source: LeaderWorkerSet 0.7.0, api/leaderworkerset/v1/leaderworkerset_types.go,
pkg/webhooks/leaderworkerset_webhook.go (Default), pkg/controllers/leaderworkerset_controller.go
(rollingUpdateParameters: no more surge than replicas); claim templates as in 0.8.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object
from quotalint.workloads.demand import (
    Demand,
    Numbers,
    Size,
    Surroundings,
    count,
    implied_objects,
    pods,
    replicas,
    revision_history,
)
from quotalint.workloads.rolling_update import rolling_size, update_limits
from quotalint.workloads.volume_claims import claims

_TEMPLATE = ("spec", "leaderWorkerTemplate")
_ROLLING = ("spec", "rolloutStrategy", "rollingUpdateConfiguration")


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """One StatefulSet of leaders, one of workers for each group, and their pods and claims."""
    template = mapping(obj.spec.get("leaderWorkerTemplate"))
    groups = _group_size(obj, surroundings)
    pods_of_group = count(obj, template.get("size"), "leaderWorkerTemplate.size", 1)
    yield from _made_objects(obj, groups.numbers)
    leader = "leaderTemplate" if isinstance(template.get("leaderTemplate"), dict) else "workerTemplate"
    yield from pods(obj, template.get(leader), obj.at(*_TEMPLATE, leader), groups, surroundings)
    others = max(0, pods_of_group.value - 1)
    workers = Size(
        Numbers(*(number * others for number in groups.numbers)),
        f"{others} workers in each of {groups.numbers.steady} groups",
        (*groups.unknowns, *pods_of_group.unknowns),
        groups.step,
        groups.scaler,
    )
    place = obj.at(*_TEMPLATE, "workerTemplate")
    yield from pods(obj, template.get("workerTemplate"), place, workers, surroundings)
    place = obj.at(*_TEMPLATE, "volumeClaimTemplates")
    for size in (groups, workers):
        yield from claims(obj, template.get("volumeClaimTemplates"), place, size)


def _group_size(obj: Object, surroundings: Surroundings) -> Size:
    """The number of groups; a group must be deleted before another one takes its name."""
    rolling = mapping(mapping(obj.spec.get("rolloutStrategy")).get("rollingUpdateConfiguration"))
    wanted = replicas(obj, surroundings)
    limits = update_limits(rolling, surge=0, unavailable=1)
    size = rolling_size(obj, wanted, limits, (*_ROLLING, "maxSurge"))
    peak = wanted.maximum + limits.resolve_limits(wanted.maximum)[0]
    return size._replace(numbers=size.numbers._replace(peak=peak))


def _made_objects(obj: Object, groups: Numbers) -> Iterator[Demand]:
    yield implied_objects(obj, "apps", "StatefulSet", Numbers(*(1 + number for number in groups)))
    yield implied_objects(obj, "apps", "ControllerRevision", Numbers(1, 2, 1, 2))
    yield revision_history(obj, "apps", "ControllerRevision", keeps=10)
    yield implied_objects(obj, "apps", "ControllerRevision", groups)
    unique = text(mapping(obj.spec.get("networkConfig")).get("subdomainPolicy")) == "UniquePerReplica"
    yield implied_objects(obj, "", "Service", groups if unique else None)
