from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from quotalint.text.documents import MAX_BYTES, Document, DuplicateKey, Failure, Reading, read

CASES = [json.loads(line) for line in (Path(__file__).parent / "yaml-cases.jsonl").read_text("utf-8").splitlines()]

# What overrides a merge is an error to the strict decoder, which kubectl's objects reach as JSON: without merges.
OVERRIDING = {"merge <<", "merge list"}


def spelt(value: object) -> str:
    """JSON tells 1 from true and from 1.0, which Python's equality does not."""
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_reads_as_kubernetes_does(case: dict[str, object]) -> None:
    documents = case["documents"]
    assert isinstance(documents, list)
    expected = [
        (index, spelt(document["value"]), "strict_error" in document and case["name"] not in OVERRIDING)
        for index, document in enumerate(documents)
        if document.get("value") is not None
    ]
    errors = sum("error" in document for document in documents) + ("split_error" in case)
    reading = read(str(case["input"]).encode())
    read_values = [(doc.index, spelt(doc.value), bool(doc.duplicates)) for doc in reading.documents]
    assert (read_values, len(reading.failures)) == (expected, errors)


CUT = {
    "nothing": ("", []),
    "one": ("a: 1", [(0, 1, {"a": 1})]),
    "two": ("a: 1\n---\nb: 2\n", [(0, 1, {"a": 1}), (1, 3, {"b": 2})]),
    "first separator is part of the first document": ("---\na: 1\n", [(0, 1, {"a": 1})]),
    "comments are a document": ("# c\n---\na: 1\n", [(1, 3, {"a": 1})]),
    "blank lines are a document": ("\n\n---\na: 1\n", [(1, 4, {"a": 1})]),
    "second of two separators starts a document": ("a: 1\n---\n---\nb: 2\n", [(0, 1, {"a": 1}), (1, 3, {"b": 2})]),
    "third of three separators ends an empty one": ("a: 1\n---\n---\n---\nb: 2", [(0, 1, {"a": 1}), (2, 5, {"b": 2})]),
    "separator at the end": ("a: 1\n---", [(0, 1, {"a": 1})]),
    "carriage returns": ("a: 1\r\n--- # c\r\nb: 2\r\n", [(0, 1, {"a": 1}), (1, 3, {"b": 2})]),
    "byte order mark": ("\ufeff---\na: 1\n---\nb: 2", [(0, 1, {"a": 1}), (1, 4, {"b": 2})]),
    "indented dashes are content": ("a: |\n  ---\n  b\n", [(0, 1, {"a": "---\nb\n"})]),
    "scalars and lists are documents": ("a\n---\n- 1\n", [(0, 1, "a"), (1, 3, [1])]),
}


@pytest.mark.parametrize(("text", "expected"), CUT.values(), ids=CUT)
def test_cuts_where_kubernetes_cuts(text: str, expected: list[tuple[int, int, object]]) -> None:
    documents = tuple(Document(index, line, value, ()) for index, line, value in expected)
    assert read(text.encode())[:3] == (documents, (), ())


def test_what_cannot_be_read_does_not_stop_the_rest() -> None:
    text = b"a: 1\n---\nb: [\n---\nc: 3\n--- {d: 4}\ne: 5\n---\nf: 6\n"
    assert read(text) == Reading(
        documents=(Document(0, 1, {"a": 1}, ()), Document(2, 5, {"c": 3}, ()), Document(4, 9, {"f": 6}, ())),
        failures=(
            Failure("did not find expected node content, while parsing a flow node", 3, 5),
            Failure("Kubernetes allows nothing but a comment beside the separator `---`", 6, 5),
        ),
        dropped=(),
    )


