"""One HTML file that says everything: the findings, and how full each quota will be with bars of who uses it.

It loads nothing from elsewhere and needs no script; the script that it has filters.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from quotalint.accounts.quota_table import QuotaTable
from quotalint.reports.consequences import following_words
from quotalint.reports.earlier import EarlierReport
from quotalint.reports.html import finding_views, quota_map
from quotalint.reports.html import quota_views as quotas_part
from quotalint.reports.html.markup import NOTHING, Html, code, element, raw, void
from quotalint.reports.html.page_addresses import PageContext, page_context
from quotalint.reports.links import NOWHERE, Origin
from quotalint.reports.summary import Summary, scope_words, severity_words
from quotalint.reports.terminal import count_noun
from quotalint.reports.usage_overview import sort_by_standing, standing_headline
from quotalint.results.finding import Finding
from quotalint.settings import Settings
from quotalint.version import __version__

if TYPE_CHECKING:
    from quotalint.reports.html.change import Compared


def render(
    findings: Sequence[Finding],
    tables: Sequence[QuotaTable],
    numbers: Summary,
    settings: Settings,
    content: Callable[[str], bytes],
    compared: Compared | None = None,
    origin: Origin = NOWHERE,
    earlier: Sequence[EarlierReport] = (),
) -> str:
    """The report of `check`, of the findings for people without those that follow from others. `content`: the bytes of
    a file by its name, for the lines that findings are about. `compared`: the report of `diff`, with the findings that
    are new or still there and the quotas as they are in the second state. `earlier`: reports of earlier runs, the
    oldest first."""
    at = page_context(tables, findings, settings, origin.links, earlier)
    counts = ", ".join(severity_words(numbers.findings)) or "No findings"
    suppressed = f", {numbers.suppressed} suppressed" if numbers.suppressed else ""
    title, headline, as_in, change = counts, counts, "", NOTHING
    if compared is not None:
        from quotalint.reports.diff_cells import merged_changes, other_findings_words
        from quotalint.reports.html.change import change_section

        states = f"{compared.base} to {compared.head}"
        finding_changes = merged_changes(compared.changes.findings)
        counts = ", ".join(severity_words(Counter(finding.severity for finding in finding_changes.new))) or "none"
        others = other_findings_words(compared.changes._replace(findings=finding_changes))
        headline = f"New findings from {states}: {counts}; {others}"
        title = f"new findings from {states}: {counts}"
        as_in = f". The quotas are shown as in {compared.head}."
        change = change_section(compared, at)
    # The page of a change has its verdict for a title.
    following = sum(numbers.findings.values()) - sum(finding.suppressed is None for finding in findings)
    follow = f" {following_words(following)}" if following > 0 else ""
    scope = f"{suppressed} {scope_words(numbers)}{as_in or '.' * bool(follow)}{follow}"
    head = _page_heading(element("strong", headline), scope, title="p" if compared else "h1")
    jump = element("nav", _jump_link("findings", "Problems"), _jump_link("quotas", "Quotas"))
    views = finding_views.sort_into_views(findings, tables)
    glance = quota_map.map_section(tables, at)
    top = element(
        "div", glance, finding_views.problems_section(views, content, at), class_="top" if glance.text else ""
    )
    first = (top, quotas_part.quotas_section(tables, settings, at))
    main = element("main", *_view_tabs(first, views, content, at))
    environments = environments_of(tables)
    stands = NOTHING if compared else _standing_line(tables, numbers, settings)
    header = element("header", *head, jump, stands)
    return whole_page(
        f"quotalint: {title}",
        change,
        header,
        filter_form(environments, with_findings=True),
        main,
        _origin_footer(origin),
    )


def render_usage(
    tables: Sequence[QuotaTable],
    numbers: Summary,
    settings: Settings,
    origin: Origin = NOWHERE,
    earlier: Sequence[EarlierReport] = (),
) -> str:
    """The report of `usage`."""
    at = page_context(tables, (), settings, origin.links, earlier)
    quota_count = count_noun(numbers.quotas, "quota")
    head = _page_heading(element("strong", quota_count), f" in {count_noun(numbers.files, 'file')}")
    main = element("main", quota_map.map_section(tables, at), quotas_part.quotas_section(tables, settings, at))
    header = element("header", *head, _standing_line(tables, numbers, settings))
    return whole_page(
        f"quotalint: {quota_count}", header, filter_form(environments_of(tables)), main, _origin_footer(origin)
    )


def _view_tabs(
    first: Sequence[Html], views: finding_views.Views, content: Callable[[str], bytes], at: PageContext
) -> Iterator[Html]:
    """The findings about quotas, and a tab with all others. Without the script one comes below the other."""
    if not views.others:
        yield from first
        return
    yield element(
        "nav",
        element("a", "Quotas", href="#by-quota"),
        element("a", finding_views.tab_label(views.others), href="#beside"),
        class_="tabs",
        aria_label="Views",
    )
    yield element("div", *first, id="by-quota", class_="view")
    yield element("div", finding_views.others_section(views, content, at), id="beside", class_="view")


def _standing_line(tables: Sequence[QuotaTable], numbers: Summary, settings: Settings) -> Html:
    """How the quotas fare, in one sentence."""
    if not tables:
        return NOTHING
    headline = standing_headline(sort_by_standing(tables), len(tables), numbers.environments, settings.nearly_full)
    return element("p", headline, class_="standing")


def _origin_footer(origin: Origin) -> Html:
    """The run that made the report."""
    commit = (" at commit ", code(origin.commit[:12])) if origin.commit else ()
    command = (code(origin.command or "quotalint"),) if origin.command or commit else ()
    return element("footer", "Made by ", *command, *commit, class_="origin") if command or commit else NOTHING


def environments_of(tables: Sequence[QuotaTable]) -> tuple[str, ...]:
    """The environments that a reader may choose from; none where there is only one."""
    environments = sorted({table.environment for table in tables})
    return tuple(environments) if len(environments) > 1 else ()


def _page_heading(*pieces: Html | str, title: str = "h1") -> tuple[Html, Html]:
    return element(title, "quotalint", class_="brand"), element("p", *pieces, class_="counts")


def _jump_link(target: str, text: str) -> Html:
    return element("a", text, href=f"#{target}")


# The page around the sections: one file that loads nothing, and that the browser forbids to load anything.
def whole_page(title: str, *sections: Html) -> str:
    """The whole document."""
    style, script = _shipped_file("page.css"), _shipped_file("page.js") + _shipped_file("sliders.js")
    # Whatever a manifest might smuggle in, no other style or script takes effect, and nothing is fetched.
    policy = (
        f"default-src 'none'; style-src '{_policy_digest(style)}'; script-src '{_policy_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        void("meta", charset="utf-8"),
        void("meta", http_equiv="Content-Security-Policy", content=policy),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", name="color-scheme", content="light dark"),
        void("meta", name="referrer", content="no-referrer"),
        void("meta", name="generator", content=f"quotalint {__version__}"),
        element("title", title),
        element("style", raw(style)),
    )
    body = element("body", raw(_PATTERNS), *sections, element("script", raw(script)))
    return f"<!doctype html>\n{element('html', head, body, lang='en').text}\n"


@cache
def _shipped_file(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8", newline="\n") as file:
        return file.read()


def _policy_digest(text: str) -> str:
    from base64 import b64encode
    from hashlib import sha256

    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _choice_field(name: str, label: str, values: Sequence[str]) -> Html:
    options = (element("option", value, value=value) for value in values)
    return element("label", f"{label} ", element("select", element("option", "all", value=True), *options, name=name))


def filter_form(environments: Sequence[str], *, with_findings: bool = False) -> Html:
    """What hides a part of the page. It is of no use without the script, which shows it."""
    choices = [_choice_field("environment", "environment", environments)] if environments else []
    choices += [_choice_field("severity", "severity", ("error", "warning", "info"))] if with_findings else []
    return element(
        "form",
        element(
            "label",
            "Filter",
            void("input", type="search", name="text", placeholder="namespace, quota, resource, rule, file"),
        ),
        element("label", void("input", type="checkbox", name="failing"), " only quotas that do not fit"),
        *choices,
        element("span", "", id="shown", role="status"),
        element("button", "open all", type="button", name="open"),
        element("button", "close all", type="button", name="close"),
        id="filter",
        role="search",
        hidden=True,
    )


# Stripes distinguish colours that are used twice; what goes beyond hard, and what may be more, has a pattern too.
_STRIPED = "".join(
    f'<pattern id="p{key + 8}" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">'
    f'<rect class="k{key}" width="8" height="8"></rect><rect class="stripe" width="2" height="8"></rect></pattern>'
    for key in range(1, 5)
)
_PATTERNS = f"""\
<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>
<pattern id="beyond" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
<rect width="3.5" height="7"></rect></pattern>
<pattern id="more" width="6" height="6" patternUnits="userSpaceOnUse"><circle cx="3" cy="3" r="1.1"></circle></pattern>
{_STRIPED}
</defs></svg>
"""
