"""Facts → the quota table that every format shows: per quota its entries, how full they are, and who uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from quotalint.facts import Facts
from quotalint.kube import quantity, resource_list
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.scopes import Requirement
from quotalint.quota.projection import EXACT, MISSING, UNKNOWN, Projection
from quotalint.quota.quotas import Quota
from quotalint.text.place import Place, Span

_WORST = {EXACT: 0, "at-least": 1, UNKNOWN: 2}


class Row(NamedTuple):
    """One entry of `hard`."""

    resource: str
    hard: Quantity | None
    steady: Quantity | None
    """None where nothing counts the entry."""
    untracked: bool
    certainty: str


class Consumer(NamedTuple):
    """Who uses a quota."""

    owner: Object
    line: int
    pods: int
    usage: ResourceList


class QuotaTable(NamedTuple):
    """One quota with its rows."""

    environment: str
    quota: Quota
    line: int
    rejected: bool
    certainty: str
    unknowns: tuple[str, ...]
    scopes: tuple[str, ...]
    rows: tuple[Row, ...]
    consumers: tuple[Consumer, ...]


def quota_tables(
    environments: Iterable[Facts], locate: Callable[[Iterable[Place]], Mapping[Place, Span]]
) -> tuple[QuotaTable, ...]:
    """The quotas by environment, namespace and name."""
    return tuple(table for facts in environments for table in _tables(facts, locate))


def _tables(facts: Facts, locate: Callable[[Iterable[Place]], Mapping[Place, Span]]) -> list[QuotaTable]:
    by_quota: dict[Place, list[Projection]] = {}
    for projection in facts.projections:
        by_quota.setdefault(projection.quota.place, []).append(projection)
    owners = {
        entry.charge.admitted.demand.owner.place
        for projection in facts.projections
        for entry in projection.entries
        if entry.charge.admitted.demand.owner is not None
    }
    spans = locate(sorted({*owners, *(quota.place for quota in facts.quotas)}, key=repr))
    tables = [
        _table(facts.environment, quota, facts.rejected(quota), by_quota.get(quota.place, ()), spans)
        for quota in facts.quotas
    ]
    return sorted(tables, key=_order)


def _order(table: QuotaTable) -> tuple[str, str, str]:
    obj = table.quota.object
    return obj.namespace, obj.name, obj.place.real.source


def _table(
    environment: str,
    quota: Quota,
    rejected: bool,
    projections: Sequence[Projection],
    spans: Mapping[Place, Span],
) -> QuotaTable:
    certainties = [projection.certainty for projection in projections]
    return QuotaTable(
        environment=environment,
        quota=quota,
        line=spans[quota.place].line,
        rejected=rejected,
        certainty=max(certainties, key=_WORST.__getitem__, default=UNKNOWN if rejected else EXACT),
        unknowns=tuple(sorted({reason for projection in projections for reason in projection.unknowns})),
        scopes=tuple(map(scope_words, quota.requirements)),
        rows=tuple(map(_row, projections)),
        consumers=_consumers(projections, spans),
    )


def scope_words(requirement: Requirement) -> str:
    """A requirement as a person would write it: `Terminating`, `PriorityClass In [low]`."""
    plain = requirement.operator == "Exists" and requirement.scope not in ("PriorityClass", "VolumeAttributesClass")
    if plain or requirement.is_listed:
        return requirement.scope
    values = f" [{', '.join(requirement.values)}]" if requirement.values else ""
    return f"{requirement.scope} {requirement.operator}{values}"


def _row(projection: Projection) -> Row:
    untracked = projection.tracked == MISSING
    steady = None if untracked else projection.used
    return Row(projection.name, projection.hard, steady, untracked, projection.certainty)


def _consumers(projections: Sequence[Projection], spans: Mapping[Place, Span]) -> tuple[Consumer, ...]:
    owners: dict[Place, Object] = {}
    usage: dict[Place, dict[str, Quantity]] = {}
    pods: dict[Place, int] = {}
    for projection in projections:
        for entry in projection.entries:
            demand = entry.charge.admitted.demand
            if demand.owner is None:
                continue
            place = demand.owner.place
            owners[place] = demand.owner
            mine = usage.setdefault(place, {})
            mine[projection.name] = quantity.add(mine.get(projection.name, quantity.ZERO), entry.amount)
            if demand.kind == "Pod":
                pods[place] = demand.number
    found = [
        Consumer(owner, spans[place].line, pods.get(place, 0), resource_list.mask(usage[place], usage[place]))
        for place, owner in owners.items()
    ]
    return tuple(sorted(found, key=lambda one: (one.owner.kind, one.owner.name, one.owner.place.real.source, one.line)))
