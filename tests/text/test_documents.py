"""Files are read as Kubernetes reads them: its own reader's answers, and whatever bytes come along."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.text.documents import Reading, read

CASES = [json.loads(line) for line in (Path(__file__).parent / "yaml-cases.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_reads_what_kubernetes_reads(case: dict[str, Any]) -> None:
    reading = read(case["input"].encode("utf-8", "surrogatepass"))
    values = [one["value"] for one in case["documents"] if one.get("value") is not None]
    failures = sum("error" in one for one in case["documents"]) + ("split_error" in case)
    assert ([document.value for document in reading.documents], bool(reading.failures)) == (values, bool(failures))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_finds_the_keys_that_strict_decoding_refuses(case: dict[str, Any]) -> None:
    reading = read(case["input"].encode("utf-8", "surrogatepass"))
    strict = any("strict_error" in one for one in case["documents"])
    assert any(document.duplicates for document in reading.documents) == strict


@pytest.mark.parametrize(
    ("data", "line", "column", "words"),
    [
        (b"a: [1\n", 1, 4, "flow sequence"),
        (b"a: 1\n---\nb: ]\n", 3, 4, "expected node content"),
        (b"a: b: c\n", 1, 5, "mapping values"),
        (b"a:\n\t- 1\n", 2, 1, "tab"),
        (b"\xff\xfea\0", 1, 1, "UTF-16"),
        (b"a: \xff\n", 1, 4, "UTF-8"),
        (b"\0GITCRYPT\0\1\2", 1, 1, "git-crypt"),
        (b"[" * 50_000, 1, 1001, "nested deeper"),
        (b"a: &a [*a]\n", 1, 4, "alias of itself"),
    ],
)
def test_says_why_and_where_it_cannot_read(data: bytes, line: int, column: int, words: str) -> None:
    failures = read(data).failures
    assert [(failure.line, failure.column) for failure in failures] == [(line, column)]
    assert words in failures[0].message


def test_the_rest_of_a_file_is_read_though_one_document_is_broken() -> None:
    reading = read(b"a: 1\n---\nb: [\n---\nc: 3\n")
    assert [(document.index, document.line, document.value) for document in reading.documents] == [
        (0, 1, {"a": 1}),
        (2, 5, {"c": 3}),
    ]


def test_what_follows_the_end_of_a_document_is_noticed() -> None:
    assert read(b"a: 1\n...\nb: 2\n") == Reading(read(b"a: 1\n").documents, (), (3,))


def test_an_alias_bomb_is_refused() -> None:
    levels = [f"l{number}: &l{number} [{','.join([f'*l{number - 1}'] * 9)}]" for number in range(1, 12)]
    bomb = "\n".join(["l0: &l0 [lol]", *levels]).encode()
    reading = read(bomb)
    assert (reading.documents, len(reading.failures)) == ((), 1)


@given(st.binary(max_size=200) | st.text(alphabet="a:-{}[]&*<|>\"'#%\n\t !,?0.e~x\\\r", max_size=80).map(str.encode))
def test_any_bytes_are_a_reading(data: bytes) -> None:
    assert isinstance(read(data), Reading)
    assert isinstance(read(data, json=True), Reading)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(min_size=1, max_size=6), json_values, min_size=1, max_size=4))
def test_json_is_read_as_it_was_written(value: dict[str, object]) -> None:
    for text in (json.dumps(value), json.dumps(value, indent=2)):
        assert [document.value for document in read(text.encode(), json=True).documents] == [value]
