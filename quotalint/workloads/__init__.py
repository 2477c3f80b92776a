"""Objects → demands: one file per controller says what it brings into being."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quotalint.kube.objects import Object
from quotalint.workloads import bare_pods, daemon_sets, deployments, jobs, replica_sets, services, stateful_sets
from quotalint.workloads.demand import Demand, Surroundings, itself

CONTROLLERS: dict[tuple[str, str], Callable[[Object, Surroundings], Iterator[Demand]]] = {
    ("", "Pod"): bare_pods.expand,
    ("", "ReplicationController"): replica_sets.expand,
    ("", "Service"): services.expand,
    ("apps", "DaemonSet"): daemon_sets.expand,
    ("apps", "Deployment"): deployments.expand,
    ("apps", "ReplicaSet"): replica_sets.expand,
    ("apps", "StatefulSet"): stateful_sets.expand,
    ("batch", "CronJob"): jobs.expand_cron_job,
    ("batch", "Job"): jobs.expand_job,
}

POD_OWNERS = frozenset(CONTROLLERS.keys() - {("", "Service")})
"""The kinds that make pods."""


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """Everything that exists because of this object, once it has settled."""
    controller = CONTROLLERS.get((obj.group, obj.kind))
    return controller(obj, surroundings) if controller else iter((itself(obj),))
