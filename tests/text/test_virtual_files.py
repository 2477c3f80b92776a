"""A folder that is on no disk looks as the same folder does that is on one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quotalint.text.disk import (
    entries_of,
    exists_at,
    is_file,
    is_folder,
    is_link,
    is_there,
    open_file,
    real_path,
    status_of,
    with_stand_ins,
)
from quotalint.text.files import content, copy, copy_folder
from quotalint.text.sources import find
from quotalint.text.virtual_files import VirtualFile, VirtualFiles

NAMES = st.sampled_from(["a", "b", "c.yaml", "d"])
WAYS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
TARGETS = st.one_of(
    st.lists(st.sampled_from(["a", "b", "c.yaml", "d", "..", "."]), min_size=1, max_size=4).map("/".join),
    st.sampled_from(["/", "/nowhere", "../../..", "../beside.yaml"]),
)
PATHS = st.lists(st.sampled_from(["a", "b", "c.yaml", "d", "..", "."]), max_size=5).map("/".join)


def laid_out(root: str, files: dict[str, str], links: dict[str, str]) -> VirtualFiles:
    """The same on the disk and not on it; what the disk refuses the other must refuse as well."""
    texts = {way: text.encode() for way, text in files.items()}
    tree = VirtualFiles("/unwritten" + root, lambda way, _: texts[way])

    def on_disk(way: str, make: Callable[[str], object]) -> bool:
        path = os.path.join(root, way)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            make(path)
        except OSError:
            return False
        return True

    def beside(way: str, leaf: VirtualFile) -> bool:
        try:
            tree.add(way, leaf)
        except OSError:
            return False
        return True

    for way, text in files.items():

        def write(path: str, text: str = text) -> None:
            with open(path, "x", encoding="utf-8") as file:
                file.write(text)

        assert on_disk(way, write) == beside(way, VirtualFile(way, len(text)))
    for way, target in links.items():
        # A folder that the disk was given on the way to a link that it then refused is no difference that matters.
        if any(way.startswith(f"{above}/") for above in (*files, *links)):
            continue
        assert on_disk(way, partial(os.symlink, target)) == beside(way, VirtualFile(way, len(target), target=target))
    return tree


def answered(ask: Callable[[], Any]) -> Any:
    """An answer, or which error there is instead."""
    try:
        return ask()
    except OSError as error:
        return type(error).__name__, error.errno


@settings(max_examples=300, deadline=None)
@example({"b": ""}, {"a": "b/.."}, "a")
@example({"b": ""}, {"a": "b/."}, "a")
@example({"b": ""}, {}, "b/..")
@example({"b": ""}, {}, "b/.")
@given(st.dictionaries(WAYS, st.text("xyz", max_size=3), max_size=6), st.dictionaries(WAYS, TARGETS, max_size=4), PATHS)
def test_it_looks_like_one_that_is_on_the_disk(files: dict[str, str], links: dict[str, str], asked: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(os.path.realpath(folder), "root")
        os.mkdir(root)
        tree = laid_out(root, files, links)
        written, unwritten = os.path.join(root, asked), os.path.join(tree.root, asked)

        def known(path: str, top: str) -> list[Any]:
            real = real_path(path)
            inside = real == top or real.startswith(top + "/")
            results: list[Any] = [
                os.path.relpath(real, top) if inside else "outside",
                answered(lambda: bool(real_path(path, strict=True))) is True,
            ]
            if inside:
                results += [is_file(path), is_folder(path), is_link(path), is_there(path), exists_at(path)]
                if is_file(path):
                    with open_file(path) as file:
                        results += [content(path, 2), content(real, 99, follow=False), file.read()]
                if is_folder(path) and real != top:
                    results.append(
                        sorted((folder_entry.name, folder_entry.is_symlink()) for folder_entry in entries_of(path))
                    )
                results.append(answered(lambda: status_of(real).st_size if is_file(real) else 0))
            return results

        with with_stand_ins(tree):
            theirs, ours = known(written, root), known(unwritten, tree.root)
        if theirs[0] != "outside" and ours[0] != "outside":
            assert ours == theirs


def test_files_are_found_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"a/q.yaml": b"a: 1\n", "b.json": b"{}", "c.txt": b""}
    tree = VirtualFiles(str(tmp_path), lambda way, _: texts[way])
    for way, data in texts.items():
        tree.add(way, VirtualFile(way, len(data)))
    tree.add("l.yaml", VirtualFile("l", 8, target="a/q.yaml"))
    tree.add("gone.yaml", VirtualFile("g", 7, target="nowhere"))
    tree.add("away.yaml", VirtualFile("w", 9, target="/etc/hosts"))
    monkeypatch.chdir(tmp_path)
    with with_stand_ins(tree):
        sources = find(["."], str(tmp_path), ())
        assert [source.name for source in sources.sources] == ["a/q.yaml", "b.json"]
        assert [unreadable.name for unreadable in sources.unreadable] == ["gone.yaml"]
        assert [passed.name for passed in sources.passed] == ["away.yaml"]
        copy_folder("a", str(tmp_path / "copied"))
        copy("l.yaml", str(tmp_path / "copied" / "l.yaml"))
    assert {path.name: path.read_bytes() for path in (tmp_path / "copied").iterdir()} == {
        "q.yaml": b"a: 1\n",
        "l.yaml": b"a: 1\n",
    }


def test_links_that_lead_to_each_other_end(tmp_path: Path) -> None:
    tree = VirtualFiles(str(tmp_path), lambda *_: b"")
    tree.add("a", VirtualFile("", 1, target="b"))
    tree.add("b", VirtualFile("", 1, target="a"))
    with with_stand_ins(tree):
        assert (is_there(f"{tmp_path}/a"), exists_at(f"{tmp_path}/a")) == (True, False)
        with pytest.raises(OSError, match=r"[Tt]oo many"):
            content(f"{tmp_path}/a", 9)


def test_what_no_disk_could_hold_is_refused(tmp_path: Path) -> None:
    tree = VirtualFiles(str(tmp_path), lambda *_: b"")
    tree.add("a", VirtualFile("", 0))
    for way, error in (("a", FileExistsError), ("a/b", NotADirectoryError), ("x" * 256, OSError)):
        with pytest.raises(error):
            tree.add(way, VirtualFile("", 0))
    with pytest.raises(ValueError, match="null"):
        tree.add("l", VirtualFile("", 0, target="a\0"))


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    def refused(*_: object) -> bytes:
        raise AssertionError("nobody needs it")

    tree = VirtualFiles(str(tmp_path), refused)
    tree.add("large.yaml", VirtualFile("", 17 << 20))
    with with_stand_ins(tree):
        assert content(str(tmp_path / "large.yaml"), 9) == bytes(10)


@given(
    st.dictionaries(WAYS, st.sampled_from(["1", "22"]), max_size=8),
    st.dictionaries(WAYS, st.sampled_from(["1", "22"]), max_size=8),
)
@example({"a/b": "1"}, {"a": "1"})
@example({"a": "1"}, {"a/b/d": "1", "b": "22"})
@example({"a/b/d": "1", "a/c.yaml": "1"}, {"a/c.yaml": "1"})
def test_what_begins_with_another_one_is_as_if_it_were_filled(was: dict[str, str], now: dict[str, str]) -> None:
    was, now = (
        {way: text for way, text in own.items() if not any(other.startswith(f"{way}/") for other in own)}
        for own in (was, now)
    )

    def filled(files: dict[str, str], tree: VirtualFiles) -> VirtualFiles:
        for way, text in files.items():
            tree.add(way, VirtualFile(text, len(text)))
        return tree

    def empty() -> VirtualFiles:
        tree = VirtualFiles("/unwritten", lambda *_: b"")
        tree.add_folder("a/here")
        return tree

    was = {way: text for way, text in was.items() if way != "a"}
    now = {way: text for way, text in now.items() if way != "a"}
    before, fresh, copied = filled(was, empty()), filled(now, empty()), empty()
    lasting = {way for way in was if was[way] == now.get(way)}
    copied.copy_from(before, was.keys() - lasting)
    filled({way: text for way, text in now.items() if way not in lasting}, copied)
    assert copied.looks_like(fresh)
    assert list(copied.listing()) == list(fresh.listing())
    assert copied.changes_since(fresh) == frozenset()
    assert list(before.listing()) == list(filled(was, empty()).listing())
