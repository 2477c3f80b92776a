"""Sentences that each format writes in its own way."""

from __future__ import annotations

from hypothesis import given
from sample_findings import TEXT

from quotalint.reports.marks import Marks, mark_name, mark_place, mark_strong, write_marked

MARKS = Marks(str.upper, "<{}>".format, "[{}:{}]".format, "*{}*".format)


def test_names_places_and_emphasis() -> None:
    sentence = f"{mark_strong('3 of 4')} because {mark_name('web')} changed ({mark_place('a/b.yaml', 7)})"
    assert write_marked(sentence, MARKS) == "*3 OF 4* BECAUSE <web> CHANGED ([a/b.yaml:7])"


@given(TEXT, TEXT)
def test_no_name_ends_where_it_wants(name: str, file: str) -> None:
    refusal = write_marked(f"a {mark_name(name)} b {mark_place(file, 3)} c", MARKS)
    plain = "".join(" " if char < " " else char for char in name)
    where = "".join(" " if char < " " else char for char in file)
    assert refusal == f"A {f'<{plain}>' if name else ''} B [{where}:3] C"
