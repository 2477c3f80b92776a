"""SARIF: valid by the official schema, and what GitHub code scanning needs beyond it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from hypothesis import given
from sample_findings import FORMATS, TEXT, finding, hostile, report

from quotalint.catalogue import rule_by_id, rule_ids
from quotalint.reports.sarif import render
from quotalint.results.finding import Finding, RelatedPlace
from quotalint.suppression import BASELINE, COMMENT, Suppression
from quotalint.text.place import Span

ROOT = Path(__file__).parents[2]
SCHEMA = jsonschema.Draft4Validator(json.loads((Path(__file__).parent / "schemas" / "sarif-2.1.0.json").read_text()))


def errors(log: Any) -> list[str]:
    return [f"{list(error.path)}: {error.message}" for error in SCHEMA.iter_errors(log)]


def rendered(*findings: Finding) -> Any:
    log = json.loads(render(findings, ()))
    assert errors(log) == []
    return log["runs"][0]


@pytest.mark.parametrize(
    "folder", ["examples", "tests/golden/formats/repo", "tests/golden/overlays/repo", "tests/golden/command-line/repo"]
)
def test_the_log_of_a_repository_is_valid(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert errors(json.loads(report("sarif", ROOT / folder, capsys))) == []


def test_a_clean_run_is_a_log_without_results() -> None:
    run = rendered()
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])


def test_of_too_many_results_the_least_severe_are_left_out() -> None:
    excused = finding(suppressed=Suppression(BASELINE, "", "b.json", 1), message="excused")
    results = [excused, *(finding(severity=name, message=name) for name in ("info", "error", "warning", "error"))]
    (run,) = json.loads(render(results, (), most=3))["runs"]
    notes = [notification["message"]["text"] for notification in run["invocations"][0]["toolExecutionNotifications"]]
    assert ([result["level"] for result in run["results"]], notes) == (
        ["error", "warning", "error"],
        ["the 2 least severe results are omitted: a run may have 25000"],
    )


def test_a_finding_is_a_result() -> None:
    root = "%SRCROOT%"
    assert rendered(finding())["results"] == [
        {
            "ruleId": "QL301",
            "ruleIndex": 0,
            "level": "error",
            "message": {
                "text": "team-a asks for pods 5; quota base allows 4.\n\nHelp: raise pods to 5.\n\n"
                "Used by: [Deployment web](1)."
            },
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "team-a/q.yaml", "uriBaseId": root},
                        "region": {"startLine": 6, "startColumn": 5, "endLine": 6, "endColumn": 14},
                    },
                    "logicalLocations": [
                        {"name": "base", "fullyQualifiedName": "team-a/ResourceQuota/base", "kind": "resource"}
                    ],
                }
            ],
            "partialFingerprints": {"quotalint/v1": "0123456789abcdef0123"},
            "properties": {
                "namespace": "team-a",
                "environments": [],
                "field": "spec.hard[pods]",
                "notes": ["so: a pod is refused"],
            },
            "relatedLocations": [
                {
                    "id": 1,
                    "physicalLocation": {
                        "artifactLocation": {"uri": "team-a/web.yaml", "uriBaseId": root},
                        "region": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 20},
                    },
                    "message": {"text": "used by: Deployment web"},
                }
            ],
        }
    ]


def test_rules_are_described_once_and_pointed_to() -> None:
    run = rendered(finding(), finding(rule=rule_by_id("QL102")), finding())
    described = [(rule["id"], rule["helpUri"]) for rule in run["tool"]["driver"]["rules"]]
    home = "https://github.com/quotalint/quotalint/blob/v1.0.0/rules"
    assert described == [
        ("QL102", f"{home}/QL102-unknown-resource.yaml"),
        ("QL301", f"{home}/QL301-quota-exceeded.yaml"),
    ]
    assert [(result["ruleId"], result["ruleIndex"]) for result in run["results"]] == [
        ("QL301", 1),
        ("QL102", 0),
        ("QL301", 1),
    ]


def test_every_rule_can_be_described() -> None:
    described = rendered(*(finding(rule=rule_by_id(rule_id)) for rule_id in rule_ids()))["tool"]["driver"]["rules"]
    assert [rule_json["id"] for rule_json in described] == list(rule_ids())
    # GitHub cuts descriptions at 1024 characters, and knows four levels of precision.
    assert [
        rule_json["id"]
        for rule_json in described
        if len(rule_json["fullDescription"]["text"]) > 1024 or not rule_json["help"]["text"]
    ] == []
    levels = {(item["defaultConfiguration"]["enabled"], item["defaultConfiguration"]["level"]) for item in described}
    assert levels == {(True, "error"), (True, "warning"), (True, "note"), (False, "warning")}


def test_rules_of_a_user_have_no_page_of_ours() -> None:
    (described,) = rendered(finding(rule=rule_by_id("QL301")._replace(id="QLC1")))["tool"]["driver"]["rules"]
    assert "helpUri" not in described


@pytest.mark.parametrize(
    ("suppressed", "suppressions"),
    [
        (
            Suppression(COMMENT, "until May", "team-a/q.yaml", 5),
            [{"kind": "inSource", "location": {"uri": "team-a/q.yaml", "line": 5}, "justification": "until May"}],
        ),
        (Suppression(BASELINE, "", "", 0), [{"kind": "external"}]),
        (None, None),
    ],
    ids=["comment", "baseline", "none"],
)
def test_what_is_suppressed_says_so(suppressed: Suppression | None, suppressions: object) -> None:
    (result,) = rendered(finding(suppressed=suppressed))["results"]
    actual = result.get("suppressions")
    for item in actual or ():
        if "location" in item:
            place = item["location"]["physicalLocation"]
            item["location"] = {"uri": place["artifactLocation"]["uri"], "line": place["region"]["startLine"]}
    assert actual == suppressions


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("a b,100%.yaml", "a%20b%2C100%25.yaml"),
        ("größe/#1?.yaml", "gr%C3%B6%C3%9Fe/%231%3F.yaml"),
        ("c:d.yaml", "c%3Ad.yaml"),
        ("<stdin>", "%3Cstdin%3E"),
    ],
)
def test_files_are_relative_uris(file: str, uri: str) -> None:
    (result,) = rendered(finding(file=file))["results"]
    actual = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert (actual, unquote(actual)) == (uri, file)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("see [this](http://example.com)", "see [this] (http://example.com)."),
        ("see [this](1)", "see [this] (1)."),
        ("not '[a-z]([-a-z]*)?'", "not '[a-z]([-a-z]*)?'."),
        ("{0} of ${1}, {a}", "{{0}} of ${{1}}, {a}."),
        ("done.", "done."),
    ],
)
def test_messages_are_neither_links_nor_templates(message: str, text: str) -> None:
    (result,) = rendered(finding(message=message, help="", related=()))["results"]
    assert result["message"]["text"] == text


def test_related_places_are_linked_by_number() -> None:
    span = Span(1, 1, 1, 2)
    related = tuple(RelatedPlace(label, "b.yaml", span, text) for label, text in (("used by", "[a]"), ("used by", "b")))
    (result,) = rendered(finding(help="", related=related))["results"]
    assert result["message"]["text"].endswith("\n\nUsed by: [\\[a\\]](1), [b](2).")


def test_fingerprints_survive_a_shift_of_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (FORMATS / "team-a" / "quota.yaml").read_text()
    result = []
    for shift in ("", "# a comment\n\n"):
        Path("quota.yaml").write_text(shift + text)
        results = json.loads(report("sarif", Path(), capsys))["runs"][0]["results"]
        result.append([(result["ruleId"], result["partialFingerprints"]) for result in results])
    assert (result[0] == result[1], len(result[0])) == (True, 1)


def test_what_may_hide_more_is_a_notification(capsys: pytest.CaptureFixture[str]) -> None:
    run = json.loads(report("sarif", FORMATS / "team-b.yaml", capsys))["runs"][0]
    texts = [notification["message"]["text"] for notification in run["invocations"][0]["toolExecutionNotifications"]]
    assert texts == ["Quota compute of team-b has certainty unknown: no workload of the namespace is in view"]


@given(TEXT)
def test_whatever_a_manifest_says_the_log_is_valid(text: str) -> None:
    (result,) = rendered(hostile(text))["results"]
    message = result["message"]["text"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    # The only links are ours, and the only one of them leads to the related place.
    links = re.findall(r"\]\(([^\[\\][^)]*)\)", message)
    assert (links, re.fullmatch(r"[\w./~%-]+", uri) is not None, message.encode().decode()) == (["1"], True, message)
