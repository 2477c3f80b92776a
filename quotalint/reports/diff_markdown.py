"""A change in Markdown, for a comment on a pull request or the summary of a job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.diff.changes import Changes, QuotaChange
from quotalint.diff.trees import Side
from quotalint.findings import Finding
from quotalint.reports.cells import named, namespaces, share
from quotalint.reports.details import most_severe_first
from quotalint.reports.diff_cells import (
    cells,
    consumer,
    fate,
    moved,
    new_words,
    notes,
    other_words,
    remarks,
    revision,
)
from quotalint.reports.markdown import code, finding_item, fitting, plain, table_row
from quotalint.reports.quota_table import Row

_MOST = 60 * 1024  # bytes; GitHub takes no comment of more than 65536 characters
_FULL = "a comment on GitHub holds 64 KiB"
_NOTE = 512


def render(base: Side, head: Side, found: Changes, most: int = _MOST) -> str:
    """The whole report, in at most so many bytes."""
    fates = found.findings
    new = most_severe_first(fates.new)
    title = f"# quotalint\n\n{_counts(base, head, found)}\n"
    findings = [
        *_titled("New", ["\n".join(finding_item(one)) for one in new]),
        *_titled("Not known to be fixed", [f"{_item(one)}\n  - {plain(one.notes[0].text)}" for one in fates.unknown]),
        *_titled("Fixed", list(map(_item, fates.fixed))),
    ]
    notes = "".join(f"\n_{plain(line)}_\n" for line in remarks(base, head, found))
    room = most - len(title.encode()) - len(notes.encode()) - 2 * _NOTE
    # What breaks matters most; where not everything fits, it gets the larger part.
    quotas = fitting(list(_quotas(found)), max(room // 3, room - len("".join(findings).encode())), "lines", _FULL)
    return title + quotas + fitting(findings, room - len(quotas.encode()), "findings", _FULL) + notes


def _counts(base: Side, head: Side, found: Changes) -> str:
    fates = found.findings
    return f"**{new_words(fates)}**, {other_words(fates)} from {plain(revision(base))} to {plain(revision(head))}."


def _item(one: Finding) -> str:
    return f"- {one.rule.id} {plain(one.rule.name)} {code(one.file)}: {plain(one.message)}"


def _titled(title: str, items: Sequence[str]) -> Iterator[str]:
    for number, item in enumerate(items):
        yield (f"\n## {title} ({len(items)})\n\n" if number == 0 else "") + f"{item}\n"


def _quotas(found: Changes) -> Iterator[str]:
    yield "\n## Quotas\n"
    if not found.quotas:
        yield "\nNo quota and no use of one changes.\n"
        return
    first = [*(["environment"] if found.several else []), "namespace", "quota", "resource"]
    columns = [*first, "hard", "steady", "surge", "peak", "share", "through"]
    ruler = ["---"] * len(first) + ["---:"] * 5 + ["---"]
    yield f"\n{table_row(columns)}{table_row(ruler)}"
    for one in found.quotas:
        yield from _rows(one, found.several)
    for one in found.quotas:
        where = f"{plain(one.environment)}: " if found.several and one.environment else ""
        for said in (*notes(one, found.several), *(f"not seen: {reason}" for reason in one.unseen)):
            yield f"\n_{where}{plain(named(one.table))} of {plain(namespaces(one.table))}_: {plain(said)}\n"


def _rows(change: QuotaChange, several: bool) -> Iterator[str]:
    what = fate(change)
    where = [plain(change.environment)] if several else []
    where += [plain(namespaces(change.table)), plain(named(change.table)) + (f" _{plain(what)}_" if what else "")]
    through = _through(change)
    for number, entry in enumerate(change.entries):
        old, new = (_share(row) for row in entry)
        amounts = [plain(cell) for cell in (*cells(entry), moved(old, new))]
        below = " **lowered below what is used**" if entry.lowered_below else ""
        yield table_row([*where, code(entry.resource) + below, *amounts, through if number == 0 else ""])
    if not change.entries:
        yield table_row([*where, *[""] * 6, through])


def _through(change: QuotaChange) -> str:
    said = []
    for one in change.consumers:
        name, pods, usage, _ = consumer(one, change.whole)
        said.append(plain(", ".join(filter(None, (f"{name}: {pods}" if pods else name, usage)))))
    return "<br>".join(said)


def _share(row: Row | None) -> str:
    percent = None if row is None else share(row)
    return "" if percent is None else f"{percent} %"
