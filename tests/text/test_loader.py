from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quotalint.text import nodes
from quotalint.text.loader import Loaded, Repeat, Trouble, load

SCALARS = {
    "": None, "null": None, "~": None, "nULL": "nULL", "Yes": True, "yEs": "yEs", "OFF": False, "n": False,
    "0": 0, "-0": 0, "00": 0, "0777": 511, "0888": 888, "0x": "0x", "0XfF": 255, "0o8": "0o8", "0B1": 1, "+0x1F": 31,
    "1_2__3_": 123, "_1": "_1", "0_7": 7, "+_1": 1, "-x": "-x", "9223372036854775807": 2**63 - 1,
    "-9223372036854775808": -(2**63), "18446744073709551615": 2**64 - 1, "+9223372036854775808": 9223372036854776000,
    "-9223372036854775809": -9223372036854776000, "18446744073709551617": 18446744073709552000,
    "07777777777777777777777777": 7.777777777777778e24, "0b" + "1" * 65: "0b" + "1" * 65,
    "1" + "0" * 400: "1" + "0" * 400,
    "1.": 1, "1.50": 1.5, "1_0.5": 10.5, ".5_0": ".5_0", "+.5": 0.5, ".": ".", "..": "..", "1e21": 1e21, "1e20": 10**20,
    "1e-400": 0, "-1e400": "-1e400", "1e": "1e", "1.2.3": "1.2.3", "1e3Mi": "1e3Mi", "100m": "100m", "1 000": "1 000",
    "1:30": "1:30", "2001-01-01": "2001-01-01", "0x1p-2": "0x1p-2", "1١": "1١", "<<": "<<", "=": "=",
    "Infinity": "Infinity",
    "!!str 010": "010", "!!str": "", "!!int '010'": 8, "!!int '1_0'": 10, "!!float 3": 3, "!!float '1e2'": 100,
    "!!bool 'on'": True, "!!null ''": None, "!!timestamp 2001-01-01": "2001-01-01", "!!binary aGk=": "hi",
    "!!binary /w==": "\ufffd", "!local 12": "12", "!!set 12": "12", "!<tag:yaml.org,2002:int> 0x10": 16, "! 12": 12,
    "! '12'": 12, '! "null"': None, "! ''": None, '! "x"': "x",
    "'12'": "12", '"yes"': "yes", "!!seq [1]": [1], "!x {a: 1}": {"a": 1}, "!!map {}": {},
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SCALARS.items())
def test_resolves_scalars_as_go_does(text: str, expected: object) -> None:
    loaded = load(f"k: {text}\n".encode())
    assert isinstance(loaded, Loaded)
    assert json.dumps(loaded.value) == json.dumps({"k": expected})


KEYS = {
    "a": "a", "'1'": "1", "1": "1", "0x10": "16", "1_0": "10", "true": "true", "No": "false", "y": "true",
    "!!str 1": "1", "!!int '1'": "1", "!!binary aGk=": "hi", "2001-01-01": "2001-01-01", "'<<'": "<<",
    "! '1'": "1", "! 'on'": "true",
    "-9223372036854775808": "-9223372036854775808",
    "1.0": "1", "1.50": "1.5", "1e5": "100000", "1e6": "1e+06", "0.0001": "0.0001", "0.00001": "1e-05", "0.1": "0.1",
    "16777217.0": "1.6777216e+07", "123456.789": "123456.79", "-0.0": "-0", ".inf": ".inf", "-.INF": "-.inf",
    ".nan": ".nan", "1e39": ".inf", "-1e39": "-.inf", "1e-50": "0",
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), KEYS.items())
def test_spells_keys_as_go_does(text: str, expected: str) -> None:
    assert load(f"{text}: x\n".encode())[:3] == Loaded({expected: "x"})[:3]


