"""What has to stay in a text of which lines are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.slices.text_notes import TextNote, is_as_noted, text_note
from quotalint.text.documents import read
from quotalint.text.place import Place
from quotalint.text.spans import locate

TEXT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # of the shop
spec:
  replicas: 3
  template:
    spec:
      containers:
      - name: web
        image: registry.example.com/web:1.2 # {"$imagepolicy": "web"}
        args:
        - --port=80
        - serve
        command: [a, b]
        env:
        - {name: A, value: b}
      - &second
        name: other
        resources:
          requests: {cpu: 1}
  text: |
    key: value
  more: *second
"""


def is_same(path: Path, told: Sequence[int], text: str, words: dict[bytes, bool] | None = None) -> bool:
    """Whether what was noted of TEXT is as it was in another text."""
    path.write_text(TEXT)
    note = text_note(str(path), told, words or {})
    path.write_text(text)
    return note is not None and is_as_noted(note, str(path))


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("replicas: 3", "replicas: 12", True),
        ("web:1.2 #", "web:1.3 #", True),
        ("- serve", "- work", True),
        ("key: value", "key: other", True),
        ("kind: Deployment", "kind: StatefulSet", False),  # it is told
        ("# of the shop", "# of a shop", False),
        ("  replicas: 3\n", "", False),
        ("  replicas: 3\n", "  # three\n  replicas: 3\n", False),
        ("replicas: 3", "paused: true", False),
        ("replicas: 3", "replicas: |", False),
        ("replicas: 3", "replicas: &three", False),
        ("replicas: 3", "replicas: {}", False),
        ("replicas: 3", "replicas: 3:", False),
        ("replicas: 3", "replicas:", False),
        ("  replicas: 3", "   replicas: 3", False),
        ("[a, b]", "[a, c]", False),
        ("- serve", "-- serve", False),
        ("- --port=80", "- --port=81", False),
        ("*second", "*first", False),
    ],
)
def test_what_moves_no_line(old: str, new: str, same: bool, tmp_path: Path) -> None:
    assert old in TEXT
    assert is_same(tmp_path / "a.yaml", (2,), TEXT.replace(old, new)) is same


def test_words_that_nobody_mentions(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    assert is_same(path, (), TEXT + "# more\n", {b"skip-me": False})
    assert not is_same(path, (), TEXT + "# skip-me\n", {b"skip-me": False})
    assert text_note(str(path), (), {b"skip-me": True}) is None


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(TEXT)
    note = text_note(str(path), (2,), {})
    path.unlink()
    path.mkdir()
    assert note is not None
    assert not is_as_noted(note, str(path))
    assert text_note(str(path), (2,), {}) is None
    assert is_as_noted(TextNote(), str(path))


def test_many_lines_take_no_longer_than_they_are_long(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(TEXT * 2000)
    begun = process_time()
    note = text_note(str(path), range(1, 24 * 2000, 8), {})
    assert note is not None
    assert is_as_noted(note, str(path))
    assert process_time() - begun < 2  # each line beside each that is told: 7 seconds


def _places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[Place]:
    yield Place("a.yaml", 0, path)
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in pairs:
        yield from _places(below, (*path, key))


VALUES = (
    "1",
    "web",
    "|",
    "&a",
    "*second",
    "{a: b}",
    "[",
    '"',
    "'",
    "a: b",
    "- c",
    "#",
    "",
    "b:",
    "-",
    ">-",
    "!!str",
    "%a",
)
edits = st.lists(
    st.tuples(st.integers(1, TEXT.count("\n")), st.sampled_from(("value", "line", "delete")), st.sampled_from(VALUES)),
    min_size=1,
    max_size=4,
)


def _edited(text: str, line: int, what: str, value: str) -> str:
    lines = text.splitlines()
    if what == "delete":
        del lines[line - 1 : line]
    elif what == "line":
        lines[line - 1 : line - 1] = [lines[line - 1 : line][0] if line <= len(lines) else value]
    elif line <= len(lines):
        key, separator, _ = lines[line - 1].partition(": ")
        lines[line - 1] = f"{key}{separator}{value}" if separator else key.rpartition(" ")[0] + f" {value}"
    return "\n".join(lines) + "\n"


@given(told=st.integers(1, TEXT.count("\n")), edits=edits)
def test_what_is_told_keeps_its_place(
    told: int, edits: list[tuple[int, str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = TEXT
    for edit in edits:
        text = _edited(text, *edit)
    before, after = (read(data.encode()) for data in (TEXT, text))
    if after.failures or not is_same(tmp_path_factory.getbasetemp() / "told.yaml", (told,), text):
        return
    was, now = ({place for of in reading.documents for place in _places(of.value)} for reading in (before, after))
    spans = locate(TEXT.encode(), was)
    moved = locate(text.encode(), now)
    told_places = [place for place in was & now if told in (spans[place].line, spans[place].end_line)]
    assert [place for place in told_places if spans[place] != moved[place]] == []
