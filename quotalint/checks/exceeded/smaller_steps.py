"""Fixes that make a workload fit without raising its quota: fewer pods, or no surge."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from quotalint.accounts.facts import Facts
from quotalint.checks.exceeded.sufficient_amounts import least_of
from quotalint.fixes.fix import Add, Edit, Fix, Replace
from quotalint.kube import quantity
from quotalint.kube.fields import dig
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.quota.fitting import largest_that_fits, objects_that_fit
from quotalint.quota.projection import Amounts, EntryCharge, Projection
from quotalint.settings import Scenario
from quotalint.text.place import Path
from quotalint.workloads.demand import Numbers, Replicas, Step, has_ended
from quotalint.workloads.deployments import update_size

_STRATEGY: Path = ("spec", "strategy")
_LIMITS: Path = (*_STRATEGY, "rollingUpdate")


def smaller_step(owner: Object, step: Step) -> Fix | None:
    """`maxSurge: 0`, with `maxUnavailable: 1` if that would be 0: an old pod is deleted first."""
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
    return Fix(tuple(edits), safe=False, words=words)


def with_replicas(owner: Object, number: int) -> Fix:
    """A fix that sets the number of replicas, or how many pods a Job runs at once."""
    if owner.kind == "Job":
        return _fix_in_spec(owner, "parallelism", number, f"set parallelism to {number}")
    return _fix_in_spec(owner, "replicas", number, f"run {number} {'replica' if number == 1 else 'replicas'}")


def shorter_history(owner: Object, field: str, number: int) -> Fix:
    """A fix that keeps fewer old revisions; `field` of `spec` limits them."""
    return _fix_in_spec(owner, field, number, f"set {field} to {number}")


def _fix_in_spec(owner: Object, field: str, number: int, words: str) -> Fix:
    edit: Edit = Add(owner.at("spec"), field, number)
    if field in owner.spec:
        edit = Replace(owner.at("spec", field), owner.spec[field], number)
    return Fix((edit,), safe=False, words=words)


def fewer_replicas(
    projection: Projection, facts: Facts, hards: Mapping[str, Quantity] = MappingProxyType({})
) -> Fix | None:
    """The most replicas of the largest workload for which everything fits, including objects refused now. `hards` are
    raised limits of entries."""
    projection = _allowing(projection, hards)
    if facts.settings.scenario is not Scenario.STEADY:
        return None
    pods = [entry for entry in projection.entries if _is_scalable(entry)]
    largest = max(pods, key=lambda entry: entry.amounts.steady.nano, default=None)
    owner = largest.owner if largest else None
    if largest is None or owner is None or projection.hard is None:
        return None
    remaining_nano = projection.steady.nano - largest.amounts.steady.nano
    most = min(largest.charge.number - 1, objects_that_fit(projection.hard.nano, remaining_nano, largest.each.nano))
    number = most_replicas(projection, owner, facts, most, hards)
    if number is None:
        return None
    fewer = with_replicas(owner, number)
    words = f"run {fewer.words[4:]} of {owner.kind} {owner.name}"
    if owner.kind == "Job":
        words = f"set parallelism of Job {owner.name} to {number}"
    return fewer._replace(words=words)


def most_replicas(
    projection: Projection,
    owner: Object,
    facts: Facts,
    most: int,
    hards: Mapping[str, Quantity] = MappingProxyType({}),
) -> int | None:
    """The most replicas of a workload, up to `most`, for which everything fits, rollouts too; None if no number does or
    other objects are made for each pod."""
    own_projections = [_allowing(other, hards) for other in facts.projections_of(projection.quota).values()]
    owned = (entry.demand for other in own_projections for entry in other.entries if entry.owner is owner)
    if any(demand.per_pod or demand.before_pods for demand in owned):
        return None

    def fits(number: int) -> bool:
        return all(
            _has_room(other, owner, number, is_asked=other.name == projection.name, facts=facts)
            for other in own_projections
        )

    return largest_that_fits(fits, 1, most, _TRIED)


def _allowing(projection: Projection, hards: Mapping[str, Quantity]) -> Projection:
    return projection._replace(hard=hards[projection.name]) if projection.name in hards else projection


_TRIED = 100
_SCALABLE = (("apps", "Deployment"), ("apps", "StatefulSet"), ("batch", "Job"))


def _is_scalable(entry: EntryCharge) -> bool:
    """Whether the owner sets the number of pods, and no other object is made for each pod."""
    demand = entry.demand
    owner = demand.owner
    return (
        owner is not None
        and not owner.foreign
        and (owner.group, owner.kind) in _SCALABLE
        and (demand.kind, demand.size.scaler) == ("Pod", None)
        and demand.number == owner.spec.get("parallelism" if owner.kind == "Job" else "replicas")
    )


def _has_room(projection: Projection, owner: Object, number: int, *, is_asked: bool, facts: Facts) -> bool:
    """Whether an entry has room for a workload with `number` replicas; other entries may stay exceeded."""
    numbers = Numbers(number, number, number, number)
    if owner.kind == "Deployment":
        numbers = update_size(owner, Replicas(number, number, "")).numbers

    def use(entry: EntryCharge) -> Amounts:
        demand = entry.demand
        if demand.owner is not owner or demand.kind != "Pod" or has_ended(demand):
            return entry.amounts
        return Amounts(*(quantity.multiply(entry.each, number_of_pods) for number_of_pods in numbers))

    if projection.hard is None or not projection.exceeds(Scenario.PEAK):
        return True
    if least_of(projection, facts, use).amount.nano <= projection.hard.nano:
        return True
    steady = sum(use(entry).steady.nano for entry in projection.entries)
    return not is_asked and steady > projection.hard.nano
