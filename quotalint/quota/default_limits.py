"""Objects refused because the API server limits them by default and no quota of the namespace covers them.

The configuration may be one of several, an object's namespace may be unknown, and a quota may be hidden. Only objects
that are refused in every such case count as refused.

Source: Kubernetes 1.34, apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest, limitedByDefault,
getMatchedLimitedScopes); MatchingScopes and UncoveredQuotaScopes in pkg/quota/v1/evaluator/core/pods.go and
persistent_volume_claims.go. The other evaluators match no scope and limit nothing by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.claim import Claim
from quotalint.kube.limited_resources import LimitedResource, selector_error
from quotalint.kube.pod import Pod
from quotalint.kube.scopes import Requirement
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.quota.hidden_quotas import may_apply_anywhere
from quotalint.quota.quotas import Quota

_COUNT = "count/"


class Uncovered(NamedTuple):
    """Why an object is refused, as what no quota covers."""

    message: str
    """The API server's message."""
    names: tuple[str, ...]
    """The consumed resources that no quota covers, sorted; empty if the reason is a scope."""
    scopes: tuple[Requirement, ...]
    """The limited scopes that the object matches and no quota covers."""
    by: tuple[LimitedResource, ...]
    """The configuration entries that limit them."""


def uncovered_reasons(
    charge: Charge, quotas: Sequence[Quota], limited: Sequence[LimitedResource]
) -> tuple[Uncovered, ...]:
    """The reasons for which one object is refused, the API server's first reason first; empty if it is admitted.

    `quotas`: the enforced quotas of its namespace. If a placeholder decides, the object is not refused.
    """
    applicable = [resource for resource in limited if _limits_kind_of(resource, charge) or resource.scopes]
    if not applicable or any(_fails_scope(charge, scope) for resource in applicable for scope in resource.scopes):
        return ()
    reasons = (_uncovered_consumption(charge, quotas, applicable), _uncovered_scopes(charge, quotas, applicable))
    return tuple(reason for reason in reasons if reason is not None)


def _uncovered_consumption(
    charge: Charge, quotas: Iterable[Quota], limited: Iterable[LimitedResource]
) -> Uncovered | None:
    consumed = [name for name, amount in charge.each.items() if amount.nano > 0]
    of_name = {
        name: by
        for name in consumed
        if (
            by := [
                resource
                for resource in limited
                if _limits_kind_of(resource, charge) and any(part in name for part in resource.contains)
            ]
        )
    }
    if not of_name:
        return None
    for quota in quotas:
        if all(_matches_requirement(charge, requirement, unsure=True) for requirement in quota.requirements):
            for name in _entry_names(quota, of_name):
                if charge.evaluator.tracks(name):
                    of_name.pop(name, None)
    names = tuple(sorted(of_name))
    limiting = tuple(
        resource
        for resource in limited
        if any(resource in limiting_resources for limiting_resources in of_name.values())
    )
    return Uncovered(f"insufficient quota to consume: {','.join(names)}", names, (), limiting) if names else None


def _entry_names(quota: Quota, wanted: Iterable[str]) -> list[str]:
    """The entries of `hard`, including those with unknown amounts."""
    unknown = [str(unknown.path[-1]) for unknown in quota.unknowns]
    if "hard" in unknown:  # a placeholder stands for all entries
        return list(wanted)
    return [*quota.hard, *unknown]


def _uncovered_scopes(charge: Charge, quotas: Iterable[Quota], limited: Iterable[LimitedResource]) -> Uncovered | None:
    matched = [
        (scope, resource)
        for resource in limited
        for scope in resource.scopes
        if _matches_requirement(charge, scope, unsure=False)
    ]
    if not matched:
        return None
    # One matching selector is enough, whatever else the quota selects or limits.
    covered = {
        requirement.scope
        for quota in quotas
        for requirement in quota.requirements
        if _matches_requirement(charge, requirement, unsure=True)
    }
    uncovered = [(scope, resource) for scope, resource in matched if scope.scope not in covered]
    scopes = tuple(scope for scope, _ in uncovered)
    message = f"insufficient quota to match these scopes: [{' '.join(map(_as_go_prints, scopes))}]"
    return (
        Uncovered(message, (), scopes, tuple(dict.fromkeys(resource for _, resource in uncovered)))
        if uncovered
        else None
    )


