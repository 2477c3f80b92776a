"""The path of the pod spec in each built-in kind that makes pods.

Source: Kubernetes 1.36, staging/src/k8s.io/api/{core,apps,batch}/v1/types.go.
"""

from __future__ import annotations

from collections.abc import Mapping

OF_TEMPLATE = ("spec", "template", "spec")

POD_SPECS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("", "Pod"): ("spec",),
    ("", "ReplicationController"): OF_TEMPLATE,
    ("apps", "DaemonSet"): OF_TEMPLATE,
    ("apps", "Deployment"): OF_TEMPLATE,
    ("apps", "ReplicaSet"): OF_TEMPLATE,
    ("apps", "StatefulSet"): OF_TEMPLATE,
    ("batch", "CronJob"): ("spec", "jobTemplate", *OF_TEMPLATE),
    ("batch", "Job"): OF_TEMPLATE,
}
"""By group and kind."""

CONTAINER_LISTS = ("containers", "initContainers")
"""The fields of a pod's spec with containers."""
