"""What makes a rolling update fit where its quota cannot be raised: no pod beside those that are there."""

from __future__ import annotations

from quotalint.fixes.fix import Add, Edit, Fix, Replace
from quotalint.kube.fields import dig
from quotalint.kube.objects import Object
from quotalint.text.place import Path
from quotalint.workloads.demand import Step

_STRATEGY: Path = ("spec", "strategy")
_LIMITS: Path = (*_STRATEGY, "rollingUpdate")


def smaller_step(owner: Object, step: Step) -> Fix | None:
    """`maxSurge: 0`, with `maxUnavailable: 1` where it comes to 0: an old pod goes first, and is missed."""
    if (owner.group, owner.kind) != ("apps", "Deployment") or step.path[:-1] != _LIMITS or owner.foreign:
        return None
    numbers = {"maxSurge": 0} if step.unavailable else {"maxSurge": 0, "maxUnavailable": 1}
    words = "set " + " and ".join(f"{field} to {number}" for field, number in numbers.items())
    limits, strategy = dig(owner.body, *_LIMITS), dig(owner.body, *_STRATEGY)
    edits: list[Edit]
    if isinstance(limits, dict):
        edits = [
            Replace(owner.at(*_LIMITS, field), limits[field], number)
            if field in limits
            else Add(owner.at(*_LIMITS), field, number)
            for field, number in numbers.items()
        ]
    elif isinstance(strategy, dict):
        edits = [Add(owner.at(*_STRATEGY), "rollingUpdate", numbers)]
    else:
        edits = [Add(owner.at("spec"), "strategy", {"rollingUpdate": numbers}, "replicas")]
    return Fix(tuple(edits), False, words)