REFUSED = {
    "!!int 1.0": "cannot read `1.0` as !!int",
    "!!int x": "cannot read `x` as !!int",
    "!!float 18446744073709551615": "cannot read `18446744073709551615` as !!float",
    "!!bool 1": "cannot read `1` as !!bool",
    "!!null x": "cannot read `x` as !!null",
    "!!timestamp x": "cannot read `x` as !!timestamp",
    "!!binary a": "!!binary value is not base64",
    "!!binary 'aGk= '": "!!binary value is not base64",
    "-.inf": "infinity and not-a-number have no form in JSON, so Kubernetes refuses them",
    "!!float .nan": "infinity and not-a-number have no form in JSON, so Kubernetes refuses them",
}


@pytest.mark.parametrize(("text", "message"), REFUSED.items())
def test_refuses_scalars_that_go_refuses(text: str, message: str) -> None:
    texts = (f"{text}\n", f"[{text}]\n", f"a:\n  b: {text}\n")
    assert [load(each.encode()) for each in texts] == [
        Trouble(message, 0, 0),
        Trouble(message, 0, 1),
        Trouble(message, 1, 5),
    ]


REFUSED_KEYS = {
    "null: 1": "a key cannot be null",
    "? ": "a key cannot be null",
    "!!null '': 1": "a key cannot be null",
    "9223372036854775808: 1": "the number 9223372036854775808 is too large for a key; quote it",
    "[a]: 1": "a key cannot be a mapping or a list",
    "{}: 1": "a key cannot be a mapping or a list",
    "!!int a: 1": "cannot read `a` as !!int",
    "<<: 1": "a merge takes a mapping or a list of mappings",
    "<<: [1]": "a merge takes a mapping or a list of mappings",
    "<<: [[]]": "a merge takes a mapping or a list of mappings",
    "<<:": "a merge takes a mapping or a list of mappings",
}


@pytest.mark.parametrize(("text", "message"), REFUSED_KEYS.items())
def test_refuses_keys_that_go_refuses(text: str, message: str) -> None:
    trouble = load(f"{text}\n".encode())
    assert isinstance(trouble, Trouble)
    assert trouble.message == message


MERGES = {
    "one": ("{<<: {a: 1}, b: 2}", {"a": 1, "b": 2}),
    "first of a list wins": ("{<<: [{a: 1}, {a: 2, b: 3}]}", {"a": 1, "b": 3}),
    "an entry overrides what was merged before it": ("{<<: {a: 1}, a: 2}", {"a": 2}),
    "a merge overrides what was given before it": ("{a: 2, <<: {a: 1}}", {"a": 1}),
    "merges within merges": ("{<<: {<<: {a: 1, b: 1}, b: 2}, c: 3}", {"a": 1, "b": 2, "c": 3}),
    "twice": ("{<<: {a: 1}, <<: {a: 2}}", {"a": 2}),
    "by tag": ("{!!merge x: 1, !!merge '<<': {a: 1}}", {"x": 1, "a": 1}),
    "quoted": ("{'<<': {a: 1}}", {"<<": {"a": 1}}),
    "tagged as a string": ("{!!str <<: {a: 1}}", {"<<": {"a": 1}}),
    "nothing": ("{<<: [], a: 1}", {"a": 1}),
    "beside a script": ("{a: {<<: {b: '<<'}}, c: x << y}", {"a": {"b": "<<"}, "c": "x << y"}),
}


@pytest.mark.parametrize(("text", "expected"), MERGES.values(), ids=MERGES)
def test_merges_as_go_does(text: str, expected: object) -> None:
    loaded = load(f"{text}\n".encode())
    assert isinstance(loaded, Loaded)
    assert loaded.value == expected


ALIASES = {
    "of a scalar": (b"a: &x 010\nb: *x\n", {"a": 8, "b": 8}),
    "of a collection": (b"a: &x [1]\nb: [*x, *x]\n", {"a": [1], "b": [[1], [1]]}),
    "redefined": (b"a: &x 1\nb: &x [2]\nc: *x\n", {"a": 1, "b": [2], "c": [2]}),
    "redefined below itself": (b"a: &x [&x 1, *x]\nb: *x\n", {"a": [1, 1], "b": 1}),
    "as a key": (b"a: &x k\n*x : 1\n", {"a": "k", "k": 1}),
    "of nothing": (b"a: &x\nb: *x\n", {"a": None, "b": None}),
    "that look like one": (b"a: '*.log'\nb: x 2>&1\n", {"a": "*.log", "b": "x 2>&1"}),
}


