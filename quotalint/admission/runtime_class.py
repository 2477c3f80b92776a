"""RuntimeClass: a sandbox costs its overhead.

Source: Kubernetes 1.34, plugin/pkg/admission/runtimeclass/admission.go (setOverhead).
"""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.kube.amounts import Listed, UnknownAmount
from quotalint.kube.pod import Pod


def fill_overhead(pod: Pod, overheads: Mapping[str, Listed]) -> Pod:
    """The pod with the overhead of its runtime class; `overheads` holds the classes in view."""
    if not pod.runtime_class:
        return pod
    overhead = overheads.get(pod.runtime_class)
    if overhead is None:
        reason = f"names the RuntimeClass {pod.runtime_class!r}, which is not in view, so its overhead is not counted"
        return pod._replace(unknowns=(*pod.unknowns, UnknownAmount(("spec", "runtimeClassName"), reason)))
    whose = f"of RuntimeClass {pod.runtime_class}"
    unknowns = [unknown._replace(reason=f"{whose} {unknown.reason}") for unknown in overhead.unknowns]
    if not (overhead.known or unknowns):
        return pod
    return pod._replace(overhead=overhead.known, unknowns=(*pod.unknowns, *unknowns))
