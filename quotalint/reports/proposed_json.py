"""Proposed quotas and LimitRanges for programs (schemas/suggest.schema.json)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from quotalint.reports.json import VERSION, amount_or_none, dump_report
from quotalint.sizing.proposed import EntryProposal, LimitRangeProposal, Promised, Proposal, QuotaProposal, Unsized
from quotalint.version import __version__


def render(proposal: Proposal, scenario: str, headroom: str, line: Callable[[QuotaProposal], int]) -> str:
    """The whole report of `suggest`."""
    return dump_report(
        {
            "version": VERSION,
            "tool": {"name": "quotalint", "version": __version__},
            "scenario": scenario,
            "headroom": headroom,
            "quotas": [_quota_json(one, line(one)) for one in proposal.quotas],
            "limitRanges": [_limit_range_json(one) for one in proposal.limit_ranges],
            "unsized": [_unsized_json(one) for one in proposal.unsized],
            "capacity": [_promised_json(one) for one in proposal.promised],
            "left": list(proposal.left),
        }
    )


def _quota_json(one: QuotaProposal, line: int) -> dict[str, Any]:
    obj = one.quota.object
    return {
        "environment": one.environment,
        "namespace": one.quota.namespace,
        "namespaces": list(one.quota.namespaces),
        "name": one.quota.name,
        "kind": obj.kind,
        "file": None if one.new else obj.place.real.source,
        "line": None if one.new else line,
        "new": one.new,
        "changes": one.changes,
        "size": one.size or None,
        "entries": [_entry_json(entry) for entry in one.entries],
        "notes": list(one.notes),
    }


def _entry_json(one: EntryProposal) -> dict[str, Any]:
    return {
        "resource": one.name,
        "before": amount_or_none(one.before),
        "needed": amount_or_none(one.needed),
        "after": amount_or_none(one.final),
        "changes": one.changes,
        "because": one.because,
        "certainty": one.certainty,
        "unknowns": list(one.reasons),
    }


def _limit_range_json(one: LimitRangeProposal) -> dict[str, Any]:
    obj = one.object
    return {
        "environment": one.environment,
        "namespace": obj.namespace,
        "name": obj.name,
        "limits": obj.spec["limits"],
        "because": list(one.because),
    }


def _unsized_json(one: Unsized) -> dict[str, Any]:
    return {
        "environment": one.environment,
        "namespace": one.namespace,
        "name": one.quota or None,
        "reasons": list(one.reasons),
    }


def _promised_json(one: Promised) -> dict[str, Any]:
    return {
        "environment": one.environment,
        "resource": one.resource,
        "promised": amount_or_none(one.promised),
        "capacity": amount_or_none(one.capacity),
        "reserve": amount_or_none(one.reserve),
        "fits": one.fits,
    }
