"""ReplicaSet and ReplicationController.

They adopt pods without a controller that their selector matches: pkg/controller/controller_ref_manager.go (ClaimPods).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import dig, mapping
from quotalint.kube.label_selectors import selects
from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Surroundings, pods, replicas, size_with_step


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The pods of the object, which has no rolling update."""
    place = obj.at("spec", "template")
    wanted = replicas(obj, surroundings)
    adopted = _number_adopted(obj, surroundings)
    if adopted:
        because = f"{wanted.because}, {adopted} of them adopted"
        steady, most = max(0, wanted.steady - adopted), max(0, wanted.maximum - adopted)
        wanted = wanted._replace(steady=steady, maximum=most, because=because)
    yield from pods(obj, obj.spec.get("template"), place, size_with_step(wanted), surroundings)


def _number_adopted(obj: Object, surroundings: Surroundings) -> int:
    """How many written pods it adopts; they count by themselves."""
    selector = obj.spec.get("selector")
    if not obj.group:  # a ReplicationController selects by its labels, or by those of its template
        labels = mapping(selector) or mapping(dig(obj.spec, "template", "metadata", "labels"))
        selector = {"matchLabels": labels} if labels else None
    if not mapping(selector):
        return 0
    return sum(
        selects(selector, mapping(pod.metadata.get("labels")))
        for (group, kind, _), pod in surroundings.objects.items()
        if kind == "Pod" and not group and not pod.metadata.get("ownerReferences")
    )
