"""Checks of what the API server lets nobody consume without a quota."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.checks.hit import Hit, Note, Related
from quotalint.checks.refused_pods import creates
from quotalint.checks.seldom.hidden_quotas import hiding_quotas, is_unplaced
from quotalint.facts import Facts
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.kinds import by_kind
from quotalint.kube.limited_resources import LimitedResource
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.scopes import Requirement
from quotalint.quota.charges import Charge
from quotalint.quota.limited import Uncovered, uncovered
from quotalint.quota.quotas import Quota
from quotalint.workloads.demand import Demand

_SETTING = "limitedPriorityClasses"
# Where managed clusters have a quota for critical pods of their own.
_MANAGED = "kube-system"


def uncovered_pods(facts: Facts) -> Iterator[Hit]:
    """The pods that nobody may make where no quota covers them."""
    # What may be hidden is asked once.
    found = [(charge, owner, why) for charge, owner in _created(facts) for why in _uncovered(charge, owner, facts)]
    hiding = hiding_quotas(facts) if found else frozenset()
    for charge, owner, why in found:
        if not hiding & {"", owner.namespace} and not (owner.homeless and hiding):
            yield _hit(charge, owner, why, [one for one in facts.quotas if facts.rejected(one)])


def _created(facts: Facts) -> Iterator[tuple[Charge, Object]]:
    for charges in facts.charges.values():
        for charge in charges:
            owner = charge.admitted.demand.owner
            if owner is not None and not owner.foreign and not is_placeholder(owner.namespace) and creates(charge):
                yield charge, owner


def _uncovered(charge: Charge, owner: Object, facts: Facts) -> tuple[Uncovered, ...]:
    """Why it is refused whichever of the configurations is true, in the words of the first."""
    alternatives = [_limited(one, owner.namespace) for one in facts.limited]
    reasons = uncovered(charge, _quotas(facts.enforced.get(owner.namespace, ())), alternatives[0])
    if not reasons:
        return ()
    placed = [_quotas(facts.enforced.get(owner.namespace, ()))]
    if owner.homeless:  # nothing tells its namespace, so in each it would have to be refused
        placed = [_quotas(quotas) for quotas in (*facts.enforced.values(), ())]
    accepted = [one for one in facts.quotas if one.shares is None and not facts.rejected(one)]
    anywhere = tuple(one for one in _quotas(accepted) if is_unplaced(one))
    refused = all(uncovered(charge, (*quotas, *anywhere), limited) for quotas in placed for limited in alternatives)
    return reasons if refused else ()


def _limited(limited: Sequence[LimitedResource], namespace: str) -> Sequence[LimitedResource]:
    return [one for one in limited if not _is_setting(one)] if namespace == _MANAGED else limited


def _is_setting(limited: LimitedResource) -> bool:
    return limited.place.path == (_SETTING,)


def _quotas(quotas: Sequence[Quota]) -> tuple[Quota, ...]:
    # OpenShift looks at quotas of several namespaces in a plugin of its own.
    return tuple(one for one in quotas if one.object.kind != "ClusterResourceQuota")


def _hit(charge: Charge, owner: Object, why: Uncovered, rejected: Sequence[Quota]) -> Hit:
    demand = charge.admitted.demand
    itself = demand.kind == owner.kind and demand.group == owner.group
    values = {
        "kind": owner.kind,
        "name": owner.name,
        "what": _what(demand),
        "counted": "persistentvolumeclaims" if demand.kind == "PersistentVolumeClaim" else "pods",
        "names": ", ".join(why.names),
        "scopes": ", ".join(dict.fromkeys(scope.scope for scope in why.scopes)),
        "selector": " and ".join(dict.fromkeys(_selector(scope, charge) for scope in why.scopes)),
        "detail": why.message,
        "called": _called(owner),
    }
    variant = ("itself" if itself else "default") if why.names else "scope-itself" if itself else "scope"
    related = [Related("limited by", one.place, _rule(one, why)) for one in why.by if one.place.source]
    related += [
        Related("refused", one.place, f"the API server refuses quota {one.name}, so it covers nothing")
        for one in rejected
        if owner.namespace in one.namespaces
    ]
    notes = [Note("limited by", _SETTING) for one in why.by if not one.place.source]
    notes.append(Note("so", f"the API server will say: {why.message}"))
    if owner.homeless:
        notes.append(Note("but", f"{owner.kind} {owner.name} names no namespace; no quota in view would cover it"))
    resource = why.names[0] if why.names else ""
    return Hit(owner.place, values, owner, "", variant, tuple(related), tuple(notes), resource=resource)


def _called(owner: Object) -> str:
    """What the API server calls objects of a kind: `pods`, `deployments.apps`."""
    kind = by_kind(owner.group, owner.kind)
    plural = kind.plural if kind is not None else owner.kind.lower()
    return f"{plural}.{owner.group}" if owner.group else plural


def _what(demand: Demand) -> str:
    special = {"Pod": "pods", "PersistentVolumeClaim": "claims"}
    return special.get(demand.kind, f"{demand.kind} objects")


def _rule(limited: LimitedResource, why: Uncovered) -> str:
    if why.names:
        return f"{limited.resource} need a quota for what contains {' or '.join(map(repr, limited.contains))}"
    matched = [scope for scope in limited.scopes if scope in why.scopes]
    return f"what matches {' or '.join(_words(scope) for scope in matched)} needs a quota with this scope"


def _words(scope: Requirement) -> str:
    values = f" {', '.join(scope.values)}" if scope.values else ""
    return f"{scope.scope} {scope.operator}{values}".rstrip()


def _selector(scope: Requirement, charge: Charge) -> str:
    """What a quota would select the object by."""
    item = charge.admitted.item
    if scope.scope not in ("PriorityClass", "VolumeAttributesClass"):
        return f"the scope {scope.scope}"
    own = item.priority_class if isinstance(item, Pod) else getattr(item, "attributes_class", "")
    return f"{scope.scope} In [{own}]" if own else f"{scope.scope} DoesNotExist"
