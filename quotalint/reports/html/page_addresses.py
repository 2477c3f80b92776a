"""What all parts of a page need: where files can be read, the address of each quota and finding on it, the past."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import accumulate

from quotalint.accounts.quota_table import QuotaTable, TableId
from quotalint.named_tuples import NamedTuple
from quotalint.reports.earlier import EarlierReport
from quotalint.reports.html.fullness import STATES, state_of_quota
from quotalint.reports.html.markup import Html, code, element
from quotalint.reports.links import Links
from quotalint.results.finding import Finding, FindingId
from quotalint.settings import Settings
from quotalint.text.lazy_patterns import lazy_pattern

_PLAIN = lazy_pattern(r"[^A-Za-z0-9._]+")
_LONGEST = 120  # characters of an address
_CONSUMERS = 5_000  # of all quotas together: some 12 megabytes, as much as a browser shows without trouble


class PageContext(NamedTuple):
    """The same for the whole page."""

    links: Links = Links()
    quotas: Mapping[TableId, str] = {}
    """The id of each quota on the page, by the identity of its table."""
    findings: Mapping[FindingId, str] = {}
    """The id of each finding, by its identity."""
    earlier: Sequence[EarlierReport] = ()
    nearly_full: int = 100
    """Percent."""
    scenario: str = "steady"
    """The demand that has to fit."""
    shortened: Set[TableId] = frozenset()
    """The quotas whose users the page does not show, because there are too many."""


def page_context(
    tables: Sequence[QuotaTable],
    findings: Sequence[Finding],
    settings: Settings,
    links: Links,
    earlier: Sequence[EarlierReport],
) -> PageContext:
    """Ids hold names, not numbers: they lead to the same quota or finding in the report of another day."""
    quotas = zip(tables, _unique_ids("quota", (_quota_name(table) for table in tables)), strict=True)
    problems = zip(findings, _unique_ids("finding", (finding.fingerprint[:12] for finding in findings)), strict=True)
    return PageContext(
        links,
        {table.identity: name for table, name in quotas},
        {finding.identity: name for finding, name in problems},
        earlier,
        settings.nearly_full,
        settings.scenario,
        _shortened_quotas(tables, settings.nearly_full),
    )


def _shortened_quotas(tables: Sequence[QuotaTable], nearly_full: int) -> Set[TableId]:
    """The quotas whose consumers are left out, because a page only shows a limited number of consumers. The worst
    quotas come first, and keep theirs."""
    if sum(len(table.consumers) for table in tables) <= _CONSUMERS:
        return frozenset()
    ranked = sorted(tables, key=lambda table: STATES.index(state_of_quota(table, nearly_full)))
    totals = accumulate(len(table.consumers) for table in ranked)
    return {table.identity for table, total in zip(ranked, totals, strict=True) if total > _CONSUMERS}


def place_link(at: PageContext, file: str, line: int) -> Html:
    """A line of a file, with a link to it where the repository can be read."""
    place = code(f"{file}:{line}", class_="place")
    address = at.links.to(file, line)
    return element("a", place, href=address, class_="source") if address else place


def permanent_link(name: str, of: str) -> Html:
    """The address of a quota or finding, to be copied."""
    return element("p", element("a", "Link to this " + of, href=f"#{name}"), class_="permalink")


def _quota_name(table: QuotaTable) -> str:
    spaces = table.quota.namespaces if len(table.quota.namespaces) == 1 else ()
    return "-".join(filter(None, (table.environment, *spaces, table.quota.name)))


def _unique_ids(prefix: str, names: Iterable[str]) -> Iterator[str]:
    taken = set[str]()
    numbers: dict[str, int] = {}  # the last one of each: thousands of findings may be alike
    for name in names:
        free = plain = f"{prefix}-{_PLAIN.sub('-', name).strip('-') or 'x'}"[:_LONGEST]
        while free in taken:
            numbers[plain] = numbers.get(plain, 1) + 1
            free = f"{plain}-{numbers[plain]}"
        taken.add(free)
        yield free
