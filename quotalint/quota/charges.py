"""Admitted objects → what each is charged."""

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
"""Which value a charge is: of two that are equal, each has a fate of its own."""


class Charge(NamedTuple):
    """What one object of a demand is charged; the demand says how many there are."""

    admitted: Admitted
    evaluator: Evaluator
    each: ResourceList

    @property
    def identity(self) -> ChargeId:
        """By which what becomes of it is found."""
        return ChargeId(id(self))

    @property
    def demand(self) -> Demand:
        """What the object is one of."""
        return self.admitted.demand

    @property
    def owner(self) -> Object | None:
        """The object of the repository that it comes from; None for what every namespace has."""
        return self.admitted.demand.owner

    @property
    def kind(self) -> str:
        """Of what is charged: `Pod`, whatever kind its owner is of."""
        return self.admitted.demand.kind

    @property
    def number(self) -> int:
        """How many of the objects there are once everything has settled."""
        return self.admitted.demand.size.numbers.steady

    def matches(self, requirements: tuple[Requirement, ...]) -> bool:
        """Whether a quota with these requirements counts the object."""
        if not requirements:  # as in most quotas
            return True
        return all(self.evaluator.in_scope(self.admitted.item, requirement) for requirement in requirements)


def charges(admitted: Iterable[Admitted], discovery: Discovery) -> tuple[Charge, ...]:
    """The charge of everything that a quota can count."""
    kubernetes = release(discovery.kube_version)
    evaluators: dict[tuple[str, str], Evaluator | None] = {}
    charges_made = []
    for admitted_object in admitted:
        kind = admitted_object.demand.group, admitted_object.demand.kind
        if kind not in evaluators:
            evaluators[kind] = _evaluator_for(*kind, discovery)
        evaluator = evaluators[kind]
        if evaluator is not None:
            usage = evaluator.usage(admitted_object.item)
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
    """Everything that counts against a quota, in the order in which it is applied."""
    if quota.shares is None:
        if len(quota.namespaces) == 1:  # as almost all have: nothing is copied for each of thousands
            return tuple(by_namespace.get(quota.namespaces[0], ()))
        return tuple(charge for namespace in quota.namespaces for charge in by_namespace.get(namespace, ()))
    return tuple(map(_share_charge, quota.shares))


def _share_charge(share: Quota) -> Charge:
    """A quota as an object that takes up as much as it allows."""
    demand = Demand(
        share.object, "", "ResourceQuota", share.name, share.spec, share.place, constant_size(1, "one of each")
    )
    evaluator = Evaluator(share.hard.__contains__, frozenset(), lambda _: share.hard, matches_no_scope, nothing_missing)
    return Charge(Admitted(demand, share.spec, (), share.unknowns), evaluator, share.hard)
