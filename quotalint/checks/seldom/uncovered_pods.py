"""Checks of what the API server lets nobody consume without a quota."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.checks.hit import Hit, Note, Related
from quotalint.checks.refused_pods import is_ever_created
from quotalint.facts import Facts
from quotalint.kube.kinds import by_kind
from quotalint.kube.limited_resources import LimitedResource
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.scopes import Requirement
from quotalint.quota.charges import Charge
from quotalint.quota.default_limits import SETTING
from quotalint.quota.limited import Uncovered
from quotalint.quota.quotas import Quota
from quotalint.workloads.demand import Demand


def uncovered_pods(facts: Facts) -> Iterator[Hit]:
    """The pods that nobody may make where no quota covers them."""
    rejected = [quota for quota in facts.quotas if facts.is_rejected(quota)]
    for charges in facts.charges.values():
        for charge in charges:
            owner = charge.owner
            if owner is not None and is_ever_created(charge):
                for why in facts.default_limits.refusals(charge):
                    yield _uncovered_hit(charge, owner, why, rejected)


def _uncovered_hit(charge: Charge, owner: Object, why: Uncovered, rejected: Sequence[Quota]) -> Hit:
    demand = charge.demand
    itself = demand.kind == owner.kind and demand.group == owner.group
    values = {
        "kind": owner.kind,
        "name": owner.name,
        "what": _demand_words(demand),
        "counted": "persistentvolumeclaims" if demand.kind == "PersistentVolumeClaim" else "pods",
        "names": ", ".join(why.names),
        "scopes": ", ".join(dict.fromkeys(scope.scope for scope in why.scopes)),
        "selector": " and ".join(dict.fromkeys(_scope_selector(scope, charge) for scope in why.scopes)),
        "detail": why.message,
        "called": _resource_name(owner),
    }
    variant = ("itself" if itself else "default") if why.names else "scope-itself" if itself else "scope"
    related = [
        Related("limited by", limited.place, _limiting_rule(limited, why)) for limited in why.by if limited.place.source
    ]
    related += [
        Related("refused", quota.place, f"the API server refuses quota {quota.name}, so it covers nothing")
        for quota in rejected
        if owner.namespace in quota.namespaces
    ]
    notes = [Note("limited by", SETTING) for limited in why.by if not limited.place.source]
    notes.append(Note("so", f"the API server will say: {why.message}"))
    if owner.homeless:
        notes.append(Note("but", f"{owner.kind} {owner.name} names no namespace; no quota in view would cover it"))
    resource = why.names[0] if why.names else ""
    return Hit(owner.place, values, owner, "", variant, tuple(related), tuple(notes), resource=resource)


def _resource_name(owner: Object) -> str:
    """What the API server calls objects of a kind: `pods`, `deployments.apps`."""
    kind = by_kind(owner.group, owner.kind)
    plural = kind.plural if kind is not None else owner.kind.lower()
    return f"{plural}.{owner.group}" if owner.group else plural


def _demand_words(demand: Demand) -> str:
    special = {"Pod": "pods", "PersistentVolumeClaim": "claims"}
    return special.get(demand.kind, f"{demand.kind} objects")


def _limiting_rule(limited: LimitedResource, why: Uncovered) -> str:
    if why.names:
        return f"{limited.resource} need a quota for what contains {' or '.join(map(repr, limited.contains))}"
    matched = [scope for scope in limited.scopes if scope in why.scopes]
    return f"what matches {' or '.join(_scope_words(scope) for scope in matched)} needs a quota with this scope"


def _scope_words(scope: Requirement) -> str:
    values = f" {', '.join(scope.values)}" if scope.values else ""
    return f"{scope.scope} {scope.operator}{values}".rstrip()


def _scope_selector(scope: Requirement, charge: Charge) -> str:
    """What a quota would select the object by."""
    item = charge.admitted.item
    if scope.scope not in ("PriorityClass", "VolumeAttributesClass"):
        return f"the scope {scope.scope}"
    own = item.priority_class if isinstance(item, Pod) else getattr(item, "attributes_class", "")
    return f"{scope.scope} In [{own}]" if own else f"{scope.scope} DoesNotExist"
