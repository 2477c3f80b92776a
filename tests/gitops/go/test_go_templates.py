"""Templates render as Go renders them, or say why not; nothing that is written in one can do harm.

The expected texts are what Go 1.24 with sprig 3.2 writes.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quotalint.gitops.go.go_templates import RenderedText, render_template
from quotalint.gitops.go.values import StringMap, as_decoded

DATA = as_decoded(
    {
        "s": "Hello-World",
        "empty": "",
        "n": 5,
        "big": 1000000,
        "half": 1.5,
        "yes": True,
        "nil": None,
        "list": ["a", "b", "c"],
        "map": {"b": 1, "a": {"x": "y"}},
        "path": {"path": "apps/dev/web", "basename": "web", "segments": ["apps", "dev", "web"]},
    }
)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("plain", "plain"),
        ("{{ .path.basename }}-{{.s}}", "web-Hello-World"),
        ("{{ .n }} {{ .big }} {{ .half }}", "5 1e+06 1.5"),
        ("{{ .list }} {{ .map }}", "[a b c] map[a:map[x:y] b:1]"),
        ("{{ .missing }} {{ .missing.too }} {{ .nil }}", "<no value> <no value> <no value>"),
        ("a {{- .n -}} b {{- /* c */ -}} d", "a5bd"),
        ("{{ `raw` }}{{ \"a\\n\\u00e9\" }}{{ 'a' }}{{ 0x10 }}{{ 1.50 }}", "rawa\né97161.5"),
        ("{{ index .path.segments 1 }}{{ index .map `a` `x` }}", "devy"),
        ("{{ $x := 1 }}{{ if .yes }}{{ $x = 2 }}{{ end }}{{ $x }}{{ $.n }}", "25"),
        ("{{ if .empty }}a{{ else if .nil }}b{{ else }}c{{ end }}", "c"),
        ("{{ range $i, $e := .list }}{{ if $i }},{{ end }}{{ $e }}{{ end }}", "a,b,c"),
        ("{{ range $k, $v := .map }}{{ $k }}={{ $v }};{{ end }}", "a=map[x:y];b=1;"),
        ("{{ range .missing }}a{{ else }}none{{ end }}", "none"),
        ("{{ range .list }}{{ if eq . `b` }}{{ continue }}{{ end }}{{ . }}{{ end }}", "ac"),
        ("{{ range .list }}{{ if eq . `b` }}{{ break }}{{ end }}{{ . }}{{ end }}", "a"),
        ("{{ with .map.a }}{{ .x }}{{ $.n }}{{ else }}none{{ end }}", "y5"),
        ("{{ with .empty }}a{{ else with .s }}{{ . }}{{ end }}", "Hello-World"),
        ("{{ .s | lower | trimSuffix `-world` | printf `%s!` }}", "hello!"),
        ("{{ eq .s `a` `Hello-World` }} {{ ne .s `a` }} {{ and .yes .n }} {{ or .empty .n }}", "true true 5 5"),
        ("{{ not .empty }} {{ lt 1 2 }} {{ ge `b` `a` }} {{ eq .n 5.0 }} {{ len .list }}", "true true true true 3"),
        ("{{ printf `%s-%d-%v-%q-%03d-%5s|%-5s|` `s` 3 .n `q` 7 `a` `b` }}", 's-3-5-"q"-007-    a|b    |'),
        ("{{ printf `%d %s` .n .n }}{{ print 1 2 `a` }}", "%!d(float64=5) %!s(float64=5)1 2a"),
        ("{{ default `d` .empty }} {{ .missing | default `e` }} {{ coalesce .empty .s }}", "d e Hello-World"),
        ("{{ splitList `/` .path.path | last }} {{ (split `/` .path.path)._1 }} {{ join `+` .list }}", "web dev a+b+c"),
        ("{{ first .list }} {{ rest .list }} {{ initial .list }} {{ has `a` .list }}", "a [b c] [a b] true"),
        ("{{ dig `a` `x` `d` .map }} {{ dig `q` `x` `d` .map }} {{ hasKey .map `b` }} {{ get .map `q` }}", "y d true "),
        ("{{ trunc 5 .s }} {{ trunc -5 .s }} {{ substr 1 3 .s }} {{ replace `l` `L` `al` }}", "Hello World el aL"),
        ("{{ add 1 2 .n }} {{ sub 5 2 }} {{ mul 2 3 }} {{ div -7 2 }} {{ int .n }}", "8 3 6 -3 5"),
        ("{{ toJson .map }} {{ toRawJson `<` }} {{ toJson `<` }}", '{"a":{"x":"y"},"b":1} "<" "\\u003c"'),
        ("{{ toYaml .map }}", "a:\n  x: \"y\"\nb: 1"),  # go-yaml quotes y as well
        ("{{ (fromYaml `a: {b: [1]}`).a.b }} {{ (fromJson `{\"a\":1}`).a }}", "[1] 1"),
        ("a:{{ toYaml .list | nindent 2 }}", "a:\n  - a\n  - b\n  - c"),
        ("{{ regexMatch `(a+)+b` .s }} {{ regexMatch `a*a*a*b` (repeat 90 `a`) }}", "false false"),
        ("{{ regexReplaceAll `(o)-(W)` .s `${2}-${1}` }} {{ regexMatch `^H.*d$` .s }}", "HellW-oorld true"),
        ("{{ kebabcase `FooBarHTTPServer` }} {{ snakecase `FooBar x` }}", "foo-bar-http-server foo_bar_x"),
        ("{{ normalize `Apps/Dev_Web.` }} {{ slugify 10 true `feat/a-long-name` }}", "apps-dev-web feat-a"),
        ("{{ base .path.path }} {{ dir .path.path }} {{ b64enc `a` }} {{ quote `s` .n }}", 'web apps/dev YQ== "s" "5"'),
        ("{{ $d := dict `a` 1 }}{{ $_ := set $d `b` 2 }}{{ $d }}", "map[a:1 b:2]"),
        ("{{ merge (dict `b` 2) .map }}", "map[a:map[x:y] b:2]"),
    ],
)  # fmt: skip
def test_a_template_renders(template: str, text: str) -> None:
    assert render_template(template, DATA) == RenderedText(text, "")


@pytest.mark.parametrize(
    ("template", "error"),
    [
        ("{{ foo .s }}", "the function foo is not known here"),
        ("{{ now }}", "the function now is not known here"),
        ("{{ template `x` }}", 'template "x" not defined'),
        ("{{ .s", "braces are not closed"),
        ("{{ if .s }}", "if has no end, or more than one else"),
        ("{{ end }}", "there is {{end}} without a block"),
        ("{{ .s-x }}", "'.s-' makes no sense inside braces"),
        ("{{ $x }}", "undefined variable: $x"),
        ("{{ .s.x }}", "can't evaluate field x in type string"),
        ("{{ .nil.x }}", "nil pointer evaluating interface {}.x"),
        ("{{ upper .n }}", "wrong type for upper; expected string; got float64"),
        ("{{ trunc (add 1 2) .s }}", "wrong type for trunc; expected int; got int64"),
        ("{{ eq .n 5 }}", "incompatible types for comparison"),
        ("{{ upper }}", "wrong number of args for upper: want 1 got 0"),
        ("{{ index .list 7 }}", "index out of range: 7"),
        ("{{ div 1 0 }}", "division by zero"),
        ("{{ set .map `b` 2 }}", "a template that changes its parameters is not supported here"),
        ("{{ range until 50000 }}{{ range until 50000 }}{{ end }}{{ end }}", "it takes more than 100,000 steps"),
        ("{{ repeat 2000000 `a` }}", "a string cannot be repeated 2000000 times"),
        ("{{ range until 20 }}{{ repeat 90000 `a` }}{{ end }}", "it writes more than 1,000,000 characters"),
        ("{{ " + "(" * 60 + "1" + ")" * 60 + " }}", "the template is nested too deeply"),
        ("{{ regexMatch `(a{1000}){1000}` .s }}", "the pattern `(a{1000}){1000}` is not supported here"),
        (
            "{{ regexMatch `a*a*a*b` (repeat 900000 `a`) }}",
            "the regular expression 'a*a*a*b' could take too long on so long a text",
        ),
    ],
)
def test_a_template_fails(template: str, error: str) -> None:
    assert render_template(template, DATA) == RenderedText("", error)


@pytest.mark.parametrize(
    ("missing_key", "expected"),
    [
        ("default", RenderedText("<no value>|<no value>", "")),
        ("zero", RenderedText("<no value>|", "")),
        ("error", RenderedText("", 'map has no entry for key "x"')),
    ],
)
def test_a_missing_key_is_as_the_option_says(missing_key: str, expected: RenderedText) -> None:
    assert render_template("{{ .x }}|{{ .labels.x }}", {"labels": StringMap()}, missing_key) == expected


WORDS = st.sampled_from(
    tuple(
        """{{ }} {{- -}} if else end range with $x := = | ( ) . .a .a.b $ $.a 1 -1 2.5 `a` "b" nil true index break
        printf `%d%s` dict list set merge join splitList toYaml fromYaml toJson until repeat 999999999 regexReplaceAll
        `a*` trunc substr indent dig first slice eq lt and or not add mul continue , /* */ quote""".split()  # noqa: SIM905  # words read better than a list of 60 lines
    )
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from("abc"), below, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=25).map(" ".join) | st.text(), VALUES)
def test_anything_renders_or_has_an_error(template: str, data: object) -> None:
    result = render_template(template, data)
    assert isinstance(result.text, str)
    assert not (result.text and result.error)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=8).map(" ".join), VALUES)
def test_any_action_renders_or_has_an_error(action: str, data: object) -> None:
    result = render_template("{{ " + action + " }}", data)
    assert not (result.text and result.error)
