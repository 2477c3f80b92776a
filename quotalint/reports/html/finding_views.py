"""The findings in two views: what is wrong with quotas, equal ones together; and all else, which is behind a tab."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import TypeAlias

from quotalint.accounts.quota_table import QuotaTable
from quotalint.catalogue import SEVERITIES
from quotalint.named_tuples import NamedTuple
from quotalint.reports.details import finding_details, most_severe_first
from quotalint.reports.excerpt import lines_of
from quotalint.reports.html.markup import NOTHING, Html, code, element, join_pieces, prose
from quotalint.reports.html.page_addresses import PageContext, permanent_link, place_link
from quotalint.reports.terminal import count_noun
from quotalint.results.finding import Finding, RelatedPlace
from quotalint.text.place import Span
from quotalint.text.words import list_some

_TITLES = {"error": "Errors", "warning": "Warnings", "info": "Infos"}
_OPEN = 3  # findings of one severity that are shown in full; of more, a line each
_MOST = 8  # of one severity that are not folded away
_NAMES = 3  # namespaces that a group names
_GROUP: dict[str, str | bool] = {"class_": "group", "data_group": True}


class Views(NamedTuple):
    """The findings by what they are about."""

    quotas: tuple[Finding, ...]
    others: tuple[Finding, ...]
    suppressed: tuple[Finding, ...]


class Group(NamedTuple):
    """Findings that say the same, of several namespaces, entries or places."""

    findings: tuple[Finding, ...]
    quota: str
    """The name that the quota has in all of them; else empty."""


def sort_into_views(findings: Sequence[Finding], tables: Sequence[QuotaTable]) -> Views:
    """The findings about quotas, and the others; without a quota in view, all are in the first."""
    kinds = {"ResourceQuota", *(table.quota.object.kind for table in tables)}
    # Of equally severe ones, those with sums come first.
    shown = sorted(
        most_severe_first(findings), key=lambda finding: (SEVERITIES.index(finding.severity), not finding.rule.counts)
    )
    about = [
        finding
        for finding in shown
        if not tables or finding.values.get("quota") or (finding.object and finding.object.kind in kinds)
    ]
    identities = {finding.identity for finding in about}
    others = [finding for finding in shown if finding.identity not in identities]
    return Views(tuple(about), tuple(others), tuple(finding for finding in findings if finding.suppressed is not None))


def group_findings(findings: Sequence[Finding]) -> list[Group]:
    """The findings in groups of one rule and one quota name. Findings of severity `info` are grouped by rule only."""
    alike: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        quota = finding.values.get("quota", "")
        alone = () if finding.severity == "info" else (quota, finding.variant, "" if quota else finding.message)
        alike.setdefault((finding.severity, finding.rule.id, *alone), []).append(finding)
    return [_group_of(same) for same in alike.values()]


def _group_of(alike: Sequence[Finding]) -> Group:
    quota_names = {finding.values.get("quota", "") for finding in alike}
    return Group(tuple(alike), quota_names.pop() if len(quota_names) == 1 else "")


def problems_section(views: Views, content: Callable[[str], bytes], at: PageContext) -> Html:
    """The section of findings about quotas."""
    lines = cache(lambda name: lines_of(content(name)))
    nothing = []
    if not views.quotas:
        text = "No problem with a quota." if views.others else "Nothing was found."
        nothing = [element("p", text, class_="quiet")]
    apart = [_suppressed_section(views.suppressed, lines, at)] if views.suppressed else []
    title = element("h2", "Problems")
    return element(
        "section", title, *nothing, *_severity_sections(views.quotas, lines, at), *apart, id="findings", data_group=True
    )


def others_section(views: Views, content: Callable[[str], bytes], at: PageContext) -> Html:
    """The section of other findings: about pods, LimitRanges, files and renderings."""
    lines = cache(lambda name: lines_of(content(name)))
    title = element("h2", "Other findings")
    about = element("p", "About pods, LimitRanges, namespaces and files, not about a quota.", class_="quiet")
    return element("section", title, about, *_severity_sections(views.others, lines, at), id="others", data_group=True)


def _severity_sections(findings: Sequence[Finding], lines: Lines, at: PageContext) -> list[Html]:
    return [
        _severity_section(severity, [finding for finding in findings if finding.severity == severity], lines, at)
        for severity in SEVERITIES
        if any(finding.severity == severity for finding in findings)
    ]


def _severity_section(severity: str, findings: Sequence[Finding], lines: Lines, at: PageContext) -> Html:
    title = element("h3", f"{_TITLES[severity]} ({len(findings)})")
    is_open = len(findings) <= _OPEN and severity != "info"
    items = [_group_item(group, lines, at, is_open=is_open) for group in group_findings(findings)]
    if len(items) > _MOST + 1:
        folded = element("details", element("summary", f"{len(items) - _MOST} more"), *items[_MOST:], **_GROUP)
        items = [*items[:_MOST], folded]
    if severity == "info":
        return element("details", element("summary", title), *items, **_GROUP)
    return element("section", title, *items, data_group=True)


def _group_item(group: Group, lines: Lines, at: PageContext, *, is_open: bool) -> Html:
    if len(group.findings) == 1:
        return finding_item(group.findings[0], lines, at, is_open=is_open)
    first = group.findings[0]
    head = (
        element("span", f"{MARKS[first.severity]} {first.severity}", class_=f"badge {first.severity}"),
        element("span", element("b", first.rule.id), f" {first.rule.name}", class_="rule"),
        element("span", f"{len(group.findings)} ×", class_="place"),
        element("span", prose(_group_words(group)), class_="message"),
    )
    items = (finding_item(finding, lines, at, is_open=False) for finding in group.findings)
    return element(
        "details",
        element("summary", join_pieces(head, " ")),
        *items,
        class_=f"several {first.severity}",
        data_group=True,
    )


def _group_words(group: Group) -> str:
    """`x-small in acme, dex and reloader (2 environments): what the rule finds`."""
    if len({finding.message for finding in group.findings}) == 1:
        return group.findings[0].message
    spaces = list(dict.fromkeys(finding.namespace for finding in group.findings if finding.namespace))
    environments = {name for finding in group.findings for name in finding.environments}
    few = list_some(spaces, _NAMES) if len(spaces) <= _NAMES else count_noun(len(spaces), "namespace")
    within = f" in {few}" if spaces else ""
    clusters = f" ({count_noun(len(environments), 'environment')})" if len(environments) > 1 else ""
    named = f"{group.quota}{within}{clusters}".strip()
    return f"{named}: {group.findings[0].rule.summary}" if named else group.findings[0].rule.summary


def _suppressed_section(findings: Sequence[Finding], lines: Lines, at: PageContext) -> Html:
    title = element("h3", f"Suppressed ({len(findings)})")
    items = [finding_item(finding, lines, at, is_open=False) for finding in findings]
    return element("details", element("summary", title), *items, **_GROUP)


def tab_label(findings: Sequence[Finding]) -> str:
    """`Other findings (63)`, with how many are errors."""
    errors = sum(finding.severity == "error" for finding in findings)
    number = [] if errors == len(findings) else [str(len(findings))]
    return f"Other findings ({', '.join([*number, *([count_noun(errors, 'error')] if errors else [])])})"


# One finding: its message, the line of the manifest, and everything else that is known of it.
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
    """The first line of the span, as written in the manifest."""
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
