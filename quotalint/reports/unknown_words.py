"""Sentences about a change with an unknown effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quotalint.diff.unknown_effect import Unknown
from quotalint.reports.marks import mark_name, mark_place
from quotalint.reports.quiet_changes import Verdict
from quotalint.reports.terminal import count_noun
from quotalint.text.words import list_some
from quotalint.unknowns.causes import FAMILIES

_NAMED = 2
_LONGEST = 190  # characters of a headline: two lines


def unknown_headline(unknowns: Sequence[Unknown]) -> str:
    """A headline that the effect is unknown, with the reason if it is short."""
    names = list(dict.fromkeys(unknown.namespace for unknown in unknowns if unknown.namespace))
    who = list_some(list(map(mark_name, names)), _NAMED) if names else "quotas"
    what = f"not known: whether {who} still {'fits' if len(names) == 1 else 'fit'}"
    causes = {unknown.reason: unknown.family for unknown in unknowns}
    text = f"{what}, because {_why_words(unknowns[0], causes)}"
    if len(text) <= _LONGEST:
        return text
    return f"{what}, for {count_noun(len(causes), 'reason')}" if len(causes) > 1 else what


def _why_words(first: Unknown, causes: Mapping[str, str]) -> str:
    if len(causes) == 1:
        return first.reason
    if first.family and set(causes.values()) == {first.family}:
        return f"{len(causes)} {FAMILIES[first.family].plural}"
    return f"{first.reason} and {count_noun(len(causes) - 1, 'more cause')}"


def unknown_lines(unknowns: Sequence[Unknown], verdict: Verdict) -> Sequence[str]:
    """A sentence for each cause that hides the effect of a change, with how to find out."""
    places_by_reason: dict[str, list[str]] = {}
    for unknown in unknowns:
        places_by_reason.setdefault(unknown.reason, []).append(mark_place(unknown.file, unknown.line))
    cures = {unknown.reason: unknown.cure for unknown in unknowns}
    if len(cures) == 1 and verdict.severity == "unknown":
        ((reason, places),) = places_by_reason.items()
        where = list_some(places, _NAMED)
        changed = f"Changed: {where}" if reason in verdict.text else f"Changed: {where}. Not known, because {reason}"
        return [f"{changed}. To find out: {cures[reason]}."]
    is_one_cure = len(set(cures.values())) == 1
    lines = [f"To find out: {next(iter(cures.values()))}."] if is_one_cure else []
    for reason, places in places_by_reason.items():
        more = "" if is_one_cure else f"; to find out: {cures[reason]}"
        lines.append(f"Not known: {list_some(places, _NAMED)}, because {reason}{more}.")
    return lines
