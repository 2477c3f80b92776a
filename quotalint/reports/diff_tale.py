"""The verdict on a change: one line that says the most important thing, and what a person reads below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from quotalint.catalogue import SEVERITIES
from quotalint.diff.changes import Changes, QuotaChange
from quotalint.diff.explained import BETTER, Explained
from quotalint.diff.stories import Story, Tale
from quotalint.finding import Finding
from quotalint.reports.diff_words import (
    BESIDE,
    Amounts,
    amounts_of,
    cause_words,
    consequence_sentences,
    finding_headline,
    join_with_and,
    repair_words,
    second_headline,
    where_words,
)
from quotalint.reports.marks import mark_name, mark_place, mark_strong
from quotalint.reports.quiet_changes import Verdict, quiet_verdict, replacing_quota
from quotalint.reports.terminal import count_noun

_BESIDE = 2  # entries that the verdict names beside the first

ICONS = {"error": "❌", "warning": "⚠️", "info": "ℹ️", "": "✅"}


class Row(NamedTuple):
    """An entry of a quota that is worth a row."""

    where: str
    quota: str
    amounts: Amounts
    severity: str
    """Empty for one that fits."""


def change_verdict(found: Changes, tale: Tale) -> Verdict:
    """What matters most of a change: what breaks, else what is repaired, gone, or nothing."""
    bad = [*(one for story in tale.stories for one in _main_findings(story)), *tale.others]
    bad = [one for one in bad if one.verdict != BETTER]
    grave = [one for one in bad if one.finding.severity != "info"]
    if grave:
        worst = min(grave, key=lambda one: SEVERITIES.index(one.finding.severity))
        beside = _named_with_worst(worst, tale)
        text = join_with_and([_explained_headline(worst), *(second_headline(one.finding) for one in beside)])
        return Verdict(worst.finding.severity, text + _and_more(len(grave) - 1 - len(beside), "problem"))
    good = _good_news(found, tale)
    if good is not None:
        return good
    entries = [one for one in bad if one.finding.rule.counts]
    if entries or (bad and not found.quotas):
        first = (entries or bad)[0]
        return Verdict("info", _explained_headline(first) + _and_more(len(bad) - 1, "remark"))
    quiet = quiet_verdict(found)
    return quiet._replace(text=quiet.text + _and_more(len(bad), "remark", "a remark"))


def _named_with_worst(worst: Explained, tale: Tale) -> list[Explained]:
    """What else is short of the same quota, so that the same sentence can say it."""
    story = next((one for one in tale.stories if any(each is worst for each in one.told)), None)
    likes = [one for one in _main_findings(story) if one is not worst] if story is not None else []
    rule = worst.finding.rule
    same = (one for one in likes if (one.finding.rule.id, one.verdict) == (rule.id, worst.verdict))
    return list(same)[:_BESIDE] if BESIDE in rule.headline else []


def _good_news(found: Changes, tale: Tale) -> Verdict | None:
    fits = [one for one in tale.stories if one.fixed]
    if fits:
        story = fits[0]
        where = where_words(story.quota[0], story.environments)
        entries = ", ".join(one.amounts.words for one in fixed_rows(story)[:2])
        return Verdict("", f"{where} fits again{f': {entries}' if entries else ''}{_and_more(len(fits) - 1, 'quota')}")
    fixed = [one for one in found.findings.fixed if one.severity != "info"]
    if fixed:
        of = f"{fixed[0].rule.id} in {mark_name(fixed[0].namespace or fixed[0].file)}"
        return Verdict("", f"{count_noun(len(fixed), 'finding')} repaired ({of})")
    gone = [one for one in found.quotas if one.after is None]
    if replacing_quota(found.quotas):
        return None
    if gone:
        where = mark_name(gone[0].table.quota.namespace)
        lost = "is no longer in view" if gone[0].lost else "is gone, so it no longer limits anything"
        return Verdict(
            "info", f"quota {mark_name(gone[0].table.quota.name)} of {where} {lost}{_and_others(len(gone) - 1)}"
        )
    return None


def story_lines(story: Story) -> Iterator[str]:
    """What is told of one quota: the numbers with their cause, what will happen, what to do."""
    told = [one for one in _main_findings(story) if one.finding.severity != "info"] or _main_findings(story)
    if not told:
        entries = [mark_strong(one.amounts.words) for one in fixed_rows(story)]
        if entries:
            yield f"{' and '.join(entries)}."
        return
    amounts = [mark_strong(amounts_of(one).words) for one in told if one.verdict != BETTER] or [
        mark_strong(amounts_of(told[0]).words)
    ]
    cause = cause_words(told)
    yield f"{' and '.join(dict.fromkeys(amounts))}{f', {cause}' if cause else ''}."
    if story.also:
        names = list(dict.fromkeys(mark_name(one.quota[1]) for one in story.also))
        yield f"The same goes for {'quota' if len(names) == 1 else 'quotas'} {join_with_and(names)}."
    said = dict.fromkeys(consequence_sentences(told))
    if said:
        yield " ".join(said)
    ways = repair_words(story.repairs)
    if ways:
        yield ways


def other_finding_line(one: Explained) -> str:
    """A finding that is about no entry of a quota."""
    cause = cause_words([one]) if one.finding.cause is None or not one.finding.cause.file else ""
    # What the API server says word for word stands below the fold.
    detail = one.finding.values.get("detail", "")
    quoted = detail.startswith(("failed quota", "exceeded quota"))
    text = (one.finding.message.replace(f": {detail}", "") if quoted else one.finding.message).rstrip(".")
    text = text[:1].upper() + text[1:]
    return f"{text} ({mark_place(one.finding.file, one.finding.span.line)}){f', {cause}' if cause else ''}."


def entry_rows(tale: Tale) -> list[Row]:
    """Every entry that breaks, gets worse, stays exceeded, is repaired, or passes the threshold, each once."""
    found: dict[tuple[str, str, str], Row] = {}
    for story in (each for one in tale.stories for each in (one, *one.also)):
        where = where_words(story.quota[0], story.environments)
        for one in _main_findings(story):
            row = Row(where, story.quota[1], amounts_of(one), "" if one.verdict == BETTER else one.finding.severity)
            found.setdefault((where, story.quota[1], _row_name(one, row)), row)
        for row in fixed_rows(story):
            found.setdefault((where, story.quota[1], row.amounts.resource), row)
    return _with_equal_ones_merged(found.values())


def _with_equal_ones_merged(rows: Iterable[Row]) -> list[Row]:
    """The rows, those of one namespace that hold the same numbers as one with the names of all of their quotas."""
    equal: dict[Row, list[str]] = {}
    for row in rows:
        equal.setdefault(row._replace(quota=""), []).append(row.quota)
    return [row._replace(quota=join_with_and(list(dict.fromkeys(names)))) for row, names in equal.items()]


def _row_name(one: Explained, row: Row) -> str:
    return (
        row.amounts.resource
        if one.finding.rule.counts == "settled"
        else f"{row.amounts.resource} {one.finding.rule.id}"
    )


def fixed_rows(story: Story) -> list[Row]:
    """The entries that fit again."""
    where = where_words(story.quota[0], story.environments)
    by_name = {one.resource: one for one in story.change.entries} if story.change is not None else {}
    found = []
    for name in dict.fromkeys(one.values.get("resource", "") for one in story.fixed):
        entry = by_name.get(name)
        if entry is not None and entry.after is not None:
            was, now = entry
            values = (was and was.steady, now and now.steady, was and was.hard, now and now.hard)
            found.append(Row(where, story.quota[1], Amounts(name, *values), ""))
    return found


def quiet_rows(change: QuotaChange) -> list[Row]:
    """The entries that change without breaking anything."""
    where = where_words(change.table.quota.namespace, (change.environment,) if change.environment else ())
    found = []
    for entry in change.entries:
        was, now = entry
        values = (was and was.steady, now and now.steady, was and was.hard, now and now.hard)
        found.append(Row(where, change.table.quota.name, Amounts(entry.resource, *values), ""))
    return found


def _main_findings(story: Story) -> list[Explained]:
    """What is told of a quota, without what is said better of the same entry."""
    return [one for one in story.told if not any(_says_more(other, one) for other in story.told)]


def _says_more(other: Explained, one: Explained) -> bool:
    same = other.subjects[0].resource == one.subjects[0].resource
    return same and one.finding.rule.id in other.finding.rule.outdoes


def _explained_headline(one: Explained) -> str:
    return finding_headline(one.finding, _explained_where(one), one.verdict)


def _explained_where(one: Explained) -> str:
    finding: Finding = one.finding
    namespace = finding.values.get("namespace", "") if one.subjects or not finding.namespace else finding.namespace
    return where_words(namespace or finding.file, finding.environments)


def _and_more(number: int, noun: str, single: str = "") -> str:
    if number == 1 and single:
        return f", with {single}"
    return f", and {count_noun(number, f'more {noun}')}" if number > 0 else ""


def _and_others(number: int) -> str:
    return f" and {number} more" if number > 0 else ""


def told_findings(tale: Tale) -> Sequence[Explained]:
    """Every finding that is told, in the order of the stories."""
    each = (story for one in tale.stories for story in (one, *one.also))
    return [*(one for story in each for one in story.told), *tale.others]
