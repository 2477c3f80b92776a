"""Every function of templates gives what Go's own engine gives, with sprig and Helm's, as recorded in answers.json.

`pytest tests/gitops/go --update-golden` asks Helm's library (the extra `helm`) again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from quotalint.gitops.go import go_functions, go_templates
from quotalint.gitops.go.values import as_decoded
from quotalint.text.documents import read

ANSWERS = Path(__file__).parent / "answers.json"
REFUSED = "refused"
# Argo CD's own, for which Helm has no answer: tested with the ApplicationSets.
OF_ARGO = {"normalize", "slugify"}
# What is not supported here is an error that says so, and never another answer.
DECLINED = {
    '{{ printf "%x %X %t %%" 255 255 true }}',
    '{{ printf "%g" .Values.big }}',
    '{{ printf "%+d" 5 }}',
    '{{ snakecase "HTTPServer2Go" }}',
    '{{ int "010" }}',
    '{{ floor "2.5" }}',
    '{{ ceil "2" }}',
    '{{ regexMatch "[" "a" }}',
    '{{ b64dec "!" }}',
}


class Answer(NamedTuple):
    """What Go makes of a template."""

    function: str
    template: str
    answer: str


def recorded() -> tuple[dict[str, object], list[Answer]]:
    report = json.loads(ANSWERS.read_text())
    return report["values"], [Answer(*answer) for answer in report["answers"]]


VALUES, RECORDED = recorded()


@pytest.mark.parametrize("answer", RECORDED, ids=lambda answer: answer.template)
def test_every_function_answers_as_go_does(answer: Answer) -> None:
    given = go_templates.render_template(answer.template, {"Values": as_decoded(VALUES)})
    if answer.template in DECLINED:
        assert given.error
    elif answer.answer == REFUSED:
        assert (given.text, bool(given.error)) == ("", True)
    else:
        assert (given.error, said(answer.function, given.text)) == ("", said(answer.function, answer.answer))


def said(function: str, text: str) -> object:
    """Helm writes nothing for no value, and YAML has more than one spelling."""
    text = text.replace("<no value>", "")
    return read(text.encode()).documents if function == "toYaml" else text


def test_no_function_is_without_an_answer() -> None:
    assert set(go_functions.FUNCTIONS) - OF_ARGO == {answer.function for answer in RECORDED} - {"syntax"}


def test_the_answers_are_those_of_go(request: pytest.FixtureRequest) -> None:
    helm_python = pytest.importorskip("helm_python")
    from quotalint.gitops.helm.helm_worker import evaluate_template

    def asked(template: str) -> str:
        try:
            return evaluate_template(template, VALUES)
        except helm_python.HelmError:
            return REFUSED

    answers = [answer._replace(answer=asked(answer.template)) for answer in RECORDED]
    if request.config.getoption("--update-golden"):
        lines = ",\n".join(json.dumps(list(answer), ensure_ascii=False) for answer in answers)
        ANSWERS.write_text(f'{{"values": {json.dumps(VALUES)},\n"answers": [\n{lines}\n]}}\n')
    assert answers == RECORDED
