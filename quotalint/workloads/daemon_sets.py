"""DaemonSet."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object
from quotalint.settings import Nodes
from quotalint.workloads.demand import (
    Demand,
    Replicas,
    Size,
    Surroundings,
    pods,
    revision_history,
    size_with_step,
    unknown_because,
)
from quotalint.workloads.rolling_update import rolling_size, update_limits


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The ControllerRevisions of a DaemonSet, and a pod for each node."""
    yield revision_history(obj, "apps", "ControllerRevision")
    template = obj.spec.get("template")
    size = _update_size(obj, per_node(obj, template, surroundings.nodes))
    doubt = _node_doubt(obj, template, surroundings.nodes)
    for demand in pods(obj, template, obj.at("spec", "template"), size, surroundings):
        yield demand._replace(guesses=(*demand.guesses, doubt)) if doubt else demand


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


_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def _selected_labels(template: object) -> str:
    """The labels that a node needs, as `nodes` in the configuration names them: of `nodeSelector`, and of a node
    affinity that allows one value. Empty if none are known."""
    labels = dict(mapping(dig(template, "spec", "nodeSelector")))
    terms = sequence(dig(template, "spec", "affinity", "nodeAffinity", _REQUIRED, "nodeSelectorTerms"))
    for expression in map(mapping, sequence(mapping(terms[0]).get("matchExpressions")) if len(terms) == 1 else ()):
        values = sequence(expression.get("values"))
        if expression.get("operator") == "In" and len(values) == 1:
            labels[text(expression.get("key"))] = values[0]
    return ",".join(f"{key}={text(labels[key])}" for key in sorted(labels))


def _node_doubt(obj: Object, template: object, nodes: Nodes) -> Guess | None:
    """Why fewer nodes than are configured may run a pod; None if the configuration has the number of just these nodes,
    or none at all."""
    labels = _selected_labels(template)
    if nodes.default is None or labels in nodes.by_selector:
        return None
    affinity = mapping(dig(template, "spec", "affinity"))
    if labels:
        limit = f"runs only on nodes with {labels}"
    elif any(_REQUIRED in mapping(rules) for rules in affinity.values()):
        limit = "runs only on nodes that its affinity admits"
    elif sequence(dig(template, "spec", "tolerations")):
        limit = "runs only on nodes whose taints it tolerates"
    else:
        return None
    known = labels or "label=value"
    return Guess(
        CONTENT,
        f"{obj.kind} {obj.name} {limit}, so {nodes.default} is the most",
        f'write the number of these nodes into `nodes`: {{"*": {nodes.default}, "{known}": …}}'
        + ("" if labels else ", and their label into its `nodeSelector`"),
    )


def per_node(obj: Object, template: object, nodes: Nodes) -> Replicas:
    """One pod of the template on each node with the labels that it selects."""
    wanted = _selected_labels(template)
    number = nodes.by_selector.get(wanted) if wanted else None
    if number is not None:
        return Replicas(number, number, f"{number} nodes with {wanted}")
    if nodes.default is not None:
        return Replicas(nodes.default, nodes.default, f"{nodes.default} nodes")
    reason = "the number of nodes is not configured (`nodes`), so one is counted"
    return Replicas(1, 1, "at least one node", (unknown_because(obj, reason),))
