"""A change in JSON, version 1 (schemas/diff.schema.json): small types of its own, so that the inside may change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from quotalint.accounts.quota_table import Consumer, QuotaTable
from quotalint.catalogue import SEVERITIES
from quotalint.diff.changes import (
    SCENARIOS,
    Changes,
    ConsumerChange,
    EntryChange,
    QuotaChange,
    amounts_before_and_after,
    exceeded_scenario,
    verdict_of,
)
from quotalint.diff.finding_changes import Lasting
from quotalint.diff.trees import WORKING_TREE, Side
from quotalint.reports.diff_cells import all_left_out
from quotalint.reports.json import amount_or_none, dump_report, finding_json
from quotalint.results.finding import Finding
from quotalint.version import __version__

VERSION = 1


def render(base: Side, head: Side, changes: Changes) -> str:
    """The whole report."""
    finding_changes = changes.findings
    groups: dict[str, Sequence[Finding]] = {
        "new": finding_changes.new,
        "still": [lasting.finding for lasting in finding_changes.still],
        "better": finding_changes.better,
        "fixed": finding_changes.fixed,
        "outdone": finding_changes.outdone,
        "unknown": finding_changes.unknown,
        "silenced": finding_changes.silenced,
        "unchanged": finding_changes.unchanged,
    }
    findings = {name: [finding_json(finding, None) for finding in group] for name, group in groups.items()}
    return dump_report(
        {
            "version": VERSION,
            "tool": {"name": "quotalint", "version": __version__},
            "base": _side_json(base),
            "head": _side_json(head),
            "verdict": verdict_of(changes),
            "unknowns": [
                {name: value for name, value in unknown._asdict().items() if name != "family"}
                for unknown in changes.unknowns
            ],
            "quotas": [_quota_json(quota_change) for quota_change in changes.quotas],
            "findings": findings,
            "worse": [_lasting_json(lasting) for lasting in finding_changes.worse],
            "still": [_lasting_json(lasting) for lasting in finding_changes.still],
            "configurationDiffers": changes.reconfigured,
            "leftOut": [{"path": left_out.path, "reason": left_out.reason} for left_out in all_left_out(base, head)],
            "summary": {
                "quotas": {
                    change: sum(_kind_of_change(quota_change) == change for quota_change in changes.quotas)
                    for change in ("added", "removed", "changed")
                },
                "findings": {name: _severity_counts(group) for name, group in findings.items()},
            },
        }
    )


def _side_json(side: Side) -> dict[str, Any]:
    return {"revision": None if side.name == WORKING_TREE else side.name, "commit": side.commit or None}


def _lasting_json(lasting: Lasting) -> dict[str, Any]:
    short = lasting.short and {"before": amount_or_none(lasting.short[0]), "after": amount_or_none(lasting.short[1])}
    return {
        "rule": lasting.finding.rule.id,
        "file": lasting.finding.file,
        "line": lasting.finding.span.line,
        "fingerprint": lasting.finding.fingerprint,
        "severity": {"before": lasting.was.severity, "after": lasting.finding.severity},
        "short": short,
        "environments": {"before": list(lasting.was.environments), "after": list(lasting.finding.environments)},
    }


def _severity_counts(findings: Sequence[dict[str, Any]]) -> dict[str, int]:
    by = Counter(finding["severity"] for finding in findings)
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
        "file": table.quota.object.place.file,
        "line": table.line,
        "renamed": change.former_name or None,
        "movedFrom": change.moved_from or None,
        "lost": change.lost or None,
        "before": _state_json(change.before),
        "after": _state_json(change.after),
        "resources": [_entry_json(entry) for entry in change.entries],
        "consumers": [_consumer_json(consumer_change) for consumer_change in change.consumers],
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
        before, after = amounts_before_and_after(change, field)
        numbers[field] = {"before": amount_or_none(before), "after": amount_or_none(after)}
    return {
        "resource": change.resource,
        "change": _kind_of_change(change),
        **numbers,
        "certainty": {
            "before": change.before and change.before.certainty,
            "after": change.after and change.after.certainty,
        },
        "exceeded": {
            "before": exceeded_scenario(change.before) or None,
            "after": exceeded_scenario(change.after) or None,
        },
        "loweredBelow": change.lowered_below or None,
    }


def _consumer_json(change: ConsumerChange) -> dict[str, Any]:
    consumer = change.after or change.before
    assert consumer is not None
    return {
        "change": _kind_of_change(change),
        "kind": consumer.owner.kind,
        "name": consumer.owner.name,
        "namespace": consumer.owner.namespace,
        "file": consumer.owner.place.file,
        "line": consumer.line,
        "lost": change.lost or None,
        "before": _usage_json(change.before),
        "after": _usage_json(change.after),
    }


def _usage_json(consumer: Consumer | None) -> dict[str, Any] | None:
    if consumer is None:
        return None
    return {
        "pods": {"steady": consumer.pods.steady, "surge": consumer.pods.surge, "peak": consumer.pods.peak},
        "usage": {name: amount_or_none(consumer.usage[name]) for name in sorted(consumer.usage)},
        "peakUsage": {name: amount_or_none(consumer.peak[name]) for name in sorted(consumer.peak)},
    }
