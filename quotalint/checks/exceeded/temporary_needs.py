"""What findings about temporary needs share: the needed amounts, the free amounts, and the users of the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from quotalint.accounts.facts import Facts
from quotalint.checks.exceeded.quota_words import namespaces_words
from quotalint.checks.hit import EntryNeed, Note, Related
from quotalint.kube import quantity
from quotalint.kube.objects import Object
from quotalint.quota.charges import Charge
from quotalint.quota.excesses import Excess, excesses
from quotalint.quota.projection import Projection
from quotalint.quota.quotas import Quota
from quotalint.quota.unmet_demand import UnmetDemand, excess_of
from quotalint.settings import Scenario
from quotalint.text.words import join_with_and

_SHOWN = 4  # workloads that are listed; all entries are, because each has to be raised


def temporary_excesses(quota: Quota, facts: Facts, charges: Sequence[Charge], scenario: Scenario) -> Iterator[Excess]:
    """The temporary excesses of workloads in a quota, with the amounts that all other quotas allow."""

    def other_projections(owner: Object) -> Iterator[Mapping[str, Projection]]:
        for other_quota in facts.admissions.ledger.tightest(owner.namespace):
            if other_quota.id != quota.id:
                yield facts.projections_of(other_quota)

    return excesses(quota, charges, facts.projections_of(quota), scenario, facts.settings, other_projections)


def unmet_excesses(
    quota: Quota,
    facts: Facts,
    wanted: Mapping[str, tuple[UnmetDemand, ...]],
    charges: Sequence[Charge],
    scenario: Scenario,
) -> Iterator[Excess]:
    """The excesses of workloads whose demand is unmet in the simulated admission. With deferred enforcement nothing is
    refused, so the sums give what stays Pending."""
    if facts.settings.enforcement == "deferred" or quota.shares is not None:
        yield from temporary_excesses(quota, facts, charges, scenario)
        return
    for namespace in quota.namespaces:
        for demand in wanted.get(namespace, ()):
            excess = excess_of(demand, quota, facts.projections_of(quota), facts.admissions, scenario)
            if excess is not None:
                yield excess


def excess_values(excess: Excess) -> dict[str, str]:
    """The words that all rules about temporary needs use."""
    return need_words(excess.owner, excess.quota, excess.needed)


def need_words(owner: Object, quota: Quota, needed: Mapping[str, quantity.Quantity]) -> dict[str, str]:
    """The words for the needed and allowed amounts of a quota's entries; `short` is that of the first entry."""
    first, *_ = needs = entry_needs(quota, needed)
    return {
        "kind": owner.kind,
        "name": owner.name,
        "namespace": namespaces_words(quota),
        "quota": quota.name,
        "resource": first.resource,
        "needs": join_with_and([f"{need.resource} {quantity.show(need.needed)}" for need in needs]),
        "allows": join_with_and([quantity.show(need.allowed) for need in needs]),
        "short": quantity.show(first.short),
        "of": f" of {first.resource}" if len(needs) > 1 else "",
    }


def entry_needs(quota: Quota, needed: Mapping[str, quantity.Quantity]) -> tuple[EntryNeed, ...]:
    """The needed and the allowed amounts of a quota's entries."""
    return tuple(EntryNeed(name, amount, quota.hard[name]) for name, amount in needed.items())


def limited_by(excess: Excess) -> tuple[Related, ...]:
    """The entries of the quota, and how much of each is free."""
    quota = excess.quota
    return tuple(
        Related(
            "limited by",
            quota.entry(name),
            f"quota {quota.name}: {name} {quantity.show(quota.hard[name])}, {_room_words(excess, name)}",
        )
        for name in excess.needed
    )


def _room_words(excess: Excess, name: str) -> str:
    hard, awaited = excess.quota.hard[name], excess.awaited.get(name, quantity.ZERO)
    free = f"{quantity.show(quantity.subtract(hard, excess.used[name]))} free"
    # If the need would fit into the free amount, the message says why it does not.
    fits = excess.needed[name].nano - awaited.nano <= hard.nano
    return f"{free}, {quantity.show(awaited)} asked for by what is refused" if fits else free


def usage_notes(excess: Excess, facts: Facts) -> Iterator[Note]:
    """A note on the users of the first entry in the steady state."""
    first = next(iter(excess.needed))
    users: dict[str, quantity.Quantity] = {}
    for entry in facts.projections_of(excess.quota)[first].entries:
        steady = entry.amounts.steady
        if facts.settings.enforcement != "deferred" and excess.quota.shares is None:
            steady = quantity.multiply(entry.each, facts.admissions.fate_of(entry.charge).admitted)
        if steady.nano:
            user_name = _user_name(entry.owner, excess.owner)
            users[user_name] = quantity.add(users.get(user_name, quantity.ZERO), steady)
    largest = sorted(users.items(), key=lambda use: -use[1].nano)
    shown = [f"{user_name} {quantity.show(amount)}" for user_name, amount in largest[:_SHOWN]]
    unlisted = [f"{len(largest) - _SHOWN} more"] if len(largest) > _SHOWN else []
    used = quantity.show(excess.used[first])
    yield Note("in use", f"{first} {used} at rest: {', '.join([*shown, *unlisted])}" if shown else f"{first} {used}")


def exceeded_notes(quota: Quota, exceeded: Iterable[Projection]) -> Iterator[Note]:
    """A note on the entries that the steady state exceeds, which are reported as well."""
    sums = [
        (
            projection.name if projection.quota is quota else f"{projection.name} of quota {projection.quota.name}",
            f"{quantity.show(projection.steady)} of {quantity.show(projection.hard)}",
        )
        for projection in exceeded
        if projection.hard is not None
    ]
    if len(sums) == 1:
        yield Note("also", f"{sums[0][0]} is already exceeded: {sums[0][1]} (QL301)")
    elif sums:
        listed_sums = join_with_and([f"{name} ({sum_})" for name, sum_ in sums])
        yield Note("also", f"{listed_sums} are already exceeded (QL301)")


def _user_name(owner: Object | None, workload: Object) -> str:
    if owner is None:
        return "what every namespace holds"
    return "itself" if owner is workload else f"{owner.kind} {owner.name}"
