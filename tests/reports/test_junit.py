"""JUnit XML: well-formed whatever it is about, and within what Jenkins declares."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from sample_findings import FORMATS, TEXT, finding, hostile, report

from quotalint.reports.junit import render

# Of junit-10.xsd in the xUnit plugin of Jenkins: element → (attributes that it must have, may have; elements in it).
JENKINS: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors"}, {"skipped", "file", "time"}, {"testcase", "system-out"}),
    "testcase": ({"name"}, {"classname", "time", "group"}, {"failure", "skipped", "error", "system-out"}),
    "failure": (set(), {"type", "message"}, set()),
    "skipped": (set(), {"type", "message"}, set()),
    "system-out": (set(), set(), set()),
}


def read(printed: str) -> ElementTree.Element:
    return ElementTree.fromstring(printed.encode())


def faults(root: ElementTree.Element) -> list[str]:
    faults = []
    for element in root.iter():
        must, may, within = JENKINS[element.tag]
        given_ = set(element.attrib)
        if not (must <= given_ <= must | may and {child.tag for child in element} <= within):
            faults.append(f"{element.tag} {element.attrib}")
        if element.tag in ("testsuites", "testsuite"):
            counted = {"tests": "testcase", "failures": "failure", "skipped": "skipped"}
            numbers = {key: str(len(list(element.iter(tag)))) for key, tag in counted.items()}
            faults += [f"{key} {element.get(key)}" for key in numbers if element.get(key, numbers[key]) != numbers[key]]
    return faults


def test_a_finding_is_a_test_that_fails() -> None:
    (case,) = read(render([finding()], (), "warning")).iter("testcase")
    (failure,) = case
    assert (case.attrib, failure.attrib, failure.text) == (
        {
            "name": "team-a/q.yaml: ResourceQuota base in team-a spec.hard[pods]",
            "classname": "quotalint.QL301 quota-exceeded",
        },
        {"type": "error", "message": "team-a asks for pods 5; quota base allows 4"},
        "team-a/q.yaml:6:5 team-a asks for pods 5; quota base allows 4\n"
        "used by: Deployment web (team-a/web.yaml:1)\nso: a pod is refused\nhelp: raise pods to 5",
    )


@pytest.mark.parametrize(
    ("fail_on", "failing"),
    [("error", ["error"]), ("warning", ["error", "warning"]), ("info", ["error", "warning", "info"]), ("never", [])],
)
def test_what_fails_the_run_fails(fail_on: str, failing: list[str]) -> None:
    findings = [finding(severity=name, file=f"{name}.yaml") for name in ("error", "warning", "info")]
    cases = read(render(findings, (), fail_on)).iter("testcase")
    outcomes = {str(case.get("name")).partition(".")[0]: case[0].tag for case in cases}
    assert sorted(name for name, outcome in outcomes.items() if outcome == "failure") == sorted(failing)
    assert {outcome for name, outcome in outcomes.items() if name not in failing} <= {"system-out"}


def test_a_clean_run_has_a_test_that_passed() -> None:
    assert [
        (item.tag, item.get("name")) for item in read(render([], (), "warning")).iter() if item.tag == "testcase"
    ] == [("testcase", "no findings")]


def test_no_two_tests_have_one_name() -> None:
    cases = read(render([finding(), finding(message="again")], (), "warning")).iter("testcase")
    name = "team-a/q.yaml: ResourceQuota base in team-a spec.hard[pods]"
    assert [case.get("name") for case in cases] == [name, f"{name} (2)"]


def test_a_suite_for_each_file() -> None:
    root = read(render([finding(file="b.yaml"), finding(file="a.yaml"), finding(file="b.yaml")], (), "warning"))
    assert [(item.get("name"), item.get("tests")) for item in root] == [("a.yaml", "1"), ("b.yaml", "2")]


@pytest.mark.parametrize("folder", [FORMATS, Path(__file__).parents[2] / "examples"], ids=lambda path: path.parent.name)
def test_the_report_of_a_repository_is_what_jenkins_reads(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert faults(read(report("junit", folder, capsys))) == []


def test_what_cannot_be_judged_is_a_test_that_was_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    root = read(report("junit", FORMATS / "team-b.yaml", capsys))
    skipped = [(case[0].tag, case[0].get("message")) for case in root.iter("testcase")]
    assert skipped == [("skipped", "no workload of the namespace is in view")]


@given(TEXT)
def test_whatever_a_manifest_says_the_report_is_well_formed(text: str) -> None:
    root = read(render([hostile(text), hostile(text)._replace(severity="info")], (), "warning"))
    assert (faults(root), len(list(root.iter("testcase")))) == ([], 2)
