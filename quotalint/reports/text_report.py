"""The text report: each finding with its lines, and a summary at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from quotalint.accounts.facts import Facts
from quotalint.catalogue import filled_text
from quotalint.reports.alike import merge_others
from quotalint.reports.details import causes_first, most_severe_first
from quotalint.reports.ending import ending_lines
from quotalint.reports.excerpt import excerpt_lines, lines_of
from quotalint.reports.summary import Summary
from quotalint.reports.terminal import SEVERITY_STYLES, Terminal, align_rows, column_width, safe_text, wrap_paragraph
from quotalint.results.finding import Finding, RelatedPlace
from quotalint.text.words import list_some

_MARGIN = "   "
_LABEL = 11  # columns of `limited by` and the like
_PLACES = 3  # of notes that a line names
_ENVIRONMENTS = 8  # that a finding names
_FEW_ENVIRONMENTS = 3  # that are named though they are all
_REASONS = 3  # of notes of one rule that a line names
_OUT_OF_VIEW = frozenset(("not applied", "not followed", "not in view", "not rendered"))
"""Labels of what may be fine, and is only not seen here."""
_WHERE = "{where}"
_OF_A_RULE = 10  # findings of one rule that are shown in full; the others take a line each


def render(
    findings: Sequence[Finding],
    numbers: Summary,
    environments: Sequence[Facts],
    content: Callable[[str], bytes],
    to: Terminal,
    *,
    quiet: bool = False,
    verbose: bool = False,
    folded: Sequence[Finding] | None = None,
) -> str:
    """The whole text; `quiet`: one line for each finding and nothing else. Suppressed findings are only counted, and
    named with `verbose`. `folded`: the findings without those that follow from others."""
    suppressed = [finding for finding in findings if finding.suppressed] if numbers.suppressed else ()
    # What fails comes first; within it the order is that of files and lines.
    findings = most_severe_first(findings)
    if quiet:
        return "".join(f"{in_one_line(finding)}\n" for finding in findings)
    lines = cache(lambda name: lines_of(content(name)))
    told = most_severe_first(folded) if folded is not None and not verbose else findings
    shown = causes_first([finding for finding in told if verbose or finding.severity != "info"])
    everywhere = frozenset(facts.environment for facts in environments if facts.quotas or facts.limit_ranges)
    listed, most = (shown, len(shown)) if verbose else (merge_others(shown), _OF_A_RULE)
    blocks = list(_finding_blocks(listed, lines, to, most, everywhere))
    if len(shown) < len(told):
        blocks.append("\n".join(_info_lines([finding for finding in findings if finding.severity == "info"], to)))
    if verbose and suppressed:
        blocks.append("\n".join(map(_suppressed_line, suppressed)))
    following = len(findings) - len(told)
    blocks.append("\n".join(ending_lines(findings, numbers, environments, to, verbose=verbose, following=following)))
    return "\n\n".join(blocks) + "\n"


def _finding_blocks(
    findings: Sequence[Finding],
    lines: Callable[[str], tuple[str, ...]],
    to: Terminal,
    in_full: int,
    everywhere: AbstractSet[str],
) -> Iterator[str]:
    shown_by_rule: Counter[str] = Counter()
    brief: list[str] = []
    for finding in findings:
        shown_by_rule[finding.rule.id] += 1
        if shown_by_rule[finding.rule.id] > in_full:
            brief.append(_brief_line(finding, to))
            continue
        if brief:
            yield "\n".join(brief)
            brief = []
        yield "\n".join(in_full_block(finding, lines, to, everywhere))
    if brief:
        yield "\n".join(brief)
    if any(number > in_full for number in shown_by_rule.values()):
        yield f"{in_full} findings of each rule are shown in full; --verbose shows all."


def _brief_line(finding: Finding, to: Terminal) -> str:
    # Elsewhere than on a terminal a line may be searched for.
    return wrap_paragraph(in_one_line(finding), to.width, "", _MARGIN) if to.wraps else in_one_line(finding)


def in_one_line(finding: Finding) -> str:
    span = finding.span
    place = f"{safe_text(finding.file)}:{span.line}:{span.column}"
    return f"{place}: {finding.severity} {finding.rule.id} {safe_text(finding.message)}"


def _suppressed_line(finding: Finding) -> str:
    why = finding.suppressed
    assert why is not None
    reason = f": {safe_text(why.reason)}" if why.reason else ""
    return f"{in_one_line(finding)} (suppressed by {why.by} in {safe_text(why.file)}:{why.line}{reason})"


def in_full_block(
    finding: Finding,
    lines: Callable[[str], tuple[str, ...]],
    to: Terminal,
    everywhere: AbstractSet[str] = frozenset(),
) -> Iterator[str]:
    """A finding with its lines and all details; `everywhere`: the environments that limit anything, if environments are
    named."""
    style = SEVERITY_STYLES[finding.severity]
    place = f"{safe_text(finding.file)}:{finding.span.line}:{finding.span.column}"
    rule = f"{finding.rule.id} {finding.title}"
    words = f"{to.paint(finding.severity, style, 'bold')}  {rule}"
    if not to.wraps or column_width(f"{place}  {finding.severity}  {rule}") <= to.width:
        yield f"{to.paint(place, 'bold')}  {words}"
    else:  # the path stays whole, so that it can be clicked
        yield to.paint(place, "bold")
        yield f"{_MARGIN}{words}"
    yield wrap_paragraph(safe_text(finding.message), to.width, _MARGIN, _MARGIN)
    yield from excerpt_lines(lines(finding.file), finding.span, finding.label, style, to)
    if finding.cause is not None and finding.cause.changes:
        yield _labelled_paragraph(
            finding.cause.label, f"{finding.cause.subject}: {', '.join(finding.cause.changes)}", to
        )
    yield from _related_lines(finding.related, to)
    if finding.environments:
        yield _labelled_paragraph("in", _environment_words(finding.environments, everywhere), to)
    for note in finding.notes_for_people:
        yield _labelled_paragraph(note.label, note.text, to)
    if finding.object is not None and finding.object.has_assumed_namespace and not finding.guesses:
        text = f"namespace {finding.namespace} is assumed: the other objects of the folder name it, this one names none"
        yield _labelled_paragraph("note", text, to)
    if finding.help:
        yield _labelled_paragraph("help", finding.help, to)
    yield f"{_MARGIN}{to.paint(f'quotalint explain {finding.rule.id}', 'dim')}"


def _related_lines(related: Sequence[RelatedPlace], to: Terminal) -> Iterator[str]:
    if not related:
        return
    labels = [*dict.fromkeys(item.label for item in related)]
    related = sorted(related, key=lambda item: labels.index(item.label))
    cells = [(safe_text(item.message), f"{safe_text(item.file)}:{item.span.line}") for item in related]
    is_wordy = max(column_width(message) for message, _ in cells) > to.width
    lines = [f"{message}  {place}" for message, place in cells] if is_wordy else align_rows(cells)
    room = to.width - len(_MARGIN) - _LABEL - 1
    if not to.wraps or max(map(column_width, lines)) <= room:
        room = max(map(column_width, lines))
    label = ""
    for item, line, (message, place) in zip(related, lines, cells, strict=True):
        first = f"{_MARGIN}{'' if item.label == label else item.label:{_LABEL}} "
        if column_width(line) <= room:
            yield first + line
        elif column_width(f"{message}  {place}") <= room:
            yield f"{first}{message}  {place}"
        else:
            then = " " * column_width(first)
            yield wrap_paragraph(message, to.width, first, then)
            yield then + place
        label = item.label


def _environment_words(environments: Sequence[str], everywhere: AbstractSet[str]) -> str:
    if len(environments) > _FEW_ENVIRONMENTS and everywhere == set(environments):
        return f"all {len(environments)} environments"
    return list_some(environments, _ENVIRONMENTS)


def _labelled_paragraph(label: str, text: str, to: Terminal) -> str:
    first = f"{_MARGIN}{label:{_LABEL}} "
    return wrap_paragraph(safe_text(text), to.width, first, " " * column_width(first))


def _places_words(infos: Sequence[Finding]) -> str:
    return list_some([f"{safe_text(info.file)}:{info.span.line}" for info in infos], _PLACES)


def _reasons_words(infos: Sequence[Finding]) -> str:
    """The reasons of a rule that has many of them, about files. Refused files come before files that are only not in
    view, because nothing of them is applied."""
    by_headline: dict[str, list[Finding]] = {}
    for info in sorted(infos, key=lambda info: info.label in _OUT_OF_VIEW):
        headline = info.rule.headline.get(info.variant, info.rule.headline["default"])
        place_alone = "{where}" in headline and headline.count("{") == 1
        by_headline.setdefault(headline if place_alone else info.message, []).append(info)
    reasons = []
    for alike in by_headline.values():
        first, places = alike[0], _places_words(alike)
        # Filled in behind: names may be long, and values are shortened.
        text = safe_text(filled_text(first.rule.headline, first.variant, {**first.values, "where": _WHERE}))
        reasons.append(text.replace(_WHERE, places) if _WHERE in text else f"{text} ({places})")
    more = len(reasons) - _REASONS
    return "; ".join(reasons[:_REASONS]) + (f"; and {more} more" if more > 0 else "")


def _info_lines(infos: Sequence[Finding], to: Terminal) -> Iterator[str]:
    """A sentence for each rule, in place of a block for each finding: its own where there is one."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in infos:
        by_rule.setdefault(finding.rule.id, []).append(finding)
    for rule_id, infos_of_rule in sorted(by_rule.items()):
        rule = infos_of_rule[0].rule
        if len(infos_of_rule) == 1:
            words = f"{safe_text(infos_of_rule[0].message)} ({_places_words(infos_of_rule)})"
        elif rule.looks_at == "file":
            words = _reasons_words(infos_of_rule)
        else:
            words = f"{rule.summary} ({_places_words(infos_of_rule)})"
        yield wrap_paragraph(f"{len(infos_of_rule)} × {rule_id} {rule.name}: {words}", to.width, "", _MARGIN)
    yield "--verbose shows notes in full."
