"""DaemonSet."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.objects import Object
from quotalint.settings import Nodes
from quotalint.workloads.demand import (
    Demand,
    Replicas,
    Size,
    Surroundings,
    demand_of_itself,
    pods,
    revision_history,
    size_with_step,
    unknown_because,
)
from quotalint.workloads.rolling_update import rolling_size, update_limits


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The DaemonSet, its ControllerRevisions, and a pod for each node."""
    yield demand_of_itself(obj)
    yield revision_history(obj, "apps", "ControllerRevision")
    size = _update_size(obj, per_node(obj, obj.spec.get("template"), surroundings.nodes))
    yield from pods(obj, obj.spec.get("template"), obj.at("spec", "template"), size, surroundings)


def _update_size(obj: Object, wanted: Replicas) -> Size:
    """With `maxSurge` a new pod starts beside the old one on its node. Without it the old pod must be deleted first
    (daemon/update.go, rollingUpdate). No old pod is deleted before its replacement is ready."""
    strategy = mapping(obj.spec.get("updateStrategy"))
    if strategy.get("type") == "OnDelete":
        return size_with_step(wanted)
    path = ("spec", "updateStrategy", "rollingUpdate", "maxSurge")
    rolling = mapping(strategy.get("rollingUpdate"))
    # OpenKruise's older setting for a surge of one (1.8, apis/apps/defaults/v1alpha1.go).
    limits = update_limits(rolling, surge=1 if rolling.get("rollingUpdateType") == "Surging" else 0, unavailable=0)
    if limits.surge:
        return rolling_size(obj, wanted, limits._replace(unavailable=0), path)
    return size_with_step(wanted)._replace(
        unknowns=(*wanted.unknowns, *(f"{obj.kind} {obj.name}: {reason}" for reason in limits.invalid))
    )


def per_node(obj: Object, template: object, nodes: Nodes) -> Replicas:
    """One pod of the template on each node that matches its `nodeSelector`."""
    selector = mapping(dig(template, "spec", "nodeSelector"))
    wanted = ",".join(f"{key}={text(selector[key])}" for key in sorted(selector))
    number = nodes.by_selector.get(wanted) if wanted else None
    if number is not None:
        return Replicas(number, number, f"{number} nodes with {wanted}")
    if nodes.default is not None:
        return Replicas(nodes.default, nodes.default, f"{nodes.default} nodes")
    reason = "the number of nodes is not configured (`nodes`), so one is counted"
    return Replicas(1, 1, "at least one node", (unknown_because(obj, reason),))
