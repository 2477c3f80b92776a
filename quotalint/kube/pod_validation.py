"""Why the API server refuses a pod or pod template for the resources of its containers.

Source: Kubernetes 1.36, pkg/apis/core/validation/validation.go (ValidateContainerResourceRequirements,
validateResourceRequirements, ValidateResourceQuantityValue, validatePodResourceName, validatePodResourceConsistency).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quotalint.kube import quantity
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, mapping, sequence
from quotalint.kube.pod import Container, Pod
from quotalint.kube.pod_resources import container_limits, container_requests
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.resources import (
    container_name_errors,
    is_integer,
    is_pod_level,
    may_overcommit,
    resource_name_errors,
)
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path

_KNOWN = frozenset({"claims", "limits", "requests"})
"""The fields of `resources`."""


class Invalid(NamedTuple):
    """One reason to refuse a pod or workload."""

    field: str
    """The API server's path, from the pod or pod template."""
    path: Path
    """The path of the value, from the pod or pod template."""
    detail: str
    """The API server's message."""
    container: str
    """Empty if it concerns the whole pod."""
    decoding: bool = False
    """The value does not decode, so the whole manifest is refused."""
    by_plugin: bool = False
    """An admission plugin refuses it, not validation."""
    of_template: bool = False
    """The template is valid alone but conflicts with its workload."""
    of_priority: bool = False
    """It concerns a priority that is written without a PriorityClass."""
    of_workload: bool = False
    """It concerns a field of the workload outside the pod; the paths begin at the workload."""


def pod_errors(pod: Pod) -> tuple[Invalid, ...]:
    """The validation errors, in the order of the containers; unknown amounts have none."""
    errors: list[Invalid] = []
    for container in pod.all_containers:
        if (container.requests or container.limits) and not _is_trivially_valid(container):
            errors += _container_errors(container)
    if pod.has_resources:
        errors += _pod_level_errors(pod)
    return tuple(errors)


def decoding_errors(body: Body) -> tuple[Invalid, ...]:
    """The fields of `resources` in a pod or pod template that do not decode: unknown names and values that are no
    mappings. `kubectl` and deployers request strict decoding."""
    errors: list[Invalid] = []
    spec = mapping(body.get("spec"))
    for field in ("containers", "initContainers"):
        for index, container in enumerate(map(mapping, sequence(spec.get(field)))):
            resources = container.get("resources")
            name = container.get("name")
            if isinstance(resources, dict):
                for key in sorted(resources.keys() - _KNOWN, key=str):  # the order in which kubectl sends them
                    path: Path = ("spec", field, index, "resources", key)
                    at = f"spec.{field}[{index}].resources.{key}"
                    detail = f'unknown field "{{}}{at}"'
                    errors.append(Invalid(at, path, detail, name if isinstance(name, str) else "", decoding=True))
    return tuple(errors)


def _is_trivially_valid(container: Container) -> bool:
    """Whether a container is trivially valid: only CPU and memory, none negative, no request above its limit. Nearly
    all containers are."""
    limits = container.limits
    for name, request in container.requests.items():
        limit = limits.get(name)
        if name not in _COMPUTE or request.nano < 0 or (limit is not None and request.nano > limit.nano):
            return False
    return all(name in _COMPUTE and limit.nano >= 0 for name, limit in limits.items())


_COMPUTE = frozenset({"cpu", "memory"})
_PAGES = "hugepages-"
_BYTE = 10**9  # as a quantity counts


class _ResourceRequest(NamedTuple):
    """The resources of a container or of a whole pod."""

    base: str
    """The API server's path of its `resources`."""
    path: Path
    requests: ResourceList
    limits: ResourceList
    unknown_limits: frozenset[str]
    unknown: frozenset[str]
    """Resources with an unknown amount."""
    name_details: Callable[[str], tuple[str, ...]]
    """Returns why the resource's name is refused."""
    container: str


def _container_errors(container: Container) -> Iterator[Invalid]:
    _, kind, index = container.path[:3]
    return _requirement_errors(
        _ResourceRequest(
            f"spec.{kind}[{index}].resources",
            (*container.path, "resources"),
            container.requests,
            container.limits,
            container.unknown_limits,
            container.unknown_resources,
            _container_name_details,
            container.name,
        )
    )


def _requirement_errors(asked: _ResourceRequest) -> Iterator[Invalid]:
    """The errors of one `resources` (validateResourceRequirements)."""
    requests, limits = asked.requests, asked.limits
    for field, amounts in (("limits", limits), ("requests", requests)):
        for name in sorted(amounts):
            if is_placeholder(name):
                continue
            error = Invalid(f"{asked.base}.{field}[{name}]", (*asked.path, field, name), "", asked.container)
            for detail in asked.name_details(name):
                yield error._replace(detail=detail)
            yield from _amount_errors(error, name, amounts[name])
            if field == "requests" and name not in asked.unknown_limits:
                error = error._replace(field=f"{asked.base}.requests")
                yield from _compare_limit(error, f"{asked.base}.limits", name, amounts[name], limits.get(name))
    names = {*requests, *limits, *asked.unknown}
    if any(map(is_placeholder, names)):
        return  # it may be cpu
    if any(name.startswith(_PAGES) for name in names) and not names & _COMPUTE:
        yield Invalid(asked.base, asked.path, "Forbidden: HugePages require cpu or memory", asked.container)


