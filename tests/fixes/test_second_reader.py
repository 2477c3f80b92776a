"""What ruamel.yaml has against a file that is to be written."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from manifests import quota
from workspace import Workspace

from quotalint.fixes import second_reader
from quotalint.fixes.second_reader import repair_doubt

TEXT = """\
# at the top
a: 1  # of a value
# between
b: &x {c: 2} # of a flow mapping
d:
- *x # of an alias
# at the end
---
e: |
  # no comment
f: # of a key
  - 1 # of an item
"""


def without(text: str) -> str:
    assert TEXT.count(text) == 1
    return TEXT.replace(text, "")


CASES: dict[str, tuple[str, ...]] = {
    "nothing is missing": (TEXT.replace("a: 1", "a: 2").replace("e:", "g:"), ""),
    "a comment has moved": (without("# between\n") + "# between\n", ""),
    **{
        f"without the comment {comment}": (without(comment), f"the comment `{comment}` would be lost")
        for comment in (
            "# at the top",
            "# of a value",
            "# between",
            "# of a flow mapping",
            "# of an alias",
            "# at the end",
            "# of a key",
            "# of an item",
        )
    },
    "what was told of an entry that is gone": (TEXT, "", TEXT + "g: 1  # quotalint: ignore[QL2] as agreed\n"),
    "text that is no comment": (without("  # no comment\n"), ""),
    "an anchor, and what it is for": (TEXT.replace("&x ", "").replace("*x", "1"), "an anchor would be lost"),
    "one document in place of two": (without("---\n"), "the number of documents would change"),
    "no YAML": (TEXT + "a: b: c\n", "what would be written is no YAML to ruamel.yaml"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_repair_that_changes_anything_else_is_doubted(case: tuple[str, ...]) -> None:
    after, expected, *before = case
    assert repair_doubt("".join(before or TEXT).encode(), after.encode()) == expected


@pytest.mark.parametrize("before", [b"a: 1\na: 2\n", b"{{ x }}: [", b"\xff\xfea", b"a: *b\n", b"- " * 5000])
def test_of_what_it_cannot_read_it_has_no_opinion(before: bytes) -> None:
    assert repair_doubt(before, b"b") == ""


@pytest.fixture
def doubting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """It is never content with `a.yaml`."""
    monkeypatch.setattr(second_reader, "repair_doubt", lambda before, after: "so be it" if b"name: a" in before else "")
    yield


QUOTA = quota("x", "%s", "pod: 1")


def test_a_file_that_is_doubted_is_left_and_the_others_are_repaired(workspace: Workspace, doubting: None) -> None:
    workspace.put({"a.yaml": QUOTA % "a", "b.yaml": QUOTA % "b"})
    _, shown, _ = workspace.text("check", "--diff")
    status, _, message = workspace.text("check", "--fix")
    texts = [(workspace.folder / name).read_text() for name in ("a.yaml", "b.yaml")]
    assert ("a.yaml" in shown, "b.yaml" in shown, status, texts, message) == (
        False,
        True,
        1,
        [QUOTA % "a", (QUOTA % "b").replace("pod:", "pods:")],
        "fixed b.yaml:4 QL102: write pods in place of pod\n"
        "left a.yaml:4 QL102: a.yaml: so be it (to do: write pods in place of pod)\n"
        "quotalint: repaired 1 finding in 1 file\n",
    )
