"""The language as it is specified, section by section, in the environments that policies are evaluated in: both
profiles, checked first and evaluated then, in the child process.

Source: google/cel-spec, doc/langdef.md. How the engine alone does in that project's own cases is in
docs/dependencies.md.
"""

from __future__ import annotations

import pytest

pytest.importorskip("cel_expr_python", reason="the extra `policies` is not installed")

from quotalint.cel.cel_environments import KUBERNETES, POLICIES
from quotalint.cel.engine import Failed, Issue, Value, engine

VARIABLES = {"n": "int", "d": "dyn", "m": "dyn", "l": "dyn", "s": "string"}
VALUES = {"n": 3, "d": "a", "m": {"a": 1, "b": {"c": None}}, "l": [1, 2, 3], "s": "quota"}
BOTH = pytest.mark.parametrize("profile", [POLICIES, KUBERNETES])

TRUE = {
    "literals": [
        "1 == 0x1 && -1 == -0x1 && 1u == 0x1u",
        "1.5e3 == 1500.0 && .5 == 0.5",
        r"""'\x41\u0041\101' == 'AAA' && r'\n' == '\\n' && '''a'b''' == "a'b" """,
        r"b'abc' == b'\x61\x62\x63' && size(b'\xff\303') == 2",
        "[1, 2,] == [1, 2] && {'a': 1,} == {'a': 1} && null == null",
    ],
    "logic": [
        "true || 1/0 == 1",
        "1/0 == 1 || true",
        "!(false && 1/0 == 1)",
        "!(1/0 == 1 && false)",
        "true ? true : 1/0 == 1",
        "!false && (false || true)",
    ],
    "comparisons": [
        "1 < 2 && 2 <= 2 && 'a' < 'b' && b'a' < b'b' && false < true",
        "dyn(1) == 1.0 && dyn(1u) == 1 && 2.5 > 2 && -1 < 1u",
        "dyn('1') != dyn(1) && dyn(null) != dyn(0)",
        "[1, [2]] == [1, [2]] && [1] != [1, 1] && {'a': 1, 'b': 2} == {'b': 2, 'a': 1}",
        "0.0 == -0.0 && !(double('NaN') == double('NaN')) && double('NaN') != 1.0",
        "2 in [1, 2] && !(3 in [1, 2]) && 'a' in {'a': 1} && !('b' in {'a': 1})",
    ],
    "arithmetic": [
        "7 / 2 == 3 && -7 / 2 == -3 && 7 % 3 == 1 && -7 % 3 == -1",
        "1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 8 - 2 - 1 == 5 && -n == -3",
        "9223372036854775807 > 9223372036854775806 && -9223372036854775808 < 0",
        "1.0 / 0.0 == double('Infinity') && 0.5 + 0.25 == 0.75",
        "'a' + 'b' == 'ab' && [1] + [2] == [1, 2] && b'a' + b'b' == b'ab'",
    ],
    "conversions": [
        "int('42') == 42 && int(1.9) == 1 && int(-1.9) == -1 && int(5u) == 5",
        "uint(3) == 3u && double(3) == 3.0 && double('1.5') == 1.5",
        "string(42) == '42' && string(1.5) == '1.5' && string(true) == 'true' && string(b'a') == 'a'",
        "bool('true') && !bool('false') && bytes('a') == b'a'",
        "type(1) == int && type('') == string && type([]) == list && type({}) == map && type(null) == null_type",
        "type(type(1)) == type",
    ],
    "fields and keys": [
        "m.a == 1 && m['a'] == 1 && m.b.c == null && l[0] == 1 && l[2] == 3",
        "has(m.a) && !has(m.nowhere) && has(m.b.c)",
        "{1: 'a', 2: 'b'}[2] == 'b' && {true: 1}[true] == 1",
        "m[?'a'].orValue(0) == 1 && m[?'x'].orValue(7) == 7 && !m.?x.hasValue()",
        "optional.of(1).value() == 1 && optional.none().orValue(2) == 2",
    ],
    "loops": [
        "[1, 2, 3].all(i, i > 0) && [].all(i, false)",
        "[1, 2, 3].exists(i, i == 2) && ![].exists(i, true)",
        "[1, 2, 3].exists_one(i, i > 2) && ![2, 2].exists_one(i, i == 2)",
        "[1, 2, 3].filter(i, i % 2 == 1) == [1, 3]",
        "[1, 2].map(i, i * 2) == [2, 4] && [1, 2, 3].map(i, i > 1, i * 2) == [4, 6]",
        "{'a': 1, 'b': 2}.all(k, k in ['a', 'b']) && {'a': 1}.map(k, k) == ['a']",
        "[0, 1].exists(i, 1 / i > 0)",
        "[[1], [2]].all(i, i.exists(i, i > 0))",
        "cel.bind(x, n + 1, x * x == 16)",
    ],
    "texts": [
        "size('é') == 1 && 'é'.size() == 1 && size(l) == 3 && size(m) == 2",
        "s.startsWith('qu') && s.endsWith('ta') && s.contains('uo') && s.matches('^q.*a$')",
        "'abc'.charAt(1) == 'b' && 'a,b'.split(',') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b'",
        "'ABC'.lowerAscii() == 'abc' && ' a '.trim() == 'a' && 'aba'.replace('a', 'c') == 'cbc'",
        "'hello'.substring(1, 3) == 'el' && 'hello'.indexOf('l') == 2 && 'hello'.lastIndexOf('l') == 3",
        "'%s has %d'.format(['a', 1]) == 'a has 1'",
    ],
    "time": [
        "timestamp('2026-01-02T03:04:05Z').getFullYear() == 2026",
        "timestamp('2026-01-02T00:00:00Z') - timestamp('2026-01-01T00:00:00Z') == duration('24h')",
        "duration('90s') == duration('1m30s') && duration('1h') > duration('59m')",
        "timestamp('2026-01-01T00:00:00Z') + duration('1h') == timestamp('2026-01-01T01:00:00Z')",
        "timestamp('2026-01-02T03:04:05Z').getHours('Europe/Berlin') == 4 && duration('90s').getSeconds() == 90",
    ],
}
"""What is true, by what it is about."""


