"""The HierarchicalResourceQuota of the Hierarchical Namespace Controller: limits a namespace and its descendants.

Source: kubernetes-sigs/hierarchical-namespaces 1.1, api/v1alpha2/hierarchicalresourcequota_types.go (`hard`, and no
scopes), internal/hrq/rqreconciler.go (the ResourceQuota in each namespace), internal/forest/namespacehrq.go
(canUseResources: the refusal), internal/forest/namespacestructure.go (DescendantNames: a cycle ends).
"""

from __future__ import annotations

from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object
from quotalint.quota.family import HIERARCHICAL_RESOURCE_QUOTA, Family
from quotalint.quota.family.described_namespaces import Namespaces, described_namespaces
from quotalint.quota.quotas import Quota, quota
from quotalint.text.lazy_patterns import lazy_pattern

_GROUP = "hnc.x-k8s.io"
_ENFORCED_AS = "hrq.hnc.x-k8s.io"
_SUBNAMESPACE = "hnc.x-k8s.io/subnamespace-of"
_DEPTH = lazy_pattern(r"(.+)\.tree\.hnc\.x-k8s\.io/depth")


def hierarchical_resource_quotas(cluster: Cluster) -> Family:
    """Every HierarchicalResourceQuota, over the known namespace tree."""
    namespaces = described_namespaces(cluster)
    children = _children_by_parent(cluster, namespaces)
    shown = _is_tree_known(cluster, namespaces)
    quotas = tuple(_hierarchical_quota(obj, children, shown=shown) for obj in cluster.of(*HIERARCHICAL_RESOURCE_QUOTA))
    counted = {namespace for member_quota in quotas for namespace in member_quota.namespaces}
    enforced_refs = (obj.ref for obj in cluster.of("", "ResourceQuota") if obj.foreign and obj.name == _ENFORCED_AS)
    return Family(quotas, (), frozenset(ref for ref in enforced_refs if ref.namespace in counted))


def _hierarchical_quota(obj: Object, children: dict[str, set[str]], *, shown: bool) -> Quota:
    members = _descendants_of(obj.namespace, children)
    base_quota = quota(obj, members, spec={"hard": obj.spec.get("hard")})
    has_descendants = len(members) > 1
    return base_quota._replace(
        enforced_as=_ENFORCED_AS,
        exceeding=f'exceeded hierarchical quota in namespace "{obj.namespace}": "{obj.name}"'
        if has_descendants
        else "",
        hidden=() if shown else (f"{obj.namespace} may have descendants that are not in view",),
    )


def _descendants_of(namespace: str, children: dict[str, set[str]]) -> tuple[str, ...]:
    descendants = {namespace: None}
    waiting = [namespace]
    for name in waiting:  # the list grows during the loop
        new = [child for child in sorted(children.get(name, ())) if child not in descendants]
        descendants.update(dict.fromkeys(new))
        waiting += new
    return tuple(descendants)


def _children_by_parent(cluster: Cluster, namespaces: Namespaces) -> dict[str, set[str]]:
    """The children of each namespace. The annotation of a child takes precedence over the objects of its parent."""
    parents: dict[str, str] = {}
    children: dict[str, set[str]] = {}
    for namespace in namespaces.by_name.values():
        parent = text(namespace.annotations.get(_SUBNAMESPACE))
        if parent:
            parents[namespace.name] = parent
        for label in namespace.labels:
            ancestor = _DEPTH.fullmatch(str(label))
            if ancestor is not None and ancestor[1] != namespace.name:
                children.setdefault(ancestor[1], set()).add(namespace.name)
    for anchor in cluster.of(_GROUP, "SubnamespaceAnchor"):
        if anchor.name:
            parents[anchor.name] = anchor.namespace
    for configuration in cluster.of(_GROUP, "HierarchyConfiguration"):
        parent = text(configuration.spec.get("parent"))
        if parent:
            parents[configuration.namespace] = parent
    for child, parent in parents.items():
        children.setdefault(parent, set()).add(child)
    return children


def _is_tree_known(cluster: Cluster, namespaces: Namespaces) -> bool:
    """Whether a snapshot shows the tree: the controller labels every namespace with its ancestors."""
    if any(
        obj.foreign for kind in ("HierarchyConfiguration", "SubnamespaceAnchor") for obj in cluster.of(_GROUP, kind)
    ):
        return True
    return any(
        obj.foreign and any(_DEPTH.fullmatch(str(label)) for label in mapping(obj.metadata.get("labels")))
        for namespace in namespaces.by_name.values()
        for obj in namespace.objects
    )
