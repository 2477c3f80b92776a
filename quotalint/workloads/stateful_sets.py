"""StatefulSet."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import mapping, sequence
from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Surroundings, implied, itself, pods, replicas


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The StatefulSet, one ControllerRevision, its pods, and a claim per pod and claim template."""
    yield itself(obj)
    yield implied(obj, "apps", "ControllerRevision")
    count = replicas(obj, surroundings)
    yield from pods(obj, obj.spec.get("template"), obj.at("spec", "template"), count, surroundings)
    for index, template in enumerate(sequence(obj.spec.get("volumeClaimTemplates"))):
        place = obj.at("spec", "volumeClaimTemplates", index)
        because = f"one per replica, {count.because}"
        yield Demand(
            obj, "", "PersistentVolumeClaim", "", mapping(template), place, count.value, because, count.unknowns
        )
