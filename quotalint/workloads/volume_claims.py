"""The claims that `volumeClaimTemplates` bring."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import integer, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.text.place import Place
from quotalint.workloads.demand import Demand, Numbers, Size, Surroundings

_MOST_NUMBERED = 10_000  # claims of one template that are looked for by name


def claims(owner: Object, templates: object, place: Place, per_pod: Size) -> Iterator[Demand]:
    """A claim per pod and `volumeClaimTemplates` entry; the list stands at `place`."""
    size = per_pod._replace(because=f"one per replica, {per_pod.because}")
    for index, template in enumerate(sequence(templates)):
        at = place.at(index)
        yield Demand(owner, "", "PersistentVolumeClaim", "", mapping(template), at, size, before_pods=True)


def numbered_claims(
    owner: Object, templates: object, place: Place, per_pod: Size, surroundings: Surroundings
) -> Iterator[Demand]:
    """The claims of `claims`, less those in view that have the name which one of them would get: the pod takes that
    claim, which counts as what it is (statefulset/stateful_set_utils.go, getPersistentVolumeClaimName)."""
    first = integer(mapping(owner.spec.get("ordinals")).get("start")) or 0
    for demand in claims(owner, templates, place, per_pod):
        prefix = f"{text(mapping(demand.body.get('metadata')).get('name'))}-{owner.name}-"
        there = [
            ordinal
            for ordinal in range(min(per_pod.numbers.peak, _MOST_NUMBERED))
            if ("", demand.kind, f"{prefix}{first + ordinal}") in surroundings.objects
        ]
        if there:
            fewer = (number - sum(ordinal < number for ordinal in there) for number in demand.size.numbers)
            because = f"{demand.size.because}, less {len(there)} in view"
            demand = demand._replace(size=demand.size._replace(numbers=Numbers(*fewer), because=because))
        yield demand
