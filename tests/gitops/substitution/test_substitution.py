"""Variables are replaced as Flux replaces them. The expected texts and objects are what fluxcd/pkg v1 makes of these
inputs; many are its own test cases (envsubst/eval_test.go, funcs_test.go, parse/parse_test.go).
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

from quotalint.gitops.substitution import (
    Substituted,
    is_disabled,
    substitute_in_object,
    substitute_text,
    substitution_with,
)

FILE = "bash.string.txt"
PATH = "/home/bozo/ideas/thoughts.for.today"
REPEATS = "abcABC123ABCabc"
DIGITS = "123456789123456789"


@pytest.mark.parametrize(
    ("text", "variables", "expected"),
    [
        pytest.param("abcdEFGH28ij", {}, "abcdEFGH28ij", id="text only"),
        pytest.param("}text", {}, "}text", id="closing brace alone"),
        pytest.param("http://github.com", {}, "http://github.com", id="slashes outside"),
        pytest.param("$A {A} $ ${A}", {"A": "x"}, "$A {A} $ x", id="only with braces"),
        pytest.param("${A}${B}", {"A": "x", "B": "y"}, "xy", id="two in a row"),
        pytest.param("${A}", {"A": "${B}", "B": "x"}, "${B}", id="values are not looked through"),
        pytest.param("${A}", {"A": "x\ny\n"}, "xy", id="newlines of values are dropped"),
        pytest.param("${ä}", {}, "", id="a name may have any letters"),
        pytest.param("${1}", {}, "", id="a name may begin with a digit"),
        # defaults
        pytest.param("${var=xyz}", {"var": "abc"}, "abc", id="= with value"),
        pytest.param("${var=xyz}", {}, "xyz", id="= without value"),
        pytest.param("${var:=xyz}", {}, "xyz", id=":= without value"),
        pytest.param("${var:-xyz}", {}, "xyz", id=":- without value"),
        pytest.param("${var:-xyz}", {"var": ""}, "xyz", id=":- empty value"),
        pytest.param("${var=xyz}", {"var": ""}, "xyz", id="= empty value"),
        pytest.param("${var:?xyz}", {}, "xyz", id=":? is a default too"),
        pytest.param("${var:+xyz}", {}, "xyz", id=":+ without value"),
        pytest.param("${var:+xyz}", {"var": "abc"}, "abc", id=":+ is no alternative"),
        pytest.param("${var:=}", {}, "", id="empty default"),
        pytest.param("${var==x}", {}, "=x", id="default begins with sign"),
        pytest.param("${var:=a b:/#%$^,{}", {}, "a b:/#%$^,{", id="default of signs"),
        pytest.param("${var:=$$x\\/}", {}, "$$x\\/", id="no escapes in defaults"),
        pytest.param("something ${var=${dv}}", {"dv": "foo"}, "something foo", id="variable as default"),
        pytest.param("${var=${dv}-suffix}", {"dv": "foo1"}, "foo1-suffix", id="variable begins default"),
        pytest.param("${var=a${dv}-b}", {"dv": "foo1"}, "afoo1-b", id="variable within default"),
        pytest.param("${var=${x^^}}", {"x": "abcdEFGH28ij"}, "ABCDEFGH28IJ", id="function in default"),
        pytest.param("${a:-${b:-${c:-d}}}", {}, "d", id="defaults in defaults"),
        # length and case
        pytest.param("${#x}", {"x": "abcdEFGH28ij"}, "12", id="length"),
        pytest.param("${#x}", {"x": "ä€"}, "5", id="length in bytes"),
        pytest.param("${#x}", {}, "0", id="length of nothing"),
        pytest.param("hello ${#x} world", {"x": "a"}, "hello 1 world", id="length amid text"),
        pytest.param("${x^}", {"x": "abcdEFGH28ij"}, "AbcdEFGH28ij", id="upper first"),
        pytest.param("${x^^}", {"x": "abcdEFGH28ij"}, "ABCDEFGH28IJ", id="upper"),
        pytest.param("${x,}", {"x": "ABCDEFGH28IJ"}, "aBCDEFGH28IJ", id="lower first"),
        pytest.param("${x,,}", {"x": "ABCDEFGH28IJ"}, "abcdefgh28ij", id="lower"),
        pytest.param("${x^^}${x^}", {"x": "ßä"}, "ßÄßä", id="upper keeps the number of characters"),
        pytest.param("${x^}${x,,}", {}, "", id="case of nothing"),
        pytest.param("${x^,}${x,^}", {"x": "aB"}, "aBaB", id="mixed case operators do nothing"),
        # substrings
        pytest.param("${p:11}", {"p": PATH}, "ideas/thoughts.for.today", id="from position"),
        pytest.param("${p:11:5}", {"p": PATH}, "ideas", id="position and length"),
        pytest.param("${p:0:8}", {"p": DIGITS}, "12345678", id="from the beginning"),
        pytest.param("${p:9:50}", {"p": DIGITS}, "123456789", id="length out of bound"),
        pytest.param("${p:-3:2}", {"p": DIGITS}, DIGITS, id=":- is no negative position"),
        pytest.param("${p:${n}:2}", {"p": DIGITS, "n": "-3"}, "78", id="negative position"),
        pytest.param("${p:${n}:3}", {"p": DIGITS, "n": "-300"}, "123", id="negative position out of bound"),
        pytest.param("${p:9:1}", {"p": "12345678"}, "", id="position out of bound"),
        pytest.param("${p:9}", {"p": "12345678"}, "", id="position alone out of bound"),
        pytest.param("${p: 1}", {"p": "abc"}, "abc", id="position that is not a number"),
        pytest.param("${p:1:x}", {"p": "abc"}, "abc", id="length that is not a number"),
        pytest.param("${p:1:${e}}", {"p": "abc"}, "abc", id="length that is empty"),
        pytest.param("${p:1:::1}", {"p": "abc"}, "b", id="colons repeated"),
        pytest.param("${p:${e:1:2}:${f,,}}", {"p": "abc", "e": "x2", "f": "9"}, "c", id="functions as arguments"),
        # replacement
        pytest.param("${z/abc/xyz}", {"z": REPEATS}, "xyzABC123ABCabc", id="replace first"),
        pytest.param("${z//abc/xyz}", {"z": REPEATS}, "xyzABC123ABCxyz", id="replace all"),
        pytest.param("${z/#abc/XYZ}", {"z": REPEATS}, "XYZABC123ABCabc", id="replace prefix"),
        pytest.param("${z/%abc/XYZ}", {"z": REPEATS}, "abcABC123ABCXYZ", id="replace suffix"),
        pytest.param("${z/#ABC/XYZ}${z/%ABC/XYZ}", {"z": REPEATS}, REPEATS * 2, id="neither prefix nor suffix"),
        pytest.param("${z/./}", {"z": "foo.bar"}, "foobar", id="replace by nothing"),
        pytest.param("${z/#foo/}${z/%bar/}", {"z": "foo.bar"}, "foo.bar" * 2, id="prefix and suffix do not vanish"),
        pytest.param(r"${z/\//-}", {"z": "foo/bar"}, "foo-bar", id="escaped slash"),
        pytest.param(r"${z//\//-}", {"z": "foo/bar/baz"}, "foo-bar-baz", id="escaped slashes"),
        pytest.param(r"${z/b/\/l\\}", {"z": "abc"}, r"a/l\c", id="escapes in replacement"),
        pytest.param("${z/b/$$x}", {"z": "abc"}, "a$xc", id="escaped dollar in replacement"),
        pytest.param("${z//${a}/${b}}", {"z": "abcb", "a": "b", "b": "x"}, "axcx", id="variables as arguments"),
        pytest.param("${z//${a}/-}", {"z": "ab"}, "-a-b-", id="replace what is empty"),
        pytest.param("${z/a}/x}", {"z": "a}b"}, "xb", id="brace in pattern"),
        # trimming
        pytest.param("${f#*.}", {"f": FILE}, "string.txt", id="shortest prefix"),
        pytest.param("${f##*.}", {"f": FILE}, "txt", id="longest prefix"),
        pytest.param("${f%.*}", {"f": FILE}, "bash.string", id="shortest suffix"),
        pytest.param("${f%%.*}", {"f": FILE}, "bash", id="longest suffix"),
        pytest.param("${f#*/}", {"f": "path/to/file"}, "to/file", id="shortest directory"),
        pytest.param("${f#*/}", {"f": "/path/to/file"}, "path/to/file", id="shortest absolute directory"),
        pytest.param("${f##*/}", {"f": "/path/to/file"}, "file", id="longest directory"),
        pytest.param("${f#*}|${f##*}", {"f": "abc"}, "bc|", id="star alone"),
        pytest.param("${f#a?}${f#[!a-b]}${f#[a-b]}", {"f": "abc"}, "cbcbc", id="one character, classes"),
        pytest.param("${f#[^x-z]}${f#[^a]}", {"f": "abc"}, "bcabc", id="negated classes"),
        pytest.param(r"${f#\*}${f#a\*}", {"f": "*a*"}, "a**a*", id="escaped star"),
        pytest.param("${f#[a}${f#a[}${f#[]}", {"f": "abc"}, "abc" * 3, id="malformed patterns match nothing"),
        pytest.param("${f%[a-c]}${f%[cc-a]}", {"f": "abc"}, "abcabc", id="no classes in suffixes"),
        pytest.param("${f##a*b*c}${f#a*b*c}", {"f": "axbxcxbc!"}, "!xbc!", id="several stars"),
        pytest.param("${f#$%:*{}", {"f": "$%:x{y"}, "y", id="special characters"),
        pytest.param("${f#${g}}", {"f": "abc", "g": "a"}, "bc", id="variable as pattern"),
        pytest.param("${f#${g}}", {"f": "abc"}, "abc", id="empty pattern"),
        # escapes
        pytest.param("$${x}", {"x": "a"}, "${x}", id="escaped"),
        pytest.param("$$x $$", {}, "$x $", id="escaped without brace"),
        pytest.param("$$$${x}", {"x": "a"}, "$${x}", id="escaped twice"),
        pytest.param("$$${x}", {"x": "a"}, "$a", id="escaped dollar before expression"),
        pytest.param("t ${x}$${v$${x}$x${x}", {"x": "a"}, "t a${v${x}$xa", id="escaped between others"),
        pytest.param("$${v=${dv}}", {"dv": "foo"}, "${v=foo}", id="escaped around expression"),
        pytest.param(r"\\.\pipe\p ${x}\\", {"x": "a"}, r"\\.\pipe\p a\\", id="backslashes outside are text"),
    ],
)
def test_an_expression_becomes_what_flux_makes_of_it(text: str, variables: dict[str, str], expected: str) -> None:
    assert substitute_text(text, variables).value == expected


@pytest.mark.parametrize(
    ("text", "error"),
    [
        pytest.param("${", "unable to parse variable name: ${", id="nothing"),
        pytest.param("${}", "unable to parse variable name: ${}", id="no name"),
        pytest.param("${ A}", "unable to parse variable name: ${ A}", id="space before name"),
        pytest.param("a ${A", "missing closing brace: ${A", id="not closed"),
        pytest.param("${A-b}", "missing closing brace: ${A-b}", id="- is no operator"),
        pytest.param("${A.b}", "missing closing brace: ${A.b}", id="template of another program"),
        pytest.param("${#}", "bad substitution: ${#}", id="length of no name"),
        pytest.param("${#A:1}", "bad substitution: ${#A:1}", id="length of expression"),
        pytest.param("${A^^^}", "bad substitution: ${A^^^}", id="operator too long"),
        pytest.param("${A/b}", "bad substitution: ${A/b}", id="replacement without end"),
        pytest.param("${A:é}", "bad substitution: ${A:é}", id="letter beyond ASCII as position"),
        pytest.param("${A:}", "unable to parse substitution within function: ${A:}", id="no position"),
        pytest.param("${A:1:}", "unable to parse substitution within function: ${A:1:}", id="no length"),
        pytest.param("${A#}", "unable to parse substitution within function: ${A#}", id="no pattern"),
        pytest.param("${A///b}", "unable to parse substitution within function: ${A///b}", id="nothing to replace"),
        pytest.param("${A:=b", "unable to parse substitution within function: ${A:=b", id="default not closed"),
        pytest.param("${A:=${B}", "unable to parse substitution within function: ${A:=${B}", id="one of two closed"),
        pytest.param("${A:2:${N}}", "bad substitution: a substring of negative length", id="Go panics"),
        pytest.param(
            "${A:=" + "x" * 50,
            "unable to parse substitution within function: ${A:=" + "x" * 32 + "...",
            id="only the beginning is told",
        ),
    ],
)
def test_what_flux_refuses(text: str, error: str) -> None:
    variables = {"A": "abcdef", "N": "-1"}
    assert substitute_text(text, variables) == Substituted(text, error=error)
    assert substitute_in_object({"k": text}, variables) == Substituted({"k": text}, error=error)


@pytest.mark.parametrize(
    ("value", "variables", "expected"),
    [
        pytest.param({"replicas": "${N}"}, {"N": "3"}, {"replicas": 3}, id="number"),
        pytest.param({"k": "${N}${N}"}, {"N": "3"}, {"k": 33}, id="number of two"),
        pytest.param({"k": "1${E}"}, {"E": ""}, {"k": 1}, id="number with nothing"),
        pytest.param({"k": "${N}"}, {"N": "1.5"}, {"k": 1.5}, id="fraction"),
        pytest.param({"k": "${N}"}, {"N": "010"}, {"k": 8}, id="octal number"),
        pytest.param({"k": "${N}"}, {"N": "1Gi"}, {"k": "1Gi"}, id="quantity"),
        pytest.param({"k": "${N}"}, {"N": '"3"'}, {"k": "3"}, id="value that is quoted"),
        pytest.param({"k": "${N:=3}"}, {}, {"k": 3}, id="default"),
        pytest.param({"k": '${N:="3"}'}, {}, {"k": "3"}, id="default that is quoted"),
        pytest.param({"k": "${N}"}, {"N": "true"}, {"k": True}, id="true"),
        pytest.param({"k": "${N}"}, {"N": "no"}, {"k": False}, id="no"),
        pytest.param({"k": "${N}"}, {"N": ""}, {"k": None}, id="empty is null"),
        pytest.param({"k": ["${N}", "x"]}, {"N": ""}, {"k": [None, "x"]}, id="empty item is null"),
        pytest.param({"k": "${N}"}, {"N": "~"}, {"k": None}, id="null"),
        pytest.param({"k": "${N}"}, {"N": "{a: 1, b: [x]}"}, {"k": {"a": 1, "b": ["x"]}}, id="mapping"),
        pytest.param({"k": ["${N}"]}, {"N": "a: 1"}, {"k": [{"a": 1}]}, id="item becomes mapping"),
        pytest.param({"k": ["${N}"]}, {"N": "- 1"}, {"k": [[1]]}, id="item becomes list"),
        pytest.param({"k": "${N}"}, {"N": "a # b"}, {"k": "a"}, id="comment"),
        pytest.param({"k": "${N}"}, {"N": "  a  "}, {"k": "a"}, id="spaces around"),
        pytest.param({"k": "${N}"}, {"N": "&x a"}, {"k": "a"}, id="anchor"),
        pytest.param({"k": "${N}"}, {"N": "!!str 3"}, {"k": "3"}, id="tag"),
        pytest.param({"k": "${N}"}, {"N": "|"}, {"k": ""}, id="block of nothing"),
        # what the writer quotes stays a string
        pytest.param({"k": " ${N}"}, {"N": "3"}, {"k": " 3"}, id="space before"),
        pytest.param({"k": "{${N}"}, {"N": "3"}, {"k": "{3"}, id="brace before"),
        pytest.param({"k": "a: ${N}"}, {"N": "3"}, {"k": "a: 3"}, id="colon before"),
        pytest.param({"k": "${N}:"}, {"N": "3"}, {"k": "3:"}, id="colon behind"),
        pytest.param({"k": "#${N}"}, {"N": "it''s"}, {"k": "#it's"}, id="apostrophes in single quotes"),
        pytest.param({"k": "\t${N}"}, {"N": "a\\nb"}, {"k": "\ta\nb"}, id="escape in double quotes"),
        pytest.param({"k": "😀${N}"}, {"N": "3"}, {"k": "😀3"}, id="escaped by the writer"),
        pytest.param({"k": "${N}\n"}, {"N": "3"}, {"k": "3\n"}, id="line"),
        pytest.param({"k": "a\n\n  ${N}"}, {"N": "b: #"}, {"k": "a\n\n  b: #"}, id="lines"),
        pytest.param({"k": "\n${N}\n\n"}, {"N": "3"}, {"k": "\n3\n\n"}, id="empty lines"),
        pytest.param({"k": "a \n${N}"}, {"N": "3"}, {"k": "a \n3"}, id="line that ends in space"),
        pytest.param({"k": "${A:=a\nb}"}, {}, {"k": "a\nb"}, id="default of two lines"),
        pytest.param({"k": "x " * 60 + "${N}"}, {"N": "3"}, {"k": "x " * 60 + "3"}, id="line that Go folds"),
        pytest.param({"k": "$${N}"}, {"N": "3"}, {"k": "${N}"}, id="escaped expression"),
        pytest.param({"k": "$${N}"}, {}, {"k": "${N}"}, id="escaped expression, no variables"),
        # keys
        pytest.param({"${N}": 1}, {"N": "a"}, {"a": 1}, id="key"),
        pytest.param({"${N}": "${N}"}, {"N": "3"}, {"3": 3}, id="key stays a string"),
        pytest.param({"b": 1, "${N}": 2, "c": 3}, {"N": "b"}, {"b": 1, "c": 3}, id="key given before"),
        pytest.param({"$$b": 1, "${N}": 2}, {"N": "$b"}, {"$b": 2}, id="the last of a key wins"),
        pytest.param({"a": [{"b": {"c": "${N}"}}], "d": 1}, {"N": "3"}, {"a": [{"b": {"c": 3}}], "d": 1}, id="deep"),
        pytest.param("${N}", {"N": "3"}, 3, id="a string alone"),
        pytest.param({"k": [1, None, True, 1.5, "x"]}, {"N": "3"}, {"k": [1, None, True, 1.5, "x"]}, id="other values"),
    ],
)
def test_objects_are_written_and_read_as_yaml(value: object, variables: dict[str, str], expected: object) -> None:
    before = copy.deepcopy(value)
    after = substitute_in_object(value, variables).value
    assert (after, type(after), repr(after), value) == (expected, type(expected), repr(expected), before)


@pytest.mark.parametrize(
    ("value", "text", "message"),
    [
        pytest.param("${N}", "a: b", "mapping values are not allowed in this context: a: b", id="mapping in a value"),
        pytest.param(
            "${N}", "- a", "block sequence entries are not allowed in this context: - a", id="list in a value"
        ),
        pytest.param(
            "${N}",
            "@a",
            "found character that cannot start any token, while scanning for the next token: @a",
            id="sign without meaning",
        ),
        pytest.param(" ${N}", "it's", "did not find expected key, while parsing a block mapping: ' it's'", id="quote"),
        pytest.param("${N:0:1}", "é", "bad substitution: a substring that cuts a character in two", id="half a letter"),
    ],
)
def test_what_is_no_yaml_after_substitution(value: str, text: str, message: str) -> None:
    yaml = "" if message.startswith("bad") else "not YAML after substitution: "
    assert substitute_in_object({"k": value}, {"N": text}) == Substituted({"k": value}, error=yaml + message)


@pytest.mark.parametrize(
    ("text", "variables", "replaced", "without_missing", "missing"),
    [
        pytest.param("${A}", {}, None, "${A}", ("A",), id="alone"),
        pytest.param("${A}", {"A": ""}, None, None, (), id="empty, not missing"),
        pytest.param("${B}-${A}-${A}", {"B": "b"}, "b--", "b-${A}-${A}", ("A",), id="beside others"),
        pytest.param("${Z}${A}", {}, None, "${Z}${A}", ("A", "Z"), id="sorted"),
        pytest.param("${A:=x}", {}, "x", "x", (), id="default"),
        pytest.param("${A:=}", {}, None, None, (), id="empty default"),
        pytest.param("${A:=x${B}}", {}, "x", "x${B}", ("B",), id="in a default"),
        pytest.param("${A:=${B:=x}}", {}, "x", "x", (), id="default of a default"),
        pytest.param("${A^^}", {}, None, "${A^^}", ("A",), id="case"),
        pytest.param("${#A}", {}, 0, "${#A}", ("A",), id="length"),
        pytest.param("${A:0:2}", {}, None, "${A:0:2}", ("A",), id="substring"),
        pytest.param("${A/x/y}", {}, None, "${A/x/y}", ("A",), id="replacement"),
        pytest.param("${A%x}${A##x}", {}, None, "${A%x}${A##x}", ("A",), id="trimming"),
        pytest.param("${B/b/${A}}", {"B": "abc"}, "ac", "${B/b/${A}}", ("A",), id="in an argument"),
        pytest.param("$${A}${A}", {}, "${A}", "${A}${A}", ("A",), id="beside an escape"),
        pytest.param("#${A}", {}, "#", "#${A}", ("A",), id="in quotes"),
        pytest.param("a\n${A}\n", {}, "a\n", "a\n${A}\n", ("A",), id="in lines"),
    ],
)
def test_a_variable_that_is_missing_is_named(
    text: str, variables: dict[str, str], replaced: object, without_missing: object, missing: tuple[str, ...]
) -> None:
    object_ = {"k": text}
    loose, keeping = ({"k": replaced}, {"k": without_missing})
    changed: Any = (("k",),)
    assert substitute_in_object(object_, variables) == Substituted(loose, changed, missing)
    expected = Substituted(keeping, changed if without_missing != text else (), missing)
    assert substitute_in_object(object_, variables, keep_missing=True) == expected


def test_a_default_that_is_not_needed_misses_nothing() -> None:
    value = {"k": "${A:=${B}}"}
    assert substitute_in_object(value, {"A": "x"}) == Substituted({"k": "x"}, (("k",),))
    assert substitute_in_object(value, {"A": "x"}, keep_missing=True) == Substituted({"k": "x"}, (("k",),))


def test_what_is_kept_is_not_refused_for_want_of_its_value() -> None:
    kept = substitute_in_object({"k": "${A}${B}"}, {"A": "[x, "}, keep_missing=True)
    assert kept == Substituted({"k": "[x, ${B}"}, (("k",),), ("B",))


def test_changed_says_where_in_the_input() -> None:
    value = {"a": ["x", "${N}", {"${K}": "${N}"}], "${K}": {"b": "${K}", "c": "same"}, "d": "${same}"}
    variables = {"N": "3", "K": "k", "same": "${same}"}
    expected = Substituted(
        {"a": ["x", 3, {"k": 3}], "k": {"b": "k", "c": "same"}, "d": "${same}"},
        (("a", 1), ("a", 2, "${K}"), ("${K}",), ("${K}", "b")),
    )
    assert substitute_in_object(value, variables) == expected


def test_what_does_not_change_is_shared() -> None:
    value = {"a": {"b": ["x", 1]}, "c": ["${N}"]}
    after = substitute_in_object(value, {"N": "3"}).value
    assert isinstance(after, dict)
    assert after["a"] is value["a"]


def test_each_of_many_objects_is_replaced_as_if_it_were_alone() -> None:
    values = [{"k": "${A}"}, {"k": "${M} ${A}"}, {"k": "${A"}, {"k": "".join("${A}")}, {"${M} ${A}": "x"}]
    substitute = substitution_with({"A": "3"})
    assert [substitute(value) for value in (*values, *values)] == [
        substitute_in_object(value, {"A": "3"}) for value in (*values, *values)
    ]


def test_a_text_that_stays_is_the_very_same_in_each_object() -> None:
    substitute = substitution_with({}, keep_missing=True)
    for text in ("${A} b", " ".join(("${A}", "b"))):
        value = {"k": text}
        assert substitute(value) == Substituted(value, missing=("A",))
        assert substitute(value).value is value


@pytest.mark.parametrize("name", ["", "a-b", "1a", "a.b", "ä", "a\n", "${A}"])
def test_a_bad_name_of_a_variable_is_refused(name: str) -> None:
    shown = "a" if name == "a\n" else name
    error = f"the variable name {shown!r} is invalid: it must match [_a-zA-Z][_a-zA-Z0-9]*"
    assert substitute_in_object({"k": "x"}, {"A": "1", name: "2"}) == Substituted({"k": "x"}, error=error)
    assert substitute_text("x", {"A": "1", name: "2"}) == Substituted("x", error=error)


MARKER = "kustomize.toolkit.fluxcd.io/substitute"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param({"metadata": {"annotations": {MARKER: "disabled"}}}, True, id="annotation"),
        pytest.param({"metadata": {"labels": {MARKER: "disabled"}}}, True, id="label"),
        pytest.param({"metadata": {"labels": {MARKER: "x"}, "annotations": {MARKER: "disabled"}}}, True, id="one"),
        pytest.param({"metadata": {"labels": {MARKER: "enabled"}}}, False, id="another value"),
        pytest.param({"metadata": {"labels": {MARKER: "Disabled"}}}, False, id="another case"),
        pytest.param({"metadata": {"labels": {"substitute": "disabled"}}}, False, id="another name"),
        pytest.param({"spec": {"labels": {MARKER: "disabled"}}}, False, id="another place"),
        pytest.param({"metadata": ["labels"]}, False, id="no metadata"),
        pytest.param({"metadata": {"labels": None}}, False, id="no labels"),
    ],
)
def test_an_object_opts_out_by_label_or_annotation(body: dict[str, object], expected: bool) -> None:
    assert is_disabled(body) is expected
