"""Text for a terminal."""

from __future__ import annotations

import pytest

from quotalint.reports.terminal import Terminal, align_rows, column_width, safe_text, wrap_paragraph
from quotalint.text.words import list_some


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("team-a/größe.yaml", "team-a/größe.yaml"),
        ("a\nb\tc", r"a\nb\tc"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x9b31m", r"\x9b31m"),
        ("\u202etxt.yaml\u2066", r"\u202etxt.yaml\u2066"),
        ("\udcff", r"\udcff"),
        ("no\u00a0break", "no\u00a0break"),
    ],
)
def test_a_terminal_obeys_nothing_in_safe_text(text: str, shown: str) -> None:
    assert safe_text(text) == shown


@pytest.mark.parametrize(("text", "width"), [("pods", 4), ("配额", 4), ("e\u0301", 1), ("≥ 3 ×", 5)])
def test_a_text_is_as_wide_as_its_letters(text: str, width: int) -> None:
    assert column_width(text) == width


def test_columns_of_a_table_are_as_wide_as_their_content() -> None:
    assert align_rows([("pods", "9", "of 20"), ("配额数", "10", "")], (1,)) == ["pods     9  of 20", "配额数  10"]


def test_a_paragraph_hangs_and_keeps_long_words_whole() -> None:
    text = "one two three four https://example.com/a-long-word five"
    assert wrap_paragraph(text, 24, "so ", "   ").split("\n") == [
        "so one two three four",
        "   https://example.com/a-long-word",
        "   five",
    ]


def test_lists_name_what_they_leave_out() -> None:
    assert (list_some(["a", "b"], 2), list_some(["a", "b", "c", "d"], 2)) == ("a, b", "a, b and 2 more")


def test_paint_is_off_unless_asked_for() -> None:
    assert (Terminal().paint("x", "red"), Terminal(color=True).paint("x", "red", "bold"), Terminal(True).paint("")) == (
        "x",
        "\x1b[31;1mx\x1b[0m",
        "",
    )
