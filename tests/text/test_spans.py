from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quotalint.text.documents import read
from quotalint.text.place import Path, Place, Span
from quotalint.text.spans import locate


def span_of(text: str, path: Path, document: int = 0) -> tuple[int, int, int, int]:
    place = Place("f.yaml", document, path)
    spans = locate(text.encode(), [place])
    assert list(spans) == [place]
    return spans[place]


POD = """\
# a comment
---
kind: Pod   # which is
metadata: {name: "é😀", labels: {a: b}}
spec:
  containers:
  - name: main
    args: [x,
      yy]
  -   image: >-
        nginx
  - plain  # said so
  -
    name: late
  text: |
    a
  empty:
  multi: one
    two
  ? long
  : 1
"""

PLACES: dict[str, tuple[Path, tuple[int, int, int, int]]] = {
    "the document": ((), (3, 1, 3, 23)),
    "an entry": (("kind",), (3, 1, 3, 10)),
    "an entry in braces": (("metadata",), (4, 1, 4, 39)),
    "a quoted value": (("metadata", "name"), (4, 12, 4, 22)),
    "behind what takes several bytes": (("metadata", "labels", "a"), (4, 33, 4, 37)),
    "an entry whose value is on other lines": (("spec",), (5, 1, 5, 5)),
    "a mapping as an item": (("spec", "containers", 0), (7, 5, 7, 15)),
    "an entry of an item": (("spec", "containers", 0, "name"), (7, 5, 7, 15)),
    "an entry that goes over lines": (("spec", "containers", 0, "args"), (8, 5, 8, 9)),
    "an item in brackets": (("spec", "containers", 0, "args", 1), (9, 7, 9, 9)),
    "an item that begins with a folded value": (("spec", "containers", 1), (10, 7, 10, 16)),
    "a folded value": (("spec", "containers", 1, "image"), (10, 7, 10, 12)),
    "a scalar as an item": (("spec", "containers", 2), (12, 5, 12, 10)),
    "an item below its dash": (("spec", "containers", 3), (14, 5, 14, 15)),
    "a literal value": (("spec", "text"), (15, 3, 15, 7)),
    "no value": (("spec", "empty"), (17, 3, 17, 9)),
    "a plain value over lines": (("spec", "multi"), (18, 3, 18, 8)),
    "a key told by a question mark": (("spec", "long"), (20, 5, 20, 9)),
    "nothing such": (("status", "phase"), (3, 1, 3, 23)),
    "nothing such below an entry": (("metadata", "namespace"), (4, 1, 4, 39)),
    "nothing such below an item": (("spec", "containers", 0, "resources", "limits"), (7, 5, 7, 15)),
    "an index too far": (("spec", "containers", 9, "name"), (6, 3, 6, 13)),
    "an index before the first": (("spec", "containers", -1), (6, 3, 6, 13)),
    "an index into a mapping": (("metadata", 0), (4, 1, 4, 39)),
    "a key into a list": (("spec", "containers", "0"), (6, 3, 6, 13)),
    "a key into a string": (("kind", "name"), (3, 1, 3, 10)),
}


@pytest.mark.parametrize(("path", "expected"), PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("line_break", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "BOM"])
def test_a_path_has_its_place_in_the_text(
    mark: str, line_break: str, path: Path, expected: tuple[int, int, int, int]
) -> None:
    assert span_of(mark + POD.replace("\n", line_break), path, document=1) == expected