DROPPED = {
    "after the end marker": ("a: 1\n...\nb: 2\nc: 3\n", (3,)),
    "comments and blank lines are no content": ("a: 1\n...\n# c\n\n", ()),
    "the end marker alone": ("a: 1\n...", ()),
    "in each document": ("a: 1\n... # c\n# d\nx\n---\nb: 1\n...\n---\nc: 1\n...\n...\ny", (4, 12)),
    "after a mapping in braces": ("a: 1\n---\n{b: 1}\nc: 1\n", (4,)),
    "in a block scalar it is text": ("a: |\n  ...\n  b\n", ()),
    "with line breaks that only YAML knows": ("a: \u2028 1\n...\nb: 2\n", (3,)),
    "after an empty document": ("---\n...\na: 1\n", (3,)),
    "even if it is no YAML": ("a: 1\n...\n]\n", (3,)),
}


@pytest.mark.parametrize(("text", "expected"), DROPPED.values(), ids=DROPPED)
def test_reports_what_kubernetes_drops(text: str, expected: tuple[int, ...]) -> None:
    assert (read(text.encode()).dropped, read(text.encode()).failures) == (expected, ())


DUPLICATES = {
    "at the root": ("x: 0\n---\na: 1\nb: 2\na: 3\n", [DuplicateKey((), "a", 5, 1, 3)]),
    "three times": ("a: 1\na: 2\na: 3\n", [DuplicateKey((), "a", 2, 1, 1), DuplicateKey((), "a", 3, 1, 1)]),
    "in a list": ("l:\n- a: 1\n- b: 1\n  b: 2\n", [DuplicateKey(("l", 1), "b", 4, 3, 3)]),
    "spelt differently": ("on: 1\n'true': 2\n", [DuplicateKey((), "true", 2, 1, 1)]),
    "over a merge": ("x: &x {a: 1}\nz:\n  <<: *x\n  a: 2\n", []),
    "by a merge": ("x: &x {a: 1}\nz:\n  a: 2\n  <<: *x\n", []),
    "beside a merge": ("x: &x {a: 1}\nz:\n  a: 2\n  <<: *x\n  a: 3\n", [DuplicateKey(("z",), "a", 5, 3, 3)]),
    "in what is merged": ("x: &x {a: 1, a: 2}\nz: {<<: *x, a: 3}\n", [DuplicateKey(("x",), "a", 1, 14, 1)]),
    "merges of one mapping": ("z: {<<: {a: 1}, <<: {b: 1}}\n", [DuplicateKey(("z",), "<<", 1, 17, 1)]),
    "below a repeated key": ("a: {b: 1, b: 2}\na: {c: 3}\n", [
        DuplicateKey(("a",), "b", 1, 11, 1), DuplicateKey((), "a", 2, 1, 1),
    ]),
    "in an alias, once": ("x: &x {a: 1, a: 2}\nz: *x\n", [DuplicateKey(("x",), "a", 1, 14, 1)]),
    "in JSON": ('{"a": 1}\n {"b": {"c": [{"é": 1, "é": 2}]}}', [DuplicateKey(("b", "c", 0), "é", 2, 24, 2)]),
    "in carriage-returned lines": ("a: 1\r\na: 2\r\n", [DuplicateKey((), "a", 2, 1, 1)]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), DUPLICATES.values(), ids=DUPLICATES)
def test_records_keys_given_again(text: str, expected: list[DuplicateKey]) -> None:
    assert [repeat for document in read(text.encode()).documents for repeat in document.duplicates] == expected


