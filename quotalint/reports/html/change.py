"""The top of the page of a change: the verdict in a sentence, its cause and repairs, what is worse, what better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quotalint.diff.changes import Changes
from quotalint.diff.stories import Story, Tale
from quotalint.reports.diff_tale import Row, other_line, quiet_rows, rows, story_lines, verdict
from quotalint.reports.html.context import Context, place
from quotalint.reports.html.markup import NOTHING, Html, code, element
from quotalint.reports.html.markup import written as escaped
from quotalint.reports.marks import Marks, begins_with_name, named, written
from quotalint.reports.marks import strong as emphasised
from quotalint.reports.terminal import counted

_STORIES, _OTHERS, _ROWS = 4, 6, 12  # that are told outside of the fold
_FULL = 100  # percent
_MARKS = {"error": "✗", "warning": "▲", "info": "ⓘ", "": "✓"}


class Compared(NamedTuple):
    """The two states of a change, as people are told of them, and what a person is told."""

    base: str
    head: str
    changes: Changes
    tale: Tale


def section(of: Compared, at: Context) -> Html:
    """In the order in which a person acts."""
    marks = _marks(at)
    said = verdict(of.changes, of.tale)
    text = Html(written(said.text.rstrip("."), marks))
    mark = element("span", _MARKS[said.severity], aria_hidden="true", class_="mark")
    head = element("h1", mark, " ", _capital(said.text, text), ".", class_=f"verdict {said.severity or 'good'}")
    told = list(_told(of.tale, marks))
    more = told[_STORIES + _OTHERS :]
    folded = element("details", element("summary", f"{len(more)} more"), *more) if more else NOTHING
    table = rows(of.tale)
    worse = [one for one in table if one.severity]
    better = [one for one in table if not one.severity]
    quiet = [row for change in of.tale.quiet for row in quiet_rows(change)]
    return element(
        "section",
        head,
        *told[: _STORIES + _OTHERS],
        folded,
        _table("Worse", worse, marks, is_open=True),
        _table("Better", better, marks, is_open=True),
        _table(f"{counted(len(quiet), 'more entry', 'more entries')} with room", quiet, marks, is_open=False),
        element("p", f"Compared with {of.base}. ", _unchanged(of.changes), class_="quiet"),
        id="change",
        aria_label="What the change does",
    )


def _capital(sentence: str, text: Html) -> Html:
    return text if begins_with_name(sentence) else Html(text.text[:1].upper() + text.text[1:])


def _unchanged(found: Changes) -> str:
    rest = found.checked - len(found.quotas)
    return f"{counted(rest, 'other quota')} unchanged." if found.quotas and rest > 0 else ""


def _told(tale: Tale, marks: Marks) -> Iterator[Html]:
    for number, story in enumerate(tale.stories):
        if story.severity not in ("", "info") or number == 0:
            yield from _story(story, marks)
    for one in tale.others:
        kind = one.finding.severity
        line = Html(written(other_line(one), marks))
        yield element("p", element("span", f"{_MARKS[kind]} {kind}", class_=f"badge {kind}"), " ", line)


def _story(story: Story, marks: Marks) -> Iterator[Html]:
    lines = [element("p", Html(written(line, marks))) for line in story_lines(story)]
    if lines:
        yield element("div", *lines, class_="story")


def _table(title: str, shown: Sequence[Row], marks: Marks, is_open: bool) -> Html:
    if not shown:
        return NOTHING
    columns = ("quota", "before", "after", "allowed", "")
    head = element("tr", *(element("th", name, scope="col", class_=_side(at)) for at, name in enumerate(columns)))
    lines = [element("tr", *_cells(one, marks), class_=one.severity) for one in shown]
    drawn = element("table", element("thead", head), element("tbody", *lines), class_="changes")
    wrapped = element("div", drawn, class_="wide", tabindex="0", role="region", aria_label=title)
    is_short = is_open and len(shown) <= _ROWS
    return element("details", element("summary", element("h2", title)), wrapped, class_="rows", open=is_short)


def _cells(one: Row, marks: Marks) -> Iterator[Html]:
    before, after, old, new = one.amounts.texts
    allowed = new if old == new or not old else f"{old} → {new}"
    where = written(f"{one.where} / {named(one.quota)}", marks)
    moved = written(emphasised(after), marks) if after and after != before else escaped(after)
    yield element("th", element("span", Html(where)), " ", code(one.amounts.resource), scope="row")
    yield element("td", before, class_="number")
    yield element("td", Html(moved), class_="number")
    yield element("td", allowed, class_="number")
    yield element("td", _share(one), class_="number")


def _share(one: Row) -> str:
    percent = one.amounts.percent
    if percent is None:
        return ""
    after, hard = one.amounts.after, one.amounts.new_hard
    over = after is not None and hard is not None and after.nano > hard.nano
    mark = "✗ " if over else "▲ " if one.severity else ""
    return mark + ("full" if percent == _FULL and not over else f"{percent}\u00a0%")


def _side(column: int) -> str:
    return "number" if column else ""


def _marks(at: Context) -> Marks:
    return Marks(
        escaped,
        lambda name: code(name).text,
        lambda file, line: place(at, file, line).text,
        lambda text: f"<strong>{text}</strong>",
    )
