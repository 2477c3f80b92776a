"""The numbers at the end of a report, and their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from quotalint.accounts.facts import Facts
from quotalint.catalogue import SEVERITIES
from quotalint.named_tuples import NamedTuple
from quotalint.reports.terminal import count_noun
from quotalint.results.finding import Finding
from quotalint.suppression import baseline_file
from quotalint.text.sources import TERRAFORM_SUFFIXES


class Summary(NamedTuple):
    """How much was checked, and what was found."""

    files: int
    documents: int
    objects: int
    namespaces: int
    quotas: int
    environments: int
    findings: Mapping[str, int]
    """By severity, without suppressed ones."""
    suppressed: int
    templates: int = 0
    """ResourceQuotas inside other objects, which are checked and never counted."""


NOTHING_COUNTED = Summary(0, 0, 0, 0, 0, 0, dict.fromkeys(SEVERITIES, 0), 0)
"""The summary of a run that checked nothing."""


def summarize_run(environments: Sequence[Facts], findings: Sequence[Finding]) -> Summary:
    """The numbers of a run."""
    repository = environments[0].repository
    counted = Counter(finding.severity for finding in findings if finding.suppressed is None)
    settings = repository.settings
    own = {settings.file, baseline_file(None, settings)}
    objects = {obj.identity: obj.place.source for facts in environments for obj in facts.cluster.objects}
    others = {name for name in objects.values() if name.endswith(TERRAFORM_SUFFIXES)}
    files = sum(file.source.name not in own for file in repository.files) + len(repository.unreadable) + len(others)
    return Summary(
        files=files or len(set(objects.values())),  # a chart alone
        documents=repository.documents,
        objects=len(objects),
        namespaces=len({name for facts in environments for name in facts.cluster.by_namespace}),
        quotas=len(
            {(quota.object.identity, quota.path, quota.namespaces) for facts in environments for quota in facts.quotas}
        ),
        environments=max(1, sum(bool(facts.quotas or facts.limit_ranges) for facts in environments)),
        findings={severity: counted[severity] for severity in SEVERITIES},
        suppressed=len(findings) - sum(counted.values()),
        templates=sum(obj.kind != "LimitRange" for obj in repository.embedded),
    )


def severity_words(numbers: Mapping[str, int]) -> list[str]:
    """`2 errors`, `1 warning`, `3 info`: how many findings there are of each severity."""
    counts = [(numbers.get(severity, 0), severity) for severity in SEVERITIES]
    return [f"{number} info" if name == "info" else count_noun(number, name) for number, name in counts if number]


def scope_words(numbers: Summary) -> str:
    """`in 3 files, 2 namespaces, 1 quota`."""
    scope = [(numbers.files, "file"), (numbers.namespaces, "namespace"), (numbers.quotas, "quota")]
    scope += [(numbers.environments, "environment")] if numbers.environments > 1 else []
    return f"in {', '.join(count_noun(number, noun) for number, noun in scope)}"
