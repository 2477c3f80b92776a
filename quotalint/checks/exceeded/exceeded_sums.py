"""Checks of projections: whether the total demand of the repository fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.accounts.facts import Facts
from quotalint.checks import quota_repairs
from quotalint.checks.exceeded.quota_words import namespaces_verbs, namespaces_words, owner_words
from quotalint.checks.exceeded.refusal_notes import refusal_notes
from quotalint.checks.exceeded.rollout_room import unreported_entries
from quotalint.checks.exceeded.smaller_steps import fewer_replicas
from quotalint.checks.exceeded.sufficient_amounts import amounts_of, raise_words, raised_to, sufficient_amounts
from quotalint.checks.hit import EntryNeed, Hit, Note, Related, written_here
from quotalint.kube import quantity
from quotalint.kube.objects import Object, ObjectId
from quotalint.kube.pod import Pod
from quotalint.kube.quantity import Quantity
from quotalint.kube.resources import alias
from quotalint.quota.projection import AT_LEAST, EntryCharge, Projection
from quotalint.quota.quotas import Quota
from quotalint.settings import Scenario
from quotalint.text.place import Place

_SHOWN = 8  # consumers of an entry that are listed; the rest is summed up
_OVERCOMMITTED = Note(
    "so", "Rancher gives a new namespace 0 of what is overcommitted, and leaves a changed quota as it was"
)


def sums_without_room(projection: Projection, facts: Facts) -> Iterator[Hit]:
    scenario = facts.settings.scenario
    guessed, projection = projection, projection.proof(scenario)
    if not projection.exceeds(scenario) or projection.hard is None:
        return
    if any(entry.demand.size.queued for entry in projection.entries):
        from quotalint.checks.lazy.queues import is_told_of_queue

        if is_told_of_queue(projection, facts):
            return
    quota = projection.quota
    used = projection.demand(scenario)
    # Quotas that share a budget are no requests to the API server.
    refused = facts.admissions.refusals_of(quota, projection.name) if quota.shares is None else ()
    need = EntryNeed(projection.name, used, projection.hard)
    values = {**_usage_values(projection, used), "short": quantity.show(need.short)}
    field = quota.field(projection.name)
    # This entry, and entries that only fit because this one refuses objects.
    names = dict.fromkeys((projection.name, *unreported_entries(quota, facts)))
    raised = raised_to(names, sufficient_amounts(quota, facts), {projection.name: used})
    fewer = fewer_replicas(projection, facts)
    pending_notes = tuple(_pending_notes(projection, facts))
    # With deferred enforcement pods stay Pending instead of being refused.
    is_pending = facts.settings.enforcement == "deferred" and bool(pending_notes)
    variant = "deferred" if is_pending else scenario.value
    if not is_pending and projection.exceeds(Scenario.STEADY):  # a scenario is named only if the steady state fits
        variant = "at-least" if projection.certainty == AT_LEAST else "default"
    # The surge counts the step of one workload, and the steady state of all others.
    counted = Scenario.PEAK if scenario is Scenario.PEAK else Scenario.STEADY
    owned = [entry for entry in projection.entries if entry.owner is not None and entry.amounts.of(counted).nano]
    largest = sorted(owned, key=lambda entry: -entry.amounts.of(counted).nano)
    less = f"or {fewer.words}" if fewer else _lower_words(projection, owned)
    yield Hit(
        quota.entry(projection.name),
        {**values, **raise_words(raised), "less": less},
        quota.object,
        field,
        variant=variant,
        related=tuple(_used_by(largest[:_SHOWN], counted, quota)),
        notes=(
            *refusal_notes(guessed, refused, facts),
            *pending_notes,
            *((_OVERCOMMITTED,) if quota.shares is not None else ()),
            *_remaining_notes(projection, largest[_SHOWN:], counted),
            *_default_notes(projection, owned, counted),
            *_guessed_notes(guessed, projection, scenario, are_refused=bool(refused)),
            *_step_notes(projection, scenario),
            *_homeless_note(projection),
        ),
        resource=projection.name,
        needs=(need,),
        fix=quota_repairs.raise_entries(quota, amounts_of(raised)),
        ways=(fewer,) if fewer else (),
    )


def _lower_words(projection: Projection, owned: Sequence[EntryCharge]) -> str:
    """What may ask for less: one pod that is larger than the whole quota, or all that is counted."""
    hard = projection.hard.nano if projection.hard is not None else 0
    too_large = next((entry for entry in owned if entry.charge.kind == "Pod" and entry.each.nano > hard > 0), None)
    if too_large is not None and too_large.owner is not None:
        owner = owner_words(too_large.owner, projection.quota)
        one = owner if too_large.owner.kind == "Pod" else f"one pod of {owner}"
        return f"or lower what {one} asks for: it alone is above the quota"
    are_jobs = {entry.owner is not None and entry.owner.kind == "Job" for entry in owned}
    fewer = [
        words for words, are_meant in (("fewer replicas", False), ("less parallelism", True)) if are_meant in are_jobs
    ]
    return f"or ask for less: {', '.join([*fewer, 'lower requests'])}, fewer objects"


def nearly_full(projection: Projection, used: Quantity, hard: Quantity, facts: Facts) -> Hit:
    values = {
        **_usage_values(projection, used),
        "percent": str(quantity.percent(used, hard)),
        "free": quantity.show(quantity.subtract(hard, used)),
        "threshold": str(facts.settings.nearly_full),
    }
    quota = projection.quota
    field = quota.field(projection.name)
    return Hit(quota.entry(projection.name), values, quota.object, field, resource=projection.name)


def _pending_notes(projection: Projection, facts: Facts) -> Iterator[Note]:
    for unschedulable in facts.admissions.pending:
        demand = unschedulable.charge.demand
        if (
            unschedulable.quota is projection.quota
            and projection.name in unschedulable.names
            and demand.owner is not None
        ):
            of = f"{unschedulable.number} of {demand.number} pods of " if demand.number > 1 else ""
            stay = "stay" if unschedulable.number > 1 else "stays"
            yield Note(
                "so",
                f"{of}{demand.owner.kind} {demand.owner.name} {stay} Pending (Unschedulable): {unschedulable.message}",
            )


def _usage_values(projection: Projection, used: Quantity) -> dict[str, str]:
    quota = projection.quota
    return {
        "namespace": namespaces_words(quota),
        **namespaces_verbs(quota),
        "quota": quota.name,
        "resource": projection.name,
        "used": quantity.show(used),
        "hard": quantity.show(projection.hard or quantity.ZERO),
    }


def _used_by(entries: Sequence[EntryCharge], counted: Scenario, quota: Quota) -> Iterator[Related]:
    for entry in entries:
        owner = entry.owner
        if owner is not None:
            patched = _patch_place(owner)
            yield Related("used by", patched or owner.place, use_words(entry, owner, counted, quota))
            if patched is not None:
                yield written_here(owner)


def use_words(entry: EntryCharge, owner: Object, counted: Scenario, quota: Quota) -> str:
    """What the owner of a charge uses: `Deployment web: 3 pods × 500m = 1500m`."""
    kind = entry.charge.kind
    number = entry.demand.number_in(counted)
    kind_words = "pods" if kind == "Pod" and number != 1 else kind if kind != "Pod" else "pod"
    sum_ = f"{number} {kind_words} × {quantity.show(entry.each)} = {quantity.show(entry.amounts.of(counted))}"
    return f"{owner_words(owner, quota)}: {sum_}"


def _patch_place(owner: Object) -> Place | None:
    """The place where a patch sets the number of pods or their requests; None without such a patch."""
    owner_place = owner.place.real
    for path in (("spec", "replicas"), ("spec", "template", "spec", "containers", 0, "resources")):
        place = owner.at(*path).real
        if (place.source, place.document) != (owner_place.source, owner_place.document):
            return place
    return None


def _remaining_notes(projection: Projection, smaller: Sequence[EntryCharge], counted: Scenario) -> Iterator[Note]:
    if smaller:
        total = quantity.ZERO
        for entry in smaller:
            total = quantity.add(total, entry.amounts.of(counted))
        yield Note("and", f"{len(smaller)} more use {quantity.show(total)}")
    unowned: dict[str, Quantity] = {}
    for entry in projection.entries:
        demand = entry.demand
        if demand.owner is None:
            name = f"{demand.kind} {demand.name}"
            unowned[name] = quantity.add(unowned.get(name, quantity.ZERO), entry.amounts.steady)
    for name, amount in unowned.items():
        yield Note("and", f"{name} is in every namespace: {quantity.show(amount)}")


def _default_notes(projection: Projection, owned: Sequence[EntryCharge], counted: Scenario) -> Iterator[Note]:
    """Notes for pods whose requests or limits come from defaults."""
    field, _, resource = alias(projection.name).partition(".")
    numbers: dict[str, int] = {}
    partly = set[str]()
    for entry in owned:
        pod = entry.charge.admitted.item
        given = [
            filled.plugin
            for filled in (pod.filled if isinstance(pod, Pod) else ())
            if (filled.field, filled.resource) == (field, resource)
        ]
        for plugin in set(given):
            numbers[plugin] = numbers.get(plugin, 0) + entry.demand.number_in(counted)
            if isinstance(pod, Pod) and given.count(plugin) < len(pod.all_containers):
                partly.add(plugin)
    for plugin, number in sorted(numbers.items()):
        which = "1 pod does" if number == 1 else f"{number} pods do"
        what = f"{field}.{resource}{' of every container' * (plugin in partly)}"
        yield Note("note", f"{which} not state {what}: it comes from {plugin}")


def _guessed_notes(all_of_it: Projection, firm: Projection, scenario: Scenario, *, are_refused: bool) -> Iterator[Note]:
    """A note on the additional demand if the guesses hold."""
    more = quantity.subtract(all_of_it.demand(scenario), firm.demand(scenario))
    if more.nano > 0:
        reasons = "; ".join(guess.reason for guess in all_of_it.guesses)
        addition = ", and what is refused is said with it" if are_refused else ""
        yield Note("and", f"{quantity.show(more)} more is assumed{addition}: {reasons}")


def _homeless_note(projection: Projection) -> Iterator[Note]:
    """A note that the objects may be in several namespaces, because some name none."""
    quota = projection.quota.object
    owners = [entry.owner for entry in projection.entries]
    if quota.homeless or any(owner is not None and owner.homeless for owner in owners):
        yield Note(
            "but",
            "some of these name no namespace, so `default` is assumed; `namespaces:` in .quotalint.yaml can name the "
            "right one",
        )


def _step_notes(projection: Projection, scenario: Scenario) -> Iterator[Note]:
    """A note on the workload whose step is the largest."""
    if scenario is Scenario.SURGE:
        by_owner: dict[ObjectId, tuple[Object, Quantity]] = {}
        for entry in projection.entries:
            owner = entry.owner
            if owner is not None:
                amounts = entry.amounts
                step = quantity.subtract(amounts.surge, amounts.steady)
                _, sum_ = by_owner.get(owner.identity, (owner, quantity.ZERO))
                by_owner[owner.identity] = owner, quantity.add(sum_, step)
        # Objects that every namespace has have no owner.
        steps = [(owner, step) for owner, step in by_owner.values() if step.nano > 0]
        if steps:
            owner, most = max(steps, key=lambda owner_and_step: owner_and_step[1].nano)
            yield Note("and", f"{owner.kind} {owner.name} needs {quantity.show(most)} more during its rollout or run")
