"""One HTML file that says everything: the findings, and how full each quota will be with bars of who uses it.

It loads nothing from elsewhere and needs no script; the script that it has filters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from quotalint.catalogue import SEVERITIES
from quotalint.finding import Finding
from quotalint.reports.html import findings as findings_part
from quotalint.reports.html import quota_map
from quotalint.reports.html import quotas as quotas_part
from quotalint.reports.html.markup import Html, element
from quotalint.reports.html.page import filter_form, page
from quotalint.reports.quota_table import QuotaTable
from quotalint.reports.summary import Summary
from quotalint.reports.terminal import counted
from quotalint.settings import Settings


class Compared(NamedTuple):
    """The two states of a change, as people are told of them."""

    base: str
    head: str


def render(
    findings: Sequence[Finding],
    tables: Sequence[QuotaTable],
    numbers: Summary,
    settings: Settings,
    content: Callable[[str], bytes],
    compared: Compared | None = None,
) -> str:
    """The report of `check`; `content` is the bytes of a file by its name, for the lines that findings are about.
    `compared`: the report of `diff`, with the findings that are new and the quotas as they are in the second state."""
    found = _counts(numbers)
    suppressed = f", {numbers.suppressed} suppressed" if numbers.suppressed else ""
    said, as_in = element("strong", found), ""
    if compared is not None:
        states = f"{compared.base} to {compared.head}"
        found = found if any(numbers.findings.values()) else "none"
        said = element("strong", f"New findings from {states}: {found}")
        found = f"new findings from {states}: {found}"
        as_in = f". The quotas are shown as in {compared.head}."
    head = _head(said, f"{suppressed} {_scope(numbers)}{as_in}")
    jump = element("nav", _link("findings", "Findings"), _link("quotas", "Quotas"))
    glance = quota_map.section(tables, settings.nearly_full)
    main = element("main", glance, findings_part.section(findings, content), quotas_part.section(tables, settings))
    names = environments_of(tables)
    return page(f"quotalint: {found}", element("header", *head, jump), filter_form(names, with_findings=True), main)


def render_usage(tables: Sequence[QuotaTable], numbers: Summary, settings: Settings) -> str:
    """The report of `usage`."""
    said = counted(numbers.quotas, "quota")
    head = _head(element("strong", said), f" in {counted(numbers.files, 'file')}")
    glance = quota_map.section(tables, settings.nearly_full)
    main = element("main", glance, quotas_part.section(tables, settings))
    return page(f"quotalint: {said}", element("header", *head), filter_form(environments_of(tables)), main)


def environments_of(tables: Sequence[QuotaTable]) -> tuple[str, ...]:
    """The environments that a reader may choose from; none where there is only one."""
    names = sorted({one.environment for one in tables})
    return tuple(names) if len(names) > 1 else ()


def _head(*said: Html | str) -> tuple[Html, Html]:
    return element("h1", "quotalint"), element("p", *said, class_="counts")


def _link(target: str, text: str) -> Html:
    return element("a", text, href=f"#{target}")


def _counts(numbers: Summary) -> str:
    found = [(numbers.findings[severity], severity) for severity in SEVERITIES]
    words = [f"{number} info" if name == "info" else counted(number, name) for number, name in found if number]
    return ", ".join(words) or "No findings"


def _scope(numbers: Summary) -> str:
    scope = [counted(numbers.files, "file"), counted(numbers.namespaces, "namespace"), counted(numbers.quotas, "quota")]
    scope += [counted(numbers.environments, "environment")] if numbers.environments > 1 else []
    return f"in {', '.join(scope)}"
