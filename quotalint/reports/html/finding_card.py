"""One finding: its message, the line of the manifest, and everything else that is known of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import TypeAlias

from quotalint.finding import Finding, RelatedPlace
from quotalint.reports.details import finding_details
from quotalint.reports.html.markup import NOTHING, Html, code, element, join_pieces, prose
from quotalint.reports.html.page_addresses import PageContext, permanent_link, place_link
from quotalint.text.place import Span

MARKS = {"error": "✗", "warning": "▲", "info": "ⓘ"}
Lines: TypeAlias = Callable[[str], tuple[str, ...]]
"""The lines of a file by its name."""
_BEFORE, _WITHIN, _AFTER = 80, 160, 120  # characters: a line may be a whole minified file


def finding_item(finding: Finding, lines: Lines, at: PageContext, *, is_open: bool) -> Html:
    """The finding in a line, with the rest folded."""
    kind = "suppressed" if finding.suppressed else finding.severity
    head = (
        element("span", f"{MARKS[finding.severity]} {finding.severity}", class_=f"badge {finding.severity}"),
        element("span", element("b", finding.rule.id), f" {finding.title}", class_="rule"),
        element("span", prose(finding.message), class_="message"),
        place_link(at, finding.file, finding.span.line),
    )
    name = at.findings.get(finding.identity, "")
    body = (
        _manifest_line(lines(finding.file), finding.span, finding.label),
        _detail_list(finding, at),
        element("p", "Why: ", code(f"quotalint explain {finding.rule.id}"), class_="quiet"),
        permanent_link(name, "finding") if name else NOTHING,
    )
    return element(
        "details",
        element("summary", join_pieces(head, " ")),
        element("div", *body, id=name, class_="body", tabindex="-1"),
        class_=f"finding {kind}",
        data_finding=kind,
        data_where=finding.namespace,
        data_severity=finding.severity,
        data_environments="\n".join(finding.environments),
        open=is_open,
    )


def _manifest_line(lines: tuple[str, ...], span: Span, label: str) -> Html:
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
    text = join_pieces(part.replace("\t", "    ") if isinstance(part, str) else part for part in shown)
    label_piece = element("span", f" {label}", class_="label") if label else NOTHING
    return element("pre", number, element("code", text), label_piece)


def _detail_list(finding: Finding, at: PageContext) -> Html:
    places = {f"({place.file}:{place.span.line})": place for place in finding.related}
    parts: list[Html] = []
    for label, texts in groupby(_all_details(finding), key=lambda pair: pair[0]):
        parts.append(element("dt", label))
        parts += [element("dd", *_sentence_with_link(text, places, at)) for _, text in texts]
    return element("dl", *parts) if parts else NOTHING


def _sentence_with_link(text: str, places: Mapping[str, RelatedPlace], at: PageContext) -> Iterator[Html | str]:
    """A sentence, with a link where it ends with a place of the repository."""
    sentence, space, last = text.rpartition(" ")
    to = places.get(last)
    if to is None or not at.links.to(to.file, to.span.line):
        yield prose(text)
        return
    yield prose(sentence + space)
    yield place_link(at, to.file, to.span.line)


def _all_details(finding: Finding) -> Iterator[tuple[str, str]]:
    why = finding.suppressed
    if why is not None:
        reason = f": {why.reason}" if why.reason else ""
        yield "silenced", f"by {why.by} in {why.file}:{why.line}{reason}"
    yield from finding_details(finding)
