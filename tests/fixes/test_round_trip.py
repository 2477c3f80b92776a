"""Every example of this repository, repaired: nothing changes but the lines that the repairs name."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from round_trip import Repaired, faults, repair
from written_files import write_as_is

from quotalint.catalogue import rule_by_id, rule_ids
from quotalint.settings.loading import NAME

TESTS = Path(__file__).parents[1]
FOLDERS = [TESTS.parent / "examples", *sorted(path.parent for path in (TESTS / "golden").glob("*/commands"))]
RULES = {
    f"{rule_id}: {example['title']}": {NAME: json.dumps(example.get("settings", {})), **example["files"]}
    for rule_id in rule_ids()
    for example in rule_by_id(rule_id).bad
}


FAULTS = {
    "nothing": (b"a: 1\n", [(1, "a: 0\n", "a: 1\n")], []),
    "another line": (
        b"a: 1\nb: 1 # b\n",
        [(1, "a: 0\n", "a: 1\n")],
        ["other lines", "line 2: the value of ('b',)"],
    ),
    "a line that is not there": (b"a: 1\n", [(1, "a: 7\n", "a: 1\n")], ["other lines"]),
    "other line breaks": (b"a: 1\r\nb: 0 # b\n", [(1, "a: 0\n", "a: 1\n")], ["line breaks"]),
    "no line break at the end": (b"a: 1\nb: 0 # b", [(1, "a: 0\n", "a: 1\n")], ["other lines", "the end of the file"]),
    "a comment": (b"a: 0\nb: 1\n", [(2, "b: 0 # b\n", "b: 1\n")], ["comments: ['# b']"]),
    "a value elsewhere": (
        b"a: &a 1\nb: *a # b\n",
        [(1, "a: &a 0\n", "a: &a 1\n")],
        ["line 2: the value of ('b',)", "line 2: the value of ('b',)"],
    ),
    "another document": (b"a: 1\n---\nb: 0 # b\n", [(1, "a: 0\n", "a: 1\n---\n")], ["other documents"]),
}


@pytest.mark.parametrize(("after", "named", "expected"), FAULTS.values(), ids=FAULTS)
def test_the_proof_finds_faults(after: bytes, named: list[tuple[int, str, str]], expected: list[str]) -> None:
    before = b"a: &a 0\nb: *a # b\n" if b"*a" in after else b"a: 0\nb: 0 # b\n"
    after = after + b"b: 0 # b\n" if after == b"a: 1\n" else after
    edits = [{"line": line, "before": old, "after": new} for line, old, new in named]
    words = [fault.partition(" than those")[0] for fault in faults(before, after, edits, False)]
    assert words == expected


def proved(repository: Path, unsafe: bool) -> Repaired:
    (repository / ".git").mkdir(exist_ok=True)
    return repair(str(repository), unsafe)


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.name))
def test_nothing_is_wrong_with_the_repairs_of_a_repository(folder: Path, unsafe: bool, tmp_path: Path) -> None:
    source = folder if (folder / "README.md").exists() and folder.name == "examples" else folder / "repo"
    shutil.copytree(source, tmp_path / "repo", symlinks=True)
    assert proved(tmp_path / "repo", unsafe).wrong == ()


@pytest.mark.parametrize("files", RULES.values(), ids=RULES)
def test_bad_examples_of_rules(files: Mapping[str, str], tmp_path: Path) -> None:
    for mode in ("safe", "unsafe"):
        write_as_is(tmp_path / mode, files)
    assert [proved(tmp_path / mode, mode == "unsafe").wrong for mode in ("safe", "unsafe")] == [(), ()]
