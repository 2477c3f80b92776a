"""What changed, in words: what the cells of the tables of a change say. Amounts stand as people write them: one unit
for all that are compared, and whole numbers of pods rather than `1k`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.accounts.quota_table import Consumer, Row
from quotalint.diff.changes import Changes, ConsumerChange, EntryChange, QuotaChange
from quotalint.diff.finding_changes import FindingChanges
from quotalint.diff.relaxed_limits import added_entries, dropped_entries
from quotalint.diff.trees import CRYPT, LFS, SUBMODULE, LeftOut, Side
from quotalint.kube import quantity
from quotalint.kube.amounts import is_bytes
from quotalint.kube.quantity import BINARY_SI, Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.named_tuples import NamedTuple
from quotalint.reports.alike import merge_alike
from quotalint.reports.cells import hard_cell, pods_label, steady_cell, surge_and_peak_cells
from quotalint.reports.terminal import count_noun, safe_text
from quotalint.text.sources import MANIFEST_SUFFIXES
from quotalint.text.words import list_some

_NONE = "—"
_SHOWN = 5
_READ_SUFFIXES = (*MANIFEST_SUFFIXES, ".tgz")


def revision_label(side: Side) -> str:
    """A state by its name, with its commit where the name is another."""
    if not side.commit or side.commit.startswith(side.name):
        return safe_text(side.name)
    return f"{safe_text(side.name)} ({side.commit[:9]})"


class EntryCells(NamedTuple):
    """What a table says of an entry, cell by cell."""

    hard: str
    steady: str
    surge: str
    peak: str


class ConsumerCells(NamedTuple):
    """What a table says of a workload, cell by cell."""

    name: str
    pods: str
    usage: str
    """What it uses of what changed."""
    place: str


def entry_cells(change: EntryChange) -> EntryCells:
    """Hard, steady, surge and peak of an entry, before and after; ✗ marks what does not fit."""
    before, after = _row_cells(change.before), _row_cells(change.after)
    if change.before is not None and change.after is not None:
        # Where one side has a number, that the other has none means that nobody knows it, not that it is nothing.
        before, after = _fill_gaps(before, after), _fill_gaps(after, before)
    return EntryCells(*map(before_and_after, before, after))


def _fill_gaps(cells: EntryCells, other: EntryCells) -> EntryCells:
    """What a state says of its scenarios: where it says nothing of one and the other state does, as once settled."""
    pairs = zip(cells, other, strict=True)
    return EntryCells(*(cell or (cells.steady if other_cell else "") for cell, other_cell in pairs))


def before_and_after(before: str, after: str) -> str:
    """`1 → 2`, and `1` where nothing changed."""
    return before if before == after else f"{before or _NONE} → {after or _NONE}"


def _row_cells(row: Row | None) -> EntryCells:
    if row is None:
        return EntryCells("", "", "", "")
    short = row.hard is not None and row.steady is not None and row.steady.nano > row.hard.nano
    return EntryCells(hard_cell(row), steady_cell(row) + (" ✗" if short else ""), *surge_and_peak_cells(row))


def quota_fate(change: QuotaChange) -> str:
    """What becomes of the quota as a whole; empty where it stays."""
    if change.before is None:
        return "is new"
    if change.after is None:
        if change.lost:
            return "is no longer in view"
        return "is gone"
    if change.former_name:
        return safe_text(f"was called {change.former_name}")
    if change.before.rejected != change.after.rejected:
        return "is refused by the API server now" if change.after.rejected else "was refused by the API server before"
    if set(change.before.scopes) != set(change.after.scopes):
        old, new = (", ".join(table.scopes) or "none" for table in (change.before, change.after))
        return safe_text(f"scopes {old} → {new}")
    if change.before.quota.namespaces != change.after.quota.namespaces:
        old, new = (list_some(table.quota.namespaces, _SHOWN) or "none" for table in (change.before, change.after))
        return safe_text(f"namespaces {old} → {new}")
    return ""


def quota_notes(change: QuotaChange, *, several_environments: bool) -> Iterator[str]:
    """Notes about a quota that is removed or refused; with its environment if there are several."""
    within = f" in {safe_text(change.environment)}" if several_environments and change.environment else ""
    if change.lost:
        yield f"whether it is gone is not known: {safe_text(change.lost)}"
    elif change.former_name:
        yield f"to Kubernetes quota {safe_text(change.former_name)} is a different one: until it is deleted, both apply"
    elif change.after is None and any(consumer_change.before for consumer_change in change.consumers):
        yield f"this quota no longer limits them{within}"
    elif change.before and change.after and change.after.rejected and not change.before.rejected:
        yield "nothing is counted for it while the API server refuses it"


def consumer_cells(change: ConsumerChange, quota_change: QuotaChange) -> ConsumerCells:
    """The cells for a workload: name, pods, changed usage, place. If the quota is unknown in one of the states, the
    change of the workload is not described."""
    consumer = change.after or change.before
    assert consumer is not None
    if quota_change.whole:
        moves = pods_label(consumer.pods)
    elif change.after is None:
        moves = _departure_words(change, dropped_entries(quota_change))
    else:
        moves = _arrival_words(change, added_entries(quota_change)) if change.before is None else _fewer_or_more(change)
    named = f"{consumer.owner.kind} {consumer.owner.name}"
    return ConsumerCells(
        safe_text(named),
        moves,
        safe_text(", ".join(_usage_changes(change, quota_change))),
        f"{safe_text(consumer.owner.place.file)}:{consumer.line}",
    )


def _arrival_words(change: ConsumerChange, added: Sequence[str]) -> str:
    if not change.stays:
        return "is new"
    return "was not limited before" if _uses_only(change.after, added) else "used nothing of it before"


def _departure_words(change: ConsumerChange, dropped: Sequence[str]) -> str:
    if change.stays:
        return "is no longer limited" if _uses_only(change.before, dropped) else "no longer uses any of it"
    return "is no longer in view" if change.lost else "is gone"


def _uses_only(consumer: Consumer | None, names: Sequence[str]) -> bool:
    """Whether all that a workload uses of a quota is of entries that the quota has in one of the states alone: then
    not the workload has changed."""
    return consumer is not None and bool(names) and set(names).issuperset(consumer.usage)


def _usage_changes(change: ConsumerChange, quota_change: QuotaChange) -> Iterator[str]:
    before, after = _settled_usage(change.before), _settled_usage(change.after)
    # Without an entry nobody counts, which is not the same as that nothing is used.
    uncounted = (frozenset(added_entries(quota_change)), frozenset(dropped_entries(quota_change)))
    for name in sorted({*before, *after} - {"pods", "count/pods"}):
        old, new = (
            quantity.show(usage[name]) if name in usage else "" if name in names else "0"
            for usage, names in zip((before, after), uncounted, strict=True)
        )
        if quota_change.whole:
            yield f"{name} {quantity.show((after or before)[name])}"
        elif (before[name].nano if name in before else 0) != (after[name].nano if name in after else 0):
            yield f"{name} {before_and_after(old, new)}"


def _settled_usage(consumer: Consumer | None) -> ResourceList:
    return {} if consumer is None else consumer.usage


def _fewer_or_more(change: ConsumerChange) -> str:
    """`3 → 5 pods`."""
    before, after = (
        pods_label(consumer.pods) if consumer is not None else "" for consumer in (change.before, change.after)
    )
    return before_and_after(before.rpartition(" ")[0] if after else before, after) if before != after else after


def merged_changes(finding_changes: FindingChanges) -> FindingChanges:
    """What became of findings, as all reports for people count them: those that say the same once."""
    new, still, fixed = (
        tuple(merge_alike(findings))
        for findings in (
            finding_changes.new,
            [lasting.finding for lasting in finding_changes.still],
            finding_changes.fixed,
        )
    )
    lasting = {pair.finding.fingerprint: pair for pair in finding_changes.still}
    return finding_changes._replace(
        new=new, still=tuple(lasting[finding.fingerprint] for finding in still), fixed=fixed
    )


def new_findings_words(finding_changes: FindingChanges, severities: Sequence[str]) -> str:
    """`2 new findings (2 errors), 1 of them worse than before`."""
    if not finding_changes.new:
        return "No new findings"
    some = f"{len(finding_changes.worse)} of them " if len(finding_changes.worse) < len(finding_changes.new) else ""
    worse = f", {some}worse than before" if finding_changes.worse else ""
    return (
        count_noun(len(finding_changes.new), "new finding")
        + (f" ({', '.join(severities)})" if severities else "")
        + worse
    )


def other_findings_words(changes: Changes) -> str:
    """`1 fixed, 0 unchanged`."""
    finding_changes = changes.findings
    unknown = f", {len(finding_changes.unknown)} unknown" if finding_changes.unknown else ""
    silenced = f", {len(finding_changes.silenced)} suppressed" if finding_changes.silenced else ""
    still = f"{len(finding_changes.still)} still exceeded, " if finding_changes.still else ""
    unchanged_words = (
        "" if changes.same_files else f", {len(finding_changes.unchanged) + len(finding_changes.better)} unchanged"
    )
    return f"{still}{len(finding_changes.fixed)} fixed{unknown}{silenced}{unchanged_words}"


def comparison_remarks(base: Side, head: Side, changes: Changes) -> Iterator[str]:
    """Sentences on what makes the two states less comparable than they seem."""
    if changes.reconfigured:
        yield (
            "The configuration differs, and each state is checked with its own: that may be why something is new or "
            "fixed."
        )
    yield from _left_out(base, head)


def _left_out(base: Side, head: Side) -> Iterator[str]:
    """A sentence on each reason for which something is not compared. What is stored elsewhere is mostly pictures and
    programs: manifests and charts alone are named."""
    reasons: dict[str, set[str]] = {}
    for left_out in (*base.left_out, *head.left_out):
        if left_out.reason == LFS and not left_out.path.lower().endswith(_READ_SUFFIXES):
            continue
        reasons.setdefault(left_out.reason, set()).add(left_out.path)
    nouns = {SUBMODULE: "submodule", LFS: "file", CRYPT: "file"}
    for reason, paths in sorted(reasons.items()):
        are = "is" if len(paths) == 1 else "are"
        named = list_some(sorted(map(safe_text, paths)), _SHOWN)
        why = "" if reason == SUBMODULE else f": {reason}"
        yield f"{count_noun(len(paths), nouns.get(reason, 'path'))} {are} left out ({named}){why}."


def all_left_out(base: Side, head: Side) -> tuple[LeftOut, ...]:
    """The files that are not compared, without duplicates."""
    return tuple(sorted({*base.left_out, *head.left_out}))


_ONE = 10**9
_BINARY = tuple((1024**power, suffix) for power, suffix in ((5, "Pi"), (4, "Ti"), (3, "Gi"), (2, "Mi"), (1, "Ki")))
_DECIMAL = tuple((1000**power, suffix) for power, suffix in ((5, "P"), (4, "T"), (3, "G"), (2, "M")))
_PLACES = 3  # digits behind the point that are still read at a glance


def in_one_unit(resource: str, amounts: Sequence[Quantity | None]) -> list[str]:
    """The amounts of a resource, in the largest unit that says each of them exactly with three digits behind the point
    at most; empty where there is none."""
    written_amounts = [amount for amount in amounts if amount is not None]
    size, suffix = _common_unit(resource, written_amounts)
    return ["" if amount is None else _show_amount(amount.nano, size, suffix) for amount in amounts]


def in_people_units(resource: str, amount: Quantity) -> str:
    """One amount in the units that people use."""
    return in_one_unit(resource, [amount])[0]


def _common_unit(resource: str, quantities: Sequence[Quantity]) -> tuple[int, str]:
    """How much of 10^-9 units one unit is, and what it is called."""
    amounts = [amount.nano for amount in quantities if amount.nano]
    if is_bytes(resource) or any(amount.format == BINARY_SI for amount in quantities):
        binary = any(amount.format == BINARY_SI for amount in quantities)
        largest = max((abs(nano) for nano in amounts), default=0)
        for size, suffix in _BINARY if binary else _DECIMAL:
            if size * _ONE <= largest and all(_is_short(nano, size * _ONE) for nano in amounts):
                return size * _ONE, suffix
    if any(nano % _ONE for nano in amounts):
        return (_ONE // 1000, "m") if not any(nano % (_ONE // 1000) for nano in amounts) else (1, "n")
    return _ONE, ""


def _is_short(nano: int, size: int) -> bool:
    return bool((nano * 10**_PLACES) % size == 0)


def _show_amount(nano: int, size: int, suffix: str) -> str:
    if not nano:
        return "0"
    sign, whole = ("-" if nano < 0 else ""), abs(nano)
    decimals = whole % size * 10**_PLACES // size
    digits = f".{decimals:0{_PLACES}d}".rstrip("0") if decimals else ""
    return f"{sign}{whole // size}{digits}{suffix}"
