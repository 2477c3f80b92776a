"""Two states → the changes of quotas, workloads and findings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from quotalint.accounts.facts import Facts
from quotalint.accounts.quota_table import Consumer, QuotaTable, Row
from quotalint.checks.exceeded.quota_words import namespaces_words
from quotalint.diff.finding_changes import NO_FINDING_CHANGES, FindingChanges, QuotaName, Renamings, classify_findings
from quotalint.diff.lost_visibility import LostVisibility
from quotalint.diff.pairs import exact_key, match_by_keys, moved_refs, pair_environments, pair_quotas, quota_source
from quotalint.diff.state import State
from quotalint.diff.unknown_effect import Unknown
from quotalint.kube.objects import Ref
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import nano_by_name
from quotalint.named_tuples import NamedTuple
from quotalint.results.finding import Finding
from quotalint.settings import Settings

SCENARIOS = ("steady", "surge", "peak")


class EntryChange(NamedTuple):
    """One entry of `hard` with its use, in both states; None in a state without it."""

    before: Row | None
    after: Row | None

    @property
    def resource(self) -> str:
        return (self.after or self.before or _NOTHING).resource

    @property
    def is_lowered(self) -> bool:
        """Less is allowed than before."""
        old, new = (row.hard if row else None for row in self)
        return new is not None and old is not None and new.nano < old.nano

    @property
    def lowered_below(self) -> str:
        """`steady` if the limit is lowered below the use at rest; else empty. Running pods stay, but a pod that stops
        cannot be replaced."""
        return "steady" if self.is_lowered and exceeded_scenario(self.after) == "steady" else ""


class ConsumerChange(NamedTuple):
    """The use of a quota by one workload, in both states; None if it is absent or uses nothing."""

    before: Consumer | None
    after: Consumer | None
    lost: str = ""
    """For one that goes: why it may still exist, out of view."""
    stays: bool = False
    """The workload is in both states, but uses the quota in only one."""


class QuotaChange(NamedTuple):
    """One quota in both states; None in a state without it."""

    environment: str
    before: QuotaTable | None
    after: QuotaTable | None
    entries: tuple[EntryChange, ...]
    """The entries that change; all entries of a quota that comes or goes."""
    consumers: tuple[ConsumerChange, ...]
    """The workloads whose use changes; all of a quota that comes or goes. Empty if the API server refuses the quota
    now, because then nothing is counted."""
    lost: str = ""
    """For a quota that goes: why it may still exist, out of view."""

    @property
    def table(self) -> QuotaTable:
        """The quota in the head, or in the base if it is gone."""
        table = self.after or self.before
        assert table is not None
        return table

    @property
    def former_name(self) -> str:
        """The earlier name; empty if it is the same."""
        if self.before is None or self.after is None:
            return ""
        was = self.before.quota.name
        return was if was != self.after.quota.name else ""

    @property
    def moved_from(self) -> str:
        """The earlier namespace; empty if it is the same."""
        if self.before is None or self.after is None:
            return ""
        was = self.before.quota.namespace
        return was if was != self.after.quota.namespace else ""

    @property
    def whole(self) -> bool:
        """One state has no numbers, so that the report shows all of the other one."""
        return self.before is None or self.after is None or self.before.rejected or self.after.rejected

    @property
    def unseen(self) -> tuple[str, ...]:
        """Why parts of its namespaces went out of view."""
        if self.before is None or self.after is None or self.before.rejected:
            return ()
        return tuple(reason for reason in self.after.unknowns if reason not in self.before.unknowns)


class QuotaPairs(NamedTuple):
    """The quotas of an environment in both states."""

    environment: str
    old_facts: Facts | None
    new_facts: Facts | None
    tables: Sequence[tuple[QuotaTable | None, QuotaTable | None]]


class Changes(NamedTuple):
    """All differences between two states."""

    quotas: tuple[QuotaChange, ...]
    several_environments: bool
    """There is more than one environment, changed or not."""
    findings: FindingChanges
    reconfigured: bool
    """Each state was judged by its own configuration, which may be why something differs."""
    pairs: tuple[QuotaPairs, ...] = ()
    """Every quota of both states, by environment."""
    same_files: bool = False
    """Both states hold the same files, so neither was judged."""
    unknowns: tuple[Unknown, ...] = ()
    """Changed lines whose effect is not known."""

    @property
    def quotas_checked(self) -> int:
        """How many quotas the second state has; one that several environments get from one place counts once."""
        return len({quota_source(new.quota) for pairs in self.pairs for _, new in pairs.tables if new is not None})


def find_changes(
    before: State,
    after: State,
    earlier: Callable[[str], str] = str,
    lost: Mapping[Ref, str] = MappingProxyType({}),
) -> Changes:
    """What differs between two states. `earlier` is what a file was called before; `lost`: why objects whose files are
    still there went out of view."""
    visibility = LostVisibility(before, after, lost)
    pairs = list(_quota_pairs(before, after, earlier))
    if 1 in (len(before.environments), len(after.environments)):
        pairs = list(_across_environments(pairs, earlier))
    several_environments = len(pair_environments(before.environments, after.environments)) > 1
    changed = sorted(_changed_quotas(pairs, visibility), key=_change_order)
    renamings = Renamings(_new_names(pairs), earlier, _touch_test(changed))
    finding_changes = classify_findings(before, after, visibility, renamings)
    return Changes(
        tuple(changed),
        several_environments,
        finding_changes,
        _settings_of(before) != _settings_of(after),
        pairs=tuple(pairs),
    )


def verdict_of(changes: Changes) -> str:
    """fails, unknown, passes, or nothing where no quota or LimitRange is in view: the first that is true."""
    if any(finding.severity == "error" for finding in changes.findings.failing):
        return "fails"
    if changes.unknowns:
        return "unknown"
    sides = (facts for pairs in changes.pairs for facts in (pairs.old_facts, pairs.new_facts) if facts is not None)
    is_limited = changes.same_files or any(facts.quotas or facts.limit_ranges for facts in sides)
    return "passes" if is_limited else "nothing"


SAME_FILES = Changes((), several_environments=False, findings=NO_FINDING_CHANGES, reconfigured=False, same_files=True)
"""The result for two states with the same files."""


def _new_names(pairs: Iterable[QuotaPairs]) -> Mapping[QuotaName, QuotaName]:
    both = (
        (old.quota, new.quota) for paired in pairs for old, new in paired.tables if old is not None and new is not None
    )
    named = (((namespaces_words(new), new.name), (namespaces_words(old), old.name)) for old, new in both)
    return {now: was for now, was in named if now != was}


def _touch_test(changed: Iterable[QuotaChange]) -> Callable[[Finding], bool]:
    """A test whether the limit or the use of a finding's entry changes in an environment of the finding."""
    environments_by_entry: dict[tuple[str, ...], set[str]] = {}
    for change in changed:
        changed_resources = {entry.resource for entry in change.entries}
        for user in change.consumers:
            was, now = (nano_by_name(side.usage) if side is not None else {} for side in (user.before, user.after))
            changed_resources |= {name for name in {*was, *now} if was.get(name) != now.get(name)}
        quota = change.table.quota
        for name in changed_resources:
            entry = (namespaces_words(quota), quota.name, name)
            environments_by_entry.setdefault(entry, set()).add(change.environment)

    def is_touched(finding: Finding) -> bool:
        entry = tuple(finding.values.get(key, "") for key in ("namespace", "quota", "resource"))
        changed_environments = environments_by_entry.get(entry, set())
        return bool(changed_environments) and not (
            finding.environments and changed_environments.isdisjoint(finding.environments)
        )

    return is_touched


