from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from quotalint.text import guards
from quotalint.text.guards import MAX_DEPTH, MAX_ENTRIES
from quotalint.text.loader import Loaded, load
from quotalint.text.node_values import alias_tangle
from quotalint.text.nodes import Trouble, compose

TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"
# From 0.2.6 on libyaml has the same bound, and finds what is beyond it before the collection around that is read.
AHEAD = int(yaml._yaml.get_version() >= (0, 2, 6))

DEEP = {
    "brackets": (b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, None),
    "one bracket more": (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), Trouble(TOO_DEEP, 0, MAX_DEPTH - 1 + AHEAD)),
    "a scalar more": (b"[" * MAX_DEPTH + b"a" + b"]" * MAX_DEPTH, Trouble(TOO_DEEP, 0, MAX_DEPTH - 1)),
    "brackets that crash PyYAML's composer": (b"[" * 50_000, Trouble(TOO_DEEP, 0, MAX_DEPTH - 1 + AHEAD)),
    "brackets that seem closed": (b"['[]]', " * 50_000, Trouble(TOO_DEEP, 0, (MAX_DEPTH - 1 + AHEAD) * 8)),
    "braces": (b"{a: " * 50_000, Trouble(TOO_DEEP, 0, (MAX_DEPTH - 1) * 4)),
    "dashes": (b"- " * 50_000, Trouble(TOO_DEEP, 0, (MAX_DEPTH - 1) * 2)),
    "question marks": (b"? " * 50_000, Trouble(TOO_DEEP, 0, (MAX_DEPTH - 1) * 2)),
    "both": (b"- ? " * 50_000, Trouble(TOO_DEEP, 0, (MAX_DEPTH - 1) * 2)),
    "lines": (
        b"".join(b" " * depth + b"a:\n" for depth in range(1100)),
        Trouble(TOO_DEEP, MAX_DEPTH - 1, MAX_DEPTH - 1 + AHEAD),
    ),
    "dashes at the column of their key": (
        b"".join(b" " * depth + b"a:\n" + b" " * depth + b"-\n" for depth in range(600)),
        Trouble(TOO_DEEP, MAX_DEPTH - 1, MAX_DEPTH // 2 - 1),
    ),
    "with anchors defined again": (
        b"[&a b, &a " * 50_000,
        Trouble(TOO_DEEP, 0, MAX_DEPTH * 10 if AHEAD else (MAX_DEPTH - 1) * 10 - 3),
    ),
    "strings full of brackets": (b"a: |\n" + b"  \\033[0m {\n" * 5000, None),
    "brackets side by side": (b"[" + b"[[{}]], " * 2000 + b"]", None),
    "a ruler": (b"# " + b"-" * 3000 + b"\na: 1", None),
}


@pytest.mark.parametrize(("text", "expected"), DEEP.values(), ids=DEEP)
def test_refuses_what_is_nested_too_deep(text: bytes, expected: Trouble | None) -> None:
    loaded = load(text + b"\n")
    assert (loaded if isinstance(loaded, Trouble) else None) == expected


COLLECTIONS = st.recursive(
    st.sampled_from(["", "[{", "]}", "# ]", "a\n]"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=30,
)


@settings(deadline=None)
@given(COLLECTIONS, st.booleans())
def test_the_cheap_bound_is_never_below_the_depth(value: object, flow: bool) -> None:
    def depth(inner: object) -> int:
        if isinstance(inner, dict):
            inner = list(inner.values())
        return 1 + max(map(depth, inner), default=0) if isinstance(inner, list) else 1

    text = yaml.dump(value, default_flow_style=flow, indent=1 if flow else 2).encode()
    assert guards.nesting(text + b"#" * MAX_DEPTH) >= depth(value)  # long enough for a closer look than its length


def test_refuses_more_entries_than_memory_holds() -> None:
    expected = Trouble("the document is too large: it has more than 1,000,000 lines and entries", 0, 0)
    assert [load(sign * (MAX_ENTRIES + 2)) for sign in (b"a,", b"a:\n", b"- ", b"? ")] == [expected] * 4


CYCLE = "an anchor contains an alias of itself"
CYCLES = {
    "list": (b"a: &a [*a]\n", Trouble(CYCLE, 0, 3)),
    "mapping": (b"a: &a\n  b: {c: *a}\n", Trouble(CYCLE, 0, 3)),
    "root": (b"&a\n- *a\n", Trouble(CYCLE, 0, 0)),
    "merge": (b"a: &a\n  <<: *a\n", Trouble(CYCLE, 0, 3)),
    "merges of each other": (b"a: &a\n  b: &b\n    <<: [*a, *b]\n", Trouble(CYCLE, 0, 3)),
    "of an anchor defined again": (b"a: &a 1\nb: &a [*a]\n", Trouble(CYCLE, 1, 3)),
}


@pytest.mark.parametrize(("text", "expected"), CYCLES.values(), ids=CYCLES)
def test_refuses_anchors_that_contain_themselves(text: bytes, expected: Trouble) -> None:
    assert load(text) == expected


BOMB = Trouble("the aliases of this document multiply beyond what Kubernetes accepts", 0, 0)


def doubling(item: str, levels: int) -> bytes:
    return "".join(f"k{n}: &k{n} " + item.format(f"*k{n - 1}" if n else "{}") + "\n" for n in range(levels)).encode()


BOMBS = {
    "lists": (doubling("[{0}, {0}]", 64), BOMB),
    "mappings": (doubling("{{a: {0}, b: {0}}}", 64), BOMB),
    "merges": (doubling("{{<<: [{0}, {0}], a: 1}}", 64), BOMB),
    "a large list, often": (b"a: &a [" + b"x, " * 1000 + b"]\nb: [" + b"*a, " * 1000 + b"]\n", BOMB),
    "a small bomb": (doubling("[{0}, {0}]", 8), None),
    "one anchor in many places": (b"a: &a {b: c}\nl:\n" + b"- *a\n" * 2000, None),
    "one scalar in many places": (b"a: &a b\nl:\n" + b"- *a\n" * 2000, None),
}


@pytest.mark.parametrize(("text", "expected"), BOMBS.values(), ids=BOMBS)
def test_refuses_alias_bombs(text: bytes, expected: Trouble | None) -> None:
    loaded = load(text)
    assert (loaded if isinstance(loaded, Trouble) else None) == expected


def test_shared_values_do_not_multiply_in_memory() -> None:
    loaded = load(doubling("[{0}, {0}]", 8))
    assert isinstance(loaded, Loaded)
    assert isinstance(loaded.value, dict)
    assert loaded.value["k7"][0] is loaded.value["k7"][1]


def test_scalars_are_never_entangled() -> None:
    composed = compose(b"a\n")
    assert not isinstance(composed, Trouble)
    assert composed[0] is not None
    assert alias_tangle(composed[0]) is None
