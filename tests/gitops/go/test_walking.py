"""Values that share their parts are larger than memory: functions of templates look at no more of them than there are
steps left."""

from __future__ import annotations

import pytest

from quotalint.gitops.go.go_templates import render_template
from quotalint.gitops.go.values import PARTS_A_STEP, walked_parts

MOST = 5_000  # a twentieth of what a template may: so the tests are fast
TOO_LONG = "a string grows longer than 1,000,000 characters"
ENDS = ("it walks through too many values", f"it takes more than {MOST:,} steps", TOO_LONG)
LIST = "{{ $l := list 1 }}{{ range until 60 }}{{ $l = list $l $l }}{{ end }}"
MAP = '{{ $d := dict }}{{ range until 60 }}{{ $d = dict "a" $d "b" $d }}{{ end }}'
WIDE = "{{ $x := until 90000 }}{{ $l := list }}{{ range until 200 }}{{ $l = append $l $x }}{{ end }}"


@pytest.mark.parametrize(
    "template",
    [
        *(LIST + f"{{{{ {call} }}}}" for call in ("$l", "deepEqual $l $l", "uniq (list $l $l)", "has $l (list $l)")),
        *(LIST + f"{{{{ {call} $l }}}}" for call in ("toYaml", "toJson", "toPrettyJson", "quote", "cat", "print")),
        *(MAP + f"{{{{ $e := {call} }}}}" for call in ("deepCopy $d", "merge (dict) $d $d", "mergeOverwrite $d $d")),
        *(MAP + f"{{{{ {call} }}}}" for call in ('set (dict) "x" $d', "toYaml $d")),
        *(WIDE + f"{{{{ {call} $l }}}}" for call in ('join ""', "sortAlpha", "uniq", "toStrings")),
        '{{ range until 90 }}{{ $x := dict "a" (until 90000) | toYaml }}{{ end }}',
        "{{ $l := until 90000 }}{{ range until 200 }}{{ $x := chunk 1 $l }}{{ end }}",
        '{{ range until 300 }}{{ $x := fromYaml (repeat 10000 "a: b\\n") }}{{ end }}',
        "{{ range until 25 }}{{ $x := sortAlpha (until 90000) }}{{ end }}",
    ],
)
def test_it_ends_in_as_much_work_as_a_template_may_do(template: str) -> None:
    steps: list[int] = []
    begun = walked_parts()
    result = render_template(template, {}, spend=steps.append, most_steps=MOST)
    assert result.error in ENDS
    walked = walked_parts() - begun
    assert walked <= MOST * PARTS_A_STEP + 100_000  # the longest text or list, which was not begun
    assert steps >= [walked // PARTS_A_STEP]


def test_variables_are_not_looked_through_for_nothing() -> None:
    many = "".join(f"{{{{ $a{number} := 1 }}}}" for number in range(10_000))
    result = render_template(many + "{{ range until 40000 }}{{ $a0 }}{{ end }}", {}, most_steps=MOST + 20_000)
    assert result.error == f"it takes more than {MOST + 20_000:,} steps"


@pytest.mark.parametrize("function", ["quote", "squote", "cat"])
def test_texts_that_double_end_where_others_do(function: str) -> None:
    template = '{{ $s := "\\"" }}{{ range until 60 }}{{ $s = quote $s $s }}{{ end }}'.replace("quote", function)
    assert render_template(template, {}).error == TOO_LONG


def test_what_is_walked_in_one_template_is_not_missing_in_another() -> None:
    render_template(LIST + "{{ toJson $l }}", {})
    assert render_template("{{ toJson (until 1000) | len }}", {}).text == "3891"


def test_a_constraint_of_a_hundred_thousand_parts_is_cut_once() -> None:
    assert render_template('{{ semverCompare (repeat 30000 ">=1,") "1.2.3" }}', {}).text == "true"
