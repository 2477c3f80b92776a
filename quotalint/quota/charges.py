"""The charge of each admitted object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NewType

from quotalint.admission import Admitted
from quotalint.evaluators import EVALUATORS
from quotalint.evaluators import count_evaluator as counting
from quotalint.evaluators.evaluator import Evaluator, matches_no_scope, nothing_missing
from quotalint.kube.discovery import Discovery, count_name
from quotalint.kube.objects import Object
from quotalint.kube.releases import release
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.scopes import Requirement
from quotalint.named_tuples import NamedTuple
from quotalint.quota.quotas import Quota
from quotalint.workloads.demand import Demand, constant_size

ChargeId = NewType("ChargeId", int)
"""The identity of a charge value: two equal charges may be admitted differently."""


class Charge(NamedTuple):
    """What a quota is charged for one object of a demand; the demand has the number of objects."""

    admitted: Admitted
    evaluator: Evaluator
    each: ResourceList

    @property
    def identity(self) -> ChargeId:
        """The key under which the outcome of this charge is found."""
        return ChargeId(id(self))

    @property
    def demand(self) -> Demand:
        """The demand that the object belongs to."""
        return self.admitted.demand

    @property
    def owner(self) -> Object | None:
        """The object of the repository that causes the charge; None for objects that every namespace has."""
        return self.admitted.demand.owner

    @property
    def kind(self) -> str:
        """The kind of the charged object: `Pod`, whatever the kind of its owner."""
        return self.admitted.demand.kind

    @property
    def number(self) -> int:
        """The steady number of objects."""
        return self.admitted.demand.size.numbers.steady

    def matches(self, requirements: tuple[Requirement, ...]) -> bool:
        """Whether a quota with these requirements counts the object."""
        if not requirements:  # the common case
            return True
        return all(self.evaluator.in_scope(self.admitted.item, requirement) for requirement in requirements)


def charges(admitted: Iterable[Admitted], discovery: Discovery) -> tuple[Charge, ...]:
    """The charges of all objects that a quota can count."""
    kubernetes = release(discovery.kube_version)
    evaluators: dict[tuple[str, str], Evaluator | None] = {}
    charges_made = []
    for admitted_object in admitted:
        kind = admitted_object.demand.group, admitted_object.demand.kind
        if kind not in evaluators:
            evaluators[kind] = _evaluator_for(*kind, discovery)
        evaluator = evaluators[kind]
        if evaluator is not None:
            usage = {} if admitted_object.is_forbidden else evaluator.usage(admitted_object.item)
            if not all(map(kubernetes.counts_entry, usage)):
                usage = {name: amount for name, amount in usage.items() if kubernetes.counts_entry(name)}
            charges_made.append(Charge(admitted_object, evaluator, usage))
    return tuple(charges_made)


def _evaluator_for(group: str, kind: str, discovery: Discovery) -> Evaluator | None:
    special = EVALUATORS.get((group, kind))
    if special is not None:
        return special
    name = count_name(discovery, group, kind)
    return counting(name) if name else None


def charges_of(quota: Quota, by_namespace: Mapping[str, Iterable[Charge]]) -> tuple[Charge, ...]:
    """All charges that count against a quota, in the order of creation."""
    if quota.shares is None:
        if len(quota.namespaces) == 1:  # the common case: nothing is copied
            return tuple(by_namespace.get(quota.namespaces[0], ()))
        return tuple(charge for namespace in quota.namespaces for charge in by_namespace.get(namespace, ()))
    return tuple(map(_share_charge, quota.shares))


def _share_charge(share: Quota) -> Charge:
    """A quota as a charge of its whole `hard`, for a budget that adds up quotas."""
    demand = Demand(
        share.object, "", "ResourceQuota", share.name, share.spec, share.place, constant_size(1, "one of each")
    )
    evaluator = Evaluator(share.hard.__contains__, frozenset(), lambda _: share.hard, matches_no_scope, nothing_missing)
    return Charge(Admitted(demand, share.spec, (), share.unknowns), evaluator, share.hard)
