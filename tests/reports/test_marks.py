"""Sentences that each format writes in its own way."""

from __future__ import annotations

from hypothesis import given
from sample_findings import TEXT

from quotalint.reports.marks import Marks, named, placed, strong, written

MARKS = Marks(str.upper, "<{}>".format, "[{}:{}]".format, "*{}*".format)


def test_names_places_and_emphasis() -> None:
    sentence = f"{strong('3 of 4')} because {named('web')} changed ({placed('a/b.yaml', 7)})"
    assert written(sentence, MARKS) == "*3 OF 4* BECAUSE <web> CHANGED ([a/b.yaml:7])"


@given(TEXT, TEXT)
def test_no_name_ends_where_it_wants(name: str, file: str) -> None:
    said = written(f"a {named(name)} b {placed(file, 3)} c", MARKS)
    plain = "".join(" " if char < " " else char for char in name)
    where = "".join(" " if char < " " else char for char in file)
    assert said == f"A {f'<{plain}>' if name else ''} B [{where}:3] C"
