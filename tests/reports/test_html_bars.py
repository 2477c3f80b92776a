"""What a bar is made of, and where on it everything stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.accounts.quota_table import QuotaTable, Row
from quotalint.cli.formats import report_of
from quotalint.kube import quantity
from quotalint.pipeline import run
from quotalint.quota.projection import AT_LEAST, EXACT, UNKNOWN
from quotalint.reports.html.bars import Bar, Segment, draw_bar, entry_bars, percent_attribute
from quotalint.reports.html.consumers import numbered_consumers
from quotalint.reports.html.fullness import AT_LEAST as SO_FAR
from quotalint.reports.html.fullness import (
    AT_TIMES,
    FITS,
    FULL,
    NEVER_COUNTED,
    OVER,
    UNCERTAIN,
    EntryState,
    state_of_entry,
)
from quotalint.settings import Options, Settings
from quotalint.settings.loading import load_settings
from quotalint.text.sources import find


def tables(folder: Path, **options: Any) -> Sequence[QuotaTable]:
    """The quotas of a folder."""
    settings = load_settings((str(folder),), Options(**options), frozenset())
    assert isinstance(settings, Settings)
    return report_of(run(find((str(folder),), settings.root, ()), settings, bytes, 1)).tables()


def quota(folder: Path, **hard: str) -> None:
    """A file with a quota."""
    entries = ", ".join(f"{name.replace('_', '.')}: {value}" for name, value in hard.items())
    (folder / "q.yaml").write_text(
        f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q, namespace: a}}\nspec: {{hard: {{{entries}}}}}\n"
    )


def deployment(folder: Path, name: str, replicas: int, cpu: str) -> None:
    """A file with a Deployment, which rolls with a quarter of its pods more."""
    container = f"{{name: c, image: i, resources: {{requests: {{cpu: {cpu}}}}}}}"
    (folder / f"{name}.yaml").write_text(
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}, namespace: a}}\n"
        f"spec: {{replicas: {replicas}, template: {{spec: {{containers: [{container}]}}}}}}\n"
    )


def told(table: QuotaTable, row: Row) -> list[tuple[str, str, list[str]]]:
    """The bars of an entry, in short."""
    return [
        (
            bar.scenario,
            quantity.show(bar.amount),
            [f"{part.key} {part.name} {quantity.show(part.amount)}" for part in bar.segments],
        )
        for bar in entry_bars(table, row, numbered_consumers(table))
    ]


def test_each_scenario_has_a_bar_with_what_everybody_takes_in_it(tmp_path: Path) -> None:
    quota(tmp_path, requests_cpu="10")
    deployment(tmp_path, "web", 4, "1")
    deployment(tmp_path, "api", 2, "1500m")
    (table,) = tables(tmp_path)
    assert told(table, table.rows[0]) == [
        ("steady", "7", ["1 Deployment web 4", "2 Deployment api 3"]),
        ("surge", "8500m", ["1 Deployment web 4", "2 Deployment api 4500m"]),
        ("peak", "10500m", ["1 Deployment web 6", "2 Deployment api 4500m"]),
    ]


def test_what_never_changes_is_one_bar_and_what_nobody_wrote_has_a_part(tmp_path: Path) -> None:
    quota(tmp_path, configmaps="4")
    (tmp_path / "c.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: a}\n")
    (table,) = tables(tmp_path)
    parts = ["1 ConfigMap c 1", "0 what every namespace has 1"]
    assert told(table, table.rows[0]) == [("steady, surge, peak", "2", parts)]


def test_of_many_consumers_the_largest_have_parts_of_their_own(tmp_path: Path) -> None:
    quota(tmp_path, requests_cpu="100")
    for number in range(1, 15):
        (tmp_path / f"p{number}.yaml").write_text(
            f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p{number}, namespace: a}}\n"
            f"spec: {{containers: [{{name: c, image: i, resources: {{requests: {{cpu: {number}}}}}}}]}}\n"
        )
    (table,) = tables(tmp_path)
    ((_, amount, parts),) = told(table, table.rows[0])
    assert (amount, parts[0], parts[11:]) == ("105", "1 Pod p14 14", ["12 Pod p3 3", "0 2 others 3"])


def test_deferred_quotas_have_a_bar_of_what_is_charged(tmp_path: Path) -> None:
    quota(tmp_path, requests_cpu="2")
    deployment(tmp_path, "web", 3, "1")
    (table,) = tables(tmp_path, enforcement="deferred")
    assert [item[:2] for item in told(table, table.rows[0])] == [
        ("potential", "3"),
        ("surge, peak", "4"),
        ("actual", "2"),
    ]


HARD = quantity.of(4)


def row(steady: int, hard: int | None = 4, certainty: str = EXACT, peak: int | None = None) -> Row:
    """An entry of this much."""
    used, most = quantity.of(steady), quantity.of(steady if peak is None else peak)
    allowed = None if hard is None else quantity.of(hard)
    return Row("pods", allowed, used, most, most, False, certainty, used)


def boxes(picture: str) -> list[tuple[str, str, str]]:
    """Class, left and width of everything drawn."""
    return re.findall(r'<rect class="([^"]*)" y="4" height="16" x="([^"]*)" width="([^"]*)"', picture)


@pytest.mark.parametrize(
    ("used", "hard", "drawn_boxes", "line"),
    [
        ((1, 2), 4, [("part k1", "0%", "18.75%"), ("part k2", "18.75%", "37.5%")], "75%"),
        ((3, 2), 4, [("part k1", "0%", "56.25%"), ("part k2", "56.25%", "37.5%"), ("beyond", "75%", "18.75%")], "75%"),
        ((6, 2), 4, [("part k1", "0%", "75%"), ("part k2", "75%", "25%"), ("beyond", "50%", "50%")], "50%"),
        ((2,), 0, [("part k1", "0%", "100%"), ("beyond", "0%", "100%")], "0%"),
        ((), 0, [], "0%"),
    ],
    ids=["room", "beyond", "far beyond", "nothing allowed", "nothing at all"],
)
def test_parts_stand_where_their_amounts_say(
    used: tuple[int, ...], hard: int, drawn_boxes: list[tuple[str, str, str]], line: str
) -> None:
    parts = tuple(Segment(number, "x", quantity.of(item)) for number, item in enumerate(used, 1))
    entry = row(sum(used), hard)
    picture = draw_bar(Bar("steady", quantity.of(sum(used)), parts), entry).text
    assert boxes(picture) == [("track", "0%", "100%"), *drawn_boxes]
    assert re.findall(r'<line class="hard" x1="([^"]*)"', picture) == [line]


def test_what_is_not_in_view_is_dotted() -> None:
    picture = draw_bar(
        Bar("steady", quantity.of(2), (Segment(1, "x", quantity.of(2)),)), row(2, certainty=AT_LEAST)
    ).text
    assert boxes(picture) == [("track", "0%", "100%"), ("more", "37.5%", "62.5%"), ("part k1", "0%", "37.5%")]


@given(st.lists(st.integers(1, 10**30), max_size=14), st.integers(0, 10**30))
def test_parts_follow_each_other_and_end_with_the_bar(amounts: list[int], hard: int) -> None:
    parts = tuple(
        Segment(number, "x", quantity.Quantity(amount, quantity.DECIMAL_SI)) for number, amount in enumerate(amounts, 1)
    )
    total = quantity.Quantity(sum(amounts), quantity.DECIMAL_SI)
    entry = row(0)._replace(hard=quantity.Quantity(hard, quantity.DECIMAL_SI), steady=total, surge=total, peak=total)
    picture = draw_bar(Bar("steady", total, parts), entry).text
    segments = [
        (hundredths(left), hundredths(width)) for name, left, width in boxes(picture) if name.startswith("part")
    ]
    ends = [left + width for left, width in segments]
    assert [left for left, _ in segments] == [0, *ends][: len(segments)]
    assert (ends or [0])[-1] <= 10_000


@given(st.integers(0, 10_000))
def test_places_are_written_exactly(place: int) -> None:
    assert hundredths(percent_attribute(place)) == place


def hundredths(text: str) -> int:
    """`33.25%` → 3325."""
    whole, _, rest = text.removesuffix("%").partition(".")
    return int(whole) * 100 + int(rest.ljust(2, "0"))


@pytest.mark.parametrize(
    ("entry", "state"),
    [
        (row(2), FITS),
        (row(4), FULL),
        (row(5), OVER),
        (row(2, peak=5), AT_TIMES),
        (row(2, certainty=AT_LEAST), SO_FAR),
        (row(0, certainty=UNKNOWN), UNCERTAIN),
        (row(2, certainty=UNKNOWN), UNCERTAIN),
        (row(5, certainty=UNKNOWN), UNCERTAIN),
        (row(2, hard=None), UNCERTAIN),
        (row(0)._replace(untracked=True, steady=None, surge=None, peak=None, judged=None), NEVER_COUNTED),
    ],
    ids=lambda value: value.words if isinstance(value, EntryState) else "",
)
def test_how_an_entry_stands(entry: Row, state: EntryState) -> None:
    assert state_of_entry(entry, 90) == state
