"""Markdown for the summary of a CI job or a comment: the quotas as a table, then the findings by severity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quotalint.catalogue import SEVERITIES
from quotalint.finding import Finding
from quotalint.kube import quantity
from quotalint.reports.cells import charged, hard, later, named, namespaces, share, steady
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
    blocks = list(_findings(shown))
    room = most - len(head) - 2 * _NOTE
    # The findings say more than the table: where not everything fits, they get the larger part.
    quotas = fitting(list(_quotas(tables, numbers)), max(room // 3, room - _size("".join(blocks))), "lines")
    return head + quotas + fitting(blocks, room - _size(quotas), "findings")


def render_usage(tables: Sequence[QuotaTable], numbers: Summary, most: int = _MOST) -> str:
    """The report of `usage`, in at most so many bytes."""
    head = "# Quotas\n" if tables else f"No quota in {counted(numbers.files, 'file')}.\n"
    return head + fitting(list(_quotas(tables, numbers))[1:], most - len(head) - _NOTE, "lines")


def _counts(findings: Sequence[Finding], numbers: Summary) -> str:
    found = [(sum(one.severity == severity for one in findings), severity) for severity in SEVERITIES]
    words = [f"{number} info" if name == "info" else counted(number, name) for number, name in found if number]
    scope = [counted(numbers.files, "file"), counted(numbers.namespaces, "namespace"), counted(numbers.quotas, "quota")]
    scope += [counted(numbers.environments, "environment")] if numbers.environments > 1 else []
    return f"**{', '.join(words) or 'No findings'}** in {', '.join(scope)}."


def fitting(blocks: Sequence[str], room: int, what: str, most: str = "GitHub shows at most 1 MiB") -> str:
    """As many blocks as there is room for, and a sentence on the others, with why there is no more room."""
    kept: list[str] = []
    for block in blocks:
        room -= _size(block)
        if room < 0:
            left = len(blocks) - len(kept)
            return "".join(kept) + f"\n_{left} more {what} are left out: {most}._\n"
        kept.append(block)
    return "".join(kept)


def _size(text: str) -> int:
    return len(text.encode())


def _quotas(tables: Sequence[QuotaTable], numbers: Summary) -> Iterator[str]:
    if not tables:
        return
    several = numbers.environments > 1
    deferred = any(row.actual is not None for table in tables for row in table.rows)
    live = any(row.used is not None for table in tables for row in table.rows)
    used = (*(("potential", "actual") if deferred else ("steady",)), *(("charged",) if live else ()))
    columns = (*(("environment",) if several else ()), "namespace", "quota", "resource", *used, "surge", "peak", "hard")
    texts = len(columns) - len(used) - 3
    yield "\n## Quotas\n"
    ruler = ["---"] * texts + ["---:"] * (len(columns) - texts + 1)
    yield f"\n{table_row([*columns, 'share'])}{table_row(ruler)}"
    for table in tables:
        first = [*([plain(table.environment)] if several else []), plain(namespaces(table)), plain(named(table))]
        if table.rejected or not table.rows:
            said = "refused by the API server" if table.rejected else "limits nothing"
            yield table_row([*first, said, *[""] * (len(columns) - texts + 1)])
        for row in table.rows:
            yield table_row([*first, code(row.resource), *_amounts(row, deferred, live)])
    for table in tables:
        for reason in table.unknowns:
            yield f"\n_Not seen_ for {plain(named(table))} of {plain(namespaces(table))}: {plain(reason)}\n"


def _amounts(row: Row, deferred: bool, live: bool) -> list[str]:
    actual = [quantity.show(row.actual) if row.actual is not None else ""] if deferred else []
    percent = share(row)
    words = "" if percent is None else f"**{percent} %**" if percent > 100 else f"{percent} %"
    return [steady(row), *actual, *([charged(row)] if live else []), *later(row), hard(row), words]


def table_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    for severity in SEVERITIES:
        of_it = [one for one in findings if one.severity == severity]
        for number, one in enumerate(of_it):
            title = f"\n## {_TITLES[severity]} ({len(of_it)})\n\n" if number == 0 else ""
            yield title + "".join(f"{line}\n" for line in finding_item(one))


def finding_item(one: Finding) -> Iterator[str]:
    place = code(f"{one.file}:{one.span.line}")
    yield f"- **{one.rule.id} {plain(one.title)}** {place}: {plain(one.message)}"
    for label, text in details(one):
        yield f"  - {plain(label)}: {plain(text)}"


def code(text: str) -> str:
    """A name between backticks; where it has characters that mean something even there, as plain text."""
    text = safe(text)
    return plain(text) if not text.strip() or _NO_CODE.search(text) else f"`{text}`"


def plain(text: str) -> str:
    """Text that is nothing but text, wherever it stands: entities end no cell, open no tag and start no emphasis.
    A plain name between backticks stays one. Behind an `@`, and a `#` before a number, comes a space of no width, since
    GitHub looks for people and issues after all that."""
    return "".join(part if _PLAIN.fullmatch(part) else _inert(part) for part in _QUOTED.split(safe(text)))


def _inert(text: str) -> str:
    return _REFERENCES.sub(r"\g<0>&#8203;", _MARKS.sub(lambda found: f"&#{ord(found[0])};", text))


_NO_CODE = re.compile(r"[`|\\]")
_QUOTED = re.compile("(`[^`]*`)")
_PLAIN = re.compile(r"` ?[\w./:=,-]+(?: [\w./:=,-]+)* ?`")
_REFERENCES = re.compile(r"@|(?<!&)#(?=\d)|\b[Gg][Hh]-(?=\d)")
_MARKS = re.compile(
    r"""
      [&<>|\\`*\[~$]                # what means something anywhere
    | (?<![^\W_])_ | _(?![^\W_])    # underscores that are not within a word
    | :(?=//) | (?<=[Ww]{3})\.      # what would make a link
    """,
    re.VERBOSE,
)
