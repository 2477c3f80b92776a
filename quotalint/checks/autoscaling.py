"""Checks of autoscalers: is there room for the maximum."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks import repairs
from quotalint.checks.excess import beside, besides, limited_by, needs, values
from quotalint.checks.hit import Hit, Note, Related, check
from quotalint.facts import Facts
from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object
from quotalint.quota.excesses import Excess
from quotalint.quota.quotas import Quota
from quotalint.text.place import Path
from quotalint.workloads.autoscalers import rivals

_MAXIMUM: dict[str, Path] = {
    "HorizontalPodAutoscaler": ("spec", "maxReplicas"),
    "ScaledObject": ("spec", "maxReplicaCount"),
    "ScaledJob": ("spec", "maxReplicaCount"),
    "VerticalPodAutoscaler": ("spec", "resourcePolicy"),
}


@check("QL304", Quota)
def autoscaling_exceeds_quota(quota: Quota, facts: Facts) -> Iterator[Hit]:
    if not facts.is_tight(quota):
        return
    projections = facts.projections_of(quota)
    for excess in needs(quota, facts, facts.charges_of(quota), lambda numbers: numbers.scaled):
        demand = excess.charge.admitted.demand
        scaler = demand.size.scaler
        if scaler is None:
            continue
        path = _MAXIMUM.get(scaler.kind, ("spec",))
        wanted = demand.number + excess.more
        yield Hit(
            scaler.at(*path),
            {
                **values(excess),
                "scaler": f"{scaler.kind} {scaler.name}",
                "maximum": str(wanted),
                "heal": _heal(excess),
            },
            scaler,
            ".".join(map(str, path)),
            variant="larger" if demand.grown else "default",
            related=(*limited_by(excess), *_scaled(excess.owner, scaler)),
            notes=(*beside(excess, projections), *_so(excess, wanted), *besides(excess)),
            resource=next(iter(excess.needed)),
            fix=repairs.raised(quota, excess.needed),
        )


@check("QL306", Facts)
def conflicting_autoscalers(facts: Facts, _: Facts) -> Iterator[Hit]:
    for members in facts.cluster.by_namespace.values():
        for several in rivals(members):
            # Flaws of what a snapshot shows are not reported; that it fights with what is written here is.
            own = [obj for obj in several if not obj.foreign]
            if own:
                yield _conflict(own[0], [obj for obj in several if obj is not own[0]])


def _conflict(scaler: Object, others: list[Object]) -> Hit:
    target = mapping(scaler.spec.get("scaleTargetRef"))
    return Hit(
        scaler.at("spec", "scaleTargetRef"),
        {
            "scaler": f"{scaler.kind} {scaler.name}",
            "others": " and ".join(f"{obj.kind} {obj.name}" for obj in others),
            "kind": text(target.get("kind")) or "Deployment",
            "name": text(target.get("name")),
        },
        scaler,
        "spec.scaleTargetRef",
        related=tuple(
            Related("fights with", obj.at("spec", "scaleTargetRef"), f"{obj.kind} {obj.name}") for obj in others
        ),
    )


def _scaled(owner: Object, scaler: Object) -> tuple[Related, ...]:
    return () if owner is scaler else (Related("scales", owner.place, f"{owner.kind} {owner.name}"),)


def _heal(excess: Excess) -> str:
    """What else would do, beside a larger quota. Where not even the settled state fits, no maximum does."""
    if excess.exceeded or not excess.reached:
        return ""
    return f"; or set the maximum to {excess.reached}, so that nobody counts on more"


def _so(excess: Excess, wanted: int) -> Iterator[Note]:
    demand = excess.charge.admitted.demand
    what = "pods" if demand.kind == "Pod" else f"{demand.kind}s"
    if excess.reached is None:
        return
    if demand.grown:
        yield Note("so", f"{excess.fitting} of its {excess.more} pods fit at that size: {excess.message}")
    else:
        text = f"it stops at {excess.reached} of {wanted} {what}, under the load that it is for: {excess.message}"
        yield Note("so", text)
