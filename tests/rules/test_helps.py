"""Every help that names what to write, tried: what it is about is gone then, and nothing else has come."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from pipeline_runs import run_pipeline
from written_files import write_as_is

from quotalint.catalogue import rule_by_id, rule_ids
from quotalint.fixes.apply import plan_fixes
from quotalint.fixes.fix import Fix
from quotalint.gitops.helm.library import is_installed
from quotalint.pipeline import Result
from quotalint.results.finding import Finding
from quotalint.settings.loading import NAME

GOLDEN = Path(__file__).parents[1] / "golden"


class Case(NamedTuple):
    """A repository with something to mend."""

    name: str
    folder: Path | None = None
    example: Any = None

    def write(self, folder: Path) -> None:
        if self.folder is not None:
            shutil.copytree(self.folder, folder)
            return
        write_as_is(folder, {NAME: json.dumps(self.example.get("settings", {})), **self.example["files"]})


CASES = [
    *(Case(path.parent.name, path) for path in sorted(GOLDEN.glob("*/repo"))),
    *(
        Case(f"{rule_id}: {case['title']}", None, case)
        for rule_id in rule_ids()
        for case in rule_by_id(rule_id).bad
        if "before" not in case
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_a_help_names_mends_what_it_is_about(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "before"
    case.write(folder)
    result = checked(folder, monkeypatch)
    ways = [(finding, way) for finding in result.findings for way in _ways(finding)]
    wrong: list[str] = []
    for number, (finding, way) in enumerate(ways):
        monkeypatch.chdir(folder)
        outcome = plan_fixes([way], result.content, lambda name: "")
        if outcome.done[0].reason:
            continue
        copy = tmp_path / f"after{number}"
        shutil.copytree(folder, copy)
        for name, _, after in outcome.files:
            (copy / name).write_bytes(after)
        wrong += _differences(finding, way, result, checked(copy, monkeypatch))
    assert wrong == []


def _ways(finding: Finding) -> Iterator[Fix]:
    if finding.suppressed is not None:
        return
    if finding.fix is not None:
        yield finding.fix._replace(otherwise=None)
        if finding.fix.otherwise is not None:
            yield finding.fix.otherwise
    yield from finding.ways


def _differences(finding: Finding, way: Fix, before: Result, after: Result) -> Iterator[str]:
    there, now = _weights(before), _weights(after)
    message = f"{finding.file}:{finding.span.line} {finding.rule.id}: {way.words}"
    if now[finding.fingerprint] >= there[finding.fingerprint]:
        yield f"{message}: is still there"
    for item in after.findings:
        if item.suppressed is None and now[item.fingerprint] > there[item.fingerprint]:
            yield f"{message}: brings {item.rule.id} {item.message}"


def _weights(result: Result) -> Counter[str]:
    """How much there is to say of each fingerprint, warnings and errors alone."""
    weights: Counter[str] = Counter()
    for finding in result.findings:
        if finding.suppressed is None:
            weights[finding.fingerprint] += {"error": 1000, "warning": 1}.get(finding.severity, 0)
    return weights


def checked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Result:
    monkeypatch.chdir(folder)
    return run_pipeline()


MENDED: dict[str, dict[str, list[list[Any]]]] = yaml.safe_load((Path(__file__).parent / "mended.yaml").read_text())
"""By rule and title of the example, what is done: as `mended` of the example has it, or for rules with many of them the
file beside this one."""
for rule_id in rule_ids():
    for example in rule_by_id(rule_id).bad:
        if "mended" in example:
            MENDED.setdefault(rule_id, {})[example["title"]] = example["mended"]


@pytest.mark.parametrize(
    ("rule_id", "title"), [(name, title) for name, titles in MENDED.items() for title in titles], ids=str
)
def test_what_people_do_by_a_help_mends_it(
    rule_id: str, title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (example,) = (example for example in rule_by_id(rule_id).bad if example["title"] == title)
    Case(title, None, example).write(tmp_path / "before")
    shutil.copytree(tmp_path / "before", tmp_path / "after")
    for name, old, new in MENDED[rule_id][title]:
        path = tmp_path / "after" / name
        if new is None:
            path.unlink()
        elif old is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(new)
        else:
            assert old in path.read_text()
            path.write_text(path.read_text().replace(old, new, 1))
    if not is_installed() and any((tmp_path / "after").rglob("Chart.yaml")):
        pytest.skip("Helm's library is not installed")
    before, after = checked(tmp_path / "before", monkeypatch), checked(tmp_path / "after", monkeypatch)
    rules = {finding.rule.id for finding in before.findings if finding.suppressed is None} - {rule_id}
    findings = [finding for finding in after.findings if finding.suppressed is None and finding.rule.id not in rules]
    assert [
        f"{finding.file}:{finding.span.line} {finding.rule.id} {finding.message}"
        for finding in findings
        if finding.severity != "info"
    ] == []
    assert rule_id not in [finding.rule.id for finding in findings]


def test_every_help_is_tried() -> None:
    """Where no repair or way is there to be applied, people have done what it says: these have ways alone."""
    shown = {rule_id for rule_id in rule_ids() if any("before" not in example for example in rule_by_id(rule_id).bad)}
    assert shown - MENDED.keys() == {"QL301", "QL302", "QL303", "QL304"}


@pytest.mark.parametrize("rule_id", ["QL003", "QL202"])
def test_each_example_is_mended(rule_id: str) -> None:
    """Their examples differ in what has to be done, and no repair does it."""
    assert {example["title"] for example in rule_by_id(rule_id).bad} == MENDED[rule_id].keys()
