"""Why the API server refuses a pod, or a pod template, for what its containers ask for.

Source: Kubernetes 1.36, pkg/apis/core/validation/validation.go (ValidateContainerResourceRequirements,
validateResourceRequirements, ValidateResourceQuantityValue, validatePodResourceConsistency).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube import quantity
from quotalint.kube.fields import Body, mapping, sequence
from quotalint.kube.pod import Container, Pod
from quotalint.kube.pod_resources import container_requests
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.resources import container_name_errors, is_integer, is_pod_level, may_overcommit
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path

_KNOWN = frozenset({"claims", "limits", "requests"})
"""The fields of `resources`."""


class Invalid(NamedTuple):
    """One reason to refuse it."""

    field: str
    """The API server's path, from the pod or pod template down."""
    path: Path
    """Where it is written, from there down."""
    detail: str
    """The API server's words."""
    container: str
    """Empty where it is about the pod as a whole."""
    decoding: bool = False
    """It cannot even be read: whatever it stands in is refused."""
    by_plugin: bool = False
    """An admission plugin refuses it, and no validation."""


def pod_errors(pod: Pod) -> tuple[Invalid, ...]:
    """What validation finds, in the order of the containers; of amounts that are not known nothing."""
    errors: list[Invalid] = []
    for container in pod.all_containers:
        if (container.requests or container.limits) and not _is_sound(container):
            errors += _container_errors(container)
    if pod.has_resources:
        errors += _pod_level_errors(pod)
    return tuple(errors)


def decoding_errors(body: Body) -> tuple[Invalid, ...]:
    """What cannot be read at all, in a pod or pod template as it is written: fields that `resources` does not have, and
    what is no mapping. Servers are asked for strict decoding by `kubectl` and by what applies repositories."""
    errors: list[Invalid] = []
    spec = mapping(body.get("spec"))
    for field in ("containers", "initContainers"):
        for index, container in enumerate(map(mapping, sequence(spec.get(field)))):
            resources = container.get("resources")
            name = container.get("name")
            if isinstance(resources, dict):
                for key in sorted(resources.keys() - _KNOWN, key=str):  # as kubectl sends them
                    path: Path = ("spec", field, index, "resources", key)
                    at = f"spec.{field}[{index}].resources.{key}"
                    detail = f'unknown field "{{}}{at}"'
                    errors.append(Invalid(at, path, detail, name if isinstance(name, str) else "", decoding=True))
    return tuple(errors)


def _is_sound(container: Container) -> bool:
    """Whether it is seen at once that there is nothing to find: CPU and memory, none below zero, no request above its
    limit. That is so of nearly all containers."""
    limits = container.limits
    for name, request in container.requests.items():
        limit = limits.get(name)
        if name not in _COMPUTE or request.nano < 0 or (limit is not None and request.nano > limit.nano):
            return False
    return all(name in _COMPUTE and limit.nano >= 0 for name, limit in limits.items())


_COMPUTE = frozenset({"cpu", "memory"})


def _container_errors(container: Container) -> Iterator[Invalid]:
    requests, limits = container.requests, container.limits
    _, kind, index = container.path[:3]
    base = f"spec.{kind}[{index}].resources"
    for field, amounts in (("limits", limits), ("requests", requests)):
        for name in sorted(amounts):
            path = (*container.path, "resources", field, name)
            yield from _amount_errors(f"{base}.{field}[{name}]", path, name, amounts[name], container.name)
            if field == "requests" and name not in container.unknown_limits:
                where = Invalid(f"{base}.requests", path, "", container.name)
                yield from _compare_limit(where, f"{base}.limits", name, amounts[name], limits.get(name))
    names = {*requests, *limits, *container.unknown_resources}
    if any(name.startswith("hugepages-") for name in names) and not names & {"cpu", "memory"}:
        path = (*container.path, "resources")
        yield Invalid(base, path, "Forbidden: HugePages require cpu or memory", container.name)