@BOTH
@pytest.mark.parametrize("expression", [each for about in TRUE.values() for each in about])
def test_what_the_specification_says_is_true(profile: str, expression: str) -> None:
    assert engine().evaluate(profile, expression, VARIABLES, VALUES) == Value(True)


@BOTH
@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("1 / 0 == 1", "divide by zero"),
        ("1 % 0 == 1", "modulus by zero"),
        ("9223372036854775807 + 1 > 0", "integer overflow"),
        ("-(-9223372036854775807 - 1) > 0", "integer overflow"),
        ("m.nowhere == 1", "Key not found"),
        ("l[3] == 1", "Index error"),
        ("int('a') == 1", ""),
        ("[1, 2].all(i, 1 / (i - 1) > 0)", "divide by zero"),
        ("d < 1", "No matching overloads"),
    ],
)
def test_what_the_specification_says_fails(profile: str, expression: str, reason: str) -> None:
    outcome = engine().evaluate(profile, expression, VARIABLES, VALUES)
    assert isinstance(outcome, Failed), outcome
    assert reason.lower() in outcome.reason.lower()


@BOTH
@pytest.mark.parametrize(
    ("expression", "offset"),
    [
        ("n == 'a'", 2),
        ("n + 1.5 > 2.0", 2),
        ("true && nowhere", 8),
        ("n >", 3),
        ("s.nowhere()", 9),
        ("n == 1 &&\n  s > 2", 14),
        ("[1].all(n)", 7),
    ],
)
def test_what_cannot_be_checked_says_where(profile: str, expression: str, offset: int) -> None:
    issues = engine().check(profile, expression, VARIABLES)
    assert isinstance(issues, tuple) and isinstance(issues[0], Issue)
    assert issues[0].offset == offset, issues
