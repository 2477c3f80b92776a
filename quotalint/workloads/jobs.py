"""Job and CronJob."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import dig, integer
from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Number, Surroundings, itself, number, pods


def expand_job(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Job and the pods that it runs at once."""
    yield itself(obj)
    place = obj.at("spec", "template")
    yield from pods(obj, obj.spec.get("template"), place, _parallelism(obj), surroundings)


def expand_cron_job(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The CronJob; its schedule is idle in the steady state, so it runs no pods."""
    yield itself(obj)
    place = obj.at("spec", "jobTemplate", "spec", "template")
    template = dig(obj.spec, "jobTemplate", "spec", "template")
    yield from pods(obj, template, place, Number(0, "idle until its schedule fires"), surroundings)


def _parallelism(obj: Object) -> Number:
    if obj.spec.get("suspend") is True:
        return Number(0, "suspended")
    parallelism = number(obj, "parallelism", 1)
    completions = integer(obj.spec.get("completions"))
    if completions is not None and 0 <= completions < parallelism.value:
        return Number(completions, f"completions {completions}", parallelism.unknowns)
    return parallelism