def _container_name_details(name: str) -> tuple[str, ...]:
    return tuple(_invalid_value(name, words) for words in container_name_errors(name))


def _pod_name_details(name: str) -> tuple[str, ...]:
    """Why a pod-level resource name is refused (validatePodResourceName)."""
    errors = tuple(_invalid_value(name, words) for words in resource_name_errors(name))
    if errors or is_pod_level(name):
        return errors
    return (f'Unsupported value: "{name}": supported values: "cpu", "hugepages-", "memory"',)


def _compare_limit(
    error: Invalid, limits: str, name: str, request: Quantity, limit: Quantity | None
) -> Iterator[Invalid]:
    overcommitted = may_overcommit(name)
    if limit is None:
        if not overcommitted:
            words = "Required value: Limit must be set for non overcommitable resources"
            yield error._replace(field=limits, detail=words)
    elif request.nano != limit.nano and not overcommitted:
        words = f"must be equal to {name} limit of {quantity.show(limit)}"
        yield error._replace(detail=_invalid_value(quantity.show(request), words))
    elif request.nano > limit.nano:
        words = f"must be less than or equal to {name} limit of {quantity.show(limit)}"
        yield error._replace(detail=_invalid_value(quantity.show(request), words))


def _amount_errors(error: Invalid, name: str, value: Quantity) -> Iterator[Invalid]:
    shown = quantity.show(value)
    if value.nano < 0:
        yield error._replace(detail=_invalid_value(shown, "must be greater than or equal to 0"))
    if is_integer(name) and value.nano % _BYTE:
        yield error._replace(detail=_invalid_value(shown, "must be an integer"))
    if name.startswith(_PAGES) and not _is_whole_pages(name, value):
        words = f"{shown} is not positive integer multiple of {name}"
        yield error._replace(detail=_invalid_value(shown, words))


def page_size(name: str) -> int | None:
    """The page size of a resource such as hugepages-2Mi in bytes; None if its name has no valid size
    (IsHugePageResourceValueDivisible)."""
    size = quantity.parse(name.removeprefix(_PAGES))
    if not isinstance(size, Quantity) or size.nano <= 0 or quantity.stored_quantity(size).nano % _BYTE:
        return None
    return -(-size.nano // _BYTE)


def _is_whole_pages(name: str, value: Quantity) -> bool:
    size = page_size(name)
    return size is not None and -(-value.nano // _BYTE) % size == 0


def _pod_level_errors(pod: Pod) -> Iterator[Invalid]:
    path: Path = ("spec", "resources")
    yield from _requirement_errors(
        _ResourceRequest(
            "spec.resources", path, pod.requests, pod.limits, pod.unknown, pod.unknown, _pod_name_details, ""
        )
    )
    unknown = pod.unknown.union(*(container.unknown_resources for container in pod.all_containers))
    yield from _aggregate_errors("requests", pod.requests, container_requests(pod), unknown)
    # For resources that allow overcommitment, the limits of containers may exceed those of their pod in total.
    pages = {name: limit for name, limit in container_limits(pod).items() if name.startswith(_PAGES)}
    yield from _aggregate_errors("limits", pod.limits, pages, unknown)
    for index, container in enumerate(pod.containers):
        for name in sorted(container.limits):
            limit = pod.limits.get(name)
            if limit is not None and container.limits[name].nano > limit.nano:
                words = f"must be less than or equal to pod limits of {quantity.show(limit)}"
                detail = _invalid_value(quantity.show(container.limits[name]), words)
                field = f"spec.resources.containers[{index}][{name}].limits"
                yield Invalid(field, (*container.path, "resources", "limits", name), detail, container.name)


def _aggregate_errors(
    field: str, whole: ResourceList, aggregated: ResourceList, unknown: frozenset[str]
) -> Iterator[Invalid]:
    for name in sorted(aggregated):
        asked = whole.get(name)
        if asked is None or name in unknown or not is_pod_level(name) or aggregated[name].nano <= asked.nano:
            continue
        words = f"must be greater than or equal to aggregate container {field} of {quantity.show(aggregated[name])}"
        path: Path = ("spec", "resources", field, name)
        yield Invalid(f"spec.resources.{field}[{name}]", path, _invalid_value(quantity.show(asked), words), "")


def _invalid_value(value: str, words: str) -> str:
    return f'Invalid value: "{value}": {words}'
