"""DaemonSet."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.objects import Object
from quotalint.settings import Nodes
from quotalint.workloads.demand import Demand, Number, Surroundings, implied, itself, pods


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The DaemonSet, one ControllerRevision, and a pod per node."""
    yield itself(obj)
    yield implied(obj, "apps", "ControllerRevision")
    place = obj.at("spec", "template")
    yield from pods(obj, obj.spec.get("template"), place, _nodes(obj, surroundings.nodes), surroundings)


def _nodes(obj: Object, nodes: Nodes) -> Number:
    selector = mapping(dig(obj.spec, "template", "spec", "nodeSelector"))
    wanted = ",".join(f"{key}={text(selector[key])}" for key in sorted(selector))
    count = nodes.by_selector.get(wanted) if wanted else None
    if count is not None:
        return Number(count, f"{count} nodes with {wanted}")
    if nodes.default is not None:
        return Number(nodes.default, f"{nodes.default} nodes")
    reason = f"DaemonSet {obj.name}: the number of nodes is not configured (`nodes`), so one is counted"
    return Number(1, "at least one node", (reason,))
