"""Edits of any text: what is written means what was asked for, and all other lines stay, byte by byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.fixes.edited_files import EditedFile, write_edit
from quotalint.fixes.fix import Add, Drop, Edit, Rename, Replace
from quotalint.kube.fields import dig
from quotalint.text.documents import read
from quotalint.text.place import Place

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = st.sampled_from(["cpu", "a/b", "'k'", '"k"', "? x", "on", "1", "ä😀"])
SCALARS = st.sampled_from(
    ["1", "4Gi", "'a # b'", '"a"', "", "*n", "&n 3", "!!str 5", "~", "|\n    a\n    b", "[1, {a: b}]"]
)
COMMENTS = st.sampled_from(["", " # c", "\n  # below", "\n", "\n\n  "])
ENTRIES = st.lists(st.tuples(NAMES, SCALARS, COMMENTS), min_size=1, max_size=5)


@given(ENTRIES, st.booleans(), st.booleans(), st.booleans(), st.sampled_from(["rename", "drop", "replace", "add"]))
def test_only_the_lines_of_the_edit_change(
    entries: list[tuple[str, str, str]], windows: bool, bom: bool, ended: bool, way: str
) -> None:
    text = "---\nkind: A # first\nspec:\n" + "\n".join(
        f"  {name}: {value}{comment if not value.startswith('|') else ''}" for name, value, comment in entries
    )
    text = (text + ("\n---\nkind: B\n" if ended else "")).replace("\n", "\r\n" if windows else "\n")
    data = (b"\xef\xbb\xbf" if bom else b"") + text.encode()
    before = read(data)
    spec = next((dig(document.value, "spec") for document in before.documents), None)
    if before.failures or not isinstance(spec, dict):
        return
    index = before.documents[0].index
    for key, value in spec.items():
        place = Place("a.yaml", index, ("spec", key))
        edits: dict[str, Edit] = {
            "rename": Rename(place, "requests.nvidia.com/gpu"),
            "drop": Drop(place, value),
            "replace": Replace(place, value, "77"),
            "add": Add(Place("a.yaml", index, ("spec",)), "added", {"cpu": "1"}, key),
        }
        result = write_edit(data, edits[way], (), json=False)
        if isinstance(result, EditedFile):
            _only(data, result.data, edits[way])


def _only(before: bytes, after: bytes, edit: Edit) -> None:
    old, new = before.split(b"\n"), after.split(b"\n")
    assert (before[:3] == b"\xef\xbb\xbf", before[-1:] == b"\n") == (after[:3] == b"\xef\xbb\xbf", after[-1:] == b"\n")
    assert [before.count(comment) for comment in (b"# c", b"# below")] == [
        after.count(comment) for comment in (b"# c", b"# below")
    ]
    assert (b"\r" in before) == (b"\r" in after) and before.count(b"\r\n") - after.count(b"\r\n") in (
        0,
        len(old) - len(new),
    )
    if isinstance(edit, (Rename, Replace)):
        assert [len(old), 1] == [len(new), sum(first != two for first, two in zip(old, new, strict=True))]
        return
    if isinstance(edit, Drop):
        # The comment beside what goes has a line of its own.
        new = [line for line in new if line in old or not line.strip().startswith(b"#")]
    longer, shorter = (old, new) if isinstance(edit, Drop) else (new, old)
    rest = iter(longer)
    # What is left stands there in its order; an entry in flow style, or the last line, shares its line.
    assert sum(line not in rest for line in shorter) <= 1


@pytest.mark.parametrize(
    "path", sorted([*EXAMPLES.rglob("*.yaml"), *EXAMPLES.rglob("*.json")]), ids=lambda path: str(path.name)
)
def test_every_entry_of_the_examples_can_be_renamed(path: Path) -> None:
    data = path.read_bytes()
    left = []
    for document in read(data).documents:
        todo: list[tuple[tuple[str | int, ...], object]] = [((), document.value)]
        for way, value in todo:
            children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
            todo += [((*way, key), below) for key, below in children]
            if way and isinstance(way[-1], str):
                edit = Rename(Place(path.name, document.index, way), "renamed")
                result = write_edit(data, edit, (), json=False)
                if isinstance(result, str):
                    left.append((way, result))
                else:
                    _only(data, result.data, edit)
    assert left == []


CHANGED = {
    "a block value": ("a:\n  b: |\n    x\n  c: 1\n", ("a", "b"), "the value is not written on one line"),
    "a list": ("a:\n  b: [1]\n", ("a", "b"), "the value is not written on one line"),
    "nothing": ("a:\n  b:\n", ("a", "b"), "the value is not written on one line"),
    "an anchor": (
        "a: &x 1\nb: *x\n",
        ("a",),
        "an anchor, an alias or a key that is given twice would let it change something else as well",
    ),
    "a merge": (
        "a: &x {k: 1}\nb: {<<: *x}\n",
        ("b", "k"),
        "an anchor, an alias or a key that is given twice would let it change something else as well",
    ),
    "no such place": ("a: 1\n", ("b",), "the file does not say it in these words: it is rendered or substituted"),
    "an empty document": ("\ufeff# nothing\n", ("a",), "the document is empty"),
    "an unreadable document": ("a: 1\n--- b\n", ("a",), "the document cannot be read"),
}


@pytest.mark.parametrize(("text", "path", "reason"), CHANGED.values(), ids=CHANGED)
def test_what_is_left(text: str, path: tuple[str, ...], reason: str) -> None:
    document = text.count("--- b")
    assert write_edit(text.encode(), Replace(Place("a.yaml", document, path), 1, "2"), (), json=False) == reason


WRITTEN = {
    "a number": ("a: 1 # x\n", "2", "a: 2 # x\n"),
    "an amount for a number": ("a: 1\n", "1500m", "a: 1500m\n"),
    "a number for an amount": ("a: 1Gi\n", "2", "a: 2\n"),
    "what would be a float": ("a: 1\n", "1e3", 'a: "1e3"\n'),
    "quotes": ("a: '1'\n", "2", "a: '2'\n"),
    "a tag": ("a: !!str 1\n", "2", 'a: !!str "2"\n'),
    "an alias of its own": ("a: {x: &x 1, y: [*x]}\n", "2", None),
}


@pytest.mark.parametrize(("text", "after", "expected"), WRITTEN.values(), ids=WRITTEN)
def test_what_is_written(text: str, after: str, expected: str | None) -> None:
    result = write_edit(text.encode(), Replace(Place("a.yaml", 0, ("a",)), 1, after), (), json=False)
    assert (result.data.decode() if isinstance(result, EditedFile) else None) == expected
