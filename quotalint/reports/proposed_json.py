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
            "quotas": [_quota_json(quota_proposal, line(quota_proposal)) for quota_proposal in proposal.quotas],
            "limitRanges": [_limit_range_json(limit_range) for limit_range in proposal.limit_ranges],
            "unsized": [_unsized_json(unsized) for unsized in proposal.unsized],
            "capacity": [_promised_json(promise) for promise in proposal.promised],
            "left": list(proposal.left),
        }
    )


def _quota_json(proposal: QuotaProposal, line: int) -> dict[str, Any]:
    obj = proposal.quota.object
    return {
        "environment": proposal.environment,
        "namespace": proposal.quota.namespace,
        "namespaces": list(proposal.quota.namespaces),
        "name": proposal.quota.name,
        "kind": obj.kind,
        "file": None if proposal.new else obj.place.file,
        "line": None if proposal.new else line,
        "new": proposal.new,
        "changes": proposal.changes,
        "size": proposal.size or None,
        "entries": [_entry_json(entry) for entry in proposal.entries],
        "notes": list(proposal.notes),
    }


def _entry_json(entry: EntryProposal) -> dict[str, Any]:
    return {
        "resource": entry.name,
        "before": amount_or_none(entry.before),
        "needed": amount_or_none(entry.needed),
        "after": amount_or_none(entry.final),
        "changes": entry.changes,
        "sufficient": amount_or_none(entry.sufficient),
        "because": entry.because,
        "certainty": entry.certainty,
        "unknowns": list(entry.reasons),
    }


def _limit_range_json(proposal: LimitRangeProposal) -> dict[str, Any]:
    obj = proposal.object
    return {
        "environment": proposal.environment,
        "namespace": obj.namespace,
        "name": obj.name,
        "limits": obj.spec["limits"],
        "because": list(proposal.because),
    }


def _unsized_json(unsized: Unsized) -> dict[str, Any]:
    return {
        "environment": unsized.environment,
        "namespace": unsized.namespace,
        "name": unsized.quota or None,
        "reasons": list(unsized.reasons),
    }


def _promised_json(promise: Promised) -> dict[str, Any]:
    return {
        "environment": promise.environment,
        "resource": promise.resource,
        "promised": amount_or_none(promise.promised),
        "capacity": amount_or_none(promise.capacity),
        "reserve": amount_or_none(promise.reserve),
        "fits": promise.fits,
    }
