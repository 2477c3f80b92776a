"""What is said of a change of which nobody can tell what it does."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.diff.unknown_effect import Unknown
from quotalint.reports.marks import mark_name, mark_place
from quotalint.reports.quiet_changes import Verdict
from quotalint.reports.terminal import count_noun
from quotalint.text.words import list_some
from quotalint.unknowns.causes import FAMILIES

_NAMED = 2


def unknown_headline(unknowns: Sequence[Unknown]) -> str:
    """That nobody can tell what the change does, why, and what would settle it."""
    first = unknowns[0]
    names = list(dict.fromkeys(unknown.namespace for unknown in unknowns if unknown.namespace))
    who = list_some(list(map(mark_name, names)), _NAMED) if names else "quotas"
    what = f"whether {who} still {'fits' if len(names) == 1 else 'fit'}"
    causes = {unknown.reason: unknown.family for unknown in unknowns}
    why = first.reason
    if len(causes) > 1:
        is_family = bool(first.family) and set(causes.values()) == {first.family}
        more = f"{first.reason} and {count_noun(len(causes) - 1, 'more cause')}"
        why = f"{len(causes)} {FAMILIES[first.family].plural}" if is_family else more
    return f"not known: {what}, because {why}; to find out: {first.cure}"


def unknown_lines(unknowns: Sequence[Unknown], verdict: Verdict) -> Sequence[str]:
    """Where a change touches what is not in view, one sentence for each cause."""
    places_by_reason: dict[str, list[str]] = {}
    for unknown in unknowns:
        places_by_reason.setdefault(unknown.reason, []).append(mark_place(unknown.file, unknown.line))
    cures = {unknown.reason: unknown.cure for unknown in unknowns}
    is_said = verdict.severity == "unknown" and len(cures) == 1
    lines = []
    for reason, places in places_by_reason.items():
        where = list_some(places, _NAMED)
        more = "" if verdict.severity == "unknown" else f"; to find out: {cures[reason]}"
        lines.append(f"Changed: {where}." if is_said else f"Not known: {where}, because {reason}{more}.")
    return lines
