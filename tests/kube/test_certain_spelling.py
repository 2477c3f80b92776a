"""Names of `hard` that can only have meant one other, and those that leave a choice."""

from __future__ import annotations

import pytest

from quotalint.kube.discovery import discover_kinds
from quotalint.kube.objects import objects
from quotalint.kube.scopes import SCOPES
from quotalint.kube.spelling import certain_name, certain_scope
from quotalint.text.place import Place

WIDGETS = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "spec": {"group": "example.com", "scope": "Namespaced", "names": {"kind": "Widget", "plural": "widgets"}},
}
KNOWN = discover_kinds(tuple(objects(WIDGETS, Place("crd.yaml"))), "1.34")
CERTAIN = {
    "memory.limit": "limits.memory",
    "cpu.limits": "limits.cpu",
    "cpu_request": "requests.cpu",
    "request.storage": "requests.storage",
    "Limits.CPU": "limits.cpu",
    "pod": "pods",
    "services.loadbalancer": "services.loadbalancers",
    "limits.hugepages-1Gi": "requests.hugepages-1Gi",
    "count.pods": "count/pods",
    "jobs.batch": "count/jobs.batch",
    "deployments": "count/deployments.apps",
    "count/deployment.apps": "count/deployments.apps",
    "count/jobs": "count/jobs.batch",
    "count/hpa": "count/horizontalpodautoscalers.autoscaling",
    "count/Pods": "count/pods",
    "count/widget.example.com": "count/widgets.example.com",
    "count/Widget": "count/widgets.example.com",
    "count/services.loadbalancers": "services.loadbalancers",
    "nvidia.com/gpu": "requests.nvidia.com/gpu",
    "limits.nvidia.com/gpu": "requests.nvidia.com/gpu",
    "limits.amd.com/gpu": "requests.amd.com/gpu",
    "requests.alpha.kubernetes.io/nvidia-gpu": "requests.nvidia.com/gpu",
    "apps/deployments": "count/deployments.apps",
    "example.com/widgets": "count/widgets.example.com",
    "kro.run/resourcegroups": None,
    "limits.storage": None,
    "storage": None,
    "gpu": None,
    "bandwidth": None,
    "limits": None,
    "requests": None,
    "limits.cpus": None,
    "count/nodes": None,
    "count/deployemnts.apps": None,
    "count/nvidia.com/gpu": None,
    "count/thingummies.apps": None,
    "fast.storageclass.storage.k8s.io/requests.io": None,
}


@pytest.mark.parametrize(("written", "meant"), CERTAIN.items(), ids=CERTAIN)
def test_what_a_name_certainly_means(written: str, meant: str | None) -> None:
    assert certain_name(written, KNOWN) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("terminating", "Terminating"),
        ("not-best_effort", "NotBestEffort"),
        ("Terminating", None),
        ("BestEfforts", None),
    ],
)
def test_what_a_scope_certainly_means(written: str, meant: str | None) -> None:
    assert certain_scope(written, SCOPES) == meant
