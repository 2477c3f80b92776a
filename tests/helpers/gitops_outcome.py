"""What quotalint says of a small repository, from its files to its findings."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from _pytest.mark import ParameterSet
from pipeline_runs import run_pipeline
from written_files import Files, write

from quotalint.accounts.facts import Facts
from quotalint.kube import quantity
from quotalint.pipeline import Result
from quotalint.quota.projection import UNKNOWN, Projection
from quotalint.results.finding import Finding


class Outcome(NamedTuple):
    """What is compared, as one value."""

    quotas: list[str]
    """`[environment: ]namespace/quota resource used/hard certainty`, in order."""
    findings: list[str]
    """`file:line:column RULE severity[ in environments]`, in order."""


class Case(NamedTuple):
    """A repository, and what a user should be told of it."""

    name: str
    files: Files
    quotas: tuple[str, ...]
    findings: tuple[str, ...] = ()
    bug: str = ""
    """Why the outcome is another one today."""


_PASSING = ("QL302", "QL303", "QL304")
"""What rollouts, schedules and autoscalers need for a while is not what these tests are about."""


def params(cases: Iterable[Case]) -> list[ParameterSet]:
    """The cases for pytest; what is known to be wrong is expected to fail."""
    return [
        pytest.param(
            case,
            id=case.name.replace(" ", "-"),
            marks=[pytest.mark.xfail(strict=True, reason=case.bug)] if case.bug else [],
        )
        for case in cases
    ]


def expected(case: Case) -> Outcome:
    """What a user should be told."""
    return Outcome(list(case.quotas), list(case.findings))


def outcome(
    folder: Path, files: Files, monkeypatch: pytest.MonkeyPatch, helm: str = "", within: str = ".", path: str = "."
) -> Outcome:
    """What a user is told who asks about a path, standing in a folder of the repository."""
    return outcome_of(checked(folder, files, monkeypatch, helm, within, path))


def outcome_of(result: Result) -> Outcome:
    """What is said in the end."""
    lines = [line for facts in result.environments for line in _quotas(facts)]
    return Outcome(sorted(lines), [_line(finding) for finding in result.findings if finding.rule.id not in _PASSING])


def checked(
    folder: Path, files: Files, monkeypatch: pytest.MonkeyPatch, helm: str = "", within: str = ".", path: str = "."
) -> Result:
    """Everything that the pipeline gives for a repository, without a program on PATH but for `helm`."""
    write(folder, files)
    monkeypatch.setenv("PATH", os.path.dirname(helm))
    monkeypatch.chdir(folder / within)
    return run_pipeline(path)


def needed_helm() -> str:
    """The helm program; without one the test is skipped."""
    program = os.environ.get("QUOTALINT_TEST_HELM") or shutil.which("helm")
    if not program:
        pytest.skip("there is no helm on PATH, and QUOTALINT_TEST_HELM does not name one")
    return os.path.abspath(program)


def applied(result: Result) -> dict[str, list[str]]:
    """The objects of each environment: `Kind namespace/name`."""
    return {
        facts.environment: sorted(f"{obj.kind} {obj.namespace}/{obj.name}" for obj in facts.cluster.objects)
        for facts in result.environments
    }


def unknowns(result: Result) -> dict[str, tuple[str, ...]]:
    """Of each quota that says so, why more may be used than is in view."""
    return {
        _name(facts, projection): projection.unknowns
        for facts in result.environments
        for projection in facts.projections
        if projection.unknowns
    }


TWO = "team-a/base pods 2/8 exact"
"""What is said of that quota where its workload is in view."""
NONE = "team-a/base pods ?/8 unknown"
"""What is said of it where no workload is."""


def _quotas(facts: Facts) -> Iterator[str]:
    for projection in facts.projections:
        hard = "?" if projection.hard is None else quantity.show(projection.hard)
        used = "?" if projection.certainty == UNKNOWN else quantity.show(projection.steady)
        yield f"{_name(facts, projection)} {used}/{hard} {projection.certainty}"
    # A quota that is refused or empty has no projections, and is there all the same.
    projected = {projection.quota.object.ref for projection in facts.projections}
    for other in facts.quotas:
        if other.object.ref not in projected:
            yield f"{_environment(facts)}{other.namespace}/{other.name} without projections"


def _name(facts: Facts, projection: Projection) -> str:
    return f"{_environment(facts)}{projection.quota.namespace}/{projection.quota.name} {projection.name}"


def _environment(facts: Facts) -> str:
    return f"{facts.environment}: " if facts.environment else ""


def _line(finding: Finding) -> str:
    where = f" in {', '.join(finding.environments)}" if finding.environments else ""
    span = finding.span
    return f"{finding.file}:{span.line}:{span.column} {finding.rule.id} {finding.severity}{where}"
