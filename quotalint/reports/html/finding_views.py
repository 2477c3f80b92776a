"""The findings in two views: what is wrong with quotas, equal ones together; and all else, which is behind a tab."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from quotalint.catalogue import SEVERITIES
from quotalint.finding import Finding
from quotalint.named_tuples import NamedTuple
from quotalint.quota_table import QuotaTable
from quotalint.reports.details import most_severe_first
from quotalint.reports.excerpt import lines_of
from quotalint.reports.html.finding_card import MARKS, Lines, finding_item
from quotalint.reports.html.markup import Html, element, join_pieces, prose
from quotalint.reports.html.page_addresses import PageContext
from quotalint.reports.terminal import count_noun, list_some

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
    """Without a quota in view there is nothing to set apart, and everything is in the first."""
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
    """Those of one rule about quotas of one name together; of infos, those of one rule."""
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
    """What is wrong with quotas."""
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
    """What is found beside quotas: of pods, LimitRanges, files, renderings."""
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