def exceeded_scenario(row: Row | None) -> str:
    """The first scenario that does not fit; empty if all fit."""
    if row is None or row.hard is None:
        return ""
    used = zip(SCENARIOS, (row.steady, row.surge, row.peak), strict=True)
    return next((name for name, amount in used if amount is not None and amount.nano > row.hard.nano), "")


def _change_order(change: QuotaChange) -> tuple[str, str, str, str]:
    quota = change.table.quota
    return change.environment, quota.namespace, quota.name, quota.object.place.file


def _quota_pairs(before: State, after: State, earlier: Callable[[str], str]) -> Iterator[QuotaPairs]:
    for old_facts, new_facts in pair_environments(before.environments, after.environments):
        # One that is alone in its state has no name there, and may have one in the other.
        name = next((facts.environment for facts in (new_facts, old_facts) if facts and facts.environment), "")
        table_pairs = pair_quotas(
            _tables_of(before, old_facts), _tables_of(after, new_facts), lambda table: table.quota, earlier
        )
        yield QuotaPairs(name, old_facts, new_facts, table_pairs)


def _across_environments(pairs: Sequence[QuotaPairs], earlier: Callable[[str], str]) -> Iterator[QuotaPairs]:
    """The pairs, if one state has a single environment and the other has several: two clusters that become one, or one
    that becomes two, add and remove no quota."""
    main = next((paired for paired in pairs if paired.old_facts is not None and paired.new_facts is not None), None)
    others = [paired for paired in pairs if paired is not main]
    if main is None or not others:
        yield from pairs
        return
    # The others are all of the state that has several.
    own, spare = (0, 1) if others[0].new_facts is None else (1, 0)

    def identity(half: tuple[QuotaTable | None, QuotaTable | None]) -> Hashable:
        table, file = (half[0], str) if half[0] is not None else (half[1], earlier)
        return table and (exact_key(table.quota), file(table.quota.object.place.file))

    unpaired = {identity(pair): pair[spare] for pair in main.tables if pair[own] is None}
    joined = []
    for other in others:
        partners = [unpaired.pop(identity(pair), None) for pair in other.tables]
        tables = [
            (pair[0], partner) if spare else (partner, pair[1])
            for pair, partner in zip(other.tables, partners, strict=True)
        ]
        if any(partners):
            other = other._replace(
                old_facts=other.old_facts or main.old_facts, new_facts=other.new_facts or main.new_facts, tables=tables
            )
        joined.append(other)
    rest = [pair for pair in main.tables if pair[own] is not None or identity(pair) in unpaired]
    yield main._replace(tables=rest)
    yield from joined


