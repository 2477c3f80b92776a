"""One HTML file that says everything: the findings, and how full each quota will be with bars of who uses it.

It loads nothing from elsewhere and needs no script; the script that it has filters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from quotalint.catalogue import SEVERITIES
from quotalint.finding import Finding
from quotalint.quota_table import QuotaTable
from quotalint.reports.earlier import EarlierReport
from quotalint.reports.html import finding_views, quota_map
from quotalint.reports.html import quota_views as quotas_part
from quotalint.reports.html.markup import NOTHING, Html, code, element
from quotalint.reports.html.page import filter_form, whole_page
from quotalint.reports.html.page_addresses import PageContext, page_context
from quotalint.reports.origin import NOWHERE, Origin
from quotalint.reports.summary import Summary
from quotalint.reports.terminal import count_noun
from quotalint.reports.usage_overview import sort_by_standing, standing_headline
from quotalint.settings import Settings

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
    """The report of `check`; `content` is the bytes of a file by its name, for the lines that findings are about.
    `compared`: the report of `diff`, with the findings that are new and the quotas as they are in the second state.
    `earlier`: reports of earlier runs, the oldest first."""
    at = page_context(tables, findings, settings, origin.links, earlier)
    counts = _counts_words(numbers)
    suppressed = f", {numbers.suppressed} suppressed" if numbers.suppressed else ""
    title, headline, as_in, change = counts, counts, "", NOTHING
    if compared is not None:
        from quotalint.reports.html.change import change_section

        states = f"{compared.base} to {compared.head}"
        counts = counts if any(numbers.findings.values()) else "none"
        headline = f"New findings from {states}: {counts}"
        title = f"new findings from {states}: {counts}"
        as_in = f". The quotas are shown as in {compared.head}."
        change = change_section(compared, at)
    # The page of a change has its verdict for a title.
    scope = f"{suppressed} {_scope_words(numbers)}{as_in}"
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
    """What is about quotas, and behind a tab what is not; without the script one below the other."""
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


def _counts_words(numbers: Summary) -> str:
    counts = [(numbers.findings[severity], severity) for severity in SEVERITIES]
    words = [f"{number} info" if name == "info" else count_noun(number, name) for number, name in counts if number]
    return ", ".join(words) or "No findings"


def _scope_words(numbers: Summary) -> str:
    scope = [
        count_noun(numbers.files, "file"),
        count_noun(numbers.namespaces, "namespace"),
        count_noun(numbers.quotas, "quota"),
    ]
    scope += [count_noun(numbers.environments, "environment")] if numbers.environments > 1 else []
    return f"in {', '.join(scope)}"
