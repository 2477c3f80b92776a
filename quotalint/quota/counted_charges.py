"""What is charged to a quota: the objects of its namespaces, or to a budget the quotas that share it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quotalint.admission import Admitted
from quotalint.evaluators.evaluator import Evaluator, matches_no_scope, nothing_missing
from quotalint.quota.charges import Charge
from quotalint.quota.quotas import Quota
from quotalint.workloads.demand import Demand, always


def charges_of(quota: Quota, by_namespace: Mapping[str, Iterable[Charge]]) -> tuple[Charge, ...]:
    """Everything that counts against a quota, in the order in which it is applied."""
    if quota.shares is None:
        if len(quota.namespaces) == 1:  # as almost all have: nothing is copied for each of thousands
            return tuple(by_namespace.get(quota.namespaces[0], ()))
        return tuple(charge for namespace in quota.namespaces for charge in by_namespace.get(namespace, ()))
    return tuple(map(_share_charge, quota.shares))


def _share_charge(share: Quota) -> Charge:
    """A quota as an object that takes up as much as it allows."""
    demand = Demand(share.object, "", "ResourceQuota", share.name, share.spec, share.place, always(1, "one of each"))
    evaluator = Evaluator(share.hard.__contains__, frozenset(), lambda _: share.hard, matches_no_scope, nothing_missing)
    return Charge(Admitted(demand, share.spec, (), share.unknowns), evaluator, share.hard)
