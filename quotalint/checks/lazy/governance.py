"""Checks of what each namespace must have: a quota, the entries that the configuration requires, and a quota for what
the API server limits by default."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, Note, Related
from quotalint.checks.refused_pods import is_ever_created
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.discovery import MISSING
from quotalint.kube.kinds import by_kind
from quotalint.kube.limited_resources import LimitedResource
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.quantity import ZERO
from quotalint.kube.resources import alias, is_extended
from quotalint.kube.scopes import Requirement
from quotalint.quota.charges import Charge
from quotalint.quota.coverage import Limit, is_covered
from quotalint.quota.default_limits import Uncovered
from quotalint.quota.hidden_quotas import may_apply_anywhere, namespaces_with_hidden_quotas
from quotalint.quota.quotas import Quota
from quotalint.quota.validation import tracking_state
from quotalint.workloads import makes_pods
from quotalint.workloads.demand import Demand


def bare_namespaces(facts: Facts) -> Iterator[Hit]:
    """The namespaces with workloads and without any limit."""
    unlimited = {
        name: workload for name, workload in _inhabited_namespaces(facts).items() if name not in facts.enforced
    }
    doubtful = _doubtful_namespaces(facts) if unlimited else frozenset()
    for namespace, workload in unlimited.items():
        if doubtful & {namespace, ""}:
            continue
        refused = [quota for quota in facts.quotas if namespace in quota.namespaces and facts.is_rejected(quota)]
        values = {"namespace": namespace, "kind": workload.kind, "name": workload.name}
        related = tuple(
            Related("refused", quota.place, f"the API server refuses quota {quota.name}, so it never takes effect")
            for quota in refused
        )
        yield Hit(workload.place, values, workload, variant="refused" if refused else "default", related=related)


def missing_limits(facts: Facts) -> Iterator[Hit]:
    """The namespaces whose quotas lack resources that the configuration requires."""
    inhabited, doubtful = _inhabited_namespaces(facts), _doubtful_namespaces(facts)
    for namespace in dict.fromkeys((*facts.enforced, *inhabited)):
        quotas = facts.enforced.get(namespace, ())
        unreadable = any(unknown.path[-1] == "hard" for quota in quotas for unknown in quota.unknowns)
        missing = tuple(dict.fromkeys(_missing_names(facts, quotas)))
        if not missing or unreadable or is_placeholder(namespace) or doubtful & {namespace, ""}:
            continue
        values = {
            "namespace": namespace,
            "missing": ", ".join(f"{name} (only for some pods)" if partly else name for name, partly in missing),
            "names": ", ".join(name for name, _ in missing),
        }
        # The finding is placed at a quota of the repository, if possible one without scopes.
        own = sorted(
            (quota for quota in quotas if not quota.object.foreign), key=lambda quota: bool(quota.requirements)
        )
        if own:
            place = own[0].object.at(*own[0].path, "hard")
            yield Hit(place, values, own[0].object, own[0].within("hard"), related=_other_quotas(own[1:]))
        elif namespace in inhabited:
            workload = inhabited[namespace]
            yield Hit(workload.place, values, workload, variant="default" if quotas else "none")


def _inhabited_namespaces(facts: Facts) -> dict[str, Object]:
    """The namespaces with workloads of the repository, and the first workload of each."""
    workloads: dict[str, Object] = {}
    for obj in facts.cluster.objects:
        is_excluded = obj.foreign or obj.homeless or is_placeholder(obj.namespace)
        if not is_excluded and makes_pods(obj, facts.settings.workloads):
            workloads.setdefault(obj.namespace, obj)
    return workloads


def _doubtful_namespaces(facts: Facts) -> frozenset[str]:
    """The namespaces that may have an unknown quota; the empty name stands for any namespace."""
    return namespaces_with_hidden_quotas(facts.unseen, facts.cluster.objects) | (
        {""} if any(map(may_apply_anywhere, facts.quotas)) else set()
    )


def _missing_names(facts: Facts, quotas: tuple[Quota, ...]) -> Iterator[tuple[str, bool]]:
    """The required names without a limit, and whether only some pods lack it."""
    for written in facts.settings.required_limits:
        # A device is counted only as `requests.NAME`.
        device = is_extended(written) and tracking_state(written, facts.cluster.discovery) == MISSING
        name = f"requests.{written}" if device else written
        # `count/pods` also counts finished pods, so it limits `pods` too.
        wanted = {"pods", "count/pods"} if name == "pods" else {alias(name)}
        limits = [
            Limit(quota, entry, ZERO)
            for quota in quotas
            for entry in (
                *quota.hard,
                *(str(unknown.path[-1]) for unknown in quota.unknowns if unknown.path[-2] == "hard"),
            )
            if alias(entry) in wanted
        ]
        if not limits or not is_covered(limits):
            yield name, bool(limits)


def _other_quotas(quotas: list[Quota]) -> tuple[Related, ...]:
    return tuple(Related("and", quota.place, f"quota {quota.name}") for quota in quotas)


def uncovered_pods(facts: Facts) -> Iterator[Hit]:
    """The pods that the API server refuses by default because no quota covers them."""
    rejected = [quota for quota in facts.quotas if facts.is_rejected(quota)]
    for charges in facts.charges.values():
        for charge in charges:
            owner = charge.owner
            if owner is not None and is_ever_created(charge):
                for reason in facts.default_limits.refusals(charge):
                    yield _uncovered_hit(charge, owner, reason, rejected)


def _uncovered_hit(charge: Charge, owner: Object, reason: Uncovered, rejected: Sequence[Quota]) -> Hit:
    demand = charge.demand
    itself = demand.kind == owner.kind and demand.group == owner.group
    values = {
        "kind": owner.kind,
        "name": owner.name,
        "what": _demand_words(demand),
        "counted": "persistentvolumeclaims" if demand.kind == "PersistentVolumeClaim" else "pods",
        "names": ", ".join(reason.names),
        "scopes": ", ".join(dict.fromkeys(scope.scope for scope in reason.scopes)),
        "selector": " and ".join(dict.fromkeys(_scope_selector(scope, charge) for scope in reason.scopes)),
        "detail": reason.message,
        "called": _resource_name(owner),
    }
    variant = ("itself" if itself else "default") if reason.names else "scope-itself" if itself else "scope"
    related = [
        Related("limited by", limited.place, _limiting_rule(limited, reason))
        for limited in reason.by
        if limited.place.source
    ]
    related += [
        Related("refused", quota.place, f"the API server refuses quota {quota.name}, so it covers nothing")
        for quota in rejected
        if owner.namespace in quota.namespaces
    ]
    notes = [Note("limited by", str(limited.place.path[0])) for limited in reason.by if not limited.place.source]
    notes.append(Note("so", f"the API server will say: {reason.message}"))
    if owner.homeless:
        notes.append(Note("but", f"{owner.kind} {owner.name} names no namespace; no quota in view would cover it"))
    resource = reason.names[0] if reason.names else ""
    return Hit(owner.place, values, owner, "", variant, tuple(related), tuple(notes), resource=resource)


def _resource_name(owner: Object) -> str:
    """The API server's name for objects of a kind: `pods`, `deployments.apps`."""
    kind = by_kind(owner.group, owner.kind)
    plural = kind.plural if kind is not None else owner.kind.lower()
    return f"{plural}.{owner.group}" if owner.group else plural


def _demand_words(demand: Demand) -> str:
    special = {"Pod": "pods", "PersistentVolumeClaim": "claims"}
    return special.get(demand.kind, f"{demand.kind} objects")


def _limiting_rule(limited: LimitedResource, reason: Uncovered) -> str:
    if reason.names:
        return f"{limited.resource} need a quota for what contains {' or '.join(map(repr, limited.contains))}"
    matched = [scope for scope in limited.scopes if scope in reason.scopes]
    return f"what matches {' or '.join(_scope_words(scope) for scope in matched)} needs a quota with this scope"


def _scope_words(scope: Requirement) -> str:
    values = f" {', '.join(scope.values)}" if scope.values else ""
    return f"{scope.scope} {scope.operator}{values}".rstrip()


def _scope_selector(scope: Requirement, charge: Charge) -> str:
    """The words for the selector that a quota would need."""
    item = charge.admitted.item
    if scope.scope not in ("PriorityClass", "VolumeAttributesClass"):
        return f"the scope {scope.scope}"
    own = item.priority_class if isinstance(item, Pod) else getattr(item, "attributes_class", "")
    return f"{scope.scope} In [{own}]" if own else f"{scope.scope} DoesNotExist"
