"""Every example of every rule through the real pipeline: `bad` is reported at its places, `good` is not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from written_files import write_as_is

from quotalint import cel
from quotalint.catalogue import rule_by_id, rule_ids
from quotalint.checks import checks
from quotalint.checks.hit import MANY
from quotalint.kube.quantity import show
from quotalint.lockfile.lock import replaced_contents
from quotalint.pipeline import Result, run
from quotalint.reports.alike import merge_alike, merge_others
from quotalint.results.finding import Finding
from quotalint.settings import LOCK, Options, Settings
from quotalint.settings.loading import NAME, load_settings
from quotalint.suppression import SILENCED, UNUSED
from quotalint.suppression.baseline import Baseline, read_baseline
from quotalint.suppression.trust import Trust, changed_keys
from quotalint.text.documents import read
from quotalint.text.place import Place
from quotalint.text.sources import find

Example = Mapping[str, Any]
Check = Callable[[Example], Result]


class Case(NamedTuple):
    """An example and the rule that it belongs to."""

    rule: str
    example: Example

    def findings(self, check: Check) -> list[Finding]:
        """What the rule says of it; what others say, and what is suppressed, does not matter."""
        reported = check(self.example).findings
        return [finding for finding in reported if finding.rule.id == self.rule and finding.suppressed is None]


WORDS = sorted(Path(__file__).with_name("words").glob("QL*.txt"))
"""What is said of bad examples; `pytest --update-golden` rewrites it: read what it wrote before you commit it. A new
rule needs none."""
BAD = [Case(rule_id, example) for rule_id in rule_ids() for example in rule_by_id(rule_id).bad]
GOOD = [Case(rule_id, example) for rule_id in rule_ids() for example in rule_by_id(rule_id).good]

TOLD_TOGETHER = [case for case in BAD if rule_by_id(case.rule).alike is not None]


def _title(case: Case) -> str:
    return f"{case.rule}: {case.example['title']}"


@pytest.mark.parametrize("case", BAD, ids=_title)
def test_a_bad_example_is_reported_at_its_places(case: Case, check: Check) -> None:
    expected = case.example["expect"]
    with_field = {place for place, space, _ in (entry.partition(" ") for entry in expected) if space}
    reported = [(_place(finding), finding.field) for finding in case.findings(check)]
    assert [f"{place} {field}" if place in with_field else place for place, field in reported] == expected


@pytest.mark.parametrize("case", GOOD, ids=_title)
def test_of_a_good_example_the_rule_says_nothing(case: Case, check: Check) -> None:
    assert [f"{_place(finding)} {finding.message}" for finding in case.findings(check)] == []


@pytest.mark.parametrize("case", [case for case in BAD if rule_by_id(case.rule).worse_with], ids=_title)
def test_what_is_missing_is_an_amount_beside_its_words(case: Case, check: Check) -> None:
    findings = case.findings(check)
    shown = [show(finding.short) if finding.short is not None else "" for finding in findings]
    assert shown == [finding.values[finding.rule.worse_with] for finding in findings]


@pytest.mark.parametrize("case", BAD, ids=_title)
def test_texts_read_well_once_they_are_filled_in(case: Case, check: Check) -> None:
    findings = case.findings(check)
    # What stands in the manifest is shown as it stands there, braces and all.
    texts = [
        text.replace(finding.values.get("written") or "\0", "…")
        for finding in findings
        for text in (finding.message, finding.help, finding.label)
    ]
    # The API server prints scopes as Go prints structs, and labels as JSON.
    texts = [re.sub(r'\{("[^{}]*)?\}', "…", text.replace("[{", "[").replace("}]", "]")) for text in texts]
    spoiled = (" ,", " :", "()", "{", "}", "``", " .")
    assert [text for text in texts if text.endswith((".", ":", " ")) or any(item in text for item in spoiled)] == []


@pytest.mark.parametrize("case", TOLD_TOGETHER, ids=_title)
def test_what_is_said_of_several_at_once_can_be_said_of_any(case: Case, check: Check) -> None:
    for finding in case.findings(check):
        merged = merge_others(merge_alike([finding, finding._replace(file="elsewhere.yaml")]))
        assert {other.message for other in merged} == {finding.message} or len(merged) == 1


@pytest.mark.parametrize("file", WORDS, ids=[file.stem for file in WORDS])
def test_bad_examples_are_told_in_these_words(file: Path, check: Check, request: pytest.FixtureRequest) -> None:
    cases = [Case(file.stem, example) for example in rule_by_id(file.stem).bad]
    titled = [(case.example["title"], *_whole_texts(case.findings(check)), "") for case in cases]
    text = "\n".join(line for lines in titled for line in lines)
    if request.config.getoption("--update-golden"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("rule_id", rule_ids())
def test_each_variant_of_a_text_is_shown_by_a_bad_example(rule_id: str, check: Check) -> None:
    rule = rule_by_id(rule_id)
    named = {variant for texts in (rule.message, rule.label, rule.help) for variant in texts}
    shown = {variant for example in rule.bad for variant in _variants(rule_id, check(example))}
    assert named - shown == set()


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Check]:
    """Runs quotalint on an example, in a folder of its own, once for all tests that ask for it."""
    known: dict[int, tuple[Path, Result]] = {}

    def checked(example: Example) -> Result:
        if any("ValidatingAdmissionPolicy" in text for text in example["files"].values()) and not cel.is_installed():
            pytest.skip("the extra `policies` is not installed")
        # The catalogue keeps its examples, so that their ids stay.
        if id(example) not in known:
            old = {**example, "files": example.get("before", {})}
            before = _checked(old, tmp_path_factory.mktemp("before")) if example.get("before") else None
            folder = tmp_path_factory.mktemp("example")
            known[id(example)] = folder, _checked(example, folder, before)
        folder, result = known[id(example)]
        patch.chdir(folder)  # some files are read when somebody asks
        return result

    def _checked(example: Example, folder: Path, before: Result | None = None) -> Result:
        settings_file = {NAME: json.dumps(example.get("settings", {}))}  # JSON is YAML
        write_as_is(folder, {**settings_file, **example["files"]})
        patch.chdir(folder)
        settings = load_settings(["."], Options(), frozenset(rule_ids()))
        assert isinstance(settings, Settings), settings
        baseline = read_baseline(settings.baseline) if settings.baseline else None
        assert baseline is None or isinstance(baseline, Baseline), baseline
        sources = find(["."], settings.root, settings.exclude)
        if before is None:
            return run(sources, settings, lambda: b"", 1, (), baseline)
        old = {NAME: settings_file[NAME], **example["before"]}[NAME]
        new = (folder / NAME).read_bytes()
        places = changed_keys(old.encode(), new, NAME)
        locks = [read(example[state].get(LOCK, "").encode()) for state in ("before", "files")]
        replaced = ((Place(LOCK, 0, ("sources", at)), it.source.words) for at, it in replaced_contents(*locks))
        trust = Trust(
            before.environments,
            before.content,
            lambda name: name not in example["files"],
            None,
            places,
            tuple(replaced),
            everything=False,
        )
        return run(sources, settings, lambda: b"", 1, (), baseline, before.environments, trust=trust)

    with pytest.MonkeyPatch.context() as patch:
        yield checked


def _whole_texts(findings: Iterable[Finding]) -> Iterator[str]:
    """Everything that a person reads of findings, a line for each."""
    for finding in findings:
        yield f"  {_place(finding)} {finding.severity}: {finding.message}"
        yield f"    label: {finding.label}"
        yield from (f"    {link.label} {link.file}:{link.span.line}: {link.message}" for link in finding.related)
        yield from (f"    {note.label}: {note.text}" for note in finding.notes)
        yield f"    help: {finding.help}"


def _place(finding: Finding) -> str:
    return f"{finding.file}:{finding.span.line}:{finding.span.column}"


def _variants(rule_id: str, result: Result) -> Iterator[str]:
    if rule_id in (UNUSED, SILENCED):  # no check of a subject, so its variants are known by their words
        yield from (_variant(finding) for finding in result.findings if finding.rule.id == rule_id)
    for check in checks():
        if check.rule == rule_id:
            for facts in result.environments:
                for subject in check.subjects(facts):
                    yield from (hit.variant for hit in check.run(subject, facts))
    # What is said together is made of hits that say it one by one.
    findings = [finding for finding in result.findings if finding.rule.id == rule_id]
    yield from (_variant(finding) for finding in findings if MANY in finding.rule.message)


def _variant(finding: Finding) -> str:
    patterns = {variant: re.sub(r"\\{\w+\\}", ".*", re.escape(text)) for variant, text in finding.rule.message.items()}
    fitting = [variant for variant, pattern in patterns.items() if re.fullmatch(pattern, finding.message)]
    return fitting[0] if MANY not in patterns else max(fitting, key=lambda variant: len(patterns[variant]))
