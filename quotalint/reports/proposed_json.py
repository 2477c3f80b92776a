"""Proposed quotas and LimitRanges for programs (schemas/suggest.schema.json)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from quotalint.reports.json import VERSION, dump, show
from quotalint.sizing.proposed import EntryProposal, LimitRangeProposal, Promised, Proposal, QuotaProposal, Unsized
from quotalint.version import __version__


def render(proposal: Proposal, scenario: str, headroom: str, line: Callable[[QuotaProposal], int]) -> str:
    """The whole report of `suggest`."""
    return dump(
        {
            "version": VERSION,
            "tool": {"name": "quotalint", "version": __version__},
            "scenario": scenario,
            "headroom": headroom,
            "quotas": [_quota(one, line(one)) for one in proposal.quotas],
            "limitRanges": [_limit_range(one) for one in proposal.limit_ranges],
            "unsized": [_unsized(one) for one in proposal.unsized],
            "capacity": [_promised(one) for one in proposal.promised],
            "left": list(proposal.left),
        }
    )


def _quota(one: QuotaProposal, line: int) -> dict[str, Any]:
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
        "entries": [_entry(entry) for entry in one.entries],
        "notes": list(one.notes),
    }


def _entry(one: EntryProposal) -> dict[str, Any]:
    return {
        "resource": one.name,
        "before": show(one.before),
        "needed": show(one.needed),
        "after": show(one.final),
        "changes": one.changes,
        "because": one.because,
        "certainty": one.certainty,
        "unknowns": list(one.reasons),
    }


def _limit_range(one: LimitRangeProposal) -> dict[str, Any]:
    obj = one.object
    return {
        "environment": one.environment,
        "namespace": obj.namespace,
        "name": obj.name,
        "limits": obj.spec["limits"],
        "because": list(one.because),
    }


def _unsized(one: Unsized) -> dict[str, Any]:
    return {
        "environment": one.environment,
        "namespace": one.namespace,
        "name": one.quota or None,
        "reasons": list(one.reasons),
    }


def _promised(one: Promised) -> dict[str, Any]:
    return {
        "environment": one.environment,
        "resource": one.resource,
        "promised": show(one.promised),
        "capacity": show(one.capacity),
        "reserve": show(one.reserve),
        "fits": one.fits,
    }