def _limits_kind_of(limited: LimitedResource, charge: Charge) -> bool:
    resource = f"{limited.resource}.{limited.group}" if limited.group else limited.resource
    return bool(limited.contains) and _COUNT + resource in charge.each


def _fails_scope(charge: Charge, scope: Requirement) -> bool:
    return scope.scope in charge.evaluator.scopes and bool(selector_error(scope))


def _matches_requirement(charge: Charge, requirement: Requirement, *, unsure: bool) -> bool:
    """Whether the object satisfies a requirement; `unsure` if a placeholder decides."""
    item = charge.admitted.item
    own = {"PriorityClass": item.priority_class} if isinstance(item, Pod) else {}
    own |= {"VolumeAttributesClass": item.attributes_class} if isinstance(item, Claim) else {}
    values = (own.get(requirement.scope, ""), requirement.scope, *requirement.values)
    if any(map(is_placeholder, values)):
        return unsure
    return charge.evaluator.in_scope(item, requirement)


def _as_go_prints(scope: Requirement) -> str:
    """The struct in Go's `%v` format."""
    return f"{{{scope.scope} {scope.operator} [{' '.join(scope.values)}]}}"


SETTING, PLATFORM = "limitedPriorityClasses", "platform"
# Managed clusters have their own quota for critical pods here.
_MANAGED = "kube-system"


class DefaultLimits(NamedTuple):
    """What the API server limits by default, and the quotas that may cover it."""

    alternatives: tuple[tuple[LimitedResource, ...], ...]
    """Its configuration, or every configuration that it may have."""
    enforced: Mapping[str, tuple[Quota, ...]]
    """The enforced quotas by namespace."""
    accepted: tuple[Quota, ...]
    """All quotas that the API server accepts."""
    hiding: Callable[[], frozenset[str]]
    """The namespaces that may have a hidden quota; the empty name stands for any namespace."""

    def refusals(self, charge: Charge) -> tuple[Uncovered, ...]:
        """Why each object of a charge is refused, in the words of the first configuration; empty if it may be
        admitted."""
        owner = charge.owner
        if owner is None or owner.foreign or is_placeholder(owner.namespace):
            return ()
        alternatives = [_resources_for(limited, owner.namespace) for limited in self.alternatives]
        own_quotas = _without_cluster_quotas(self.enforced.get(owner.namespace, ()))
        reasons = uncovered_reasons(charge, own_quotas, alternatives[0])
        if not reasons:
            return ()
        quotas_by_case = [own_quotas]
        if owner.homeless:  # its namespace is unknown, so every namespace would have to refuse it
            quotas_by_case = [_without_cluster_quotas(quotas) for quotas in (*self.enforced.values(), ())]
        unplaced_quotas = tuple(quota for quota in _without_cluster_quotas(self.accepted) if may_apply_anywhere(quota))
        if not all(
            uncovered_reasons(charge, (*quotas, *unplaced_quotas), limited)
            for quotas in quotas_by_case
            for limited in alternatives
        ):
            return ()
        hiding = self.hiding()
        return () if hiding & {"", owner.namespace} or (owner.homeless and hiding) else reasons


NO_LIMITS = DefaultLimits((), {}, (), frozenset)


def _resources_for(limited: Sequence[LimitedResource], namespace: str) -> Sequence[LimitedResource]:
    settings = ((SETTING,), (PLATFORM,))
    return (
        [resource for resource in limited if resource.place.path not in settings] if namespace == _MANAGED else limited
    )


def _without_cluster_quotas(quotas: Sequence[Quota]) -> tuple[Quota, ...]:
    # OpenShift checks ClusterResourceQuotas in a plugin of its own.
    return tuple(quota for quota in quotas if quota.object.kind != "ClusterResourceQuota")
