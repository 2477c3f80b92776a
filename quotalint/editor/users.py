"""Findings of exceeded quotas, repeated where their users are written: at `replicas`, or at the resources."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from quotalint.checks.exceeded.exceeded_sums import use_words
from quotalint.checks.exceeded_quotas import quota_exceeded
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.pipeline import Result
from quotalint.quota.projection import EntryCharge
from quotalint.results.finding import Finding, RelatedPlace
from quotalint.settings import Scenario
from quotalint.text.place import Place

_NUMBERS = ("replicas", "parallelism")


def repeat_at_users(result: Result, files: Collection[str]) -> Iterator[Finding]:
    """Copies of the findings of exceeded quotas, at the lines of their users in these files."""
    exceeded = [
        finding for finding in result.findings if finding.rule.id == quota_exceeded.rule and finding.suppressed is None
    ]
    for finding in exceeded if files else ():
        users = {place: words for place, words in _users(finding, result) if place.source in files}
        for place, span in (result.locate(users) if users else {}).items():
            if (place.source, span.line) != (finding.file, finding.span.line):
                yield finding._replace(
                    file=place.source,
                    span=span,
                    message=f"{finding.message} ({finding.file}:{finding.span.line}). {users[place]}",
                    related=(RelatedPlace("quota", finding.file, finding.span, finding.message),),
                )


def _users(finding: Finding, result: Result) -> Iterator[tuple[Place, str]]:
    """Where the users of a finding's quotas are written, and what they use."""
    for facts in result.environments:
        if finding.environments and facts.environment not in finding.environments:
            continue
        scenario = Scenario.PEAK if facts.settings.scenario is Scenario.PEAK else Scenario.STEADY
        for quota in facts.quotas:
            obj = quota.object
            if (obj.kind, obj.namespace, obj.name) in finding.subjects:
                for need in finding.needs:
                    projection = facts.projections_of(quota).get(need.resource)
                    for entry in projection.entries if projection is not None else ():
                        if entry.owner is not None and entry.amounts.of(scenario).nano:
                            yield _deciding_place(entry, entry.owner), use_words(entry, entry.owner, scenario, quota)


def _deciding_place(entry: EntryCharge, owner: Object) -> Place:
    """Where the number of pods is written if there are several, else the resources of the first container."""
    number = next((field for field in _NUMBERS if field in owner.spec), None)
    pod = entry.charge.admitted.item
    if isinstance(pod, Pod) and number is not None and (entry.demand.number > 1 or not pod.containers):
        return owner.at("spec", number).real
    if isinstance(pod, Pod) and pod.containers:
        return entry.demand.place_of(*pod.containers[0].path, "resources").real
    return owner.place.real
