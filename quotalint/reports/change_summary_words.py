"""The verdict on a change: one line that says the most important thing, and what a person reads below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quotalint.catalogue import SEVERITIES
from quotalint.diff.change_summary import ChangeSummary, QuotaSummary, moment_of
from quotalint.diff.changes import Changes, QuotaChange, verdict_of
from quotalint.diff.explained import BETTER, UNWRITTEN, Explained
from quotalint.diff.relaxed_limits import dropped_entries
from quotalint.diff.repairs import NewLine
from quotalint.reports.alike import merge_alike, same_elsewhere
from quotalint.reports.change_rows import fixed_rows, main_findings
from quotalint.reports.chosen_quotas import is_exceeded
from quotalint.reports.compared_amounts import AmountsRow, amounts_of, amounts_words, in_moment
from quotalint.reports.diff_words import (
    BESIDE,
    cause_words,
    compared_entries,
    consequence_sentences,
    finding_headline,
    repair_words,
    second_headline,
    where_words,
)
from quotalint.reports.lifted_limits import lifted_verdict, quota_words
from quotalint.reports.line_words import MANY, line_headline, line_sentences
from quotalint.reports.marks import begins_with_name, mark_name, mark_place, mark_strong
from quotalint.reports.quiet_changes import Verdict, quiet_verdict
from quotalint.reports.still_short import still_short
from quotalint.reports.terminal import count_noun
from quotalint.reports.unknown_words import unknown_headline
from quotalint.results.finding import Finding
from quotalint.text.words import join_with_and, list_some

_BESIDE = 2  # entries that the verdict names beside the first, and namespaces of many
_OUT_OF_VIEW = frozenset(("absent", "absents", "default", "many", "outside", "outsides", "shared"))
"""The words for what cannot be seen here; anything else is refused or wrong."""
_IN_WHERE = " in {where}"
_NAMESPACE = "namespace "

SUMMARIES = 10  # shown at most
LARGE = 10  # quotas that change; of more, fewer are shown in full
ICONS = {"error": "❌", "warning": "⚠️", "info": "ℹ️", "unknown": "❔", "": "✅"}


def change_verdict(changes: Changes, change_summary: ChangeSummary) -> Verdict:
    """What matters most of a change: what breaks, else what is repaired, gone, or nothing."""
    bad = [
        *(explained for summary in change_summary.summaries for explained in _all_main_findings(summary)),
        *change_summary.others,
    ]
    bad = [explained for explained in bad if explained.verdict != BETTER]
    if verdict_of(changes) == "unknown":
        return Verdict(
            "unknown", unknown_headline(changes.unknowns) + _and_more(_told_number(bad), "remark", "a remark")
        )
    grave = [explained for explained in bad if explained.finding.severity != "info"]
    if grave:
        # What has long been out of view does not hide what the change itself brings.
        worst = min(
            grave, key=lambda explained: (SEVERITIES.index(explained.finding.severity), _is_incidental(explained))
        )
        text, named = _grave_headline(worst, grave, change_summary)
        more = _and_more(_told_number(grave) - named, "problem")
        if changes.quotas and all(map(_is_incidental, grave)):
            # What has long been out of view matters now, because the change adds a quota.
            text = f"{(lifted_verdict(changes) or quiet_verdict(changes)).text}; {text}"
        compared = compared_entries(worst.finding)
        return Verdict(worst.finding.severity, text + more, _summary_of(worst, change_summary), compared)
    good = still_short(changes, change_summary) or _good_news(changes, change_summary)
    if good is not None:
        return good
    entries = [explained for explained in bad if explained.finding.counts]
    if entries or (bad and not changes.quotas):
        first = (entries or bad)[0]
        text = _explained_headline(first) + _and_more(_told_number(bad) - 1, "remark")
        return Verdict("info", text, _summary_of(first, change_summary))
    quiet = quiet_verdict(changes)
    return quiet._replace(text=quiet.text + _and_more(_told_number(bad), "remark", "a remark"))


def _grave_headline(worst: Explained, grave: Sequence[Explained], change_summary: ChangeSummary) -> tuple[str, int]:
    """The headline of the worst finding, or of the line that breaks several namespaces, and how many it is about."""
    summary = _summary_of(worst, change_summary)
    if summary is not None:
        text = line_headline(summary, worst)
        if text:
            told = {id(explained) for explained in summary.told}
            return text, _told_number(explained for explained in grave if id(explained) in told)
    also_named = _named_with_worst(worst, change_summary)
    seconds = [second_headline(explained.finding) for explained in also_named]
    return join_with_and([_explained_headline(worst, grave), *seconds]), 1 + len(also_named)


def _told_number(explained_findings: Iterable[Explained]) -> int:
    """The findings that are shown below the verdict."""
    return len(merge_alike([explained.finding for explained in explained_findings]))


def _is_incidental(explained: Explained) -> bool:
    """Whether a finding is that something is out of view, or was no better before, which the change did not touch."""
    finding = explained.finding
    if finding.rule.looks_at != "file" or not (finding.variant in _OUT_OF_VIEW or explained.was is not None):
        return False
    return any(note.text == UNWRITTEN for note in finding.notes)


def _named_with_worst(worst: Explained, change_summary: ChangeSummary) -> list[Explained]:
    """What else is short of the same quota, so that the same sentence can say it."""
    summary = _summary_of(worst, change_summary)
    likes = [explained for explained in main_findings(summary) if explained is not worst] if summary is not None else []
    rule = worst.finding.rule
    same = (
        explained for explained in likes if (explained.finding.rule.id, explained.verdict) == (rule.id, worst.verdict)
    )
    return list(same)[:_BESIDE] if BESIDE in rule.headline else []


def _summary_of(explained: Explained, change_summary: ChangeSummary) -> QuotaSummary | None:
    return next(
        (summary for summary in change_summary.summaries if any(mine is explained for mine in summary.told)), None
    )


def _good_news(changes: Changes, change_summary: ChangeSummary) -> Verdict | None:
    fits = [
        summary
        for summary in change_summary.summaries
        if summary.fixed and not _is_gone(summary) and _fits_again(summary)
    ]
    fits.sort(key=lambda summary: not summary.was_short)
    if fits:
        summary = fits[0]
        where = where_words(summary.quota[0], summary.environments)
        first = min(summary.repaired, key=moment_of).moment
        when = in_moment(first)
        entries = ", ".join(
            row.amounts.words + in_moment("" if row.moment == first else row.moment) for row in fixed_rows(summary)[:2]
        )
        numbers = f": {entries}" if entries else ""
        text = f"{where} {_again_words(summary)}{when}{numbers}{_removed_words(summary)}"
        return Verdict("", f"{text}{_and_more(len(fits) - 1, 'quota')}", summary)
    accepted = [
        change
        for change in changes.quotas
        if change.before is not None and change.after is not None
        if change.before.rejected and not change.after.rejected
    ]
    if accepted:
        others = _and_more(len(accepted) - 1, "quota")
        text = f"{quota_words(accepted[0])} is accepted now; the API server refused it before{others}"
        return Verdict("", text)
    lifted = lifted_verdict(changes)
    if lifted is not None:
        return lifted
    fixed = [finding for finding in changes.findings.fixed if finding.severity != "info"]
    if fixed:
        return Verdict("", f"{count_noun(len(fixed), 'finding')} repaired ({_fixed_words(fixed)})")
    return None


def _fixed_words(fixed: Iterable[Finding]) -> str:
    """`QL402 in a and b, QL201 in c`"""
    places: dict[str, list[str]] = {}
    for finding in fixed:
        places.setdefault(finding.rule.id, []).append(mark_name(finding.namespace or finding.file))
    words = [f"{rule_id} in {_few_words(list(dict.fromkeys(names)))}" for rule_id, names in places.items()]
    return list_some(words, _BESIDE)


def _few_words(names: Sequence[str]) -> str:
    return join_with_and(names) if len(names) <= _BESIDE else list_some(names, _BESIDE)


def _removed_words(summary: QuotaSummary) -> str:
    """The workloads that made room: they used the quota and are gone."""
    users = summary.change.consumers if summary.change is not None else ()
    went = (user.before for user in users if user.after is None and not (user.lost or user.stays))
    removed = [consumer.owner for consumer in went if consumer is not None]
    names = list_some([f"{owner.kind} {mark_name(owner.name)}" for owner in removed], _BESIDE)
    return f", because {names} {'is' if len(removed) == 1 else 'are'} gone" if removed else ""


def _fits_again(summary: QuotaSummary) -> bool:
    """Whether an amount can be shown that has room, by the moment of what is repaired; or none at all."""
    resources = {finding.values.get("resource", "") for finding in summary.repaired}
    known = summary.change is not None and any(entry.resource in resources for entry in summary.change.entries)
    return bool(fixed_rows(summary)) or not known


def _is_gone(summary: QuotaSummary) -> bool:
    """Whether nothing is wrong with a quota any more because there is none, or no such entry."""
    if summary.change is None:
        return False
    return summary.change.after is None or (bool(dropped_entries(summary.change)) and not fixed_rows(summary))


def summary_lines(summary: QuotaSummary, verdict: Verdict) -> Iterator[str]:
    """The sentences about one quota, or about all quotas that one line breaks: the amounts with their cause, what will
    happen, and what to do. They name the quota unless the verdict above is about it."""
    if len(summary.others) >= MANY:
        yield from line_sentences(summary)
    else:
        for member in summary.members:
            yield from _quota_lines(member, verdict)
    yield from filter(None, (repair_words(summary.proposal),))


def _quota_lines(summary: QuotaSummary, verdict: Verdict) -> Iterator[str]:
    name = f"{where_words(summary.quota[0], summary.environments)}, quota {mark_name(summary.quota[1])}"
    about = verdict.about
    is_named = about is not None and not about.others
    is_about = about is not None and (summary.quota, summary.environments) == (about.quota, about.environments)
    which = "" if is_named and is_about else f"{name}: "
    told = [explained for explained in main_findings(summary) if explained.finding.severity != "info"] or main_findings(
        summary
    )
    if not told:
        entries = [mark_strong(row.amounts.words) + in_moment(row.moment) for row in fixed_rows(summary)]
        if entries:
            again = f"{name} {_again_words(summary)}: " if which and summary.fixed and not _is_gone(summary) else which
            yield f"{again}{' and '.join(entries)}."
        return
    worsened = [explained for explained in told if explained.verdict != BETTER] or told[:1]
    # The first is the most important, and one number of a resource is enough to see that it does not fit.
    firsts: dict[str, tuple[AmountsRow, str]] = {}
    for explained in worsened:
        row = amounts_of(explained)
        firsts.setdefault(row.resource, (row, explained.finding.moment))
    cause = cause_words(told, fits=not any(row.is_over for row, _ in firsts.values()))
    # What the verdict compares is compared again only with what it was, or for the sake of what brought it about.
    said_above = () if which or cause else verdict.compared
    shown = [(row, at) for row, at in firsts.values() if not (row.is_as_before and row.resource in said_above)]
    amounts = amounts_words(shown)
    if amounts:
        yield f"{which}{amounts}{f', {cause}' if cause else ''}."
    if summary.also:
        quota_names = list(dict.fromkeys(mark_name(similar.quota[1]) for similar in summary.also))
        yield f"The same goes for {'quota' if len(quota_names) == 1 else 'quotas'} {join_with_and(quota_names)}."
    sentences = " ".join(dict.fromkeys(consequence_sentences(told)))
    yield from filter(None, (sentences,))


def other_finding_line(explained: Explained) -> str:
    """A finding that is about no entry of a quota."""
    finding = explained.finding
    cause = cause_words([explained]) if finding.cause is None or not finding.cause.file else ""
    # What the API server says word for word stands below the fold.
    detail = finding.values.get("detail", "")
    quoted = detail.startswith(("failed quota", "exceeded quota"))
    text = (finding.message.replace(f": {detail}", "") if quoted else finding.message).rstrip(".")
    is_name = begins_with_name(text) or text.partition(" ")[0] == finding.values.get("namespace")
    text = text if is_name else text[:1].upper() + text[1:]
    also = [place.message for place in finding.related if place.label == "also for"]
    others = f", also for {list_some(also, _BESIDE)}" if also else ""
    place = mark_place(finding.file, finding.span.line)
    return f"{text} ({place}){others}{f', {cause}' if cause else ''}."


def _again_words(summary: QuotaSummary) -> str:
    return "fits again" if summary.was_short else "has room again"


def _all_main_findings(summary: QuotaSummary) -> Iterator[Explained]:
    """The main findings about all quotas of a summary, except quotas with the same findings as another one."""
    return (explained for member in summary.members for explained in main_findings(member))


def _explained_headline(explained: Explained, others: Sequence[Explained] = ()) -> str:
    """The headline of a finding, with each namespace in which others say the same of one line."""
    finding, where = explained.finding, [_explained_where(explained)]
    if _IN_WHERE in finding.rule.headline.get(finding.variant, finding.rule.headline["default"]):
        same = {other.identity for other in same_elsewhere(finding, [other.finding for other in others])}
        where += [_explained_where(other) for other in others if other.finding.identity in same]
    more = f" and {len(where) - _BESIDE} more namespaces" if len(where) > _BESIDE + 1 else ""
    places = ", ".join(where[:_BESIDE]) + more if more else join_with_and(where)
    return finding_headline(finding, places, explained.verdict)


def unlisted_summaries(change_summary: ChangeSummary) -> Sequence[QuotaSummary]:
    """The summaries whose quotas are counted, not listed: those of each such line, and those that only come close."""
    counted = [summary for summary in change_summary.summaries if len(summary.others) >= MANY]
    return [*counted, *(summary for summary in change_summary.summaries if counted and summary.severity == "info")]


def merged_other_findings(change_summary: ChangeSummary) -> Sequence[Explained]:
    """The findings about no entry of a quota, with one for all that say the same."""
    likes = {_place_key(explained.finding): explained for explained in reversed(change_summary.others)}
    merged = merge_alike([explained.finding for explained in change_summary.others])
    return [likes[_place_key(finding)]._replace(finding=finding) for finding in merged]


def _place_key(finding: Finding) -> tuple[object, ...]:
    return finding.rule.id, finding.fingerprint, finding.file, finding.span, finding.namespace


def _explained_where(explained: Explained) -> str:
    finding: Finding = explained.finding
    namespace = (
        finding.values.get("namespace", "") if explained.subjects or not finding.namespace else finding.namespace
    )
    others = [place.message for place in finding.related if place.label == "also for"]
    if namespace and others and all(message.startswith(_NAMESPACE) for message in others):
        # Each environment has one of its own.
        names = [mark_name(name) for name in (namespace, *(text[len(_NAMESPACE) :] for text in others))]
        return join_with_and(names if len(names) <= _BESIDE + 1 else [*names[:_BESIDE], "other namespaces"])
    return where_words(namespace or finding.file, finding.environments)


def _and_more(number: int, noun: str, single: str = "") -> str:
    if number == 1 and single:
        return f", with {single}"
    return f", and {count_noun(number, f'more {noun}')}" if number > 0 else ""


def suggested_lines(summaries: Iterable[QuotaSummary]) -> Sequence[NewLine]:
    """What the summaries would write, with each line once."""
    by_place: dict[tuple[str, int], NewLine] = {}
    for way in (way for summary in summaries for way in summary.proposal.suggested):
        for line in way.lines:
            by_place.setdefault((line.file, line.line), line)
    return list(by_place.values())


def exceeded_first(changes: Sequence[QuotaChange]) -> list[QuotaChange]:
    """Changed quotas, those that do not fit before the others."""
    return sorted(changes, key=lambda change: change.after is None or not is_exceeded(change.after))


def told_findings(change_summary: ChangeSummary) -> Sequence[Explained]:
    """Every shown finding, in the order of the summaries."""
    summaries = (summary for main_summary in change_summary.summaries for summary in main_summary.quotas)
    return [*(explained for summary in summaries for explained in summary.explained), *change_summary.others]
