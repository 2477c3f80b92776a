"""Which namespaces objects declare, and which are there without anybody declaring them."""

from __future__ import annotations

from quotalint.kube.objects import Object

DECLARING = frozenset(
    {
        ("", "Namespace"),
        # OpenShift: a Project is a Namespace under another name, a ProjectRequest asks for one.
        ("project.openshift.io", "Project"),
        ("project.openshift.io", "ProjectRequest"),
        # The hierarchical namespace controller makes a namespace of the name of each anchor.
        ("hnc.x-k8s.io", "SubnamespaceAnchor"),
    }
)
LIMITING = (("", "ResourceQuota"), ("", "LimitRange"))
"""The kinds that say what a namespace may have."""
_BUILT_IN = ("default", "kube-system", "kube-public", "kube-node-lease")
_PLATFORM = ("kube-", "openshift-")


def declares_namespace(obj: Object) -> bool:
    """Whether the object makes a namespace of its own name."""
    return (obj.group, obj.kind) in DECLARING


def limits_namespace(obj: Object) -> bool:
    """Whether it is a ResourceQuota or a LimitRange."""
    return (obj.group, obj.kind) in LIMITING


def is_built_in(namespace: str) -> bool:
    """Whether a namespace comes with the cluster: Kubernetes' own (`kube-` is kept for it), or OpenShift's."""
    return namespace in _BUILT_IN or namespace.startswith(_PLATFORM) or namespace == "openshift"