NUMBERS = {"a": [1, 1, 1.5, 1000, 0, 18446744073709552000]}
JSON = {
    "numbers": ('{"a": [1, 1.0, 1.5, 1e3, -0, 18446744073709551616]}', [NUMBERS]),
    "a stream": ('{"a": 1} {"b": 2}\n{"c": 3}', [{"a": 1}, {"b": 2}, {"c": 3}]),
    "one document, then YAML": ('{"a": 1}\n---\nb: yes\n', [{"a": 1}, {"b": True}]),
    "one document, then YAML beside it": ('{"a": 1} b: 2\n', [{"a": 1}, {"b": 2}]),
    "YAML that begins like JSON": ("{a: on, b: [1, 2]}\n---\nc: 3\n", [{"a": True, "b": [1, 2]}, {"c": 3}]),
    "YAML with a last comma": ('{"a": 1,}\n', [{"a": 1}]),
    "tabs and escapes": ('{\n\t"a": "\\u00e9\\/\\n",\n\t"b": null}', [{"a": "é/\n", "b": None}]),
    "strings that YAML would take for something else": ('{"a": "yes", "1": "2"}', [{"a": "yes", "1": "2"}]),
    "a surrogate pair": (r'{"a": "\ud83d\ude00"}', [{"a": "😀"}]),
    "half a surrogate pair": (r'{"a": "\ud83d x \\ud83d"}', [{"a": "\ufffd x \\ud83d"}]),
    "characters that YAML forbids": ('{"a": "\x7f"}', [{"a": "\x7f"}]),
    "a byte order mark": ('\ufeff{"a": "\\/"}', [{"a": "/"}]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), JSON.values(), ids=JSON)
def test_reads_json(text: str, expected: list[object]) -> None:
    reading = read(text.encode())
    assert ([spelt(document.value) for document in reading.documents], reading.failures) == (
        [spelt(value) for value in expected],
        (),
    )


@pytest.mark.parametrize(
    ("text", "expected"), [("[1, null]", [[1, None]]), ("null 2", [2]), ("", []), (' "a"\n', ["a"])]
)
def test_reads_json_that_does_not_begin_with_a_brace_where_told(text: str, expected: list[object]) -> None:
    reading = read(text.encode(), json=True)
    assert ([document.value for document in reading.documents], reading.failures) == (expected, ())


LIBYAML = yaml._yaml.get_version()
NO_JSON = {
    "a word": ('{"a": 1,\n "b": x}', Failure("no JSON: Expecting value", 2, 7)),
    "an infinity": ('{"a":\n [-Infinity]}', Failure("no JSON number: -Infinity", 2, 3)),
    "not a number": ('{"a": NaN}', Failure("no JSON number: NaN", 1, 7)),
    "out of range": ('{"a": 1, "b": 1e999}', Failure("no JSON number: 1e999", 1, 15)),
    "digits without end": ("[" + "9" * 5000 + "]", Failure("no JSON number: " + "9" * 40, 1, 2)),
    "YAML": ("a: 1\n", Failure("no JSON: Expecting value", 1, 1)),
    "after another document": ('{"a": 1}\n---\n', Failure("no JSON: Expecting value", 2, 1)),
    "no UTF-8": ('{"a": "\udcff"}', Failure("the text is not UTF-8: byte 0xFF", 1, 8)),
    "too deep": ("[" * 50_000, Failure("nested deeper than 1000 levels", 1, 1001 if LIBYAML >= (0, 2, 6) else 1000)),
}


@pytest.mark.parametrize(("text", "expected"), NO_JSON.values(), ids=NO_JSON)
def test_says_where_json_fails(text: str, expected: Failure) -> None:
    assert read(text.encode("utf-8", "surrogateescape"), json=True).failures == (expected,)


def test_a_stream_of_json_documents_does_not_turn_into_yaml() -> None:
    assert read(b'{"a": 1}\n{"b": 2}\nc: 3\n') == Reading(
        (Document(0, 1, {"a": 1}, ()), Document(1, 2, {"b": 2}, ())), (Failure("no JSON: Expecting value", 3, 1),), ()
    )


def test_json_deeper_than_python_recurses_is_read_all_the_same() -> None:
    [document] = read(b'{"a":' * 990 + b"1" + b"}" * 990).documents
    value, depth = document.value, 0
    while isinstance(value, dict):
        value, depth = value["a"], depth + 1
    assert (value, depth) == (1, 990)


