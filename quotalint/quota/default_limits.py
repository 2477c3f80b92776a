"""What of a cluster is refused since the API server limits it by default: as far as that is certain.

A configuration may be one of several, the namespace of an object may be any, and a quota may be one that nobody sees:
then only what is refused whichever is true is called refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.limited_resources import LimitedResource
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.quota.hidden_quotas import is_unplaced
from quotalint.quota.limited import Uncovered, uncovered_reasons
from quotalint.quota.quotas import Quota

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
