"""What was found out of two states → what a change does to quotas, and which findings it brings and ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from quotalint.catalogue import SEVERITIES
from quotalint.diff.pairs import alike, environments, exact, matched
from quotalint.facts import Facts
from quotalint.findings import Finding
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.reports.quota_table import Consumer, QuotaTable, Row

SCENARIOS = ("steady", "surge", "peak")


class State(NamedTuple):
    """What was found out of one state."""

    environments: Sequence[Facts]
    tables: Sequence[QuotaTable]
    findings: Sequence[Finding]


class EntryChange(NamedTuple):
    """One entry of `hard`, and what is used of it. None where there is none."""

    before: Row | None
    after: Row | None

    @property
    def resource(self) -> str:
        return (self.after or self.before or _NOTHING).resource

    @property
    def lowered(self) -> bool:
        """Less is allowed than before."""
        old, new = (one.hard if one else None for one in self)
        return new is not None and old is not None and new.nano < old.nano

    @property
    def lowered_below(self) -> str:
        """The first scenario in which more is used than is allowed now, where less is allowed than before; else empty.
        What runs already goes on, but nothing that stops can be replaced."""
        return exceeded(self.after) if self.lowered else ""


class ConsumerChange(NamedTuple):
    """What one workload uses of a quota. None where it is not there, or uses nothing."""

    before: Consumer | None
    after: Consumer | None


class QuotaChange(NamedTuple):
    """One quota. None where there is none."""

    environment: str
    before: QuotaTable | None
    after: QuotaTable | None
    entries: tuple[EntryChange, ...]
    """Those that change; of a quota that comes or goes all."""
    consumers: tuple[ConsumerChange, ...]
    """Those that change; of a quota that comes or goes all."""

    @property
    def table(self) -> QuotaTable:
        """The quota as it is now, or was last."""
        found = self.after or self.before
        assert found is not None
        return found


class Changes(NamedTuple):
    """All of it."""

    quotas: tuple[QuotaChange, ...]
    new: tuple[Finding, ...]
    """Found now and not before, or more severe than before."""
    fixed: tuple[Finding, ...]
    """Found before, and not now."""
    silenced: tuple[Finding, ...]
    """Still true, reported before, and suppressed now."""
    unchanged: tuple[Finding, ...]
    """As they are now."""


def changes(before: State, after: State) -> Changes:
    """What differs between two states. What is suppressed is not found."""
    quotas = sorted(_quotas(before, after), key=_order)
    return _findings(before.findings, after.findings)._replace(quotas=tuple(quotas))


def exceeded(row: Row | None) -> str:
    """The first scenario that does not fit, empty if all do."""
    if row is None or row.hard is None:
        return ""
    used = zip(SCENARIOS, (row.steady, row.surge, row.peak), strict=True)
    return next((name for name, one in used if one is not None and one.nano > row.hard.nano), "")


def _order(one: QuotaChange) -> tuple[str, str, str, str]:
    quota = one.table.quota
    return one.environment, quota.namespace, quota.name, quota.object.place.real.source


def _quotas(before: State, after: State) -> Iterator[QuotaChange]:
    keys: tuple[Callable[[QuotaTable], Hashable], ...] = (lambda one: exact(one.quota), lambda one: alike(one.quota))
    for old_facts, new_facts in environments(before.environments, after.environments):
        name = (new_facts or old_facts or after.environments[0]).environment
        olds = _tables(before, old_facts)
        news = _tables(after, new_facts)
        for old, new in matched(olds, news, keys):
            entries = _entries(old, new)
            consumers = _consumers(old, new)
            if entries or consumers or old is None or new is None or _differ(old, new):
                yield QuotaChange(name, old, new, entries, consumers)


def _tables(state: State, facts: Facts | None) -> list[QuotaTable]:
    return [one for one in state.tables if facts is not None and one.environment == facts.environment]


def _differ(old: QuotaTable, new: QuotaTable) -> bool:
    return (old.scopes, old.rejected, old.quota.namespaces) != (new.scopes, new.rejected, new.quota.namespaces)


def _entries(old: QuotaTable | None, new: QuotaTable | None) -> tuple[EntryChange, ...]:
    pairs = matched(old.rows if old else (), new.rows if new else (), (lambda row: row.resource,))
    found = [EntryChange(*pair) for pair in pairs if _row(pair[0]) != _row(pair[1])]
    return tuple(sorted(found, key=lambda one: one.resource))


def _row(row: Row | None) -> tuple[object, ...]:
    if row is None:
        return ()
    amounts = (row.hard, row.steady, row.surge, row.peak, row.actual)
    return (row.resource, row.untracked, row.certainty, *(one and one.nano for one in amounts))


def _consumers(old: QuotaTable | None, new: QuotaTable | None) -> tuple[ConsumerChange, ...]:
    pairs = matched(_users(old), _users(new), (lambda one: one.owner.ref,))
    found = [ConsumerChange(*pair) for pair in pairs if _used(pair[0]) != _used(pair[1])]
    return tuple(sorted(found, key=_name))


def _users(table: QuotaTable | None) -> list[Consumer]:
    return [one for one in (table.consumers if table else ()) if one.usage or one.peak]


def _name(one: ConsumerChange) -> tuple[str, str, str]:
    found = one.after or one.before
    assert found is not None
    return found.owner.kind, found.owner.name, found.owner.namespace


def _used(one: Consumer | None) -> tuple[object, ...]:
    return () if one is None else (one.pods, _nano(one.usage), _nano(one.peak))


def _nano(usage: ResourceList) -> Mapping[str, int]:
    return {name: amount.nano for name, amount in usage.items()}


def _findings(before: Sequence[Finding], after: Sequence[Finding]) -> Changes:
    old = [one for one in before if one.suppressed is None]
    new = [one for one in after if one.suppressed is None]
    # Of several that are known by one fingerprint those stay that say the same, in the same place if they can.
    keys: tuple[Callable[[Finding], Hashable], ...] = (
        lambda one: (one.fingerprint, one.file, one.span, one.message),
        lambda one: (one.fingerprint, one.file, one.message),
        lambda one: (one.fingerprint, one.message),
        lambda one: one.fingerprint,
    )
    come, stay, gone = [], [], []
    for was, now in matched(old, new, keys):
        if now is None:
            gone.extend([was] if was else [])
        elif was is None or SEVERITIES.index(now.severity) < SEVERITIES.index(was.severity):
            come.append(now)
        else:
            stay.append(now)
    hushed = Counter(one.fingerprint for one in after if one.suppressed is not None)
    hushed.subtract(Counter(one.fingerprint for one in before if one.suppressed is not None))
    silenced: list[Finding] = []
    fixed: list[Finding] = []
    for one in gone:
        hushed[one.fingerprint] -= 1
        (silenced if hushed[one.fingerprint] >= 0 else fixed).append(one)
    return Changes((), tuple(come), tuple(fixed), tuple(silenced), tuple(stay))


def amounts(change: EntryChange, field: str) -> tuple[Quantity | None, Quantity | None]:
    """A number of an entry before and after: hard, steady, surge or peak."""
    before, after = (getattr(one, field) if one else None for one in change)
    return before, after


_NOTHING = Row("", None, None, None, None, False, "exact", None)