def _compare_limit(
    where: Invalid, limits: str, name: str, request: Quantity, limit: Quantity | None
) -> Iterator[Invalid]:
    overcommitted = may_overcommit(name)
    if limit is None:
        if not overcommitted:
            words = "Required value: Limit must be set for non overcommitable resources"
            yield where._replace(field=limits, detail=words)
    elif request.nano != limit.nano and not overcommitted:
        words = f"must be equal to {name} limit of {quantity.show(limit)}"
        yield where._replace(detail=_invalid_value(quantity.show(request), words))
    elif request.nano > limit.nano:
        words = f"must be less than or equal to {name} limit of {quantity.show(limit)}"
        yield where._replace(detail=_invalid_value(quantity.show(request), words))


def _amount_errors(field: str, path: Path, name: str, value: Quantity, container: str) -> Iterator[Invalid]:
    for words in container_name_errors(name):
        yield Invalid(field, path, _invalid_value(name, words), container)
    if value.nano < 0:
        shown = quantity.show(value)
        yield Invalid(field, path, _invalid_value(shown, "must be greater than or equal to 0"), container)
    if is_integer(name) and value.nano % 10**9:
        yield Invalid(field, path, _invalid_value(quantity.show(value), "must be an integer"), container)
    if name.startswith(_PAGES) and not _is_whole_pages(name, value):
        shown = quantity.show(value)
        words = f"{shown} is not positive integer multiple of {name}"
        yield Invalid(field, path, _invalid_value(shown, words), container)


_PAGES = "hugepages-"


def page_size(name: str) -> int | None:
    """How many bytes a page of a resource has, such as hugepages-2Mi; None where its name says no such number
    (IsHugePageResourceValueDivisible)."""
    size = quantity.parse(name.removeprefix(_PAGES))
    if not isinstance(size, Quantity) or size.nano <= 0 or quantity.stored_quantity(size).nano % _BYTE:
        return None
    return -(-size.nano // _BYTE)


_BYTE = 10**9


def _is_whole_pages(name: str, value: Quantity) -> bool:
    size = page_size(name)
    return size is not None and -(-value.nano // _BYTE) % size == 0


def _pod_level_errors(pod: Pod) -> Iterator[Invalid]:
    for name in sorted(pod.requests):
        request, limit = pod.requests[name], pod.limits.get(name)
        path: Path = ("spec", "resources", "requests", name)
        if limit is not None and name not in pod.unknown:
            where = Invalid("spec.resources.requests", path, "", "")
            yield from _compare_limit(where, "spec.resources.limits", name, request, limit)
    yield from _aggregate_errors(pod, container_requests(pod))
    for index, container in enumerate(pod.containers):
        for name in sorted(container.limits):
            limit = pod.limits.get(name)
            if limit is not None and container.limits[name].nano > limit.nano:
                words = f"must be less than or equal to pod limits of {quantity.show(limit)}"
                detail = _invalid_value(quantity.show(container.limits[name]), words)
                field = f"spec.resources.containers[{index}][{name}].limits"
                yield Invalid(field, (*container.path, "resources", "limits", name), detail, container.name)


def _aggregate_errors(pod: Pod, aggregated: ResourceList) -> Iterator[Invalid]:
    unknown = pod.unknown.union(*(container.unknown_resources for container in pod.all_containers))
    for name in sorted(aggregated):
        asked = pod.requests.get(name)
        if asked is None or name in unknown or not is_pod_level(name) or aggregated[name].nano <= asked.nano:
            continue
        words = f"must be greater than or equal to aggregate container requests of {quantity.show(aggregated[name])}"
        path: Path = ("spec", "resources", "requests", name)
        yield Invalid(f"spec.resources.requests[{name}]", path, _invalid_value(quantity.show(asked), words), "")


def _invalid_value(value: str, words: str) -> str:
    return f'Invalid value: "{value}": {words}'