def _changed_quotas(pairs: Sequence[QuotaPairs], visibility: LostVisibility) -> Iterator[QuotaChange]:
    for paired in pairs:
        refs_before, refs_after = _refs_of(paired.old_facts), _refs_of(paired.new_facts)
        stay = refs_before & refs_after
        for old, new in paired.tables:
            entries = _entry_changes(old, new)
            namespaces = old and new and (old.quota.namespaces, new.quota.namespaces)
            moved = moved_refs(refs_before, refs_after, namespaces)
            consumers = _consumer_changes(old, new, visibility, stay | moved if moved else stay)
            if entries or consumers or old is None or new is None or _table_identity(old) != _table_identity(new):
                lost = visibility.lost_object(old.quota.object) if old is not None and new is None else ""
                yield QuotaChange(paired.environment, old, new, entries, consumers, lost=lost)


def _settings_of(state: State) -> Settings:
    """The configuration of a state, without its location."""
    settings = state.environments[0].settings
    ignored = tuple(ignore_rule._replace(place=None) for ignore_rule in settings.ignore)
    return settings._replace(root="", repository="", file=None, ignore=ignored)


def _tables_of(state: State, facts: Facts | None) -> list[QuotaTable]:
    return [table for table in state.tables if facts is not None and table.environment == facts.environment]


def _refs_of(facts: Facts | None) -> frozenset[Ref]:
    return frozenset(obj.ref for obj in facts.cluster.objects) if facts else frozenset()


def _table_identity(table: QuotaTable) -> tuple[object, ...]:
    # All scopes must match, in whatever order they are written.
    return table.quota.name, frozenset(table.scopes), table.rejected, table.quota.namespaces


def _entry_changes(old: QuotaTable | None, new: QuotaTable | None) -> tuple[EntryChange, ...]:
    pairs = match_by_keys(old.rows if old else (), new.rows if new else (), (lambda row: row.resource,))
    entry_changes = [EntryChange(*pair) for pair in pairs if _row_identity(pair[0]) != _row_identity(pair[1])]
    return tuple(sorted(entry_changes, key=lambda entry: entry.resource))


def _row_identity(row: Row | None) -> tuple[object, ...]:
    if row is None:
        return ()
    amounts = (row.hard, row.steady, row.surge, row.peak, row.actual)
    return (row.resource, row.untracked, row.certainty, *(amount and amount.nano for amount in amounts))


def _consumer_changes(
    old: QuotaTable | None, new: QuotaTable | None, visibility: LostVisibility, stay: frozenset[Ref]
) -> tuple[ConsumerChange, ...]:
    if new is not None and new.rejected:
        return ()
    # What moved to another namespace together with its quota is what it was.
    names = (lambda consumer: consumer.owner.ref, lambda consumer: (consumer.owner.kind, consumer.owner.name))
    pairs = match_by_keys(_table_users(old), _table_users(new), names)
    return tuple(
        sorted(
            (
                _consumer_change(*pair, visibility, stay)
                for pair in pairs
                if _usage_identity(pair[0]) != _usage_identity(pair[1])
            ),
            key=_consumer_order,
        )
    )


def _consumer_change(
    was: Consumer | None, now: Consumer | None, visibility: LostVisibility, stay: frozenset[Ref]
) -> ConsumerChange:
    consumer = now or was
    assert consumer is not None
    stays = (was is None or now is None) and consumer.owner.ref in stay
    lost = visibility.lost_object(was.owner) if was is not None and now is None else ""
    return ConsumerChange(was, now, lost, stays)


def _table_users(table: QuotaTable | None) -> list[Consumer]:
    return [consumer for consumer in (table.consumers if table else ()) if consumer.usage or consumer.peak]


def _consumer_order(change: ConsumerChange) -> tuple[str, str, str]:
    consumer = change.after or change.before
    assert consumer is not None
    return consumer.owner.kind, consumer.owner.name, consumer.owner.namespace


def _usage_identity(consumer: Consumer | None) -> tuple[object, ...]:
    return () if consumer is None else (consumer.pods, nano_by_name(consumer.usage), nano_by_name(consumer.peak))


def amounts_before_and_after(change: EntryChange, field: str) -> tuple[Quantity | None, Quantity | None]:
    """One number of an entry in both states: hard, steady, surge or peak."""
    before, after = (getattr(row, field) if row else None for row in change)
    return before, after


_NOTHING = Row("", None, None, None, None, untracked=False, certainty="exact", judged=None)
