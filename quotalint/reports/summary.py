"""Facts and findings → the numbers at the end of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from quotalint.catalogue import SEVERITIES
from quotalint.facts import Facts
from quotalint.finding import Finding
from quotalint.named_tuples import NamedTuple
from quotalint.suppression import baseline_file


class Summary(NamedTuple):
    """How much was looked at, and what came of it."""

    files: int
    documents: int
    objects: int
    namespaces: int
    quotas: int
    environments: int
    findings: Mapping[str, int]
    """By severity, without those that are suppressed."""
    suppressed: int
    templates: int = 0
    """ResourceQuotas inside other objects, which are checked and never counted."""


def summarize_run(environments: Sequence[Facts], findings: Sequence[Finding]) -> Summary:
    """The numbers of a run."""
    repository = environments[0].repository
    counted = Counter(finding.severity for finding in findings if finding.suppressed is None)
    settings = repository.settings
    own = {settings.file, baseline_file(None, settings)}
    return Summary(
        files=sum(file.source.name not in own for file in repository.files) + len(repository.unreadable),
        documents=repository.documents,
        objects=len({obj.identity for facts in environments for obj in facts.cluster.objects}),
        namespaces=len({name for facts in environments for name in facts.cluster.by_namespace}),
        quotas=len(
            {(quota.object.identity, quota.path, quota.namespaces) for facts in environments for quota in facts.quotas}
        ),
        environments=max(1, sum(bool(facts.quotas or facts.limit_ranges) for facts in environments)),
        findings={severity: counted[severity] for severity in SEVERITIES},
        suppressed=len(findings) - sum(counted.values()),
        templates=sum(obj.kind != "LimitRange" for obj in repository.embedded),
    )