ELSEWHERE: dict[str, tuple[str, Path, int, tuple[int, int, int, int]]] = {
    "second document": ("a: 1\n---\nb: 2\n", ("b",), 1, (3, 1, 3, 5)),
    "document after empty ones": ("---\n---\n# c\n---\nb: 2\n", ("b",), 2, (5, 1, 5, 5)),
    "after a line break that only YAML knows": ("a: '\u2028 \x85'\nb: 2\n", ("b",), 0, (2, 1, 2, 5)),
    "beside one": ("a: '\u2028'\r\nb: '\u2028', \n", ("a",), 0, (1, 1, 1, 7)),
    "entry of an alias": ("a: &x {b: 1}\nc: *x\n", ("c",), 0, (2, 1, 2, 2)),
    "below an alias": ("a: &x {b: 1}\nc: *x\n", ("c", "b"), 0, (1, 8, 1, 12)),
    "alias on the line of its anchor": ("{a: &x 1, b: *x}\n", ("b",), 0, (1, 11, 1, 12)),
    "alias as an item": ("a: &x 1\nc: [*x]\n", ("c", 0), 0, (1, 4, 1, 8)),
    "merged entry": ("a: &x\n  b: 1\nc:\n  <<: *x\n  d: 2\n", ("c", "b"), 0, (2, 3, 2, 7)),
    "merged entry given again": ("a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n", ("c", "b"), 0, (4, 3, 4, 7)),
    "last of a repeated key": ("a: 1\nb: 2\na: 3\n", ("a",), 0, (3, 1, 3, 5)),
    "key that is no string": ("on:\n  1.0: x\n", ("true", "1"), 0, (2, 3, 2, 9)),
    "tagged value": ("a: !t  b\n", ("a",), 0, (1, 1, 1, 9)),
    "JSON": ('{\n\t"a": [\n\t\t{"b": "\\ud83d\\ude00\x7f", "c": 1}\n\t]\n}', ("a", 0, "c"), 0, (3, 26, 3, 32)),
    "JSON over lines": ('{"a":\n [1,\n 2]}', ("a",), 0, (1, 2, 1, 5)),
    "JSON document": ('{"a":\n 1}', (), 0, (1, 1, 1, 6)),
    "second JSON document on a line": ('{"a": 1}  {"b": {"c": 2}}', ("b", "c"), 1, (1, 18, 1, 24)),
    "YAML after JSON": ('{"a": 1}\n---\nb: 2', ("b",), 1, (3, 1, 3, 5)),
    "YAML beside JSON": ('{"a": 1} b: 2', ("b",), 1, (1, 10, 1, 14)),
    "no document": ("a: 1\n", ("a",), 7, (1, 1, 1, 1)),
    "no document at all": ("", (), 0, (1, 1, 1, 1)),
    "empty document": ("\n# c\n---\na: 1\n", ("a",), 0, (1, 1, 1, 1)),
    "document that is no YAML": ("a: 1\n---\n# c\n  b: [\n", ("b",), 1, (4, 3, 4, 7)),
    "document with an impossible key": ("~: 1\na: 2\n", ("a",), 0, (1, 1, 1, 5)),
    "anchor that contains itself": ("a: &a\n  <<: *a\n", ("a", "b"), 0, (1, 1, 1, 6)),
    "nested too deep": ("[" * 50_000, (0, 0), 0, (1, 1, 1, 50_001)),
}


@pytest.mark.parametrize(("text", "path", "document", "expected"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_finds_places_elsewhere(text: str, path: Path, document: int, expected: tuple[int, int, int, int]) -> None:
    assert span_of(text, path, document) == expected


def test_finds_many_places_at_once() -> None:
    places = [Place("x", 1, ("b",)), Place("x", 0, ("a",)), Place("y", 1, ("b",)), Place("x", 1, ("b",))]
    spans = locate(b"a: 1\n---\nb: 2\n", iter(places))
    assert spans == {places[0]: Span(3, 1, 3, 5), places[1]: Span(1, 1, 1, 5), places[2]: Span(3, 1, 3, 5)}


STEPS = st.lists(st.sampled_from(["a", "b", "<<", "true", 0, 1]), max_size=4).map(tuple)
YAMLISH = st.text(alphabet=st.sampled_from(list("ab:-?[]{},&*!|>'\"#< \n\r\x85\u2028\ufeffé😀")), max_size=60)


@settings(deadline=None, max_examples=200)
@given(st.one_of(st.binary(), YAMLISH.map(str.encode)), STEPS, st.integers(0, 2))
def test_takes_any_bytes(data: bytes, path: Path, document: int) -> None:
    place = Place("x", document, path)
    span = locate(data, [place])[place]
    assert (1, 1) <= span[:2] <= span[2:] <= (data.count(b"\n") + 1, len(data) + 1)


KEYS = st.text('ab"\\\n\té', max_size=3)
VALUES = st.recursive(
    st.none() | st.text('a"\\\n😀\x7f\x85\u2028', max_size=4),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
    max_leaves=8,
)


def walk(value: object, path: Path = ()) -> list[tuple[Path, object]]:
    below: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        below = list(value.items())
    elif isinstance(value, list):
        below = list(enumerate(value))
    return [(path, value)] + [actual for step, inner in below for actual in walk(inner, (*path, step))]


@settings(deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=3), st.sampled_from(["", "\n", " \r\n\t"]), st.booleans())
def test_a_span_in_json_holds_what_its_path_leads_to(value: dict[str, object], before: str, ascii_only: bool) -> None:
    text = before + json.dumps(value, ensure_ascii=ascii_only)
    [document] = read(text.encode()).documents
    line = text.split("\n")[-1]
    actual_spans = locate(text.encode(), [Place("x", 0, path) for path, _ in walk(document.value)])
    spelt = {place.path: line[span.column - 1 : span.end_column - 1] for place, span in actual_spans.items()}
    expected = {
        path: (json.dumps(path[-1], ensure_ascii=ascii_only) + ": " if path and isinstance(path[-1], str) else "")
        + json.dumps(inner, ensure_ascii=ascii_only)
        for path, inner in walk(document.value)
    }
    assert spelt == expected