TEMPLATE = "a key cannot be a mapping or a list; the `{{` suggests a template, to be rendered first"
UTF_16 = Failure("the file is UTF-16, Kubernetes reads UTF-8 only", 1, 1)
UTF_32 = Failure("the file is UTF-32, Kubernetes reads UTF-8 only", 1, 1)
GIT_CRYPT = Failure("the file is encrypted by git-crypt; unlock the repository to have it read", 1, 1)
UNCLOSED = "found unexpected end of stream, while scanning a quoted scalar"
NO_COLON = "could not find expected ':', while scanning a simple key"
FAILURES = {
    "tab": (b"a:\n\tb: 1\n", Failure("found a tab where YAML allows only spaces", 2, 1)),
    "never closed": (b"a: 1\nb: 'c\nd\n", Failure(UNCLOSED, 2, 4)),
    "no colon": (b"a: 1\r\n---\r\nb: 1\r\nc\r\nd: 1\r\n", Failure(NO_COLON, 5, 1)),
    "template": (b"a: {{ .b }}\n", Failure(TEMPLATE, 1, 5)),
    "NUL": (b"a: 1\n---\nb: \xc3\xa9\x00\n", Failure("the control character U+0000 is not allowed", 3, 5)),
    "control character": (b"\xef\xbb\xbfa: \x1b\n", Failure("the control character U+001B is not allowed", 1, 4)),
    "Latin-1": (b"a: caf\xe9\n", Failure("the text is not UTF-8: byte 0xE9", 1, 7)),
    "cut UTF-8": (b"a: \xc3", Failure("the text is not UTF-8: byte 0xC3", 1, 4)),
    "UTF-16": ("a: 1\n".encode("utf-16"), UTF_16),
    "UTF-16 without a mark": ("a: 1\n".encode("utf-16-be"), UTF_16),
    "UTF-32": ("a: 1\n".encode("utf-32"), UTF_32),
    "UTF-32 without a mark": ("a: 1\n".encode("utf-32-le"), UTF_32),
    "git-crypt": (b"\x00GITCRYPT\x00\x8a\x07", GIT_CRYPT),
    "too large": (b" " * (MAX_BYTES + 1), Failure("the file is larger than 16 MiB", 1, 1)),
    "tag": (b"a: !%ED%A0%80 b\n", Failure("a tag is not UTF-8", 1, 1)),
}


@pytest.mark.parametrize(("data", "expected"), FAILURES.values(), ids=FAILURES)
def test_says_what_it_cannot_read_and_where(data: bytes, expected: Failure) -> None:
    assert read(data).failures == (expected,)


YAMLISH = st.text(
    alphabet=st.sampled_from(list("ab01:-?[]{},&*!|>'\"#%@`<~.=_+ \t\n\r\\\x00\x85\u2028\ufeffé😀")), max_size=60
)


@settings(deadline=None, max_examples=300)
@given(st.one_of(st.binary(), YAMLISH.map(lambda text: text.encode())), st.booleans())
def test_takes_any_bytes(data: bytes, as_json: bool) -> None:
    reading = read(data, json=as_json)
    lines = data.count(b"\n") + 1
    assert all(1 <= failure.line <= lines and failure.column >= 1 for failure in reading.failures)
    assert all(1 <= line <= lines for line in reading.dropped)


SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(-1e15, 1e15) | st.text(max_size=8)
KEYS = st.text(max_size=8)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=8)


def through_go(value: object) -> object:
    """Go writes a float without a fraction as it writes an integer."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [through_go(item) for item in value]
    return {key: through_go(item) for key, item in value.items()} if isinstance(value, dict) else value


@settings(deadline=None)
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4))
def test_what_was_written_is_read_back(value: dict[str, object]) -> None:
    expected = spelt(through_go(value))
    as_json = json.dumps(value)
    as_yaml = yaml.dump(value, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), default_style='"')
    as_go = [[spelt(document.value) for document in read(text.encode()).documents] for text in (as_json, as_yaml)]
    assert as_go == [[expected], [expected]]
