"""The policies that are shipped as examples hold what they show, and use each kind of subject."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

pytest.importorskip("cel_expr_python", reason="the extra `policies` is not installed")

from quotalint.cli.own_rules import try_examples, unsound_policies
from quotalint.runtime.data import load_schema
from quotalint.settings.policy_files import SUBJECTS, policies_in
from quotalint.text.documents import read

FOLDER = Path(__file__).parents[2] / "examples" / "policies"
FILES = sorted(FOLDER.glob("*.yaml"))
POLICIES = [policy for path in FILES for policy in policies_in(str(path), path.name)[0]]


def test_there_are_ten_for_every_kind_of_subject() -> None:
    assert (len(POLICIES), {policy.about for policy in POLICIES}) == (10, set(SUBJECTS))


def test_their_expressions_are_sound() -> None:
    assert unsound_policies(POLICIES) == []


@pytest.mark.parametrize("path", FILES, ids=lambda trials: str(trials.stem))
def test_they_fit_the_schema(path: Path) -> None:
    value = read(path.read_bytes()).documents[0].value
    assert [error.message for error in Draft202012Validator(load_schema("policy")).iter_errors(value)] == []


def test_examples_hold() -> None:
    trials = list(try_examples(POLICIES))
    assert [f"{trial.policy.rule.id} {trial.title}: {trial.failure}" for trial in trials if trial.failure] == []
    assert all(policy.rule.bad and policy.rule.good for policy in POLICIES)


def test_a_bad_example_that_is_not_reported_fails() -> None:
    policy = POLICIES[0]
    swapped = policy._replace(rule=policy.rule._replace(bad=policy.rule.good, good=policy.rule.bad))
    assert all(trial.failure for trial in try_examples([swapped]))


def test_the_schema_of_the_configuration_says_the_same() -> None:
    inline = json.loads(json.dumps(load_schema("config")))["$defs"]["policy"]
    own = json.loads(json.dumps(load_schema("policy")))
    for key in ("properties", "required", "additionalProperties", "type"):
        assert inline[key] == own[key]
