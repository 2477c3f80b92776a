"""The report for people: each finding with the lines it is about, and a summary at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from quotalint.facts import Facts, Repository
from quotalint.findings import Finding, RelatedPlace
from quotalint.gitops.layout import CHART, OTHER, TEMPLATE
from quotalint.quota.projection import AT_LEAST, UNKNOWN
from quotalint.quota.quotas import Quota
from quotalint.reports.excerpt import excerpt, lines_of
from quotalint.reports.summary import Summary
from quotalint.reports.terminal import SEVERITY_STYLES, Terminal, aligned, columns, counted, listed, paragraph, safe

_MARGIN = "   "
_LABEL = 11  # columns of `limited by` and the like
_INFOS = 10  # more than these are summed up, so that they do not bury what matters
_OF_A_RULE = 10  # findings of one rule that are shown in full; the others take a line each


def render(
    findings: Sequence[Finding],
    numbers: Summary,
    environments: Sequence[Facts],
    content: Callable[[str], bytes],
    to: Terminal,
    quiet: bool = False,
    verbose: bool = False,
) -> str:
    """The whole text; `quiet` is one line a finding and nothing else. What is suppressed is only counted, and named
    with `verbose`."""
    suppressed = [finding for finding in findings if finding.suppressed] if numbers.suppressed else ()
    findings = [finding for finding in findings if not finding.suppressed] if suppressed else findings
    if quiet:
        return "".join(f"{in_one_line(finding)}\n" for finding in findings)
    lines = cache(lambda name: lines_of(content(name)))
    everything = verbose or numbers.findings["info"] <= _INFOS
    shown = [finding for finding in findings if everything or finding.severity != "info"]
    blocks = list(_blocks(shown, lines, to, len(shown) if verbose else _OF_A_RULE))
    if not everything:
        blocks.append("\n".join(_infos([finding for finding in findings if finding.severity == "info"])))
    if verbose and suppressed:
        blocks.append("\n".join(map(_suppressed, suppressed)))
    blocks.append("\n".join(_summary(numbers, environments, to, verbose)))
    return "\n\n".join(blocks) + "\n"


def _blocks(
    findings: Sequence[Finding], lines: Callable[[str], tuple[str, ...]], to: Terminal, in_full: int
) -> Iterator[str]:
    seen: Counter[str] = Counter()
    brief: list[str] = []
    for finding in findings:
        seen[finding.rule.id] += 1
        if seen[finding.rule.id] > in_full:
            brief.append(in_one_line(finding))
            continue
        if brief:
            yield "\n".join(brief)
            brief = []
        yield "\n".join(in_full_block(finding, lines, to))
    if brief:
        yield "\n".join(brief)
    if any(number > in_full for number in seen.values()):
        yield f"Of each rule {in_full} findings are shown in full; --verbose shows all."


def in_one_line(finding: Finding) -> str:
    span = finding.span
    place = f"{safe(finding.file)}:{span.line}:{span.column}"
    return f"{place}: {finding.severity} {finding.rule.id} {safe(finding.message)}"


def _suppressed(finding: Finding) -> str:
    why = finding.suppressed
    assert why is not None
    reason = f": {safe(why.reason)}" if why.reason else ""
    return f"{in_one_line(finding)} (suppressed by {why.by} in {safe(why.file)}:{why.line}{reason})"


def in_full_block(finding: Finding, lines: Callable[[str], tuple[str, ...]], to: Terminal) -> Iterator[str]:
    style = SEVERITY_STYLES[finding.severity]
    place = f"{safe(finding.file)}:{finding.span.line}:{finding.span.column}"
    rule = f"{finding.rule.id} {finding.rule.name}"
    yield f"{to.paint(place, 'bold')}  {to.paint(finding.severity, style, 'bold')}  {rule}"
    yield paragraph(safe(finding.message), to.width, _MARGIN, _MARGIN)
    yield from excerpt(lines(finding.file), finding.span, finding.label, style, to)
    yield from _related(finding.related)
    if finding.environments:
        yield _labelled("in", ", ".join(finding.environments), to)
    for note in finding.notes:
        yield _labelled(note.label, note.text, to)
    if finding.object is not None and finding.object.assumed:
        text = f"namespace {finding.namespace} is assumed: the other objects of the folder name it, this one names none"
        yield _labelled("note", text, to)
    if finding.help:
        yield _labelled("help", finding.help, to)
    yield f"{_MARGIN}{to.paint(f'quotalint explain {finding.rule.id}', 'dim')}"


def _related(related: Sequence[RelatedPlace]) -> Iterator[str]:
    if not related:
        return
    label = ""
    lines = aligned([(safe(item.message), f"{safe(item.file)}:{item.span.line}") for item in related])
    for item, line in zip(related, lines, strict=True):
        yield f"{_MARGIN}{'' if item.label == label else item.label:{_LABEL}} {line}"
        label = item.label


def _labelled(label: str, text: str, to: Terminal) -> str:
    first = f"{_MARGIN}{label:{_LABEL}} "
    return paragraph(safe(text), to.width, first, " " * columns(first))


def _summary(numbers: Summary, environments: Sequence[Facts], to: Terminal, verbose: bool) -> Iterator[str]:
    found = [counted(numbers.findings[name], name) for name in ("error", "warning") if numbers.findings[name]]
    if numbers.findings["info"]:
        found.append(f"{numbers.findings['info']} info")
    scope = f"{counted(numbers.namespaces, 'namespace')}, {counted(numbers.quotas, 'quota')}"
    scope += f", {counted(numbers.environments, 'environment')}" if numbers.environments > 1 else ""
    where = f"in {counted(numbers.files, 'file')} ({scope})."
    where = f", {numbers.suppressed} suppressed {where}" if numbers.suppressed else f" {where}"
    worst = next((name for name in ("error", "warning") if numbers.findings[name]), "")
    head = ", ".join(found) if found else "No findings"
    yield f"{to.paint(head, SEVERITY_STYLES[worst] if worst else 'green', 'bold')}{where}"
    yield from (paragraph(line, to.width, "", "  ") for line in _unjudged(environments, verbose))
    yield from (paragraph(line, to.width, "", "  ") for line in _lower_bounds(environments, verbose))
    yield from (paragraph(line, to.width, "", "  ") for line in _skipped(environments[0].repository, verbose))


def _infos(infos: Sequence[Finding]) -> Iterator[str]:
    """A line for each rule, in place of a block for each finding."""
    rules = {finding.rule.id: finding.rule for finding in infos}
    for rule_id, number in sorted(Counter(finding.rule.id for finding in infos).items()):
        rule = rules[rule_id]
        yield f"{number} × {rule_id} {rule.name}: {rule.summary}. --verbose shows them."


def _unjudged(environments: Sequence[Facts], verbose: bool) -> Iterator[str]:
    """The namespaces with a quota that nothing can be said of."""
    found: dict[str, dict[str, str]] = {}
    for facts in environments:
        judged = {_whose(one.quota) for one in facts.projections if one.certainty != UNKNOWN}
        for projection in facts.projections:
            noun, name = _whose(projection.quota)
            if (noun, name) not in judged and projection.certainty == UNKNOWN:
                reasons = found.setdefault(noun, {})
                reasons.setdefault(_named(name, facts, environments), next(iter(projection.unknowns), ""))
    for noun, reasons in sorted(found.items()):
        most = len(reasons) if verbose else 5
        names = listed([f"{safe(name)} ({safe(reason)})" for name, reason in sorted(reasons.items())], most)
        yield f"{counted(len(reasons), noun)} could not be judged: {names}."


def _whose(quota: Quota) -> tuple[str, str]:
    """What a sum is of, with the word for it: a namespace, or the quota itself where it counts several."""
    if len(quota.namespaces) == 1 and quota.shares is None:
        return "namespace", quota.namespace
    return "quota", f"{quota.object.kind} {quota.name}"


def _named(name: str, facts: Facts, environments: Sequence[Facts]) -> str:
    return name if len(environments) == 1 else f"{name} in {facts.environment}"


def _lower_bounds(environments: Sequence[Facts], verbose: bool) -> Iterator[str]:
    """The namespaces that may use more than was counted: that they fit is not certain."""
    found: dict[str, set[str]] = {}
    for facts in environments:
        for one in facts.projections:
            if one.certainty == AT_LEAST:
                noun, name = _whose(one.quota)
                found.setdefault(noun, set()).add(safe(_named(name, facts, environments)))
    more = "" if verbose else " (`quotalint usage` says why)"
    for noun, several in sorted(found.items()):
        names = listed(sorted(several), len(several) if verbose else 5)
        may = "may use more than is counted here" if noun == "namespace" else "may have more charged than is in view"
        yield f"{counted(len(several), noun)} {may}: {names}{more}."


def _skipped(repository: Repository, verbose: bool) -> Iterator[str]:
    """What was seen and not counted, by what it is."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for one in repository.skipped:
        reason = "" if one.kind != OTHER else safe(one.reason.removeprefix("is "))
        kinds.setdefault((one.kind, reason), []).append(safe(one.name))
    for (kind, reason), names in kinds.items():
        named = ": " + ", ".join(names) if verbose else "" if len(names) > 3 else f" ({', '.join(names)})"
        are, nothing = ("is", "it") if len(names) == 1 else ("are", "them")
        consequence = {
            TEMPLATE: "not read",
            CHART: f"not counted: nothing in view deploys {nothing}",
        }.get(kind, f"passed over: {reason}")
        yield f"{counted(len(names), _SKIPPED[kind])} {are} {consequence}{named}."


_SKIPPED = {CHART: "Helm chart", TEMPLATE: "template", OTHER: "other file"}