@pytest.mark.parametrize(("text", "expected"), ALIASES.values(), ids=ALIASES)
def test_follows_aliases(text: bytes, expected: object) -> None:
    assert load(text)[:3] == Loaded(expected)[:3]


def test_tells_repeats_and_what_was_dropped() -> None:
    text = b"x: &x {a: 1}\nl:\n- - <<: *x\n    b: 1\n    b: 2\nx: 3\n...\nmore\n"
    assert load(text) == Loaded(
        {"x": 3, "l": [[{"a": 1, "b": 2}]]}, (Repeat(("l", 0, 0), "b", 4, 4, 3), Repeat((), "x", 5, 0, 0)), dropped=7
    )


MERGES_FIRST = {
    "given before": ("{a: 2, <<: {a: 1, b: 1}}", {"a": 2, "b": 1}),
    "given after": ("{<<: {a: 1}, a: 2}", {"a": 2}),
    "in what is merged": ("x: &x {a: 2, <<: {a: 1}}\nz: [{<<: *x}]", {"x": {"a": 2}, "z": [{"a": 2}]}),
    "first of a list wins": ("{a: 3, <<: [{b: 1}, {a: 2, b: 2}]}", {"a": 3, "b": 1}),
    "in an alias of its own list": ("- &x {a: 2, <<: {a: 1}}\n- *x", [{"a": 2}, {"a": 2}]),
}


@pytest.mark.parametrize(("text", "expected"), MERGES_FIRST.values(), ids=MERGES_FIRST)
def test_lets_what_is_given_override_merges(text: str, expected: object) -> None:
    assert load(text.encode(), merges_first=True)[:3] == Loaded(expected)[:3]


def test_only_line_feeds_end_lines() -> None:
    assert load("a: '\u2028\u2029\x85\r'\nb: c: d\n".encode()) == Trouble(
        "mapping values are not allowed in this context", 1, 4
    )


def test_an_empty_text_means_nothing() -> None:
    assert [load(text)[:3] for text in (b"\n", b"# c\n", b"---\n", b"~\n")] == [Loaded(None)[:3]] * 4


# What PyYAML's own scanner does not accept, or not refuse, is as it is: libyaml reads for nearly everyone.
ONLY_LIBYAML = {"tab after colon", "tab trailing", "tab in flow"}
CASES = [json.loads(line) for line in (Path(__file__).parent / "yaml-cases.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["name"] not in ONLY_LIBYAML], ids=lambda case: case["name"]
)
def test_reads_the_same_without_libyaml(case: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = case["input"].replace("\r\n", "\n").removeprefix("\ufeff").encode() + b"\n"
    fast = load(text)
    monkeypatch.setattr(nodes, "_event_parser", nodes._PureParser)
    pure = load(text)
    assert isinstance(fast, Trouble) == isinstance(pure, Trouble)
    assert isinstance(fast, Trouble) or fast == pure


BLOCKS = st.recursive(
    st.sampled_from(
        ["a", "yes", "1", "0x1F", "'q'", '"d"', "*x", "&x 1", "~", "[1, 2]", "{a: b}", "!t v", "|\n        t"]
    ),
    lambda inner: st.builds(
        lambda key, value, end: (
            "\n" + "".join(f"{line}\n" for line in f"{key}{value}{end}".splitlines()).replace("\n", "\n ")
        ),
        st.sampled_from(["k: ", "- ", "<<: ", "a: ", "&x k: ", "? "]),
        inner,
        st.sampled_from(["", "\nk: v", "\n- w"]),
    ),
    max_leaves=6,
)


@settings(deadline=None, max_examples=200)
@given(st.lists(BLOCKS, max_size=4))
def test_never_raises(blocks: list[str]) -> None:
    assert isinstance(
        load("".join(f"k{number}: {block}\n" for number, block in enumerate(blocks)).encode() + b"\n"), Loaded | Trouble
    )
