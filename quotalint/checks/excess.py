"""What the findings about a passing need have in common: what is needed, what is free, and who has the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quotalint.checks.hit import Note, Related
from quotalint.checks.members import members
from quotalint.kube import quantity
from quotalint.kube.objects import Object
from quotalint.quota.excesses import Excess
from quotalint.quota.projection import Projection

_SHOWN = 4  # entries or workloads that are named


def values(excess: Excess) -> dict[str, str]:
    """The words that all of these rules use."""
    quota, owner = excess.quota, excess.owner
    first = next(iter(excess.needed))
    short = quantity.subtract(excess.needed[first], quota.hard[first])
    return {
        "kind": owner.kind,
        "name": owner.name,
        "namespace": members(quota),
        "quota": quota.name,
        "resource": first,
        "needs": " and ".join(f"{name} {quantity.show(amount)}" for name, amount in _some(excess.needed)),
        "allows": " and ".join(quantity.show(quota.hard[name]) for name, _ in _some(excess.needed)),
        "raise": " and ".join(f"{name} to {quantity.show(amount)}" for name, amount in _some(excess.needed)),
        "short": quantity.show(short),
    }


def limited_by(excess: Excess) -> tuple[Related, ...]:
    """The entries of the quota, and what of them is free."""
    quota = excess.quota
    return tuple(
        Related(
            "limited by",
            quota.entry(name),
            f"quota {quota.name}: {name} {quantity.show(quota.hard[name])}, of which "
            f"{quantity.show(quantity.subtract(quota.hard[name], excess.used[name]))} is free",
        )
        for name, _ in _some(excess.needed)
    )


def beside(excess: Excess, projections: Mapping[str, Projection]) -> Iterator[Note]:
    """Who uses the first of these entries once everything has settled."""
    first = next(iter(excess.needed))
    users: dict[str, quantity.Quantity] = {}
    for entry in projections[first].entries:
        steady = entry.amounts.steady
        if steady.nano:
            who = _who(entry.charge.admitted.demand.owner, excess.owner)
            users[who] = quantity.add(users.get(who, quantity.ZERO), steady)
    largest = sorted(users.items(), key=lambda one: -one[1].nano)
    shown = [f"{who} {quantity.show(amount)}" for who, amount in largest[:_SHOWN]]
    rest = [f"{len(largest) - _SHOWN} more"] if len(largest) > _SHOWN else []
    used = quantity.show(excess.used[first])
    yield Note(
        "in use", f"{first} {used} when nothing moves: {', '.join([*shown, *rest])}" if shown else f"{first} {used}"
    )


def _who(owner: Object | None, mine: Object) -> str:
    if owner is None:
        return "what every namespace holds"
    return "itself" if owner is mine else f"{owner.kind} {owner.name}"


def _some(needed: Mapping[str, quantity.Quantity]) -> Sequence[tuple[str, quantity.Quantity]]:
    return tuple(needed.items())[:_SHOWN]
