"""Proposed quotas and LimitRanges as manifests, with former amounts and reasons as comments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from quotalint.kube import quantity
from quotalint.kube.fields import mapping
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import ASSUMED, EXACT
from quotalint.reports.manifests import render_body
from quotalint.reports.terminal import safe_text
from quotalint.sizing.proposed import EntryProposal, LimitRangeProposal, Proposal, QuotaProposal

_REASONS = 3  # why an amount is a lower bound; the rest is counted


class Sheet(NamedTuple):
    """The manifests of one namespace of one environment."""

    environment: str
    namespace: str
    documents: tuple[str, ...]

    @property
    def text(self) -> str:
        return "---\n".join(self.documents)


def render(sheets: Sequence[Sheet]) -> str:
    """All manifests; those that several environments share are printed once."""
    shared: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for sheet in sheets:
        shared.setdefault((sheet.namespace, sheet.documents), []).append(sheet.environment)
    blocks = []
    for (namespace, documents), environments in shared.items():
        named = [safe_text(environment) for environment in environments if environment]
        head = f"# {safe_text(namespace)}" + (f" in {', '.join(named)}" if named else "")
        blocks += [f"{head}\n{documents[0]}", *documents[1:]]
    return "---\n".join(blocks)


def proposed_sheets(
    proposal: Proposal, how: str, line: Callable[[QuotaProposal], int], *, with_existing: bool = True
) -> tuple[Sheet, ...]:
    """New and changed manifests by environment and namespace; only new ones unless `with_existing`. `how` says for what
    they are sized."""
    documents_by_place: dict[tuple[str, str], list[str]] = {}
    for quota_proposal in proposal.quotas:
        if quota_proposal.new or (with_existing and quota_proposal.changes):
            documents_by_place.setdefault((quota_proposal.environment, quota_proposal.quota.namespace), []).append(
                _quota_document(quota_proposal, how, line(quota_proposal))
            )
    for limits in proposal.limit_ranges:
        documents_by_place.setdefault((limits.environment, limits.object.namespace), []).append(
            _limit_range_document(limits)
        )
    return tuple(Sheet(*where, tuple(documents)) for where, documents in sorted(documents_by_place.items()))


def _quota_document(proposal: QuotaProposal, how: str, line: int) -> str:
    obj = proposal.quota.object
    head = [f"quota {proposal.quota.name}, sized for {how}" + (f": size {proposal.size}" if proposal.size else "")]
    if not proposal.new:
        head.append(f"is in {obj.place.file}:{line}")
    head += [*proposal.notes, *_doubt_comments(proposal)]
    comments = "".join(f"# {_one_line(text)}\n" for text in head)
    if obj.kind != "ResourceQuota" or obj.group:
        changes = (
            f"#   {_one_line(f'{entry.name}: {_show_final(entry)}  {_entry_reason(entry)}')}\n"
            for entry in proposal.entries
        )
        return comments + "".join(changes)
    return comments + _quota_manifest(proposal)


def _doubt_comments(proposal: QuotaProposal) -> Iterator[str]:
    """Comments above all manifests: why the amounts may be too small."""
    unsure = [entry for entry in proposal.entries if entry.certainty != EXACT and entry.needed is not None]
    if not unsure:
        return
    reasons = list(dict.fromkeys(reason for entry in unsure for reason in entry.reasons))
    word = "assumed" if any(entry.certainty == ASSUMED for entry in unsure) else "lower bounds"
    entry_names = "" if len(unsure) == len(proposal.entries) else f" ({', '.join(entry.name for entry in unsure)})"
    more = f"; and {len(reasons) - _REASONS} more reasons" if len(reasons) > _REASONS else ""
    yield f"{word}{entry_names}: {'; '.join(reasons[:_REASONS])}{more}"


def _quota_manifest(proposal: QuotaProposal) -> str:
    body = proposal.quota.object.body
    metadata = {**mapping(body.get("metadata")), "namespace": proposal.quota.namespace}
    spec = {name: value for name, value in mapping(body.get("spec")).items() if name != "hard"}
    lines = [render_body({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata}), "spec:\n  hard:\n"]
    lines += [
        f"    {_entry_line(entry)}  # {_one_line(_entry_reason(entry))}\n"
        for entry in proposal.entries
        if entry.final is not None
    ]
    spec_text = render_body(spec) if spec else ""
    return "".join(lines) + "".join(f"  {text}\n" for text in spec_text.splitlines())


def _entry_line(entry: EntryProposal) -> str:
    """`requests.cpu: "4"`."""
    return render_body({entry.name: _show_final(entry)}).rstrip("\n")


def _show_final(entry: EntryProposal) -> str:
    return quantity.show(entry.final) if entry.final is not None else ""


def _entry_reason(entry: EntryProposal) -> str:
    was = f"was {quantity.show(entry.before)}; " if entry.changes and entry.before is not None else ""
    return f"{was}{entry.because}"


def _limit_range_document(proposal: LimitRangeProposal) -> str:
    comments = "".join(f"# {_one_line(text)}\n" for text in proposal.because)
    return comments + render_body(proposal.object.body)


def _one_line(text: str) -> str:
    return " ".join(safe_text(text).split())
