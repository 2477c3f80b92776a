"""What is refused because an API server limits it by default and no quota of the namespace covers it.

A configuration may be one of several, the namespace of an object may be any, and a quota may be one that nobody sees:
then only what is refused whichever is true is called refused.

Source: Kubernetes 1.34, apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest, limitedByDefault,
getMatchedLimitedScopes); MatchingScopes and UncoveredQuotaScopes in pkg/quota/v1/evaluator/core/pods.go and
persistent_volume_claims.go. What matches no scope in the other evaluators is never limited by one.
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
from quotalint.quota.hidden_quotas import is_unplaced
from quotalint.quota.quotas import Quota

_COUNT = "count/"


class Uncovered(NamedTuple):
    """Why an object is refused."""

    message: str
    """What the API server will say."""
    names: tuple[str, ...]
    """What it consumes and no quota covers, sorted; none where it is about scopes."""
    scopes: tuple[Requirement, ...]
    """The limited scopes that it matches and no quota covers."""
    by: tuple[LimitedResource, ...]
    """What limits them."""


def uncovered_reasons(
    charge: Charge, quotas: Sequence[Quota], limited: Sequence[LimitedResource]
) -> tuple[Uncovered, ...]:
    """Why one object is refused, the reason that the API server gives first at the head; none where it is not.

    `quotas`: those of its namespace that are in force. Where a placeholder decides, it is not refused.
    """
    mine = [resource for resource in limited if _is_about(resource, charge) or resource.scopes]
    if not mine or any(_fails_scope(charge, scope) for resource in mine for scope in resource.scopes):
        return ()
    reasons = (_uncovered_consumption(charge, quotas, mine), _uncovered_scopes(charge, quotas, mine))
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
                if _is_about(resource, charge) and any(part in name for part in resource.contains)
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
    """The entries of `hard`, also those with an amount that is not known here."""
    unknown = [str(unknown.path[-1]) for unknown in quota.unknowns]
    if "hard" in unknown:  # a placeholder for all of them
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
    # One selector that matches is enough, whatever else the quota selects by and whatever it limits.
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


def _is_about(limited: LimitedResource, charge: Charge) -> bool:
    resource = f"{limited.resource}.{limited.group}" if limited.group else limited.resource
    return bool(limited.contains) and _COUNT + resource in charge.each


def _fails_scope(charge: Charge, scope: Requirement) -> bool:
    return scope.scope in charge.evaluator.scopes and bool(selector_error(scope))


def _matches_requirement(charge: Charge, requirement: Requirement, *, unsure: bool) -> bool:
    """Whether the object satisfies it; `unsure` where a placeholder decides."""
    item = charge.admitted.item
    own = {"PriorityClass": item.priority_class} if isinstance(item, Pod) else {}
    own |= {"VolumeAttributesClass": item.attributes_class} if isinstance(item, Claim) else {}
    values = (own.get(requirement.scope, ""), requirement.scope, *requirement.values)
    if any(map(is_placeholder, values)):
        return unsure
    return charge.evaluator.in_scope(item, requirement)


def _as_go_prints(scope: Requirement) -> str:
    """The struct as `%v` prints it."""
    return f"{{{scope.scope} {scope.operator} [{' '.join(scope.values)}]}}"


SETTING = "limitedPriorityClasses"
# Where managed clusters have a quota for critical pods of their own.
_MANAGED = "kube-system"


class DefaultLimits(NamedTuple):
    """What an API server limits by default, and the quotas that may cover it."""

    alternatives: tuple[tuple[LimitedResource, ...], ...]
    """Its configuration, or all that may be it."""
    enforced: Mapping[str, tuple[Quota, ...]]
    """By namespace."""
    accepted: tuple[Quota, ...]
    """All that the API server accepts."""
    hiding: Callable[[], frozenset[str]]
    """The namespaces that may have a quota which is not in view; empty: any may."""

    def refusals(self, charge: Charge) -> tuple[Uncovered, ...]:
        """Why each object of a charge is refused, in the words of the first configuration; none where it may not be."""
        owner = charge.owner
        if owner is None or owner.foreign or is_placeholder(owner.namespace):
            return ()
        alternatives = [_resources_for(limited, owner.namespace) for limited in self.alternatives]
        mine = _api_server_quotas(self.enforced.get(owner.namespace, ()))
        reasons = uncovered_reasons(charge, mine, alternatives[0])
        if not reasons:
            return ()
        placed = [mine]
        if owner.homeless:  # nothing tells its namespace, so in each it would have to be refused
            placed = [_api_server_quotas(quotas) for quotas in (*self.enforced.values(), ())]
        anywhere = tuple(quota for quota in _api_server_quotas(self.accepted) if is_unplaced(quota))
        if not all(
            uncovered_reasons(charge, (*quotas, *anywhere), limited) for quotas in placed for limited in alternatives
        ):
            return ()
        hiding = self.hiding()
        return () if hiding & {"", owner.namespace} or (owner.homeless and hiding) else reasons


NO_LIMITS = DefaultLimits((), {}, (), frozenset)


def _resources_for(limited: Sequence[LimitedResource], namespace: str) -> Sequence[LimitedResource]:
    return [resource for resource in limited if resource.place.path != (SETTING,)] if namespace == _MANAGED else limited


def _api_server_quotas(quotas: Sequence[Quota]) -> tuple[Quota, ...]:
    # OpenShift looks at quotas of several namespaces in a plugin of its own.
    return tuple(quota for quota in quotas if quota.object.kind != "ClusterResourceQuota")
