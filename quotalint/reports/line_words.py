"""One line of a change that breaks several quotas, in words: how many, which is short of most, and what to write."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.diff.attribution import CHANGES, COMES, Culprit
from quotalint.diff.change_summary import QuotaSummary, moment_of
from quotalint.diff.explained import BETTER, STILL, Explained
from quotalint.diff.relevance import field_words
from quotalint.reports.compared_amounts import amounts_of, in_moment
from quotalint.reports.diff_words import culprit_words, where_words
from quotalint.reports.marks import mark_name, mark_place, mark_strong
from quotalint.reports.terminal import count_noun
from quotalint.text.words import join_with_and

MANY = 3  # other quotas; more than so many are counted, not told one by one
_NAMES = 3  # namespaces that the headline names
_OWN = 2  # namespaces that grow beside, which are named


def line_headline(summary: QuotaSummary, worst: Explained) -> str:
    """`limits.cpu 4 → 3 breaks 31 of 60 namespaces`; empty where one namespace alone is broken, or was before."""
    grave = worst.finding.severity
    broken = list(dict.fromkeys(member.quota[0] for member in summary.members if _severity_of(member) == grave))
    culprit = _culprit_of(summary)
    if len(broken) < 2 or culprit is None or worst.verdict in (STILL, BETTER):
        return ""
    moment = worst.finding.moment
    if len(broken) <= _NAMES:
        which = f"namespaces {join_with_and([mark_name(name) for name in broken])}"
    else:
        of = f"of {summary.reached} " if summary.reached > len(broken) else ""
        which = f"{len(broken)} {of}namespaces"
    how = "breaks" if not moment else "leaves too little room in"
    return f"{_change_words(culprit)} {how} {which}{in_moment(moment)}"


def _severity_of(member: QuotaSummary) -> str:
    return member._replace(others=()).severity


def _culprit_of(summary: QuotaSummary) -> Culprit | None:
    """What the line did."""
    culprits = (culprit for explained in summary.told for culprit in explained.culprits)
    return next(
        (culprit for culprit in culprits if summary.line is not None and culprit.written_at == summary.line), None
    )


def _change_words(culprit: Culprit) -> str:
    if culprit.how == COMES:
        return f"new {culprit.object.kind} {mark_name(culprit.object.name)}"
    if culprit.how != CHANGES or not culprit.fields:
        return f"{culprit.object.kind} {mark_name(culprit.object.name)}"
    words = mark_name(culprit.field_words[0])
    return words if culprit.hard is not None else f"{words} of {mark_name(culprit.object.name)}"


def line_sentences(summary: QuotaSummary) -> Iterator[str]:
    """Sentences about many quotas that one line breaks: how many are short, which one most, and which of them grow."""
    culprit = _culprit_of(summary)
    what = (
        f"{_culprit_sentence(culprit)} ({mark_place(*summary.line)}). " if culprit is not None and summary.line else ""
    )
    yield f"{what}{'; '.join(_needs_words(summary))}."
    if culprit is not None and culprit.hard is not None:
        own = list(_growth_words(summary))
        more = [f"{count_noun(len(own) - _OWN, 'more namespace')} as well"] if len(own) > _OWN else []
        if own:
            yield f"{join_with_and([*own[:_OWN], *more])}."


def _culprit_sentence(culprit: Culprit) -> str:
    """What the change did to an object, as the beginning of a sentence: a field keeps its case."""
    words = culprit_words(culprit)
    is_field = any(words.startswith(f"{field_words(field)} ") for field in culprit.fields)
    return words if is_field else words[:1].upper() + words[1:]


def _needs_words(summary: QuotaSummary) -> Iterator[str]:
    """For each resource, how many quotas are short of it, the most at rest first: a quota counts but once."""
    counted: dict[str, set[tuple[str, ...]]] = {}
    by_need: dict[tuple[int, str], list[tuple[QuotaSummary, Explained]]] = {}
    for member in summary.members:
        for explained in member.explained:
            if explained.verdict != BETTER and explained.finding.severity != "info":
                key = moment_of(explained.finding), explained.subjects[0].resource
                by_need.setdefault(key, []).append((member, explained))
    for (_, resource), needs in sorted(by_need.items(), key=lambda item: item[0]):
        seen = counted.setdefault(resource, set())
        is_more = bool(seen)
        new = [(member, explained) for member, explained in needs if (*member.quota, *member.environments) not in seen]
        seen.update((*member.quota, *member.environments) for member, _ in new)
        if not new:
            continue
        worst, explained = max(new, key=lambda need: amounts_of(need[1]).short)  # of equals the first
        number = len({(*member.quota, *member.environments) for member, _ in new})
        noun = "quota" if len({member.quota[0] for member, _ in new}) < number else "namespace"
        of = count_noun(number, f"more {noun}" if is_more else noun)
        moment = in_moment(explained.finding.moment)
        need = ("needs" if number == 1 else "need") + f" more {resource} than is allowed"
        how = need + (" for a while" if moment else "")
        where = where_words(worst.quota[0], worst.environments)
        yield f"{of} {how}, {where} the most: {mark_strong(amounts_of(explained).words)}{moment}"


def _growth_words(summary: QuotaSummary) -> Iterator[str]:
    """What the change did to a namespace itself, where a smaller quota is not all."""
    for member in summary.members:
        culprits = (culprit for explained in member.explained for culprit in explained.culprits)
        grown = (culprit for culprit in culprits if culprit.hard is None and not culprit.eases and culprit.line)
        culprit = next(grown, None)
        if culprit is not None and culprit.line is not None:
            place = mark_place(culprit.line.file, culprit.line.span.line)
            where = where_words(member.quota[0], member.environments)
            yield f"{where} grows in this change: {culprit_words(culprit)} ({place})"
