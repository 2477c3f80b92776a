"""RuntimeClass: it adds its overhead and node selector to a pod; a pod must not set others.

Source: Kubernetes 1.34, plugin/pkg/admission/runtimeclass/admission.go (setOverhead, setScheduling, validateOverhead).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.kube.amounts import Listed, UnknownAmount, is_placeholder
from quotalint.kube.fields import Body, dig, mapping, text
from quotalint.kube.pod import Pod
from quotalint.kube.pod_validation import Invalid
from quotalint.kube.resource_list import nano_by_name
from quotalint.text.place import Path

_FIELD: Path = ("spec", "overhead")


def fill_overhead(pod: Pod, overheads: Mapping[str, Listed]) -> Pod:
    """The pod with the overhead of its RuntimeClass; `overheads` has the known classes."""
    if not pod.runtime_class:
        return pod
    overhead = overheads.get(pod.runtime_class)
    if overhead is None:
        reason = f"names the RuntimeClass {pod.runtime_class!r}, which is not in view, so its overhead is not counted"
        return pod._replace(unknowns=(*pod.unknowns, UnknownAmount(("spec", "runtimeClassName"), reason)))
    source = f"of RuntimeClass {pod.runtime_class}"
    unknowns = [unknown._replace(reason=f"{source} {unknown.reason}") for unknown in overhead.unknowns]
    if not (overhead.known or unknowns):
        return pod
    return pod._replace(overhead=overhead.known, unknowns=(*pod.unknowns, *unknowns))


def overhead_errors(body: Body, pod: Pod, overheads: Mapping[str, Listed]) -> tuple[Invalid, ...]:
    """Why the plugin refuses a pod that sets another overhead than its RuntimeClass. An empty one (`{}`) is set too."""
    if not isinstance(dig(body, "spec", "overhead"), dict):
        return ()
    defined = overheads.get(pod.runtime_class) if pod.runtime_class else Listed({}, ())
    if defined is None or defined.unknowns or any(unknown.path[:2] == _FIELD for unknown in pod.unknowns):
        return ()
    if pod.overhead and nano_by_name(defined.known) == nano_by_name(pod.overhead):
        return ()
    detail = "Pod's Overhead doesn't match RuntimeClass's defined Overhead"
    if not defined.known:
        detail = "Pod Overhead set without corresponding RuntimeClass defined Overhead"
    return (Invalid("spec.overhead", _FIELD, f"pod rejected: {detail}", "", by_plugin=True),)


def selector_errors(body: Body, selector: Body | None) -> Iterator[Invalid]:
    """Why the plugin refuses a pod whose node selector conflicts with the `selector` of its RuntimeClass."""
    wanted = mapping(dig(body, "spec", "nodeSelector"))
    for key, value in sorted((selector or {}).items()):
        own = wanted.get(key, value)
        if own != value and not is_placeholder(own) and not is_placeholder(value):
            pods = f"pod.spec.nodeSelector[{key}] = {text(own)}"
            detail = f"conflict: runtimeClass.scheduling.nodeSelector[{key}] = {text(value)}; {pods}"
            path: Path = ("spec", "nodeSelector", key)
            yield Invalid(f"spec.nodeSelector[{key}]", path, detail, "", by_plugin=True)
            return
