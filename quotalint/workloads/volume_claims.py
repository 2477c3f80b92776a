"""The claims made from `volumeClaimTemplates`."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import integer, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.text.place import Place
from quotalint.workloads.demand import Demand, Numbers, Size, Surroundings

_MOST_NUMBERED = 10_000  # claims of one template that are searched by name


def claims(owner: Object, templates: object, place: Place, per_pod: Size) -> Iterator[Demand]:
    """One claim per pod and entry of `volumeClaimTemplates`; `place` is the list's place."""
    size = per_pod._replace(because=f"one per replica, {per_pod.because}")
    for index, template in enumerate(sequence(templates)):
        at = place.at(index)
        yield Demand(owner, "", "PersistentVolumeClaim", "", mapping(template), at, size, before_pods=True)


def numbered_claims(
    owner: Object, templates: object, place: Place, per_pod: Size, surroundings: Surroundings
) -> Iterator[Demand]:
    """The claims of a StatefulSet, without those that are written under the same name. A pod uses such a claim, which
    counts as its own object (statefulset/stateful_set_utils.go, getPersistentVolumeClaimName)."""
    first = integer(mapping(owner.spec.get("ordinals")).get("start")) or 0
    for demand in claims(owner, templates, place, per_pod):
        prefix = f"{text(mapping(demand.body.get('metadata')).get('name'))}-{owner.name}-"
        written_ordinals = [
            ordinal
            for ordinal in range(min(per_pod.numbers.peak, _MOST_NUMBERED))
            if ("", demand.kind, f"{prefix}{first + ordinal}") in surroundings.objects
        ]
        if written_ordinals:
            fewer = (number - sum(ordinal < number for ordinal in written_ordinals) for number in demand.size.numbers)
            because = f"{demand.size.because}, less {len(written_ordinals)} in view"
            demand = demand._replace(size=demand.size._replace(numbers=Numbers(*fewer), because=because))
        yield demand
