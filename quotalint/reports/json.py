"""The JSON report, version 1 (schemas/report.schema.json). Its types are separate from those of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quotalint.accounts.facts import Repository
from quotalint.accounts.quota_table import Consumer, QuotaTable, Row
from quotalint.checks.hit import Note
from quotalint.deployed import kustomize_renderer
from quotalint.kube import quantity
from quotalint.kube.guess import Guess
from quotalint.kube.quantity import Quantity
from quotalint.reports.details import OfferedFix
from quotalint.reports.json_text import Repeated, json_text
from quotalint.reports.summary import Summary
from quotalint.results.finding import ChangeCause, Finding
from quotalint.version import __version__

VERSION = 1


def render(
    repository: Repository,
    findings: Sequence[Finding],
    tables: Sequence[QuotaTable],
    summary: Summary,
    fixes: Sequence[OfferedFix | None] = (),
    deploys: Sequence[dict[str, Any]] = (),
    verdict: str = "nothing",
) -> str:
    """The whole report of `check`. `fixes` has one fix for each finding, or is empty; `deploys` has the objects that
    other repositories may join."""
    return dump_report(
        {
            "version": VERSION,
            "tool": {"name": "quotalint", "version": __version__, "renderers": _renderer_names(repository)},
            "verdict": verdict,
            "findings": [finding_json(*pair) for pair in zip(findings, fixes or [None] * len(findings), strict=True)],
            "quotas": _quotas_json(tables),
            "skipped": [
                {"file": skipped.name, "reason": skipped.reason, "namespaces": list(skipped.namespaces)}
                for skipped in repository.skipped
            ],
            "summary": _summary_json(summary),
            "deploys": list(deploys),
        }
    )


def _renderer_names(repository: Repository) -> dict[str, str]:
    settings = repository.settings
    return {"kustomize": kustomize_renderer(settings.renderers.kustomize, settings.repository)}


def render_usage(tables: Sequence[QuotaTable], summary: Summary) -> str:
    """The report of `usage`."""
    return dump_report({"version": VERSION, "quotas": _quotas_json(tables), "summary": _summary_json(summary)})


def dump_report(report: dict[str, Any]) -> str:
    """A report as text."""
    return json_text(report) + "\n"


def finding_json(finding: Finding, fix: OfferedFix | None) -> dict[str, Any]:
    obj = finding.object
    return {
        "rule": finding.rule.id,
        "name": finding.rule.name,
        "severity": finding.severity,
        "message": finding.message,
        "help": finding.help,
        "file": finding.file,
        "line": finding.span.line,
        "column": finding.span.column,
        "namespace": finding.namespace or None,
        "namespaceAssumed": bool(obj and obj.has_assumed_namespace),
        "assumptions": [guess_json(guess) for guess in finding.guesses],
        "environments": list(finding.environments),
        "object": {"apiVersion": obj.api_version, "kind": obj.kind, "name": obj.name} if obj else None,
        "field": finding.field or None,
        "related": [
            {
                "label": item.label,
                "file": item.file,
                "line": item.span.line,
                "column": item.span.column,
                "message": item.message,
            }
            for item in finding.related
        ],
        "notes": list(map(note_json, finding.notes)),
        "fix": fix and {**fix._asdict(), "edits": [edit._asdict() for edit in fix.edits]},
        "suppressed": finding.suppressed and finding.suppressed._asdict(),
        "cause": finding.cause and _cause_json(finding.cause),
        "fingerprint": finding.fingerprint,
    }


def note_json(note: Note) -> str:
    return f"{note.label}: {note.text}"


def _cause_json(cause: ChangeCause) -> dict[str, Any]:
    """The part of a change that caused a finding."""
    return {
        "object": cause.subject,
        "changes": list(cause.changes),
        "file": cause.file or None,
        "line": cause.line or None,
    }


def _quotas_json(tables: Sequence[QuotaTable]) -> list[dict[str, Any]]:
    """The quotas; those with the same charges share their consumers."""
    consumers: dict[int, Repeated] = {}
    for table in tables:
        if id(table.consumers) not in consumers:
            consumers[id(table.consumers)] = Repeated(map(_consumer_json, table.consumers))
    return [_quota_json(table, consumers[id(table.consumers)]) for table in tables]


def _quota_json(table: QuotaTable, consumers: Repeated) -> dict[str, Any]:
    obj = table.quota.object
    return {
        "environment": table.environment,
        "namespace": table.quota.namespace,
        "namespaces": list(table.quota.namespaces),
        "namespaceAssumed": obj.has_assumed_namespace,
        "name": table.quota.name,
        "kind": obj.kind,
        "certainty": table.certainty,
        "unknowns": list(table.unknowns),
        "assumptions": [guess_json(guess) for guess in table.guesses],
        "file": obj.place.file,
        "line": table.line,
        "rejected": table.rejected,
        "scopes": list(table.scopes),
        "resources": [_row_json(row) for row in table.rows],
        "consumers": consumers,
    }


def guess_json(guess: Guess) -> dict[str, str]:
    """A guess, and what would settle it."""
    return {"reason": guess.reason, "cure": guess.cure}


def _row_json(row: Row) -> dict[str, Any]:
    return {
        "resource": row.resource,
        "hard": amount_or_none(row.hard),
        "steady": amount_or_none(row.steady),
        "actual": amount_or_none(row.actual),
        "admitted": amount_or_none(row.admitted),
        "used": amount_or_none(row.used),
        "surge": amount_or_none(row.surge),
        "peak": amount_or_none(row.peak),
        "untracked": row.untracked,
        "certainty": row.certainty,
        **(
            {"largest": {"amount": amount_or_none(row.largest.amount), "when": row.largest.when}} if row.largest else {}
        ),
    }


def _consumer_json(consumer: Consumer) -> dict[str, Any]:
    return {
        "kind": consumer.owner.kind,
        "name": consumer.owner.name,
        "namespace": consumer.owner.namespace,
        "file": consumer.owner.place.file,
        "line": consumer.line,
        "pods": {"steady": consumer.pods.steady, "surge": consumer.pods.surge, "peak": consumer.pods.peak},
        "usage": {name: quantity.show(consumer.usage[name]) for name in sorted(consumer.usage)},
        "peakUsage": {name: quantity.show(consumer.peak[name]) for name in sorted(consumer.peak)},
        "fits": None if consumer.room is None else {"steady": consumer.room.steady, "rolling": consumer.room.rolling},
    }


def amount_or_none(value: Quantity | None) -> str | None:
    return None if value is None else quantity.show(value)


def _summary_json(summary: Summary) -> dict[str, Any]:
    numbers = {**summary._asdict(), "findings": dict(summary.findings)}
    templates = numbers.pop("templates")
    return {**numbers, "quotasInTemplates": templates} if templates else numbers
