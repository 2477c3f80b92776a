"""Facts and findings → the numbers at the end of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from quotalint.catalogue import SEVERITIES
from quotalint.facts import Facts
from quotalint.findings import Finding


class Summary(NamedTuple):
    """How much was looked at, and what came of it."""

    files: int
    documents: int
    objects: int
    namespaces: int
    quotas: int
    findings: Mapping[str, int]


def summary(facts: Facts, findings: Sequence[Finding]) -> Summary:
    """The numbers of a run."""
    counted = Counter(finding.severity for finding in findings)
    return Summary(
        files=len(facts.files),
        documents=facts.documents,
        objects=len(facts.cluster.objects),
        namespaces=len(facts.cluster.by_namespace),
        quotas=len(facts.quotas),
        findings={severity: counted[severity] for severity in SEVERITIES},
    )
