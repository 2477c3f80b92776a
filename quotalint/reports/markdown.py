"""Markdown for the summary of a CI job or a comment: the quotas as a table, then the findings by severity."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from quotalint.accounts.quota_table import QuotaTable, Row
from quotalint.catalogue import SEVERITIES
from quotalint.kube import quantity
from quotalint.reports.alike import merge_others
from quotalint.reports.cells import (
    charged_cell,
    hard_cell,
    namespaces_label,
    quota_label,
    share_percent,
    share_words,
    steady_cell,
    surge_and_peak_cells,
    unstated_words,
)
from quotalint.reports.consequences import following_words
from quotalint.reports.details import causes_first, finding_details, most_severe_first
from quotalint.reports.summary import Summary, scope_words, severity_words
from quotalint.reports.terminal import count_noun, safe_text
from quotalint.results.finding import Finding
from quotalint.text.lazy_patterns import lazy_pattern

_MOST = 1024 * 1024  # bytes; GitHub shows nothing of a larger summary
_NOTE = 512  # bytes reserved for the sentence about omitted parts
_TITLES = {"error": "Errors", "warning": "Warnings", "info": "Infos"}


def render(
    findings: Sequence[Finding],
    tables: Sequence[QuotaTable],
    numbers: Summary,
    most: int = _MOST,
    folded: Sequence[Finding] | None = None,
) -> str:
    """The report of `check`, in at most so many bytes. `folded`: the findings without those that follow from others."""
    listed = most_severe_first(findings)
    shown = most_severe_first(folded) if folded is not None else listed
    head = f"# quotalint\n\n{_counts_line(listed, numbers, len(listed) - len(shown))}\n"
    blocks = list(_finding_blocks(shown))
    room = most - len(head) - 2 * _NOTE
    # Findings are more useful than the table: if space is short, they get the larger part.
    quotas = fit_blocks(
        list(_quota_lines(tables, numbers)), max(room // 3, room - _byte_size("".join(blocks))), "lines"
    )
    return head + quotas + fit_blocks(blocks, room - _byte_size(quotas), "findings")


def render_usage(tables: Sequence[QuotaTable], numbers: Summary, most: int = _MOST) -> str:
    """The report of `usage`, in at most so many bytes."""
    head = "# Quotas\n" if tables else f"No quota is in force in {count_noun(numbers.files, 'file')}.\n"
    return head + fit_blocks(list(_quota_lines(tables, numbers))[1:], most - len(head) - _NOTE, "lines")


def _counts_line(findings: Sequence[Finding], numbers: Summary, following: int) -> str:
    words = severity_words(Counter(finding.severity for finding in findings))
    told = f" {following_words(following)}" if following > 0 else ""
    return f"**{', '.join(words) or 'No findings'}** {scope_words(numbers)}.{told}"


def fit_blocks(blocks: Sequence[str], room: int, noun: str) -> str:
    """The blocks that fit, and a sentence about the others."""
    fitting: list[str] = []
    for block in blocks:
        room -= _byte_size(block)
        if room < 0:
            unlisted = len(blocks) - len(fitting)
            return "".join(fitting) + f"\n_{unlisted} more {noun} are left out: GitHub shows at most 1 MiB._\n"
        fitting.append(block)
    return "".join(fitting)


def _byte_size(text: str) -> int:
    return len(text.encode())


def _quota_lines(tables: Sequence[QuotaTable], numbers: Summary) -> Iterator[str]:
    if not tables:
        return
    several_environments = numbers.environments > 1
    deferred = any(row.actual is not None for table in tables for row in table.rows)
    live = any(row.used is not None for table in tables for row in table.rows)
    used = (*(("potential", "actual") if deferred else ("steady",)), *(("charged",) if live else ()))
    columns = (
        *(("environment",) if several_environments else ()),
        "namespace",
        "quota",
        "resource",
        *used,
        "surge",
        "peak",
        "hard",
    )
    texts = len(columns) - len(used) - 3
    yield "\n## Quotas\n"
    ruler = ["---"] * texts + ["---:"] * (len(columns) - texts + 1)
    yield f"\n{table_row([*columns, 'share'])}{table_row(ruler)}"
    for table in tables:
        first = [
            *([plain_text(table.environment)] if several_environments else []),
            plain_text(namespaces_label(table)),
            plain_text(quota_label(table)),
        ]
        if table.rejected or not table.rows:
            lack = "refused by the API server" if table.rejected else "limits nothing"
            yield table_row([*first, lack, *[""] * (len(columns) - texts + 1)])
        for row in table.rows:
            yield table_row([*first, code_text(row.resource), *_amount_cells(row, deferred=deferred, live=live)])
    for table in tables:
        quota, where = plain_text(quota_label(table)), plain_text(namespaces_label(table))
        if table.unstated:
            yield f"\n_Refused_ by {quota} of {where}: {unstated_words(table.unstated)}\n"
        for reason in table.unknowns:
            yield f"\n_Not seen_ for {quota} of {where}: {plain_text(reason)}\n"


def _amount_cells(row: Row, *, deferred: bool, live: bool) -> list[str]:
    actual = [quantity.show(row.actual) if row.actual is not None else ""] if deferred else []
    percent = share_percent(row)
    words = "" if percent is None else f"**{share_words(row, percent)}**" if percent > 100 else f"{percent} %"
    return [
        steady_cell(row),
        *actual,
        *([charged_cell(row)] if live else []),
        *surge_and_peak_cells(row),
        hard_cell(row),
        words,
    ]


def table_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _finding_blocks(findings: Sequence[Finding]) -> Iterator[str]:
    for severity in SEVERITIES:
        of_it = [finding for finding in findings if finding.severity == severity]
        for number, finding in enumerate(merge_others(causes_first(of_it))):
            title = f"\n## {_TITLES[severity]} ({len(of_it)})\n\n" if number == 0 else ""
            yield title + "".join(f"{line}\n" for line in finding_item(finding))


def finding_item(finding: Finding) -> Iterator[str]:
    place = code_text(f"{finding.file}:{finding.span.line}")
    yield f"- **{finding.rule.id} {plain_text(finding.title)}** {place}: {plain_text(finding.message)}"
    for label, text in finding_details(finding):
        yield f"  - {plain_text(label)}: {plain_text(text)}"


def code_text(text: str) -> str:
    """A name between backticks; plain text if it has characters that are special even there."""
    text = safe_text(text)
    return plain_text(text) if not text.strip() or _NO_CODE.search(text) else f"`{text}`"


def plain_text(text: str) -> str:
    """Text without any Markdown meaning: entities prevent cells, tags and emphasis. A plain name between backticks
    stays code. A zero-width space follows `@`, and `#` before a number, because GitHub looks for people and issues
    there."""
    return "".join(part if _PLAIN.fullmatch(part) else _escape_marks(part) for part in _QUOTED.split(safe_text(text)))


def _escape_marks(text: str) -> str:
    return _REFERENCES.sub(r"\g<0>&#8203;", _MARKS.sub(lambda match: f"&#{ord(match[0])};", text))


_NO_CODE = lazy_pattern(r"[`|\\]")
_QUOTED = lazy_pattern("(`[^`]*`)")
_PLAIN = lazy_pattern(r"` ?[\w./:=,-]+(?: [\w./:=,-]+)* ?`")
_REFERENCES = lazy_pattern(r"@|(?<!&)#(?=\d)|\b[Gg][Hh]-(?=\d)")
_MARKS = lazy_pattern(
    r"""
      [&<>|\\`*\[~$]                # what means something anywhere
    | (?<![^\W_])_ | _(?![^\W_])    # underscores that are not within a word
    | :(?=//) | (?<=[Ww]{3})\.      # what would make a link
    """,
    re.VERBOSE,
)
