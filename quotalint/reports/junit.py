"""JUnit XML for CI servers: a suite for each file, and a test for each finding, which fails if the finding fails the
run.

Elements and attributes are those that Jenkins declares (xunit-plugin, junit-10.xsd). The name of a test has no line and
no amount, so that servers recognise it in the next run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from quotalint.accounts.quota_table import QuotaTable
from quotalint.catalogue import SEVERITIES
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import UNKNOWN
from quotalint.reports.cells import namespaces_label, quota_label
from quotalint.reports.details import finding_details, finding_subject, most_severe_first
from quotalint.reports.terminal import safe_text
from quotalint.results.finding import Finding
from quotalint.text.lazy_patterns import lazy_pattern


class _Test(NamedTuple):
    suite: str
    group: str
    name: str
    outcome: str
    """`failure`, `skipped` or `system-out`; empty for a test that passed."""
    kind: str = ""
    message: str = ""
    text: str = ""


def render(findings: Sequence[Finding], tables: Sequence[QuotaTable], fail_on: str) -> str:
    """The whole report; `fail_on` is the lowest severity that fails, or `never`. Without findings it has one test that
    passes, because Jenkins refuses a report without tests."""
    from xml.etree import ElementTree

    failing = () if fail_on == "never" else SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    tests = [*(_finding_test(finding, failing) for finding in most_severe_first(findings)), *_unjudged_tests(tables)]
    if not tests:
        tests = [_Test("quotalint", "quotalint", "no findings", "")]
    suites: dict[str, list[_Test]] = {}
    for test in _with_unique_names(tests):
        suites.setdefault(test.suite, []).append(test)
    root = ElementTree.Element("testsuites", {"name": "quotalint", **_suite_counts(tests)})
    for name, members in sorted(suites.items()):
        skipped = str(sum(test.outcome == "skipped" for test in members))
        suite = ElementTree.SubElement(
            root, "testsuite", {"name": _xml_text(name), **_suite_counts(members), "skipped": skipped}
        )
        for test in members:
            case = ElementTree.SubElement(suite, "testcase", name=_xml_text(test.name), classname=_xml_text(test.group))
            if test.outcome:
                texts = {"type": test.kind, "message": test.message}
                attributes = {key: _xml_text(value) for key, value in texts.items() if value}
                ElementTree.SubElement(case, test.outcome, attributes).text = _xml_text(test.text) or None
    ElementTree.indent(root)
    # The declaration that ElementTree writes names the encoding of the locale.
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _finding_test(finding: Finding, failing: Sequence[str]) -> _Test:
    place = safe_text(f"{finding.file}:{finding.span.line}:{finding.span.column}")
    message = safe_text(finding.message)
    text = "\n".join((f"{place} {message}", *(f"{label}: {detail}" for label, detail in finding_details(finding))))
    name = " ".join(filter(None, (f"{safe_text(finding.file)}:", finding_subject(finding))))
    test = _Test(
        safe_text(finding.file), f"quotalint.{finding.rule.id} {finding.rule.name}", name, "system-out", text=text
    )
    if finding.severity not in failing:
        return test
    return test._replace(outcome="failure", kind=finding.severity, message=message)


def _unjudged_tests(tables: Iterable[QuotaTable]) -> Iterator[_Test]:
    """Tests for unknown quotas: neither passed nor failed."""
    for table in tables:
        if table.certainty == UNKNOWN and not table.rejected:
            file = safe_text(table.quota.object.place.file)
            environment = f" in {safe_text(table.environment)}" if table.environment else ""
            name = f"{file}: {quota_label(table)} of {namespaces_label(table)}{environment}"
            reasons = safe_text("; ".join(table.unknowns)) or "unknown"
            yield _Test(file, "quotalint.not judged", name, "skipped", message=reasons)


def _with_unique_names(tests: Iterable[_Test]) -> Iterator[_Test]:
    """The tests with unique names, because GitLab shows only the first test of a name."""
    uses: Counter[tuple[str, str]] = Counter()
    for test in tests:
        uses[test.group, test.name] += 1
        again = uses[test.group, test.name]
        yield test if again == 1 else test._replace(name=f"{test.name} ({again})")


def _suite_counts(tests: Sequence[_Test]) -> dict[str, str]:
    failures = sum(test.outcome == "failure" for test in tests)
    return {"tests": str(len(tests)), "failures": str(failures), "errors": "0"}


def _xml_text(text: str) -> str:
    """The text without the characters that XML 1.0 has no way to write."""
    return _NO_XML.sub("\ufffd", text)


_NO_XML = lazy_pattern("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
