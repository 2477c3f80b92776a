"""OpenShift's ClusterResourceOverride: requests and limits by percentages, in namespaces with its label.

Source: openshift/cluster-resource-override-admission, pkg/clusterresourceoverride/mutator.go and admission.go. The
bounds of LimitRanges, which it also obeys, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quotalint.admission.policies.entries import changed_entries
from quotalint.admission.policies.target import Change, Target
from quotalint.kube import quantity
from quotalint.kube.amounts import amount
from quotalint.kube.fields import dig, integer, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.quantity import BINARY_SI, Quantity

OVERRIDE = ("operator.autoscaling.openshift.io", "ClusterResourceOverride")
_ENABLED = "clusterresourceoverrides.admission.autoscaling.openshift.io/enabled"
_ONE = 10**9
_GIB = 1024**3
_ENTRIES = frozenset(f"{prefix}{name}" for prefix in ("", "requests.", "limits.") for name in ("cpu", "memory"))


def sets_amounts(policy: Object) -> bool:
    """Whether an override has a percentage."""
    return any(_percentages(policy).values())


def _percentages(policy: Object) -> Mapping[str, int]:
    spec = mapping(dig(policy.spec, "podResourceOverride", "spec"))
    return {key: integer(value) or 0 for key, value in spec.items()}


def changes(policy: Object, target: Target, others: Sequence[Object]) -> Iterator[Change]:
    """What an override does to a pod, in at most one step."""
    del others
    labels = target.namespace_labels
    if target.kind != "Pod" or (labels is not None and text(labels.get(_ENABLED)) != "true"):
        return
    if labels is None:
        yield Change(_ENTRIES)
        return
    percentages = _percentages(policy)
    spec = dict(mapping(target.body.get("spec")))
    for field in ("initContainers", "containers"):
        if isinstance(spec.get(field), list):
            spec[field] = [_overridden(container, percentages) for container in sequence(spec[field])]
    body = {**target.body, "spec": spec}
    changed = changed_entries(target.body, body)
    if changed:
        yield Change(changed, body)


def _overridden(container: object, percentages: Mapping[str, int]) -> object:
    if not isinstance(container, dict):
        return container
    resources = mapping(container.get("resources"))
    requests, limits = dict(mapping(resources.get("requests"))), dict(mapping(resources.get("limits")))
    memory = amount(limits["memory"]) if "memory" in limits else None
    if isinstance(memory, Quantity):
        part = percentages.get("memoryRequestToLimitPercent", 0)
        if part:  # rounded down to whole mebibytes or megabytes, at least one mebibyte
            step = 1024**2 if memory.format == BINARY_SI else 1000**2
            size = memory.nano // _ONE * part // 100 // step * step
            requests["memory"] = quantity.show(Quantity(max(size, 1024**2) * _ONE, memory.format))
        ratio = percentages.get("limitCPUToMemoryPercent", 0)
        if ratio:  # a core for each gibibyte is 100 percent
            limits["cpu"] = _millicores(memory.nano // _ONE * ratio * 10 // _GIB)
    cpu = amount(limits["cpu"]) if "cpu" in limits else None
    part = percentages.get("cpuRequestToLimitPercent", 0)
    if part and isinstance(cpu, Quantity):
        requests["cpu"] = _millicores(cpu.nano * 1000 // _ONE * part // 100)
    if not requests and not limits:
        return container
    return {**container, "resources": {**resources, "requests": requests, "limits": limits}}


def _millicores(number: int) -> str:
    return f"{max(number, 1)}m"
