"""StatefulSet."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Surroundings, pods, replicas, revision_history, size_with_step
from quotalint.workloads.volume_claims import numbered_claims


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The ControllerRevisions of a StatefulSet, its pods, and a claim per pod and claim template.

    A pod is replaced by one of the same name, so it must be deleted first. `maxUnavailable`, `partition` and
    `podManagementPolicy` change the order, never the number of pods (statefulset/stateful_set_control.go). Claims of
    scaled-down replicas stay, unless `whenScaled: Delete`.
    """
    yield revision_history(obj, "apps", "ControllerRevision")
    size = size_with_step(replicas(obj, surroundings))
    yield from pods(obj, obj.spec.get("template"), obj.at("spec", "template"), size, surroundings)
    templates, place = obj.spec.get("volumeClaimTemplates"), obj.at("spec", "volumeClaimTemplates")
    yield from numbered_claims(obj, templates, place, size, surroundings)
