"""The largest use that several snapshots of one cluster show of each entry of a quota, and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quotalint.kube.objects import Object
from quotalint.quota.live_use import live_use
from quotalint.quota.quotas import Largest, Quota

Moment = tuple[str, Sequence[Object]]
"""When a snapshot was taken, and what it shows."""


def with_largest_use(quota: Quota, history: Iterable[Moment]) -> Quota:
    """The quota with the largest use that was seen; of several alike the first. Without several there is none."""
    largest: dict[str, Largest] = {}
    for when, objects in history:
        for obj in objects:
            if obj.ref != quota.object.ref:
                continue
            for name, amount in live_use(obj).items():
                if name not in largest or amount.nano > largest[name].amount.nano:
                    largest[name] = Largest(amount, when)
    return quota._replace(largest=largest) if largest else quota
