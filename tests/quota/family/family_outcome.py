"""What quotalint says of a cluster whose namespaces are limited by more than ResourceQuotas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from _pytest.mark import ParameterSet
from pipeline_runs import run_pipeline, snapshot_of
from written_files import Files, write

from quotalint.accounts.facts import Facts
from quotalint.kube import quantity
from quotalint.pipeline import Result
from quotalint.quota.projection import MISSING, UNKNOWN, Projection


class Case(NamedTuple):
    """A cluster, and what should be said of it."""

    name: str
    manifests: str | Files
    quotas: tuple[str, ...]
    """`Kind name [namespaces] resource used/hard certainty`, in order."""
    findings: tuple[str, ...] = ()
    """`line RULE field`, in order, without what is not about the quotas themselves."""
    unknowns: tuple[str, ...] = ()
    """Why sums are not exact."""
    snapshot: str = ""
    """What the cluster holds beside."""
    settings: str = ""


class Outcome(NamedTuple):
    """What is compared, as one value."""

    quotas: list[str]
    findings: list[str]
    unknowns: list[str]


def params(cases: Sequence[Case]) -> list[ParameterSet]:
    """The cases for pytest."""
    return [pytest.param(case, id=case.name.replace(" ", "-")) for case in cases]


def expected(case: Case) -> Outcome:
    """What a user should be told."""
    return Outcome(list(case.quotas), list(case.findings), list(case.unknowns))


def outcome_of(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """What a user is told."""
    result = checked(case, folder, monkeypatch)
    return Outcome(
        [line for facts in result.environments for line in _lines(facts)],
        [
            f"{finding.span.line} {finding.rule.id} {finding.field}"
            for finding in result.findings
            if finding.rule.id in _TOLD
        ],
        sorted(
            {
                reason
                for facts in result.environments
                for projection in facts.projections
                for reason in projection.unknowns
            }
        ),
    )


def checked(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Result:
    """Everything that the pipeline gives for a case."""
    files: Files = {"all.yaml": case.manifests} if isinstance(case.manifests, str) else case.manifests
    write(folder, {**files, ".quotalint.yaml": case.settings or "{}\n"})
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(folder)
    return run_pipeline(snapshots=[snapshot_of(case.snapshot)] if case.snapshot else [])


def document(kind: str, name: str, more: str = "", namespace: str = "") -> str:
    """An object, such as `document("v1 Namespace", "a", "metadata.labels: {team: a}")` in flow style."""
    version, _, kind = kind.partition(" ")
    where = f", namespace: {namespace}" if namespace else ""
    head, _, rest = more.partition("metadata.") if more.startswith("metadata.") else ("", "", "")
    metadata = f", {rest}" if rest else ""
    body = "" if rest else more
    return f"---\napiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}{where}{metadata}}}\n{head}{body}\n"


def namespace(name: str, labels: str = "", annotations: str = "") -> str:
    """A Namespace; labels and annotations in flow style."""
    return document("v1 Namespace", name, f"metadata.labels: {{{labels}}}, annotations: {{{annotations}}}")


def pod(namespace: str, name: str = "p", cpu: str = "1") -> str:
    """A Pod that asks for cpu."""
    resources = f"resources: {{requests: {{cpu: {cpu}}}}}" if cpu else "image: p"
    return document("v1 Pod", name, f"spec: {{containers: [{{name: c, {resources}}}]}}", namespace)


def foreign(*documents: str) -> str:
    """Objects as a snapshot has them."""
    return "".join(documents)


# Rules about the quotas themselves and what they allow.
_TOLD = frozenset(
    (
        *(f"QL1{number:02d}" for number in range(1, 30)),
        *("QL201", "QL202", "QL203", "QL204", "QL205", "QL206", "QL208", "QL301", "QL401", "QL402"),
    )
)


def _lines(facts: Facts) -> Iterator[str]:
    for quota in facts.quotas:
        who = f"{quota.object.kind} {quota.name} [{' '.join(quota.namespaces)}]"
        mine = facts.projections_of(quota).values()
        yield from (f"{who} {_sum(projection)}" for projection in mine)
        if not mine:
            yield f"{who} {'refused' if facts.is_rejected(quota) else 'limits nothing'}"


def _sum(projection: Projection) -> str:
    hard = "?" if projection.hard is None else quantity.show(projection.hard)
    used = (
        "?"
        if projection.certainty == UNKNOWN
        else "-"
        if projection.tracked == MISSING
        else quantity.show(projection.steady)
    )
    return f"{projection.name} {used}/{hard} {projection.certainty}"
