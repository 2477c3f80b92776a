"""The line of a finding: carets stay under the place, and nothing in it reaches the terminal as a command."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.reports.excerpt import excerpt_lines, lines_of
from quotalint.reports.terminal import Terminal, column_width
from quotalint.text.place import Span


@pytest.mark.parametrize(
    ("line", "start", "end", "shown"),
    [
        pytest.param("    pods: 4", 5, 12, ["   1 |     pods: 4", "     |     ^^^^^^^ here"], id="plain"),
        pytest.param(
            "    pods: 4  ", 5, 40, ["   1 |     pods: 4", "     |     ^^^^^^^ here"], id="end behind the line"
        ),
        pytest.param("pods: 4", 1, 1, ["   1 | pods: 4", "     | ^ here"], id="empty span"),
        pytest.param("pods: 4", 8, 9, ["   1 | pods: 4", "     |        ^ here"], id="behind the last character"),
        pytest.param('\t"pods": 4', 2, 11, ['   1 |     "pods": 4', "     |     ^^^^^^^^^ here"], id="tab"),
        pytest.param("配额: {pods: 4}", 6, 13, ["   1 | 配额: {pods: 4}", "     |        ^^^^^^^ here"], id="wide"),
        pytest.param("e\u0301: pods", 5, 9, ["   1 | e\u0301: pods", "     |    ^^^^ here"], id="combining"),
        pytest.param("\x1b[31m: 4", 1, 6, [r"   1 | \x1b[31m: 4", "     | ^^^^^^^^ here"], id="escape"),
        pytest.param("a: \u202eb", 1, 6, [r"   1 | a: \u202eb", "     | ^^^^^^^^^^ here"], id="right to left"),
        pytest.param("", 1, 1, [], id="blank line"),
    ],
)
def test_carets_stand_under_the_place(line: str, start: int, end: int, shown: list[str]) -> None:
    assert excerpt_lines((line,), Span(1, start, 1, end), "here", "red", Terminal()) == shown


def test_a_minified_file_is_cut_around_the_place() -> None:
    line = "a" * 500_000 + "pods" + "b" * 500_000
    shown = excerpt_lines((line,), Span(1, 500_001, 1, 500_005), "here", "red", Terminal(width=60))
    assert shown == [f"   1 | …{'a' * 23}pods{'b' * 24}…", f"     | {' ' * 24}^^^^ here"]


def test_a_label_without_room_beside_the_carets_stands_below() -> None:
    shown = excerpt_lines(("pods: 4",), Span(1, 1, 1, 8), "a word " * 8, "red", Terminal(width=50))
    assert shown == [
        "   1 | pods: 4",
        "     | ^^^^^^^",
        "     |   a word a word a word a word a word a word",
        "     |   a word a word",
    ]


def test_lines_that_a_file_does_not_have_are_not_shown() -> None:
    assert excerpt_lines(lines_of(b"one\n"), Span(9, 1, 9, 2), "here", "red", Terminal()) == []


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"\xef\xbb\xbfa: 1\r\nb: 2\r\n", ("a: 1", "b: 2", "")),
        ("a: \u2028\x0b\x85".encode(), ("a: \u2028\x0b\x85",)),
        (b"a: \xff", ("a: \ufffd",)),
        (b"GITCRYPT\0\n", ()),
    ],
    ids=["byte order mark and CRLF", "only a line feed ends a line", "not UTF-8", "no text"],
)
def test_lines_are_those_that_spans_count(data: bytes, lines: tuple[str, ...]) -> None:
    assert lines_of(data) == lines


@given(st.text(st.characters(exclude_characters="\n")), st.integers(1, 300), st.integers(0, 300), st.integers(60, 140))
def test_whatever_the_line_holds_it_fits_and_is_printable(line: str, start: int, length: int, width: int) -> None:
    shown = excerpt_lines((line,), Span(1, start, 1, start + length), "here", "red", Terminal(width=width))
    commands = [char for text in shown for char in text if char < " " or "\x7f" <= char <= "\x9f"]
    assert (max(map(column_width, shown), default=0) <= width, commands) == (True, [])
