"""Priority: a pod that names no class gets the global default.

Source: Kubernetes 1.34, plugin/pkg/admission/priority/admission.go (admitPod).
"""

from __future__ import annotations

from quotalint.kube.pod import Pod

BUILTIN = frozenset({"system-cluster-critical", "system-node-critical"})
"""Priority classes that every cluster has (pkg/apis/scheduling/v1/helpers.go, SystemPriorityClasses)."""


def fill_priority(pod: Pod, default_class: str) -> Pod:
    """The pod with its priority class; `default_class` is empty where no class is marked `globalDefault`."""
    return pod if pod.priority_class or not default_class else pod._replace(priority_class=default_class)
