"""Why the API server refuses a pod or pod template for fields other than amounts. Such pods never start, and use
nothing.

Source: Kubernetes 1.36, pkg/apis/core/validation/validation.go (validateResourceClaimNames, validateContainers,
validateInitContainers, validateResizePolicy, validatePodResources, ValidatePodSpec).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.kube.amounts import is_stand_in
from quotalint.kube.api_error import field_path
from quotalint.kube.fields import Body, dig, integer, mapping, sequence, text
from quotalint.kube.pod_validation import Invalid
from quotalint.kube.releases import KubernetesRelease
from quotalint.text.place import Path

_MOST_SECONDS = 2**31 - 1


def spec_errors(body: Body, release: KubernetesRelease) -> tuple[Invalid, ...]:
    """The validation errors of a pod or pod template; unknown values have none."""
    spec = mapping(body.get("spec"))
    errors: list[Invalid] = []
    for field in ("containers", "initContainers"):
        for index, container in enumerate(map(mapping, sequence(spec.get(field)))):
            if release.resource_claims and "claims" in mapping(container.get("resources")):
                errors += _claim_errors(spec, container, ("spec", field, index, "resources", "claims"))
            if release.in_place_resize and container.get("resizePolicy"):
                errors += _resize_errors(spec, container, ("spec", field, index, "resizePolicy"))
            if field == "containers" and not release.container_restart_policies and container.get("restartPolicy"):
                path: Path = ("spec", field, index, "restartPolicy")
                errors.append(_invalid(path, "Forbidden: may not be set for non-init containers", container))
    if release.pod_level_resources and isinstance(spec.get("resources"), dict):
        errors += _pod_level_errors(spec)
    seconds = integer(spec.get("activeDeadlineSeconds"))
    if seconds is not None and not 1 <= seconds <= _MOST_SECONDS:
        detail = f"Invalid value: {seconds}: must be between 1 and {_MOST_SECONDS}, inclusive"
        errors.append(_invalid(("spec", "activeDeadlineSeconds"), detail))
    return tuple(errors)


def _claim_errors(spec: Body, container: Body, path: Path) -> Iterator[Invalid]:
    """validateResourceClaimNames: each entry names a claim of the pod, or one request of it, without duplicates."""
    defined = spec.get("resourceClaims")
    names = sorted(filter(None, (text(mapping(claim).get("name")) for claim in sequence(defined))))
    written = sequence(dig(container, "resources", "claims"))
    entries = list(map(mapping, written))
    if any(map(is_stand_in, (defined, *sequence(defined), *written, *names, *_texts(entries)))):
        return
    named: set[str] = set()
    for index, entry in enumerate(entries):
        name, request = text(entry.get("name")), text(entry.get("request"))
        if not name:
            yield _invalid((*path, index), "Required value", container)
            continue
        key = f"{name}/{request}" if request else name
        overlapping = not request and any(other.startswith(f"{name}/") for other in named)
        if name in named or key in named or overlapping:
            shown = name if name in named or overlapping else key
            yield _invalid((*path, index), f'Duplicate value: "{shown}"', container)
        named.add(key)
        if name not in names:
            which = f": {', '.join(names)}" if names else " which is empty"
            detail = f'Not found: "{name}": must be one of the names in pod.spec.resourceClaims{which}'
            yield _invalid((*path, index), detail, container)


_RESIZED = ("cpu", "memory")
_POLICIES = ("NotRequired", "RestartContainer")


def _resize_errors(spec: Body, container: Body, path: Path) -> Iterator[Invalid]:
    """validateResizePolicy and validateInitContainers: which resources may be resized, and how."""
    policies = sequence(container.get("resizePolicy"))
    entries = [
        (index, text(policy.get("resourceName")), text(policy.get("restartPolicy")))
        for index, policy in enumerate(map(mapping, policies))
    ]
    if any(map(is_stand_in, (*policies, *(name for _, *names in entries for name in names)))):
        return
    is_sidecar = path[1] == "containers" or container.get("restartPolicy") == "Always"
    named: set[str] = set()
    for index, resource, policy in entries:
        if resource in named:
            yield _invalid((*path, index), f'Duplicate value: "{resource}"', container)
        named.add(resource)
        for written, supported in ((resource, _RESIZED), (policy, _POLICIES)):
            if written not in supported:
                shown = ", ".join(f'"{value}"' for value in supported)
                detail = f'Unsupported value: "{written}": supported values: {shown}' if written else "Required value"
                yield _invalid(path, detail, container)
        if spec.get("restartPolicy") == "Never" and "restartPolicy" not in container and policy != "NotRequired":
            words = "must be 'NotRequired' when pod `restartPolicy` is 'Never'"
            yield _invalid(path, f'Invalid value: "{policy}": {words}', container)
        if not is_sidecar and policy == "RestartContainer":
            words = "must not be set to 'RestartContainer' for non-sidecar initContainers"
            yield _invalid((*path, index, "restartPolicy"), f'Invalid value: "{policy}": {words}', container)


def _texts(entries: Sequence[Body]) -> Iterator[str]:
    for entry in entries:
        yield from (text(entry.get(field)) for field in ("name", "request"))


def _pod_level_errors(spec: Body) -> Iterator[Invalid]:
    if dig(spec, "os", "name") == "windows":
        yield _invalid(("spec", "resources"), "Forbidden: may not be set for a windows pod")
    elif dig(spec, "resources", "claims") is not None:
        detail = "Forbidden: claims may not be set for Resources at pod-level"
        yield _invalid(("spec", "resources", "claims"), detail)
        yield from _claim_errors(spec, spec, ("spec", "resources", "claims"))


def _invalid(path: Path, detail: str, container: Body | None = None) -> Invalid:
    return Invalid(field_path(path), path, detail, text((container or {}).get("name")))
