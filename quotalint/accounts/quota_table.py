"""Facts → the quota tables of all formats: the entries of each quota, how full they are, and their users."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NewType, TypeAlias

from quotalint.accounts.facts import Facts
from quotalint.kube import quantity, resource_list
from quotalint.kube.guess import Guess
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.scopes import Requirement
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.quota.creation import RefusalCause
from quotalint.quota.headroom import Headroom, headrooms
from quotalint.quota.projection import ASSUMED, AT_LEAST, EXACT, MISSING, UNKNOWN, Projection
from quotalint.quota.quotas import Largest, Quota
from quotalint.runtime.recall import recalled
from quotalint.settings import Scenario
from quotalint.text.place import Place, Span
from quotalint.text.words import list_some
from quotalint.workloads.demand import DemandId, Numbers

_WORST = {EXACT: 0, AT_LEAST: 1, ASSUMED: 2, UNKNOWN: 3}


class Row(NamedTuple):
    """One entry of `hard`."""

    resource: str
    hard: Quantity | None
    steady: Quantity | None
    """None if nothing counts the entry; the same for the other scenarios."""
    surge: Quantity | None
    peak: Quantity | None
    untracked: bool
    certainty: str
    judged: Quantity | None
    """The amount of the scenario that must fit."""
    actual: Quantity | None = None
    """The part of `steady` that is charged, while the rest stays Pending; None unless enforcement is deferred."""
    admitted: Quantity | None = None
    """The part of `steady` that is charged in the end, while the rest is refused."""
    used: Quantity | None = None
    """The charge that the cluster reports; None if it reports none."""
    largest: Largest | None = None
    """The largest use in several snapshots; None without several."""


class Consumer(NamedTuple):
    """A user of a quota."""

    owner: Object
    line: int
    pods: Numbers
    """Their number in each scenario."""
    usage: ResourceList
    """In the steady state, without zeros."""
    peak: ResourceList
    step: ResourceList
    """During its own largest step: its rolling update, or one run of its schedule."""
    room: Headroom | None = None
    """How many more fit; None if not requested, or if no number of replicas is stated."""


TableId = NewType("TableId", int)
_Use: TypeAlias = tuple[tuple[str, int], ...]


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
    guesses: tuple[Guess, ...] = ()
    """The guesses that the sums depend on."""
    unstated: int = 0
    """The number of workloads whose pods the quota refuses, because they do not state what it demands of each
    container. No sum has what they do not state."""

    @property
    def identity(self) -> TableId:
        """The key of its place on a page: several quotas may have the same name."""
        return TableId(id(self))


def without_lines(places: Iterable[Place]) -> Mapping[Place, Span]:
    """A placeholder for unknown or unneeded lines."""
    return dict.fromkeys(places, Span(1, 1, 1, 1))


def quota_tables(
    environments: Iterable[Facts], locate: Callable[[Iterable[Place]], Mapping[Place, Span]], *, rooms: bool = False
) -> tuple[QuotaTable, ...]:
    """The tables by environment, namespace and name; with `rooms`, also how many more replicas of each workload fit."""
    return tuple(table for facts in environments for table in _environment_tables(facts, locate, rooms=rooms))


def _environment_tables(
    facts: Facts, locate: Callable[[Iterable[Place]], Mapping[Place, Span]], *, rooms: bool
) -> list[QuotaTable]:
    more = {headroom.owner.place: headroom for headroom in headrooms(facts.charges, facts.admissions)} if rooms else {}
    wanted = {quota.place: None for quota in facts.quotas}
    projections_by_use: dict[_Use, tuple[Projection, ...]] = {}
    for quota in facts.quotas:
        projections = tuple(facts.projections_of(quota).values())
        projections_by_use.setdefault(_use_of(projections), projections)
    for projections in projections_by_use.values():
        wanted.update(recalled("owners", projections, None, partial(_owner_places, projections)))
    spans = locate(wanted)
    consumers = {
        use: _remembered_consumers(projections, spans, more) for use, projections in projections_by_use.items()
    }
    unstated = _unstated_charges(facts)
    tables = [_quota_table(facts, quota, spans, consumers, unstated) for quota in facts.quotas]
    return sorted(tables, key=_table_order)


def _unstated_charges(facts: Facts) -> Mapping[str, Sequence[Charge]]:
    """By namespace, charges that a quota refuses because they do not state what it demands."""
    charges: dict[str, list[Charge]] = {}
    for fate in facts.admissions.fates.values():
        if fate.cause is RefusalCause.MUST_SPECIFY and fate.charge.owner is not None:
            charges.setdefault(fate.charge.owner.namespace, []).append(fate.charge)
    return charges


def _unstated_workloads(quota: Quota, unstated: Mapping[str, Sequence[Charge]]) -> int:
    names = frozenset(quota.hard)
    return len(
        {
            charge.owner.identity
            for namespace in (unstated and quota.namespaces)
            for charge in unstated.get(namespace, ())
            if charge.owner is not None and isinstance(charge.admitted.item, Pod) and charge.matches(quota.requirements)
            if charge.evaluator.missing(charge.admitted.item, names)
        }
    )


def _use_of(projections: Iterable[Projection]) -> _Use:
    """The key of quotas with the same consumers: they share the charges of each of their entries."""
    return tuple((projection.name, id(projection.entries)) for projection in projections)


def _owner_places(projections: Iterable[Projection]) -> dict[Place, None]:
    """The places of the users of a quota's entries."""
    return {
        entry.owner.place: None for projection in projections for entry in projection.entries if entry.owner is not None
    }


