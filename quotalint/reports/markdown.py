"""Markdown for the summary of a CI job or a comment: the quotas as a table, then the findings by severity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quotalint.catalogue import SEVERITIES
from quotalint.findings import Finding
from quotalint.kube import quantity
from quotalint.reports.cells import hard, later, named, namespaces, share, steady
from quotalint.reports.details import details, most_severe_first
from quotalint.reports.quota_table import QuotaTable, Row
from quotalint.reports.summary import Summary
from quotalint.reports.terminal import counted, safe

_MOST = 1024 * 1024  # bytes; of a larger summary GitHub shows nothing
_NOTE = 512  # bytes that are kept for the sentence on what is left out
_TITLES = {"error": "Errors", "warning": "Warnings", "info": "Infos"}


def render(findings: Sequence[Finding], tables: Sequence[QuotaTable], numbers: Summary, most: int = _MOST) -> str:
    """The report of `check`, in at most so many bytes."""
    shown = most_severe_first(findings)
    head = f"# quotalint\n\n{_counts(shown, numbers)}\n"
    # The findings say more than the table: where not everything fits, they get the larger half.
    quotas = _fitting(list(_quotas(tables, numbers)), most // 3 if shown else most - len(head) - _NOTE, "quota lines")
    text = head + quotas
    return text + _fitting(list(_findings(shown)), most - len(text.encode(errors="replace")) - _NOTE, "lines")


def render_usage(tables: Sequence[QuotaTable], numbers: Summary, most: int = _MOST) -> str:
    """The report of `usage`, in at most so many bytes."""
    head = "# Quotas\n" if tables else f"No quota in {counted(numbers.files, 'file')}.\n"
    return head + _fitting(list(_quotas(tables, numbers))[1:], most - len(head) - _NOTE, "lines")


def _counts(findings: Sequence[Finding], numbers: Summary) -> str:
    found = [(sum(one.severity == severity for one in findings), severity) for severity in SEVERITIES]
    words = [f"{number} info" if name == "info" else counted(number, name) for number, name in found if number]
    scope = [counted(numbers.files, "file"), counted(numbers.namespaces, "namespace"), counted(numbers.quotas, "quota")]
    scope += [counted(numbers.environments, "environment")] if numbers.environments > 1 else []
    return f"**{', '.join(words) or 'No findings'}** in {', '.join(scope)}."


def _fitting(blocks: Sequence[str], room: int, what: str) -> str:
    """As many blocks as there is room for, and a sentence on the others."""
    kept: list[str] = []
    for block in blocks:
        # Surrogates are written as escapes of six bytes.
        room -= len(block.encode(errors="backslashreplace"))
        if room < 0:
            left = len(blocks) - len(kept)
            return "".join(kept) + f"\n_{left} more {what} are left out: GitHub shows at most 1 MiB._\n"
        kept.append(block)
    return "".join(kept)


def _quotas(tables: Sequence[QuotaTable], numbers: Summary) -> Iterator[str]:
    if not tables:
        return
    several = numbers.environments > 1
    deferred = any(row.actual is not None for table in tables for row in table.rows)
    used = ("potential", "actual") if deferred else ("steady",)
    columns = (*(("environment",) if several else ()), "namespace", "quota", "resource", *used, "surge", "peak", "hard")
    texts = len(columns) - len(used) - 3
    yield "\n## Quotas\n"
    ruler = ["---"] * texts + ["---:"] * (len(columns) - texts + 1)
    yield f"\n{_row([*columns, 'share'])}{_row(ruler)}"
    for table in tables:
        first = [*([_text(table.environment)] if several else []), _text(namespaces(table)), _text(named(table))]
        if table.rejected or not table.rows:
            said = "refused by the API server" if table.rejected else "limits nothing"
            yield _row([*first, said, *[""] * (len(columns) - texts + 1)])
        for row in table.rows:
            yield _row([*first, _code(row.resource), *_amounts(row, deferred)])
    for table in tables:
        for reason in table.unknowns:
            yield f"\n_Not seen_ for {_text(named(table))} of {_text(namespaces(table))}: {_text(reason)}\n"


def _amounts(row: Row, deferred: bool) -> list[str]:
    actual = [quantity.show(row.actual) if row.actual is not None else ""] if deferred else []
    percent = share(row)
    words = "" if percent is None else f"**{percent} %**" if percent > 100 else f"{percent} %"
    return [steady(row), *actual, *later(row), hard(row), words]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    for severity in SEVERITIES:
        of_it = [one for one in findings if one.severity == severity]
        for number, one in enumerate(of_it):
            title = f"\n## {_TITLES[severity]} ({len(of_it)})\n\n" if number == 0 else ""
            yield title + "".join(f"{line}\n" for line in _finding(one))


def _finding(one: Finding) -> Iterator[str]:
    place = _code(f"{one.file}:{one.span.line}")
    yield f"- **{one.rule.id} {_text(one.rule.name)}** {place}: {_text(one.message)}"
    for label, text in details(one):
        yield f"  - {_text(label)}: {_text(text)}"


def _code(text: str) -> str:
    """A name between backticks; where it has characters that mean something even there, as plain text."""
    text = safe(text)
    return _text(text) if not text.strip() or _NO_CODE.search(text) else f"`{text}`"


def _text(text: str) -> str:
    """Text that is nothing but text, wherever it stands: entities end no cell, open no tag and start no emphasis."""
    return _MARKS.sub(lambda found: f"&#{ord(found[0])};", safe(text))


_NO_CODE = re.compile(r"[`|\\]")
# With `@` and `://`, so that nothing becomes a mention or a link.
_MARKS = re.compile(r"[&<>|\\`*_\[\]~$@]|:(?=//)|(?<=\bwww)\.|(?<!&)#(?=\w)")
