"""The verdict on a change that repairs one entry of a quota while another stays exceeded."""

from __future__ import annotations

from quotalint.diff.change_summary import ChangeSummary, QuotaSummary
from quotalint.diff.changes import Changes
from quotalint.diff.explained import STILL
from quotalint.reports.diff_cells import in_one_unit
from quotalint.reports.diff_words import finding_headline, where_words
from quotalint.reports.quiet_changes import Verdict
from quotalint.results.finding import Finding
from quotalint.text.words import join_with_and


def still_short(changes: Changes, change_summary: ChangeSummary) -> Verdict | None:
    """Which quota is still short of something, and which of its entries fit again; None if there is none."""
    for summary in change_summary.summaries:
        finding = next((finding for finding in changes.findings.unchanged if _is_short(finding, summary)), None)
        if summary.fixed and finding is not None:
            need = finding.needs[0]
            amounts = " of ".join(in_one_unit(need.resource, (need.needed, need.allowed)))
            text = finding_headline(finding, where_words(summary.quota[0], summary.environments), STILL)
            names = dict.fromkeys(mended.values.get("resource", "") for mended in summary.repaired)
            verb = "fit" if len(names) > 1 else "fits"
            return Verdict("warning", f"{text} ({amounts}); {join_with_and(list(names))} {verb} again", summary)
    return None


def _is_short(finding: Finding, summary: QuotaSummary) -> bool:
    named = (finding.values.get("namespace"), finding.values.get("quota"))
    is_here = (
        not finding.environments or not summary.environments or set(finding.environments) & set(summary.environments)
    )
    is_exceeded = finding.counts == "settled" and finding.severity == "error" and bool(finding.rule.worse_with)
    return is_exceeded and bool(finding.needs) and named == summary.quota and bool(is_here)
