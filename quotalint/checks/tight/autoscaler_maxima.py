"""Checks of autoscalers: is there room for the maximum."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks import quota_repairs
from quotalint.checks.hit import Hit, Note, Related
from quotalint.checks.tight.sufficient_amounts import amounts_of, raise_words, raised_to, sufficient_amounts
from quotalint.checks.tight.temporary_needs import (
    exceeded_notes,
    excess_values,
    limited_by,
    missing_amount,
    unmet_excesses,
    usage_notes,
)
from quotalint.facts import Facts
from quotalint.fixes.fix import Add, Edit, Fix, Replace
from quotalint.kube.fields import dig
from quotalint.kube.objects import Object
from quotalint.quota.excesses import Excess
from quotalint.quota.quotas import Quota
from quotalint.settings import Scenario
from quotalint.text.place import Path

_MAXIMUM: dict[str, Path] = {
    "HorizontalPodAutoscaler": ("spec", "maxReplicas"),
    "ScaledObject": ("spec", "maxReplicaCount"),
    "ScaledJob": ("spec", "maxReplicaCount"),
    "VerticalPodAutoscaler": ("spec", "resourcePolicy"),
}


def maxima_without_room(quota: Quota, facts: Facts) -> Iterator[Hit]:
    charges = facts.charges_of(quota)
    excessive = tuple(unmet_excesses(quota, facts, facts.maxima, charges, Scenario.SCALED))
    least = sufficient_amounts(quota, facts) if excessive else {}
    for excess in excessive:
        demand = excess.charge.demand
        scaler = demand.size.scaler
        if scaler is None:
            continue
        path = _MAXIMUM.get(scaler.kind, ("spec",))
        wanted = demand.number + excess.more
        raised = raised_to(excess.needed, least, excess.needed)
        lower = _lower_maximum(excess, scaler, path)
        yield Hit(
            scaler.at(*path),
            {
                **excess_values(excess),
                "scaler": f"{scaler.kind} {scaler.name}",
                "maximum": str(wanted),
                **raise_words(raised),
                "heal": f"; or {lower.words}, so that nobody counts on more" if lower else "",
            },
            scaler,
            ".".join(map(str, path)),
            variant="larger" if demand.grown else "default",
            related=(*limited_by(excess), *_scaled_workload(excess.owner, scaler)),
            notes=(*usage_notes(excess, facts), *_consequence_notes(excess, wanted), *exceeded_notes(excess)),
            resource=next(iter(excess.needed)),
            short=missing_amount(excess.quota, excess.needed),
            entries=tuple(excess.needed),
            fix=quota_repairs.raise_entries(quota, amounts_of(raised)),
            ways=(lower,) if lower else (),
        )


def _scaled_workload(owner: Object, scaler: Object) -> tuple[Related, ...]:
    return () if owner is scaler else (Related("scales", owner.place, f"{owner.kind} {owner.name}"),)


def _lower_maximum(excess: Excess, scaler: Object, path: Path) -> Fix | None:
    """What else would do, beside a larger quota. Where not even the settled state fits, no maximum does."""
    demand = excess.charge.demand
    if excess.exceeded or not excess.reached or demand.grown or path[-1] not in _NUMBERS:
        return None
    if excess.reached < demand.number:
        return None
    written = dig(scaler.body, *path)
    place = scaler.at(*path)
    edit: Edit = Replace(place, written, excess.reached)
    if written is None:
        edit = Add(scaler.at(*path[:-1]), str(path[-1]), excess.reached)
    return Fix((edit,), safe=False, words=f"set the maximum to {excess.reached}")


_NUMBERS = ("maxReplicas", "maxReplicaCount")


def _consequence_notes(excess: Excess, wanted: int) -> Iterator[Note]:
    demand = excess.charge.demand
    kind_words = "pods" if demand.kind == "Pod" else f"{demand.kind}s"
    if excess.reached is None:
        return
    if demand.grown:
        yield Note("so", f"{excess.fitting} of its {excess.more} pods fit at that size: {excess.message}")
    else:
        stop = f"it stops at {excess.reached} of {wanted} {kind_words}, just when the load calls for more"
        yield Note("so", f"{stop}: {excess.message}")
