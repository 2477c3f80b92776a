"""What is read without libyaml is what libyaml reads; what is not plainly of that kind is declined."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quotalint.gitops.kustomize.kustomize_yaml import find_misread_key, quote_words
from quotalint.text.aliases import aliased_share
from quotalint.text.documents import parts
from quotalint.text.loader import Loaded, load
from quotalint.text.node_values import load_nodes
from quotalint.text.plain_scalars import DeclinedError
from quotalint.text.plain_yaml import plain_value

TESTS = Path(__file__).parent.parent

READ = {
    "a block mapping": ("a: 1\nb:\n  c: x y\n", {"a": 1, "b": {"c": "x y"}}),
    "an empty value": ("a:\nb: ~\nc: # none\n", {"a": None, "b": None, "c": None}),
    "a list in the column of its key": ("a:\n- 1\n- b: 2\n  c: 3\nd: 4\n", {"a": [1, {"b": 2, "c": 3}], "d": 4}),
    "a list further right": ("a:\n  - x\n  -\n    z: 1\n  - \nb: 1\n", {"a": ["x", {"z": 1}, None], "b": 1}),
    "a list in a list, each in its line": ("-\n  - 1\n-\n  - 2\n", [[1], [2]]),
    "quotes": ("\"a\": 'b'\n'c': \"d: #e\" # f\n", {"a": "b", "c": "d: #e"}),
    "comments": ("# a\na: 1 # b\n  # c\nb: c#d\n", {"a": 1, "b": "c#d"}),
    "comments alone": ("# a: 1\n\n  # - b\n", None),
    "brackets": ("a: {b: 1, \"c\": [x, 'y', {}, []]}\nb: []\n", {"a": {"b": 1, "c": ["x", "y", {}, []]}, "b": []}),
    "a block of text": ("a: |\n  b: c\n\n   - d\n\ne: 1\n", {"a": "b: c\n\n - d\n", "e": 1}),
    "how it ends": ("a: |-\n  b\n\nc: |+\n  d\n\n", {"a": "b", "c": "d\n\n"}),
    "folded text": ("a: >-\n  b\n  c\n\n  d\n", {"a": "b c\nd"}),
    "quotes in quotes": ("a: '''b''c' # d\nb: \"e\\\"f\\\\\"\nc: ''''\n", {"a": "'b'c", "b": 'e"f\\', "c": "'"}),
    "breaks and tabs in quotes": ('a: "b\\nc\\td"\n', {"a": "b\nc\td"}),
    "quotes around several lines": (
        "a: 'b: \n\n  ''c'' # d\n   e' # f\nb:\n- \"g\n  - h\"\nc: \"\n  i\n  \"\n",
        {"a": "b:\n'c' # d e", "b": ["g - h"], "c": " i "},
    ),
    "a line break that is escaped": (
        'a: "b \\\n  c\\\n   \\  d\\\n\n  e\\ \n  f"\n',
        {"a": "b c  d\ne  f"},
    ),
    "a text that speaks of a merge": ("a: |\n  cat <<EOF\n", {"a": "cat <<EOF\n"}),
    "a text of several lines with dashes": ("a: b\n  c\n  - d\n", {"a": "b c - d"}),
    "a text of several lines": ("a: b c\n  d\n  e\nf: 1\n", {"a": "b c d e", "f": 1}),
    "keys that look like numbers": ("8080: a\n0x10: b\n", {"8080": "a", "16": "b"}),
    "a separator before it": ("---\na: bü\n", {"a": "bü"}),
    "an anchor": ("a: &b\n  c: 1\nd: *b\ne:\n- *b\n", {"a": {"c": 1}, "d": {"c": 1}, "e": [{"c": 1}]}),
    "what a dash begins and is no list": ("a: -1\nb: --x\n", {"a": -1, "b": "--x"}),
}

DECLINED = (
    *(
        "",
        "---\n",
        "---\n# nothing\n",
        "a\n",
        "a: 1",
        "a: &b 1\n",
        "a: *b\n",
        "a: &b\n  c: *b\n",
        "a: &b\nc: *b\n",
        "a: !!str 1\n",
        "a: 1\na: 2\n",
        "<<: {a: 1}\n",
    ),
    *(
        "a: 'b\nc'\n",
        "a: 'b\n",
        "a: 'b\n  c': d\n",
        "a: 'b\n  c'#\n",
        "a: 'b\n  c'\n  d\n",
        'a: "\\x41"\n',
    ),
    *('"<<": {a: 1}\n', "'<<' : {a: 1}\n", "a: b\n  c # d\n  e\n", "a: b\n  c\n  d: e\n"),
    *("a:\tb\n", "a: 1\n  b: 2\n", "a:\n    b: 1\n  c: 2\n", "a: b: c\n", "a: b:\n", "- a\nb: 1\n"),
    *("a: 1\n- b\n", "a: {b: 1\n}\n", "a: [b,]\n", "a: {b}\n", "a: [b: 1]\n", "a: {}: b\n", "a: {b: 1}x\n", "- - a\n"),
    *(
        "a: |2\n  b\n",
        "a: |\nb: 1\n",
        "a: |\n    \n  b\n",
        "a: >\n  b\n   c\n",
        "a: @b\n",
        "? a\n",
        "%YAML 1.1\n---\na: 1\n",
    ),
    *(
        "a: 1\n---\nb: 2\n",
        "a: 1\n...\nb: 2\n",
        "null: 1\n",
        "a: .inf\n",
        "a: b\n\n  c\n",
        "a: b\n  # c\n  d\n",
        "a: \x85\n",
    ),
    "a: &b\n  c: *b\n",
    *("a: &b\n  c: 1\nd: &b\n  e: 1\n", "a: &b\n  c: 1\nd: &e\n  f: *b\n", "a: &b\n  c: 1\nd:\n" + 5 * "- *b\n"),
    *("a: |\n   b\n  c\n", "a:\n  b\n", "a: \ufeffb\n", " a: 1\nb: 2\n", "a" * 300 + ": 1\n"),
)


@pytest.mark.parametrize(("text", "value"), READ.values(), ids=READ)
def test_what_is_read(text: str, value: object) -> None:
    assert plain_value(text.encode())[0] == value
    assert load_nodes(text.encode()) == by_nodes(value)


def by_nodes(value: object) -> Loaded:
    """How nodes say it, by which only that what says nothing is read alike by everybody is known."""
    return Loaded(value, is_common=value is None)


@pytest.mark.parametrize(
    ("text", "is_common"),
    [
        ("a: b\nc:\n- 1\n", True),
        ("a: yes, it is\nb: one\nc: 'y'\nd: true\n", True),
        ("a: [80, 443, b]\nc: {d: 1}\n", True),
        *((text, False) for text in ("a: y\n", "- Off # z\n", "on: 1\n", "8080: a\n", "true: a\n", "a: 2001-01-01\n")),
        *((text, False) for text in ("a: [b, no]\n", "a: {1: b}\n", "a: {b: c, TRUE: d}\n", "a: &b\n  c: 1\nd: *b\n")),
    ],
)
def test_what_everybody_reads_alike(text: str, is_common: bool) -> None:
    assert plain_value(text.encode())[1] is is_common


@pytest.mark.parametrize("text", DECLINED)
def test_what_is_declined(text: str) -> None:
    with pytest.raises(DeclinedError):
        plain_value(text.encode())
    assert load(text.encode()) == load_nodes(text.encode())


def manifests() -> Iterator[bytes]:
    for folder, folders, names in os.walk(TESTS):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".yaml", ".yml")) and os.path.isfile(os.path.join(folder, name)):
                yield from (part.text for part in parts(Path(folder, name).read_bytes()) if part.loaded is None)


def test_the_repositories_of_the_tests_are_read_alike() -> None:
    texts = list(dict.fromkeys(manifests()))
    read = [text for text in texts if read_alike(text)]
    assert len(read) > 0.75 * len(texts)


def read_alike(text: bytes) -> bool:
    """Whether the text is read; then it has to be as the nodes say."""
    try:
        value, is_common = plain_value(text)
    except DeclinedError:
        return False
    # What is equal to Python is not always the same: 1 and True, and the order of a mapping.
    assert repr(load_nodes(text)) == repr(by_nodes(value)), text
    if is_common and value is not None:
        assert not find_misread_key(text), text
        assert quote_words(text) == text
        assert not aliased_share([value]), text
    return True


KEYS = st.sampled_from(["a", "b", "c.d/e", "8080", "y", '"f"', "'g'", "<<", "-h", "i j", "null"])
VALUES = st.sampled_from(
    (
        *("", "x", "1", "0x1F", "1e3", "-1", "--x", "~", "y", "x y", "x: y", "x:", "x #y", "x#y", "# x", '"x"', "'x'"),
        *(
            "'x",
            "x'",
            "''x",
            "x'': ",
            '"x',
            'x"',
            "x' # y",
            "x\\",
            '"x \\',
            '\\ x"',
            'x\\" y',
            "'x''y'",
            '"x\\ny"',
            "{}",
            "[]",
            "{a: b}",
            "[a, b]",
            "[a: b]",
            "{a: [1, {b: 'c'}]} # d",
            "{a: b,}",
            "{a}: b",
        ),
        *(
            "|",
            "|-",
            "|+",
            ">",
            ">-",
            "|2",
            "&x y",
            "*x",
            "!x y",
            "@",
            "%",
            "?",
            "? x",
            ":x",
            "-",
            "- x",
            "...",
            "---",
            "é",
        ),
    )
)
LINES = st.builds(
    lambda indent, dash, key, value, end: " " * indent + dash + key + value + end,
    st.integers(0, 6),
    st.sampled_from(["", "", "", "- ", "-   ", "- - "]),
    st.one_of(st.just(""), KEYS.map("{}: ".format), KEYS.map("{}: ".format), KEYS.map("{}:".format)),
    VALUES,
    st.sampled_from(["", "", "", " ", "  # z", ":", "\t"]),
)


@settings(max_examples=600, deadline=None)
@given(
    st.lists(st.one_of(LINES, LINES, LINES, st.sampled_from(["", "  ", "# c", "      # c"])), min_size=1, max_size=9)
)
def test_any_lines_are_read_alike(lines: list[str]) -> None:
    read_alike("".join(f"{line}\n" for line in lines).encode())


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_manifests_that_were_changed_are_read_alike(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(_SOME))
    lines = text.decode("utf-8", "replace").splitlines()[:40]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines)))
        lines[at : at + data.draw(st.integers(0, 1))] = [data.draw(LINES)]
    read_alike("".join(f"{line}\n" for line in lines).encode())


_SOME = [text for text in dict.fromkeys(manifests()) if len(text) < 2000][::7]
