"""The quota entry of a finding, in both states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.accounts.facts import Facts
from quotalint.checks.exceeded.quota_words import namespaces_words
from quotalint.diff.changes import QuotaPairs
from quotalint.diff.shares import Move, find_moves
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import EntryCharge, Projection
from quotalint.quota.quotas import Quota
from quotalint.results.finding import Finding
from quotalint.settings import Scenario


class Subject(NamedTuple):
    """An entry of a quota in both states."""

    environment: str
    before: Facts | None
    after: Facts
    old: Quota | None
    new: Quota
    resource: str
    scenario: Scenario
    """The scenario that counts."""
    owner: tuple[str, str] | None
    """Kind and name of the only workload that is not at rest; None if the scenario counts for all."""

    def scenario_of(self, entry: EntryCharge) -> Scenario:
        """The scenario that counts for one part of the sum."""
        owner = entry.owner
        is_at_rest = self.owner is not None and (owner is None or (owner.kind, owner.name) != self.owner)
        return Scenario.STEADY if is_at_rest else self.scenario

    @property
    def was(self) -> Projection | None:
        """The use of the entry in the base."""
        projections = self.before.projections_of(self.old) if self.before is not None and self.old is not None else {}
        return projections.get(self.resource)

    @property
    def now(self) -> Projection | None:
        """The use of the entry in the head."""
        return self.after.projections_of(self.new).get(self.resource)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The workloads whose use of it changed."""
        return find_moves(self.was, self.now, self.scenario_of)

    @property
    def amount_lowered(self) -> int:
        """By how much the limit was lowered, in 10^-9 units; negative if it was raised."""
        was, now = (quota.hard.get(self.resource) if quota is not None else None for quota in (self.old, self.new))
        return was.nano - now.nano if was is not None and now is not None else 0


def find_subjects(finding: Finding, pairs: Sequence[QuotaPairs]) -> Iterator[Subject]:
    """The entry of a finding in each of its environments; nothing if the finding is not about an entry."""
    if not finding.counts or "resource" not in finding.values:
        return
    about = finding.values["namespace"], finding.values["quota"]
    name = finding.values.get("name")
    owner = (finding.values["kind"], name) if name else None
    for pair in pairs:
        facts = pair.new_facts
        if facts is None or (finding.environments and facts.environment not in finding.environments):
            continue
        scenario = facts.settings.scenario if finding.counts == "settled" else Scenario(finding.counts)
        for old, new in pair.tables:
            if new is not None and (namespaces_words(new.quota), new.quota.name) == about:
                was = old.quota if old is not None else None
                yield Subject(
                    facts.environment,
                    pair.old_facts,
                    facts,
                    was,
                    new.quota,
                    finding.values["resource"],
                    scenario,
                    owner,
                )
