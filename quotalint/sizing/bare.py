"""Namespaces without a quota, and what a quota for them would limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quotalint.accounts.facts import Facts
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.objects import Object
from quotalint.kube.resources import is_extended_quota
from quotalint.quota.charges import Charge
from quotalint.sizing.containers import containers_of, stated_amounts
from quotalint.sizing.proposed import proposed_object
from quotalint.workloads import makes_pods

NAME = "resources"
_ALWAYS = (
    "pods",
    "services",
    "services.loadbalancers",
    "services.nodeports",
    "persistentvolumeclaims",
    "requests.storage",
    "count/jobs.batch",
)
"""Resources that the repository shows completely. Secrets and ConfigMaps are missing: releases, certificates and
service accounts create others."""
_OF_CONTAINERS = ("cpu", "memory", "ephemeral-storage")
_OF_A_CLASS = ".storageclass.storage.k8s.io/requests.storage"
_MUCH = 10**15
"""An amount that nothing exceeds."""


def bare_namespaces(facts: Facts) -> Iterator[tuple[str, bool]]:
    """The namespaces with workloads of the repository and without a quota; and whether their workloads name no
    namespace, so that `default` stands for an unknown one."""
    limited = {namespace for quota in facts.quotas for namespace in quota.namespaces}
    for namespace, members in facts.cluster.by_namespace.items():
        workloads = [obj for obj in members if not obj.foreign and makes_pods(obj, facts.settings.workloads)]
        if namespace not in limited and not is_placeholder(namespace) and workloads:
            yield namespace, all(obj.homeless for obj in workloads)


def limited_names(charges: Sequence[Charge], required: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names that a quota for these objects limits, and why others are left out."""
    used = {name for charge in charges for name, amount in charge.each.items() if amount.nano}
    names = [name for name in _ALWAYS if name in used]
    names += sorted(name for name in used if name.endswith(_OF_A_CLASS) or is_extended_quota(name))
    unlimited = []
    containers = containers_of(charges)
    for side in ("requests", "limits"):
        for resource in _OF_CONTAINERS:
            name = f"{side}.{resource}"
            stated = stated_amounts(containers or (), side, resource)
            # A quota for it requires every container to state it.
            if stated.by_all or (containers is None and name in used and resource != "ephemeral-storage"):
                names.append(name)
            elif containers and resource != "ephemeral-storage":
                without = len(containers) - len(stated.amounts)
                containers_without = "no container states it"
                if stated.amounts:
                    containers_without = (
                        f"{without} of {len(containers)} containers {'does' if without == 1 else 'do'} not state it"
                    )
                unlimited.append(f"{name} is left out: {containers_without}")
    names += [name for name in required if name not in names]
    return tuple(dict.fromkeys(names)), tuple(unlimited)


def probe(namespace: str, names: Iterable[str], document: int) -> Object:
    """A quota without effective limits, used to compute what it would count."""
    return quota_object(namespace, dict.fromkeys(names, str(_MUCH)), document)


def quota_object(namespace: str, hard: dict[str, str], document: int) -> Object:
    """A quota that is not written yet."""
    return proposed_object("ResourceQuota", namespace, NAME, {"hard": hard}, document)
