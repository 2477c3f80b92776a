"""`rules` and `explain`: the facts of each rule, one example of each side, and all that begins alike."""

from __future__ import annotations

import json

import pytest

from quotalint.catalogue import rule_by_id
from quotalint.cli import run


def printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(arguments) == 0
    return capsys.readouterr().out


def test_the_list_says_what_repairs_a_finding_and_since_when_the_rule_is_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = {line.split()[0]: line.split()[1:5] for line in printed(["rules"], capsys).splitlines()}
    assert lines["QL102"] == ["error", "--fix", "1.0", "unknown-resource"]
    assert lines["QL601"] == ["error", "--unsafe-fixes", "1.0", "namespace-mismatch"]
    listed = {load["id"]: load for load in json.loads(printed(["rules", "--format", "json"], capsys))}
    assert (listed["QL103"]["repair"], listed["QL103"]["since"]) == ("none", "1.0")


def test_one_example_of_each_side_is_shown_and_all_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    rule = rule_by_id("QL601")
    short, whole = printed(["explain", "QL601"], capsys), printed(["explain", "--all", "QL601"], capsys)
    titles = [example["title"] for example in (*rule.bad, *rule.good)]
    assert [title in short for title in titles].count(True) == 2
    assert all(title in whole for title in titles)
    assert f"{len(titles) - 2} more examples: quotalint explain --all QL601" in short
    assert "https://github.com/kubernetes/kubernetes/blob/v1.34.0/" in short


@pytest.mark.parametrize(("prefix", "ids"), [("QL60", ["QL601", "QL602", "QL603", "QL604"]), ("ql11", None)])
def test_what_several_ids_begin_with_lists_them(
    prefix: str, ids: list[str] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = [line.split()[0] for line in printed(["explain", prefix], capsys).splitlines()]
    assert listed == ids if ids else all(text.startswith("QL11") for text in listed)
