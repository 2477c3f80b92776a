"""A change in JSON, version 1 (schemas/diff.schema.json): small types of its own, so that the inside may change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from quotalint.catalogue import SEVERITIES
from quotalint.diff.changes import SCENARIOS, Changes, ConsumerChange, EntryChange, QuotaChange, amounts, exceeded
from quotalint.diff.fates import Lasting
from quotalint.diff.trees import WORKING_TREE, Side
from quotalint.finding import Finding
from quotalint.reports.diff_cells import all_left_out
from quotalint.reports.json import amount_or_none, dump_report, finding_json
from quotalint.reports.quota_table import Consumer, QuotaTable
from quotalint.version import __version__

VERSION = 1


def render(base: Side, head: Side, found: Changes) -> str:
    """The whole report."""
    fates = found.findings
    groups: dict[str, Sequence[Finding]] = {
        "new": fates.new,
        "still": [one.finding for one in fates.still],
        "better": fates.better,
        "fixed": fates.fixed,
        "outdone": fates.outdone,
        "unknown": fates.unknown,
        "silenced": fates.silenced,
        "unchanged": fates.unchanged,
    }
    return dump_report(
        {
            "version": VERSION,
            "tool": {"name": "quotalint", "version": __version__},
            "base": _side_json(base),
            "head": _side_json(head),
            "quotas": [_quota_json(one) for one in found.quotas],
            "findings": {name: [finding_json(one, None) for one in group] for name, group in groups.items()},
            "worse": [_lasting_json(one) for one in fates.worse],
            "still": [_lasting_json(one) for one in fates.still],
            "configurationDiffers": found.reconfigured,
            "leftOut": [{"path": one.path, "reason": one.reason} for one in all_left_out(base, head)],
            "summary": {
                "quotas": {
                    change: sum(_kind_of_change(one) == change for one in found.quotas)
                    for change in ("added", "removed", "changed")
                },
                "findings": {name: _severity_counts(group) for name, group in groups.items()},
            },
        }
    )


def _side_json(side: Side) -> dict[str, Any]:
    return {"revision": None if side.name == WORKING_TREE else side.name, "commit": side.commit or None}


def _lasting_json(one: Lasting) -> dict[str, Any]:
    short = one.short and {"before": amount_or_none(one.short[0]), "after": amount_or_none(one.short[1])}
    return {
        "rule": one.finding.rule.id,
        "file": one.finding.file,
        "line": one.finding.span.line,
        "fingerprint": one.finding.fingerprint,
        "severity": {"before": one.was.severity, "after": one.finding.severity},
        "short": short,
        "environments": {"before": list(one.was.environments), "after": list(one.finding.environments)},
    }


def _severity_counts(findings: Sequence[Finding]) -> dict[str, int]:
    by = Counter(one.severity for one in findings)
    return {name: by[name] for name in SEVERITIES}


def _kind_of_change(change: QuotaChange | EntryChange | ConsumerChange) -> str:
    return "added" if change.before is None else "removed" if change.after is None else "changed"


def _quota_json(change: QuotaChange) -> dict[str, Any]:
    table = change.table
    return {
        "change": _kind_of_change(change),
        "environment": change.environment,
        "namespace": table.quota.namespace,
        "name": table.quota.name,
        "kind": table.quota.object.kind,
        "file": table.quota.object.place.real.source,
        "line": table.line,
        "renamed": change.renamed or None,
        "movedFrom": change.moved_from or None,
        "lost": change.lost or None,
        "before": _state_json(change.before),
        "after": _state_json(change.after),
        "resources": [_entry_json(one) for one in change.entries],
        "consumers": [_consumer_json(one) for one in change.consumers],
    }


def _state_json(table: QuotaTable | None) -> dict[str, Any] | None:
    if table is None:
        return None
    return {
        "namespaces": list(table.quota.namespaces),
        "scopes": list(table.scopes),
        "rejected": table.rejected,
        "certainty": table.certainty,
        "unknowns": list(table.unknowns),
    }


def _entry_json(change: EntryChange) -> dict[str, Any]:
    numbers = {}
    for field in ("hard", *SCENARIOS):
        before, after = amounts(change, field)
        numbers[field] = {"before": amount_or_none(before), "after": amount_or_none(after)}
    return {
        "resource": change.resource,
        "change": _kind_of_change(change),
        **numbers,
        "certainty": {
            "before": change.before and change.before.certainty,
            "after": change.after and change.after.certainty,
        },
        "exceeded": {"before": exceeded(change.before) or None, "after": exceeded(change.after) or None},
        "loweredBelow": change.lowered_below or None,
    }


def _consumer_json(change: ConsumerChange) -> dict[str, Any]:
    one = change.after or change.before
    assert one is not None
    return {
        "change": _kind_of_change(change),
        "kind": one.owner.kind,
        "name": one.owner.name,
        "namespace": one.owner.namespace,
        "file": one.owner.place.real.source,
        "line": one.line,
        "lost": change.lost or None,
        "before": _usage_json(change.before),
        "after": _usage_json(change.after),
    }


def _usage_json(one: Consumer | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "pods": {"steady": one.pods.steady, "surge": one.pods.step, "peak": one.pods.peak},
        "usage": {name: amount_or_none(one.usage[name]) for name in sorted(one.usage)},
        "peakUsage": {name: amount_or_none(one.peak[name]) for name in sorted(one.peak)},
    }
