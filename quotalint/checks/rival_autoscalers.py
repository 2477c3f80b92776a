"""Check of autoscalers that scale the same workload."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, Related, check
from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object
from quotalint.workloads.autoscalers import AUTOSCALING_KINDS, rivals

_MOST = 5  # autoscalers that a finding names besides its own


@check("QL306", Facts, kinds=AUTOSCALING_KINDS)
def conflicting_autoscalers(facts: Facts, _: Facts) -> Iterator[Hit]:
    for members in facts.cluster.by_namespace.values():
        for rival_autoscalers in rivals(members):
            # Objects in a snapshot are not reported, but their conflict with an object of the repository is.
            own = [obj for obj in rival_autoscalers if not obj.foreign]
            if own:
                yield _conflict_hit(own[0], [obj for obj in rival_autoscalers if obj is not own[0]])


def _conflict_hit(scaler: Object, others: list[Object]) -> Hit:
    target = mapping(scaler.spec.get("scaleTargetRef"))
    names = [f"{obj.kind} {obj.name}" for obj in others]
    named = names if len(names) <= _MOST else [*names[: _MOST - 1], f"{len(names) - _MOST + 1} more"]
    return Hit(
        scaler.at("spec", "scaleTargetRef"),
        {
            "scaler": f"{scaler.kind} {scaler.name}",
            "others": " and ".join(named),
            "kind": text(target.get("kind")) or "Deployment",
            "name": text(target.get("name")),
        },
        scaler,
        "spec.scaleTargetRef",
        related=tuple(
            Related("fights with", obj.at("spec", "scaleTargetRef"), name)
            for obj, name in zip(others[:_MOST], names, strict=False)
        ),
    )
