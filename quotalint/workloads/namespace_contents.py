"""All demands of a namespace, whether or not the objects are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import TYPE_CHECKING

from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import mapping, sequence, text
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.kinds import OPENSHIFT as KINDS_OF_OPENSHIFT
from quotalint.kube.kubernetes_releases import DEFAULT
from quotalint.kube.objects import Object
from quotalint.kube.releases import KubernetesRelease, release
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.budget import OverBudgetError
from quotalint.runtime.faults import reason_of
from quotalint.settings import ISTIO, OPENSHIFT, Nodes, Workload
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
from quotalint.workloads.injected_sidecars import with_injected
from quotalint.workloads.operators import stated_pods, targeted_workloads
from quotalint.workloads.rollouts import ARGO_ROLLOUT, deployments_scaled_down
from quotalint.workloads.vertical import VERTICAL_AUTOSCALER, growths

if TYPE_CHECKING:
    from quotalint.workloads.operator_pods import Row

_PUBLISHED = (
    ("ConfigMap", "kube-root-ca.crt"),  # pkg/controller/certificates/rootcacertpublisher/publisher.go
    ("ServiceAccount", "default"),  # pkg/controller/serviceaccount/serviceaccounts_controller.go
)

_PUBLISHED_ON_OPENSHIFT = (
    # openshift/kubernetes, openshift-kube-controller-manager/servicecacertpublisher/publisher.go
    ("ConfigMap", "openshift-service-ca.crt"),
)
_OPENSHIFT = frozenset(
    (kind.group, kind.kind) for kind in KINDS_OF_OPENSHIFT if kind.namespaced and kind.group != "template.openshift.io"
)
"""Kinds whose objects show that the cluster is OpenShift. Templates do not, because they may be processed for any
cluster."""

_ACCOUNTS_ON_OPENSHIFT = ("builder", "deployer")  # openshift-controller-manager, pkg/cmd/controller/serviceaccount.go
_TOKENS_UNTIL = "1.29"
"""The release from which OpenShift makes one Secret for each ServiceAccount, with credentials of its registry, and no
longer a second one with a token (openshift-controller-manager, pkg/serviceaccounts/controllers)."""
_ROOT_OF_ISTIO = "istio-ca-root-cert"  # istio, pilot/pkg/serviceregistry/kube/controller/namespacecontroller.go
_LABELS_OF_ISTIO = (
    ("istio-injection", "enabled"),
    ("istio.io/dataplane-mode", "ambient"),
    ("istio.io/rev", None),
)
"""Labels of a Namespace that show Istio, with their value; None: any."""
_EVERYWHERE = constant_size(1, "in every namespace")


class Platform(NamedTuple):
    """A platform that keeps objects in every namespace of a cluster."""

    name: str
    guess: Guess | None
    """Why the cluster is taken to have it; None if the settings say so."""


def platforms_of(view: Cluster, stated: Sequence[str] | None) -> tuple[Platform, ...]:
    """The platforms that the settings state, or else that objects of a cluster show."""
    if stated is not None:
        return tuple(Platform(name, None) for name in stated)
    found: list[Platform] = []
    labels = [mapping(namespace.metadata.get("labels")) for namespace in view.of("", "Namespace")]
    if any(group.endswith(".istio.io") or group == "sailoperator.io" for group, _ in view.by_kind) or any(
        key in of and value in (None, of[key]) for of in labels for key, value in _LABELS_OF_ISTIO
    ):
        found.append(_seen(ISTIO, f"Istio keeps the ConfigMap {_ROOT_OF_ISTIO} in every namespace"))
    if not _OPENSHIFT.isdisjoint(view.by_kind):
        found.append(_seen(OPENSHIFT, "OpenShift keeps the ServiceAccounts builder and deployer, and their Secrets"))
    return tuple(found)


def _seen(name: str, keeps: str) -> Platform:
    cure = f"write `platform: {name}` into .quotalint.yaml, or `platform: []` if the cluster has none"
    return Platform(name, Guess(CONTENT, f"{keeps}, and an object in view shows {name}", cure))


def _published(platforms: Iterable[Platform], accounts: int, kube: KubernetesRelease) -> Iterator[Demand]:
    """What the platforms of a cluster keep in a namespace with so many ServiceAccounts of its own."""
    for name, guess in platforms:
        guesses = () if guess is None else (guess,)
        if name == ISTIO:
            yield Demand(None, "", "ConfigMap", _ROOT_OF_ISTIO, {}, None, _EVERYWHERE, guesses=guesses)
        elif name == OPENSHIFT:
            for account in _ACCOUNTS_ON_OPENSHIFT:
                yield Demand(None, "", "ServiceAccount", account, {}, None, _EVERYWHERE, guesses=guesses)
            each = 1 if kube.has(_TOKENS_UNTIL, "") else 2
            size = constant_size((accounts + 3) * each, "of the ServiceAccounts of every namespace")
            yield Demand(None, "", "Secret", "", {}, None, size, guesses=guesses)


def demands(
    members: Sequence[Object],
    nodes: Nodes,
    configured: Mapping[str, Workload] = MappingProxyType({}),
    injectors: Sequence[str] = (),
    kube_version: str = DEFAULT,
    shared: Sequence[Object] = (),
    platforms: Sequence[Platform] = (),
) -> Iterator[Demand]:
    """The objects that every namespace has, then the demands of its members, in their order. `configured` has the
    settings for kinds, `injectors` the webhooks that add containers to its pods, `shared` the objects without a
    namespace that members may name, `platforms` who else keeps objects in every namespace."""
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
    is_openshift = not kinds.isdisjoint(_OPENSHIFT) or any(platform.name == OPENSHIFT for platform in platforms)
    for kind, name in (*_PUBLISHED, *_PUBLISHED_ON_OPENSHIFT) if is_openshift else _PUBLISHED:
        if ("", kind, name) not in written:
            yield Demand(None, "", kind, name, {}, None, _EVERYWHERE)
    if platforms:
        accounts = {name for group, kind, name in written if (group, kind) == ("", "ServiceAccount")}
        number = len(accounts - {"default", *_ACCOUNTS_ON_OPENSHIFT})
        for demand in _published(platforms, number, surroundings.kubernetes):
            if ("", demand.kind, demand.name) not in written:
                yield demand
    targets = targeted_workloads(members, configured)
    made: set[tuple[str, str, str]] = set()
    for obj in members:
        if "ownerReferences" in obj.metadata and is_made_by(obj, written.keys()):
            continue  # an exported object: its owner causes it
        stated = stated_pods(obj, configured)
        if not (configured or stated) and (obj.group, obj.kind) not in CONTROLLERS:  # most objects
            yield demand_of_itself(obj)
            continue
        for demand in _expand_or_note(obj, stated, surroundings):
            # An object that a controller would make, and that is written or made for another owner too, is counted
            # once.
            key = demand.group, demand.kind, demand.name
            if demand.place is not None or (key not in written and key not in made):
                if demand.place is None and demand.name:
                    made.add(key)
                if demand.kind == "Pod" and demand.place:
                    body, added = with_injected(demand.body, injectors)
                    if added or body is not demand.body:
                        demand = demand._replace(body=body, unknowns=(*demand.unknowns, *added))
                named = targets.get((obj.kind, obj.name)) if targets else None
                yield demand._replace(guesses=(*demand.guesses, *named)) if named else demand


def _successors(members: Sequence[Object], kinds: Set[tuple[str, str]]) -> Mapping[str, Object]:
    """The objects that scale Deployments down and replace them, by the name of the Deployment."""
    rollouts = deployments_scaled_down(members) if ARGO_ROLLOUT in kinds else {}
    if FLAGGER_CANARY not in kinds:
        return rollouts
    from quotalint.workloads.flagger import watched_deployments

    return {**rollouts, **watched_deployments(members)}


def _expand_or_note(obj: Object, stated: Row | None, surroundings: Surroundings) -> Iterator[Demand]:
    try:
        if stated is None:
            yield from expand(obj, surroundings)
            return
        from quotalint.workloads import operator_pods

        yield demand_of_itself(obj)
        yield from operator_pods.expand(obj, stated, surroundings)
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
