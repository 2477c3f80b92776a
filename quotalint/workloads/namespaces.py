"""Everything that exists in a namespace, written or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from quotalint.kube.fields import mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.settings import Nodes
from quotalint.workloads import expand
from quotalint.workloads.autoscalers import autoscalers
from quotalint.workloads.demand import Demand, Surroundings

_PUBLISHED = (
    ("ConfigMap", "kube-root-ca.crt"),  # pkg/controller/certificates/rootcacertpublisher/publisher.go
    ("ServiceAccount", "default"),  # pkg/controller/serviceaccount/serviceaccounts_controller.go
)


def demands(members: Sequence[Object], nodes: Nodes) -> Iterator[Demand]:
    """What every namespace holds, and what these objects of one bring into being, in their order."""
    templates = {obj.name: obj for obj in members if obj.kind == "ResourceClaimTemplate"}
    surroundings = Surroundings(nodes, autoscalers(members), templates)
    written = {(obj.group, obj.kind, obj.name) for obj in members}
    for kind, name in _PUBLISHED:
        if ("", kind, name) not in written:
            yield Demand(None, "", kind, name, {}, None, 1, "in every namespace")
    for obj in members:
        if _is_made_by(obj, written):
            continue  # an exported object: its owner, which is in view, brings it into being
        for demand in expand(obj, surroundings):
            # An object that a controller would make, and that is written as well, is one object.
            if demand.place is not None or (demand.group, demand.kind, demand.name) not in written:
                yield demand


def _deployment(obj: Object, owner: tuple[str, str, str]) -> tuple[str, str, str]:
    """The Deployment of a pod, told by the name of its ReplicaSet (pkg/controller/deployment/sync.go)."""
    hashed = text(mapping(obj.metadata.get("labels")).get("pod-template-hash"))
    group, kind, name = owner
    ending = f"-{hashed}"
    return (group, "Deployment", name.removesuffix(ending)) if kind == "ReplicaSet" and hashed else owner


def _is_made_by(obj: Object, written: Set[tuple[str, str, str]]) -> bool:
    for reference in map(mapping, sequence(obj.metadata.get("ownerReferences"))):
        group = text(reference.get("apiVersion")).rpartition("/")[0]
        owner = (group, text(reference.get("kind")), text(reference.get("name")))
        if reference.get("controller") is True and (owner in written or _deployment(obj, owner) in written):
            return True
    return False
