"""All demands of a namespace, whether or not the objects are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from types import MappingProxyType

from quotalint.kube.fields import mapping, sequence, text
from quotalint.kube.kinds import OPENSHIFT
from quotalint.kube.kubernetes_releases import DEFAULT
from quotalint.kube.objects import Object
from quotalint.kube.releases import release
from quotalint.runtime.budget import OverBudgetError
from quotalint.runtime.faults import reason_of
from quotalint.settings import Nodes, Workload
from quotalint.workloads import CONTROLLERS, expand
from quotalint.workloads.autoscalers import AUTOSCALING_KINDS, autoscalers
from quotalint.workloads.demand import (
    FLAGGER_CANARY,
    Demand,
    Numbers,
    Size,
    Surroundings,
    constant_size,
    demand_of_itself,
)
from quotalint.workloads.injected_sidecars import injected_amounts
from quotalint.workloads.operators import targeted_workloads
from quotalint.workloads.rollouts import ARGO_ROLLOUT, deployments_scaled_down
from quotalint.workloads.vertical import VERTICAL_AUTOSCALER, growths

_PUBLISHED = (
    ("ConfigMap", "kube-root-ca.crt"),  # pkg/controller/certificates/rootcacertpublisher/publisher.go
    ("ServiceAccount", "default"),  # pkg/controller/serviceaccount/serviceaccounts_controller.go
)

_PUBLISHED_ON_OPENSHIFT = (
    # openshift/kubernetes, openshift-kube-controller-manager/servicecacertpublisher/publisher.go
    ("ConfigMap", "openshift-service-ca.crt"),
)
_OPENSHIFT = frozenset(
    (kind.group, kind.kind) for kind in OPENSHIFT if kind.namespaced and kind.group != "template.openshift.io"
)
"""Kinds whose objects show that the cluster is OpenShift. Templates do not, because they may be processed for any
cluster."""

_EVERYWHERE = constant_size(1, "in every namespace")


def demands(
    members: Sequence[Object],
    nodes: Nodes,
    configured: Mapping[str, Workload] = MappingProxyType({}),
    injectors: Sequence[str] = (),
    kube_version: str = DEFAULT,
    shared: Sequence[Object] = (),
) -> Iterator[Demand]:
    """The objects that every namespace has, then the demands of its members, in their order. `configured` has the
    settings for kinds, `injectors` the webhooks that add containers to its pods, `shared` the objects without a
    namespace that members may name."""
    written = {(obj.group, obj.kind, obj.name): obj for obj in members}
    kinds = {(group, kind) for group, kind, _ in written}
    surroundings = Surroundings(
        nodes,
        {} if kinds.isdisjoint(AUTOSCALING_KINDS) else autoscalers(members),
        growths(members) if VERTICAL_AUTOSCALER in kinds else {},
        {**{(obj.group, obj.kind, obj.name): obj for obj in shared}, **written} if shared else written,
        _successors(members, kinds),
        configured,
        release(kube_version),
    )
    for kind, name in _PUBLISHED if kinds.isdisjoint(_OPENSHIFT) else (*_PUBLISHED, *_PUBLISHED_ON_OPENSHIFT):
        if ("", kind, name) not in written:
            yield Demand(None, "", kind, name, {}, None, _EVERYWHERE)
    targets = targeted_workloads(members, configured)
    made: set[tuple[str, str, str]] = set()
    for obj in members:
        if "ownerReferences" in obj.metadata and is_made_by(obj, written.keys()):
            continue  # an exported object: its owner causes it
        if not configured and (obj.group, obj.kind) not in CONTROLLERS:  # most objects
            yield demand_of_itself(obj)
            continue
        for demand in _expand_or_note(obj, surroundings):
            # An object that a controller would make, and that is written or made for another owner too, is counted
            # once.
            key = demand.group, demand.kind, demand.name
            if demand.place is not None or (key not in written and key not in made):
                if demand.place is None and demand.name:
                    made.add(key)
                added = injected_amounts(demand.body, injectors) if demand.kind == "Pod" and demand.place else ()
                demand = demand._replace(unknowns=(*demand.unknowns, *added)) if added else demand
                named = targets.get((obj.kind, obj.name)) if targets else None
                yield demand._replace(guesses=(*demand.guesses, *named)) if named else demand


def _successors(members: Sequence[Object], kinds: Set[tuple[str, str]]) -> Mapping[str, Object]:
    """The objects that scale Deployments down and replace them, by the name of the Deployment."""
    rollouts = deployments_scaled_down(members) if ARGO_ROLLOUT in kinds else {}
    if FLAGGER_CANARY not in kinds:
        return rollouts
    from quotalint.workloads.flagger import watched_deployments

    return {**rollouts, **watched_deployments(members)}


def _expand_or_note(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    try:
        yield from expand(obj, surroundings)
    except OverBudgetError:
        raise  # for the whole namespace
    except Exception as error:
        cause, _ = reason_of("workloads", obj.place.file, error)
        reason = f"{obj.kind} {obj.name} could not be judged: {cause}"
        yield Demand(obj, "", "Pod", "", {}, obj.place, Size(Numbers(0, 0, 0, 0), reason, (reason,)))


_HASHES = (
    ("pod-template-hash", "apps", "Deployment"),  # pkg/controller/deployment/sync.go
    ("rollouts-pod-template-hash", "argoproj.io", "Rollout"),  # Argo Rollouts 1.9, rollout/sync.go
)


def _owner_of_owner(obj: Object, owner: tuple[str, str, str]) -> tuple[str, str, str]:
    """The Deployment or Rollout that owns a pod, from the name of its ReplicaSet."""
    _, kind, name = owner
    for label, group, kind_above in _HASHES if kind == "ReplicaSet" else ():
        hashed = text(mapping(obj.metadata.get("labels")).get(label))
        if hashed:
            return group, kind_above, name.removesuffix(f"-{hashed}")
    return owner


def is_made_by(obj: Object, written: Set[tuple[str, str, str]]) -> bool:
    """Whether the controller of an object is one of `written`: group, kind and name of the namespace's objects."""
    for reference in map(mapping, sequence(obj.metadata.get("ownerReferences"))):
        group = text(reference.get("apiVersion")).rpartition("/")[0]
        owner = (group, text(reference.get("kind")), text(reference.get("name")))
        if reference.get("controller") is True and (owner in written or _owner_of_owner(obj, owner) in written):
            return True
    return False
