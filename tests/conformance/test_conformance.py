"""360 namespaces, and what Kubernetes' own quota code (1.34) says of them.

A line of expected.jsonl is a namespace: `quotas` (rejected, with the field paths of its errors; or used and untracked
entries), `refused` (workloads whose pods or claims the API server refuses) and `pods` per workload.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pipeline_runs import run_pipeline

from quotalint.kube import quantity
from quotalint.pipeline import Result
from quotalint.quota.projection import MISSING
from quotalint.quota.quotas import Quota

HERE = Path(__file__).parent
CASES = [json.loads(line) for line in (HERE / "expected.jsonl").read_text().splitlines()]
REFUSALS = {"must-specify": "QL401", "limit-range": "QL402"}


@cache
def result() -> Result:
    return run_pipeline(str(HERE / "manifests"))


@cache
def quotas() -> Mapping[tuple[str, str], Quota]:
    return {(quota.namespace, quota.name): quota for quota in result().environments[0].quotas}


@cache
def flagged() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Namespace → workload → the rules that say its pods or claims are refused."""
    rules_by_case: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for finding in result().findings:
        if finding.object and finding.rule.id in REFUSALS.values():
            rules_by_case[finding.namespace][finding.object.name].add(finding.rule.id)
    return {
        namespace: {name: frozenset(rules) for name, rules in owners.items()}
        for namespace, owners in rules_by_case.items()
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_agrees_with_kubernetes(case: dict[str, Any]) -> None:
    namespace = case["id"]
    expected = {name: _expected(quota) for name, quota in case["quotas"].items()}
    got = {name: _quota(quotas()[namespace, name])[: len(expected[name])] for name in case["quotas"]}
    assert got == expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_says_which_workloads_are_refused(case: dict[str, Any]) -> None:
    owners = flagged().get(case["id"], {})
    missed = {
        name: REFUSALS[refused["reason"]]
        for name, refused in case["refused"].items()
        if REFUSALS[refused["reason"]] not in owners.get(name, ())
    }
    false = {name: rules for name, rules in owners.items() if name not in case["refused"] and case["pods"].get(name)}
    assert (missed, false) == ({}, {})


@pytest.mark.parametrize("case", [case for case in CASES if case["refused"]], ids=lambda case: str(case["id"]))
def test_refuses_in_the_words_of_the_api_server(case: dict[str, Any]) -> None:
    actual_messages = said_of(case["id"])
    left = {
        (name, _without(words, actual_messages.get(name, frozenset())))
        for name, refused in case["refused"].items()
        for words in refused["messages"]
    }
    assert left == {(name, "") for name in case["refused"]}


def said_of(namespace: str) -> Mapping[str, frozenset[str]]:
    """Workload → what the API server will say of its pods and claims, according to quotalint."""
    messages: dict[str, set[str]] = defaultdict(set)
    for charge in result().environments[0].charges[namespace]:
        owner = charge.owner
        if owner is None:
            continue
        messages[owner.name].update(violation.message for violation in charge.admitted.violations)
        for finding in result().findings:
            if finding.rule.id == "QL401" and finding.object == owner:
                messages[owner.name].add(finding.message[finding.message.index("failed quota: ") :])
    return {name: frozenset(words) for name, words in messages.items()}


def _without(words: str, messages: frozenset[str]) -> str:
    """What of an API server's sentence is not said; several refusals come as `[one, other]`."""
    for part in sorted(messages, key=len, reverse=True):
        words = words.replace(part, "")
    return words.strip("[], ")


def _quota(quota: Quota) -> tuple[object, ...]:
    facts = result().environments[0]
    if facts.is_rejected(quota):
        return "rejected", sorted({error.field for error in facts.errors[quota.object.place]})
    mine = [projection for projection in facts.projections if projection.quota.object.place == quota.object.place]
    used = {projection.name: projection.steady.nano for projection in mine if projection.tracked != MISSING}
    return "accepted", used, sorted(projection.name for projection in mine if projection.tracked == MISSING)


def _expected(quota: Mapping[str, Any]) -> tuple[object, ...]:
    if quota["rejected"]:
        return "rejected", sorted({error["field"] for error in quota["errors"] if error["field"]})
    if "used" not in quota:
        return ("accepted",)  # a case of validation alone
    return "accepted", {name: _nano(text) for name, text in quota["used"].items()}, sorted(quota["untracked"])


def _nano(text: str) -> int:
    parsed = quantity.parse(text)
    assert isinstance(parsed, quantity.Quantity)
    return parsed.nano
