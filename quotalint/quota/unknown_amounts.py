"""Which amounts of objects are unknown, by entry of a quota."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.evaluators.persistentvolumeclaims import class_of
from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.claim import Claim, DeviceClaim
from quotalint.kube.pod import Pod
from quotalint.kube.resources import is_extended_quota
from quotalint.quota.charges import Charge
from quotalint.quota.quotas import Quota
from quotalint.text.place import Path


def reasons_for_more(name: str, charges: Sequence[Charge], quota: Quota) -> list[str]:
    """Why these charges may add more to an entry of `hard` than is known."""
    reasons: list[str] = []
    of_class = bool(class_of(name))
    for charge in charges:
        admitted = charge.admitted
        demand = admitted.demand
        if not (of_class or demand.size.unknowns or admitted.unknowns):
            continue
        # Pods without a known template may be in any scope.
        if not charge.evaluator.tracks(name) or not (demand.place is None or charge.matches(quota.requirements)):
            continue
        reasons += demand.size.unknowns
        owner = f"{demand.owner.kind} {demand.owner.name}" if demand.owner else demand.kind
        for unknown in admitted.unknowns:
            if not _concerns(unknown, name, admitted.item):
                continue
            reasons.append(unknown.for_all or f"{owner}: {'.'.join(map(str, unknown.path))} {unknown.reason}")
        if of_class and isinstance(admitted.item, Claim) and admitted.item.storage_class is None:
            reasons.append(f"{owner}: the claim takes the default StorageClass, which is not in view")
    return reasons


def _concerns(unknown: UnknownAmount, name: str, item: object) -> bool:
    """Whether an unknown amount may add to an entry of `hard`. Memory adds nothing to `pods`, and a request nothing to
    `limits.cpu`. A limit adds to requests only if it is the default of a missing request."""
    if unknown.path[-1:] == ("deviceClassName",):
        return is_extended_quota(name)
    if isinstance(item, DeviceClaim):
        return not name.startswith("count/")
    field = unknown.path[-2] if len(unknown.path) > 1 else ""
    if field not in ("requests", "limits", "overhead"):
        return True
    resource = str(unknown.path[-1])
    if name.startswith("limits."):
        return field != "requests" and name.removeprefix("limits.") == resource
    if name.removeprefix("requests.") != resource and not name.endswith(f"/requests.{resource}"):
        return False
    return field != "limits" or not isinstance(item, Pod) or not _states_request(item, unknown.path, resource)


def _states_request(pod: Pod, limit: Path, resource: str) -> bool:
    """Whether the request is known beside an unknown limit, for a container or the whole pod."""
    for container in pod.all_containers:
        if limit[:-3] == container.path:
            return resource in container.requests
    return limit[:-3] == ("spec",) and resource in pod.requests
