"""The formats of reports by name. Each module is imported only if its format is requested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from quotalint.named_tuples import NamedTuple
from quotalint.pipeline import Result
from quotalint.reports.summary import Summary, summarize_run
from quotalint.reports.terminal import Terminal

if TYPE_CHECKING:
    from quotalint.accounts.quota_table import QuotaTable
    from quotalint.reports.chosen_quotas import Choice
    from quotalint.reports.earlier import EarlierReport
    from quotalint.reports.links import Origin
    from quotalint.results.finding import Finding


class PageOptions(NamedTuple):
    """Options of HTML and Markdown reports."""

    command: tuple[str, ...] = ()
    """The arguments of the command line."""
    link: str = ""
    """The address of the repository's files."""
    earlier: tuple[EarlierReport, ...] = ()
    """Reports of earlier runs, the oldest first."""
    of_several: bool = False
    """The files are from several repositories, so what CI and git say about this one does not apply."""


DEFAULT_PAGE = PageOptions()


class Report(NamedTuple):
    """The data of reports."""

    result: Result
    numbers: Summary
    tables: Callable[[], tuple[QuotaTable, ...]]
    """Made when the first format needs them."""
    quiet: bool
    verbose: bool
    choice: Choice | None = None
    """The quotas to show; None: all."""
    asked: PageOptions = DEFAULT_PAGE

    def for_people(self) -> tuple[list[Finding], Summary]:
        """The findings with similar ones merged, and their numbers."""
        from quotalint.reports.alike import merge_alike

        findings = merge_alike(self.result.findings)
        number = Counter(finding.severity for finding in findings if finding.suppressed is None)
        return findings, self.numbers._replace(findings={name: number[name] for name in self.numbers.findings})

    def folded(self) -> list[Finding]:
        """The findings for people, with those that follow from others named there."""
        from quotalint.reports.alike import merge_alike
        from quotalint.reports.consequences import fold_consequences

        return merge_alike(fold_consequences(self.result.findings))

    def chosen_tables(self) -> tuple[QuotaTable, ...]:
        """The chosen quota tables."""
        if self.choice is None:
            return self.tables()
        from quotalint.reports.chosen_quotas import choose_tables

        return choose_tables(self.tables(), self.choice)


Format = Callable[[Report, Terminal], str]


def report_of(
    result: Result,
    choice: Choice | None = None,
    asked: PageOptions = DEFAULT_PAGE,
    *,
    quiet: bool = False,
    verbose: bool = False,
) -> Report:
    """The report of a result."""

    @cache
    def tables() -> tuple[QuotaTable, ...]:
        from quotalint.accounts.quota_table import quota_tables

        made = quota_tables(result.environments, result.locate, rooms=True)
        if not any(facts.cluster.of("kueue.x-k8s.io", "ClusterQueue") for facts in result.environments):
            return made
        from quotalint.reports.queue_tables import with_queues

        return with_queues(made, result.environments, result.locate)

    return Report(result, summarize_run(result.environments, result.findings), tables, quiet, verbose, choice, asked)


def _imported_format(module: str, given: Callable[[Report], Sequence[Any]], function: str = "render") -> Format:
    """A format from a function of a module of reports/, imported at its first use."""

    def show(of: Report, to: Terminal) -> str:
        from importlib import import_module

        render: Callable[..., str] = getattr(import_module(f"quotalint.reports.{module}"), function)
        return render(*given(of))

    return show


def _of_findings(module: str) -> Format:
    """A format of findings only: `render(findings)` of a module of reports/."""
    return _imported_format(module, lambda of: (of.result.findings,))


def _of_quotas(module: str) -> Format:
    """A format of quotas only: `render(tables)` of a module of reports/."""
    return _imported_format(module, lambda of: (of.chosen_tables(),))


def _text_report(of: Report, to: Terminal) -> str:
    from quotalint.reports.text_report import render

    result = of.result
    findings, numbers = of.for_people()
    given = findings, numbers, result.environments, result.content, to
    return render(*given, quiet=of.quiet, verbose=of.verbose, folded=of.folded())


def _json_report(of: Report, to: Terminal) -> str:
    from quotalint.reports.check_verdict import verdict_of_check
    from quotalint.reports.deploys import deployed_environments
    from quotalint.reports.details import propose_repairs
    from quotalint.reports.json import render

    result = of.result
    fixes = propose_repairs([finding.fix for finding in result.findings], result.content, result.refusal)
    published = deployed_environments(result.environments, result.locate)
    verdict = verdict_of_check(result.environments, result.findings)
    repository = result.environments[0].repository
    return render(repository, result.findings, of.tables(), of.numbers, fixes, published, verdict)


def _markdown_report(of: Report, to: Terminal) -> str:
    from quotalint.reports.markdown import render

    findings, numbers = of.for_people()
    return render(findings, of.tables(), numbers, folded=of.folded())


def _html_report(of: Report, to: Terminal) -> str:
    from quotalint.reports.html import render

    result = of.result
    settings = result.environments[0].settings
    report_parts = of.folded(), of.tables(), of.for_people()[1], settings, result.content
    return render(*report_parts, origin=_page_origin(of), earlier=of.asked.earlier)


def _page_origin(of: Report) -> Origin:
    from quotalint.cli.run_origin import page_origin

    if of.asked.of_several:
        return page_origin(of.asked.command, of.asked.link, "", {})
    return page_origin(of.asked.command, of.asked.link, of.result.environments[0].settings.repository)


def _usage_text_report(of: Report, to: Terminal) -> str:
    from quotalint.reports.usage import render

    return render(of.chosen_tables(), of.numbers, of.result.environments[0].settings, to, of.choice)


def _usage_html_report(of: Report, to: Terminal) -> str:
    from quotalint.reports.html import render_usage

    settings = of.result.environments[0].settings
    return render_usage(of.chosen_tables(), of.numbers, settings, _page_origin(of), of.asked.earlier)


def _rdjson_report(of: Report, to: Terminal) -> str:
    from quotalint.reports.details import propose_repairs
    from quotalint.reports.rdjson import render

    result = of.result
    fixes = propose_repairs([finding.fix for finding in result.findings], result.content, result.refusal)
    return render(result.findings, fixes, result.content)


CHECK: dict[str, Format] = {
    "text": _text_report,
    "json": _json_report,
    "sarif": _imported_format("sarif", lambda of: (of.result.findings, of.tables())),
    "github": _imported_format("github", lambda of: of.for_people()[:1]),
    "gitlab": _of_findings("gitlab"),
    "junit": _imported_format(
        "junit", lambda of: (of.result.findings, of.tables(), of.result.environments[0].settings.fail_on)
    ),
    "markdown": _markdown_report,
    "html": _html_report,
    "rdjson": _rdjson_report,
    "csv": _of_quotas("quota_csv"),
}
USAGE: dict[str, Format] = {
    "text": _usage_text_report,
    "json": _imported_format("json", lambda of: (of.chosen_tables(), of.numbers), "render_usage"),
    "markdown": _imported_format("markdown", lambda of: (of.chosen_tables(), of.numbers), "render_usage"),
    "html": _usage_html_report,
    "csv": _of_quotas("quota_csv"),
}
