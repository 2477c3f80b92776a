"""What all quotas of an environment let be had, beside what its cluster has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.checks.seldom.capacity import promised_shares
from quotalint.facts import Facts
from quotalint.sizing.proposed import Promised


def promised_resources(environments: Iterable[Facts]) -> Iterator[Promised]:
    """Each resource of which the configuration says how much there is."""
    for facts in environments:
        for resource, room, needed, _ in promised_shares(facts):
            yield Promised(facts.environment, resource, needed, room.capacity, room.reserve)
