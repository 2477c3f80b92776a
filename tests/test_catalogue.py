"""The rule catalogue as data: complete, well-formed, and in step with the checks and with what users were promised."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest
from jsonschema import Draft202012Validator

from quotalint.catalogue import Rule, in_general, rule_by_id, rule_ids
from quotalint.checks import checks
from quotalint.runtime.data import load_schema, rules_folder
from quotalint.suppression import SILENCED, UNUSED
from quotalint.text.documents import read
from quotalint.text.plain_scalars import DeclinedError
from quotalint.text.plain_yaml import plain_value

FILES = sorted(Path(rules_folder()).iterdir())
RULES = [rule_by_id(rule_id) for rule_id in rule_ids()]

# Reports, configurations and baselines of users depend on these.
PROMISED = {
    "QL001": ("unreadable-manifest", "error"),
    "QL002": ("duplicate-key", "error"),
    "QL004": ("unknown-field", "error"),
    "QL003": ("unrendered-source", "warning"),
    "QL005": ("duplicate-object", "warning"),
    "QL006": ("unused-suppression", "warning"),
    "QL007": ("unfilled-placeholder", "warning"),
    "QL008": ("silenced-by-change", "warning"),
    "QL009": ("too-expensive", "error"),
    "QL101": ("invalid-name", "error"),
    "QL102": ("unknown-resource", "error"),
    "QL103": ("invalid-quantity", "error"),
    "QL104": ("negative-quantity", "error"),
    "QL105": ("fractional-count", "error"),
    "QL106": ("unknown-scope", "error"),
    "QL107": ("conflicting-scopes", "error"),
    "QL108": ("resource-not-in-scope", "error"),
    "QL109": ("invalid-operator", "error"),
    "QL110": ("operator-values", "error"),
    "QL111": ("immutable-scopes", "error"),
    "QL112": ("refused-quota", "error"),
    "QL121": ("invalid-limit-range", "error"),
    "QL201": ("untracked-resource", "error"),
    "QL202": ("unknown-object-count", "error"),
    "QL203": ("scope-never-counts", "warning"),
    "QL204": ("scope-never-matches", "warning"),
    "QL205": ("unknown-class", "warning"),
    "QL206": ("shadowed-limit", "warning"),
    "QL207": ("job-deadline-scope", "warning"),
    "QL208": ("empty-limit", "warning"),
    "QL301": ("quota-exceeded", "error"),
    "QL302": ("rollout-exceeds-quota", "warning"),
    "QL303": ("cronjob-exceeds-quota", "warning"),
    "QL304": ("autoscaling-exceeds-quota", "warning"),
    "QL305": ("quota-nearly-full", "info"),
    "QL306": ("conflicting-autoscalers", "warning"),
    "QL401": ("missing-compute-resource", "error"),
    "QL402": ("limit-range-violation", "error"),
    "QL403": ("limited-resource-without-quota", "error"),
    "QL404": ("invalid-resources", "error"),
    "QL405": ("invalid-count", "error"),
    "QL406": ("denied-by-policy", "error"),
    "QL407": ("immutable-claim", "error"),
    "QL410": ("removed-api-version", "error"),
    "QL501": ("namespace-without-quota", "off"),
    "QL502": ("quotas-exceed-capacity", "warning"),
    "QL503": ("required-limits", "off"),
    "QL504": ("quota-not-protected", "warning"),
    "QL601": ("namespace-mismatch", "error"),
    "QL602": ("undeclared-namespace", "warning"),
    "QL603": ("implausible-amount", "warning"),
    "QL604": ("default-never-fits", "error"),
    "QL701": ("never-admitted", "error"),
    "QL702": ("unknown-queue", "warning"),
    "QL703": ("uncovered-resource", "warning"),
    "QL704": ("invalid-queue", "error"),
    "QL705": ("queue-above-quota", "warning"),
}


def _id(rule: Rule) -> str:
    return rule.id


def test_names_and_severities_are_those_that_users_were_promised() -> None:
    names_and_severities = {rule.id: (rule.name, rule.severity) for rule in RULES}
    assert {rule_id: names_and_severities.get(rule_id) for rule_id in PROMISED} == PROMISED


def test_a_file_is_called_after_its_rule() -> None:
    assert [path.name for path in FILES] == [f"{rule.id}-{rule.name}.yaml" for rule in RULES]


def test_every_rule_has_a_check_and_every_check_a_rule() -> None:
    # What silences nothing is only known when everything else has been found.
    assert {*(check.rule for check in checks()), UNUSED, SILENCED} == set(rule_ids())


def test_the_schema_of_rules_is_itself_a_schema() -> None:
    Draft202012Validator.check_schema(load_schema("rule"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_one_document_without_repeated_keys(path: Path) -> None:
    reading = read(path.read_bytes())
    assert (reading.failures, reading.dropped, [document.duplicates for document in reading.documents]) == (
        (),
        (),
        [()],
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_fits_the_schema(path: Path) -> None:
    value = read(path.read_bytes()).documents[0].value
    errors = Draft202012Validator(load_schema("rule")).iter_errors(value)
    assert [f"{error.json_path}: {error.message}" for error in errors] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_line_ends_in_spaces_or_is_too_long_to_read(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line != line.rstrip() or len(line) > 140] == []


@pytest.mark.parametrize("rule", RULES, ids=_id)
def test_a_summary_fits_a_line_of_the_table(rule: Rule) -> None:
    assert re.fullmatch(r".{1,99}[^.\s]", rule.summary)


@pytest.mark.parametrize("rule", RULES, ids=_id)
def test_there_is_a_good_example_for_each_bad_one(rule: Rule) -> None:
    assert len(rule.good) >= len(rule.bad) > 0


@pytest.mark.parametrize("rule", RULES, ids=_id)
def test_titles_of_examples_tell_them_apart(rule: Rule) -> None:
    titles = [example["title"] for example in (*rule.bad, *rule.good)]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("rule", RULES, ids=_id)
def test_known_problems_say_how_to_switch_the_rule_off(rule: Rule) -> None:
    ways = ("`ignore", "`severity", "`exclude", "`kubeVersion")
    assert [way for way in ways if way in rule.known_problems] != []


@pytest.mark.parametrize("rule", RULES, ids=_id)
def test_rules_that_a_text_refers_to_exist(rule: Rule) -> None:
    texts = [*rule.message.values(), *rule.label.values(), *rule.help.values(), rule.rationale, rule.known_problems]
    named = {rule_id for text in texts for rule_id in re.findall(r"QL[0-9]{3}", text)}
    assert named - set(rule_ids()) == set()


@pytest.mark.parametrize("rule", RULES, ids=_id)
def test_a_headline_is_a_few_words_that_every_finding_can_fill_in(rule: Rule) -> None:
    """It names nothing that the finding's other texts do not name as well, so that its values are there."""
    for variant, headline in rule.headline.items():
        own = [texts.get(variant, texts["default"]) for texts in (rule.message, rule.label, rule.help)]
        names_with_values = {name for text in own for name in _names(text)} | {"where", "namespace"}
        assert _names(headline) <= names_with_values, variant
        assert len(headline.split()) <= 20, headline
        assert not headline.endswith("."), headline
        assert headline != rule.summary


def _names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize(
    ("text", "general"),
    [
        ("raise {raise} or more{room}, {less}", "raise RESOURCE to AMOUNT or more, or ask for less"),
        ("raise {raise}{room}{heal}", "raise RESOURCE to AMOUNT; or let it need less"),
        ("remove {other_resource} of {namespace}", "remove OTHER RESOURCE of NAMESPACE"),
        ("remove `values`", "remove `values`"),
        ("{cure}", "…"),
        ("{number} {what}", "…"),
    ],
)
def test_a_text_in_general_reads_as_a_sentence(text: str, general: str) -> None:
    assert in_general(text) == general


def test_the_rules_that_are_told_most_are_read_without_libyaml() -> None:
    """To import PyYAML takes as long as to read ten rules. Those that are left hold what is not plain on purpose."""
    declined = [path.name[:5] for path in FILES if not _is_plain(path.read_bytes())]
    assert declined == ["QL001", "QL002", "QL008", "QL303"]


def _is_plain(data: bytes) -> bool:
    try:
        plain_value(data)
    except DeclinedError:
        return False
    return True
