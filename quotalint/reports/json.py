"""The JSON report, version 1 (schemas/report.schema.json): small types of its own, so that the inside may change."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from quotalint.facts import Repository
from quotalint.findings import Finding
from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.reports.quota_table import Consumer, QuotaTable, Row
from quotalint.reports.summary import Summary
from quotalint.version import __version__

VERSION = 1


def render(repository: Repository, findings: Sequence[Finding], tables: Sequence[QuotaTable], summary: Summary) -> str:
    """The whole report of `check`."""
    return _dump(
        {
            "version": VERSION,
            "tool": {"name": "quotalint", "version": __version__},
            "findings": [_finding(one) for one in findings],
            "quotas": [_quota(one) for one in tables],
            "skipped": [
                {"file": one.name, "reason": one.reason, "namespaces": list(one.namespaces)}
                for one in repository.skipped
            ],
            "summary": _summary(summary),
        }
    )


def render_usage(tables: Sequence[QuotaTable], summary: Summary) -> str:
    """The report of `usage`."""
    return _dump({"version": VERSION, "quotas": [_quota(one) for one in tables], "summary": _summary(summary)})


def _dump(report: dict[str, Any]) -> str:
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def _finding(one: Finding) -> dict[str, Any]:
    obj = one.object
    return {
        "rule": one.rule.id,
        "name": one.rule.name,
        "severity": one.severity,
        "message": one.message,
        "help": one.help,
        "file": one.file,
        "line": one.span.line,
        "column": one.span.column,
        "namespace": one.namespace or None,
        "namespaceAssumed": bool(obj and obj.assumed),
        "environments": list(one.environments),
        "object": {"apiVersion": obj.api_version, "kind": obj.kind, "name": obj.name} if obj else None,
        "field": one.field or None,
        "related": [
            {
                "label": item.label,
                "file": item.file,
                "line": item.span.line,
                "column": item.span.column,
                "message": item.message,
            }
            for item in one.related
        ],
        "notes": [f"{note.label}: {note.text}" for note in one.notes],
        "fix": None,
        "fingerprint": one.fingerprint,
    }


def _quota(table: QuotaTable) -> dict[str, Any]:
    obj = table.quota.object
    return {
        "environment": table.environment,
        "namespace": table.quota.namespace,
        "namespaces": list(table.quota.namespaces),
        "namespaceAssumed": obj.assumed,
        "name": table.quota.name,
        "kind": obj.kind,
        "certainty": table.certainty,
        "unknowns": list(table.unknowns),
        "file": obj.place.real.source,
        "line": table.line,
        "rejected": table.rejected,
        "scopes": list(table.scopes),
        "resources": [_row(row) for row in table.rows],
        "consumers": [_consumer(one) for one in table.consumers],
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "resource": row.resource,
        "hard": _show(row.hard),
        "steady": _show(row.steady),
        "actual": _show(row.actual),
        "surge": _show(row.surge),
        "peak": _show(row.peak),
        "untracked": row.untracked,
        "certainty": row.certainty,
    }


def _consumer(one: Consumer) -> dict[str, Any]:
    return {
        "kind": one.owner.kind,
        "name": one.owner.name,
        "namespace": one.owner.namespace,
        "file": one.owner.place.real.source,
        "line": one.line,
        "pods": {"steady": one.pods.steady, "surge": one.pods.step, "peak": one.pods.peak},
        "usage": {name: quantity.show(one.usage[name]) for name in sorted(one.usage)},
        "peakUsage": {name: quantity.show(one.peak[name]) for name in sorted(one.peak)},
    }


def _show(value: Quantity | None) -> str | None:
    return None if value is None else quantity.show(value)


def _summary(summary: Summary) -> dict[str, Any]:
    return {**summary._asdict(), "findings": dict(summary.findings)}