def _table_order(table: QuotaTable) -> tuple[str, str, str]:
    quota = table.quota
    return quota.namespace, quota.name, quota.object.place.file


def _quota_table(
    facts: Facts,
    quota: Quota,
    spans: Mapping[Place, Span],
    consumers: Mapping[_Use, tuple[Consumer, ...]],
    unstated: Mapping[str, Sequence[Charge]],
) -> QuotaTable:
    projections = tuple(facts.projections_of(quota).values())
    rejected = facts.is_rejected(quota)
    admitted = None if quota.shares is not None or rejected else facts.admissions.ledger.used_by(quota)
    actual = admitted if facts.settings.enforcement == "deferred" else None
    certainties = [projection.certainty for projection in projections]
    return QuotaTable(
        environment=facts.environment,
        quota=quota,
        line=spans[quota.place].line,
        rejected=rejected,
        certainty=max(certainties, key=_WORST.__getitem__, default=UNKNOWN if rejected else EXACT),
        unknowns=_once({reason for projection in projections for reason in projection.unknowns}),
        scopes=tuple(map(scope_words, quota.requirements)),
        rows=tuple(_entry_row(projection, actual, admitted, facts.settings.scenario) for projection in projections),
        consumers=consumers[_use_of(projections)],
        guesses=tuple(dict.fromkeys(guess for projection in projections for guess in projection.guesses)),
        unstated=0 if rejected else _unstated_workloads(quota, unstated),
    )


def _once(reasons: Iterable[str]) -> tuple[str, ...]:
    """The reasons in order; what is true of several charts is said once."""
    alike: dict[str, list[str]] = {}
    for reason in sorted(reasons):
        file, _, why = reason.partition(": ")
        is_chart = file.endswith("Chart.yaml")
        alike.setdefault(why if is_chart else "", []).append(file if is_chart else reason)
    others = alike.pop("", [])
    together = (
        f"{list_some(charts, _CHARTS)}: {'each ' if len(charts) > 1 else ''}{why}" for why, charts in alike.items()
    )
    return tuple(sorted((*others, *together)))


_CHARTS = 3  # that are named


def scope_words(requirement: Requirement) -> str:
    """A requirement in its usual form: `Terminating`, `PriorityClass In [low]`."""
    plain = requirement.operator == "Exists" and requirement.scope not in ("PriorityClass", "VolumeAttributesClass")
    if plain or requirement.is_listed:
        return requirement.scope
    values = f" [{', '.join(requirement.values)}]" if requirement.values else ""
    return f"{requirement.scope} {requirement.operator}{values}"


def _entry_row(
    projection: Projection, actual: ResourceList | None, admitted: ResourceList | None, scenario: Scenario
) -> Row:
    untracked = projection.tracked == MISSING
    steady, surge, peak = (None,) * 3 if untracked else (projection.steady, projection.surge, projection.peak)
    bound = None if actual is None or untracked else actual.get(projection.name, quantity.ZERO)
    judged = None if untracked else projection.demand(scenario)
    charged = None if admitted is None or untracked else admitted.get(projection.name, quantity.ZERO)
    used = None if untracked else projection.quota.used.get(projection.name)
    amounts = projection.hard, steady, surge, peak
    largest = projection.quota.largest.get(projection.name)
    return Row(projection.name, *amounts, untracked, projection.certainty, judged, bound, charged, used, largest)


def _remembered_consumers(
    projections: Sequence[Projection], spans: Mapping[Place, Span], rooms: Mapping[Place, Headroom]
) -> tuple[Consumer, ...]:
    """The users of a quota, reused if the sums, lines and rooms are unchanged."""
    parts = tuple(projections)
    places = recalled("owners", parts, None, partial(_owner_places, parts))
    lines = tuple(spans[place].line for place in places)
    room = tuple(map(rooms.get, places)) if rooms else ()
    return recalled("consumers", (*parts, *room), lines, partial(_quota_consumers, parts, spans, rooms))


def _quota_consumers(
    projections: Sequence[Projection], spans: Mapping[Place, Span], rooms: Mapping[Place, Headroom]
) -> tuple[Consumer, ...]:
    owners: dict[Place, Object] = {}
    steady: dict[Place, dict[str, Quantity]] = {}
    peak: dict[Place, dict[str, Quantity]] = {}
    step: dict[Place, dict[str, Quantity]] = {}
    pods: dict[Place, dict[DemandId, Numbers]] = {}
    for projection in projections:
        for entry in projection.entries:
            demand, owner = entry.demand, entry.owner
            if owner is None:
                continue
            place = owner.place
            owners[place] = owner
            amounts = entry.amounts
            for usage, amount in ((steady, amounts.steady), (peak, amounts.peak), (step, amounts.surge)):
                mine = usage.setdefault(place, {})
                mine[projection.name] = quantity.add(mine.get(projection.name, quantity.ZERO), amount)
            if isinstance(entry.charge.admitted.item, Pod) and not entry.charge.admitted.item.finished:
                pods.setdefault(place, {})[demand.identity] = demand.size.numbers
    consumers = [
        Consumer(
            owner,
            spans[place].line,
            Numbers(*map(sum, zip(*pods[place].values(), strict=True))) if place in pods else Numbers(0, 0, 0, 0),
            resource_list.remove_zeros(steady[place]),
            resource_list.remove_zeros(peak[place]),
            resource_list.remove_zeros(step[place]),
            rooms.get(place),
        )
        for place, owner in owners.items()
    ]
    return tuple(
        sorted(
            consumers,
            key=lambda consumer: (
                consumer.owner.kind,
                consumer.owner.name,
                consumer.owner.place.file,
                consumer.line,
            ),
        )
    )
