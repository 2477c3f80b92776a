"""Which texts are whole numbers, and that nothing else decides it."""

from __future__ import annotations

from pathlib import Path

import pytest

import quotalint
from quotalint.text.digits import whole_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("9" * 18, 10**18 - 1)])
def test_digits(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", "1_000", "٣", "²", "１", " 1", "1 ", "+1", "-1", "1.0", "0x1", "9" * 19, "9" * 4301]
)
def test_what_python_alone_takes_for_digits(text: str) -> None:
    assert whole_number(text) is None


def test_whoever_looks_at_digits_looks_at_ascii() -> None:
    """`isdigit` and `\\d` are true of the digits of other scripts, which Kubernetes refuses."""
    harmless = {"plain_scalars.py", "spelling.py", "git.py", "kyverno_match.py", "diff_markdown.py"}
    sources = [path for path in Path(quotalint.__file__).parent.rglob("*.py") if path.name not in harmless]
    lines = [(path.name, line) for path in sources for line in path.read_text().splitlines()]
    tests = (".isdigit()", ".isdecimal()", ".isnumeric()")
    assert [line for line in lines if any(test in line[1] for test in tests) and ".isascii()" not in line[1]] == []
