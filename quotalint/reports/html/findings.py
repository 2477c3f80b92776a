"""The findings: the most severe first, what is suppressed apart from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import groupby

from quotalint.catalogue import SEVERITIES
from quotalint.finding import Finding
from quotalint.reports.details import details, most_severe_first
from quotalint.reports.excerpt import lines_of
from quotalint.reports.html.markup import NOTHING, Html, code, element, joined, prose
from quotalint.text.place import Span

_MARKS = {"error": "✗", "warning": "▲", "info": "ⓘ"}
_TITLES = {"error": "Errors", "warning": "Warnings", "info": "Infos"}
_OPEN = 10  # findings of one severity that are shown in full; of more, a line each
_BEFORE, _WITHIN, _AFTER = 80, 160, 120  # characters: a line may be a whole minified file


def section(findings: Sequence[Finding], content: Callable[[str], bytes]) -> Html:
    """All findings of a report."""
    shown = most_severe_first(findings)
    suppressed = [one for one in findings if one.suppressed is not None]
    lines = cache(lambda name: lines_of(content(name)))
    groups = [
        _group(severity, [one for one in shown if one.severity == severity], lines)
        for severity in SEVERITIES
        if any(one.severity == severity for one in shown)
    ]
    nothing = [] if shown else [element("p", "Nothing was found.", class_="quiet")]
    apart = [_suppressed(suppressed, lines)] if suppressed else []
    return element("section", element("h2", "Findings"), *nothing, *groups, *apart, id="findings", data_group=True)


def _group(severity: str, findings: Sequence[Finding], lines: Callable[[str], tuple[str, ...]]) -> Html:
    several = len(findings) > _OPEN
    title = element("h3", f"{_TITLES[severity]} ({len(findings)})")
    items = [_item(one, lines, is_open=not several and severity != "info") for one in findings]
    if several and severity == "info":
        return element("details", element("summary", title), *items, class_="group", data_group=True)
    return element("section", title, *items, data_group=True)


def _suppressed(findings: Sequence[Finding], lines: Callable[[str], tuple[str, ...]]) -> Html:
    title = element("h3", f"Suppressed ({len(findings)})")
    items = [_item(one, lines, is_open=False) for one in findings]
    return element("details", element("summary", title), *items, class_="group", data_group=True)


def _item(one: Finding, lines: Callable[[str], tuple[str, ...]], is_open: bool) -> Html:
    kind = "suppressed" if one.suppressed else one.severity
    head = (
        element("span", f"{_MARKS[one.severity]} {one.severity}", class_=f"badge {one.severity}"),
        element("span", element("b", one.rule.id), f" {one.title}", class_="rule"),
        element("span", prose(one.message), class_="message"),
        code(f"{one.file}:{one.span.line}", class_="place"),
    )
    body = (
        _excerpt(lines(one.file), one.span, one.label),
        _details(one),
        element("p", "Why: ", code(f"quotalint explain {one.rule.id}"), class_="quiet"),
    )
    return element(
        "details",
        element("summary", joined(head, " ")),
        *body,
        class_=f"finding {kind}",
        data_finding=kind,
        data_where=one.namespace,
        data_severity=one.severity,
        data_environments="\n".join(one.environments),
        open=is_open,
    )


def _excerpt(lines: tuple[str, ...], span: Span, label: str) -> Html:
    """The first line of the span, as it stands in the manifest."""
    if not 1 <= span.line <= len(lines) or not lines[span.line - 1].strip():
        return NOTHING
    line = lines[span.line - 1].rstrip()
    start = min(span.column - 1, len(line))
    end = max(start, min(span.end_column - 1, len(line)) if span.end_line == span.line else len(line))
    before, within, after = line[:start], line[start:end], line[end:]
    shown = (
        ("…" + before[-_BEFORE:]) if len(before) > _BEFORE else before,
        element("mark", (within[:_WITHIN] + "…") if len(within) > _WITHIN else within),
        (after[:_AFTER] + "…") if len(after) > _AFTER else after,
    )
    number = element("span", f"{span.line} ", class_="number")
    text = joined(part.replace("\t", "    ") if isinstance(part, str) else part for part in shown)
    said = element("span", f" {label}", class_="label") if label else NOTHING
    return element("pre", number, element("code", text), said)


def _details(one: Finding) -> Html:
    parts: list[Html] = []
    for label, texts in groupby(_all_details(one), key=lambda pair: pair[0]):
        parts.append(element("dt", label))
        parts += [element("dd", prose(text)) for _, text in texts]
    return element("dl", *parts) if parts else NOTHING


def _all_details(one: Finding) -> Iterator[tuple[str, str]]:
    why = one.suppressed
    if why is not None:
        reason = f": {why.reason}" if why.reason else ""
        yield "silenced", f"by {why.by} in {why.file}:{why.line}{reason}"
    yield from details(one)
