"""Why the API server refuses a pod, or a pod template, for what its containers ask for.

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
    of_template: bool = False
    """It is sound by itself, and does not go with the workload that it is the template of."""
    of_workload: bool = False
    """It is not about the pod, but what stands beside it in the workload: the paths begin there."""


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
_PAGES = "hugepages-"
_BYTE = 10**9  # as a quantity counts


class _Asked(NamedTuple):
    """What a container, or a pod as a whole, asks for."""

    base: str
    """The API server's path of its `resources`."""
    path: Path
    requests: ResourceList
    limits: ResourceList
    unknown_limits: frozenset[str]
    unknown: frozenset[str]
    """Resources that are asked for, by an amount that is not known here."""
    name_details: Callable[[str], tuple[str, ...]]
    """Why it may not ask for a resource."""
    container: str


def _container_errors(container: Container) -> Iterator[Invalid]:
    _, kind, index = container.path[:3]
    return _requirement_errors(
        _Asked(
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


def _requirement_errors(asked: _Asked) -> Iterator[Invalid]:
    """validateResourceRequirements."""
    requests, limits = asked.requests, asked.limits
    for field, amounts in (("limits", limits), ("requests", requests)):
        for name in sorted(amounts):
            if is_placeholder(name):
                continue
            where = Invalid(f"{asked.base}.{field}[{name}]", (*asked.path, field, name), "", asked.container)
            for detail in asked.name_details(name):
                yield where._replace(detail=detail)
            yield from _amount_errors(where, name, amounts[name])
            if field == "requests" and name not in asked.unknown_limits:
                where = where._replace(field=f"{asked.base}.requests")
                yield from _compare_limit(where, f"{asked.base}.limits", name, amounts[name], limits.get(name))
    names = {*requests, *limits, *asked.unknown}
    if any(map(is_placeholder, names)):
        return  # one of them may be cpu
    if any(name.startswith(_PAGES) for name in names) and not names & _COMPUTE:
        yield Invalid(asked.base, asked.path, "Forbidden: HugePages require cpu or memory", asked.container)


def _container_name_details(name: str) -> tuple[str, ...]:
    return tuple(_invalid_value(name, words) for words in container_name_errors(name))


def _pod_name_details(name: str) -> tuple[str, ...]:
    """validatePodResourceName."""
    errors = tuple(_invalid_value(name, words) for words in resource_name_errors(name))
    if errors or is_pod_level(name):
        return errors
    return (f'Unsupported value: "{name}": supported values: "cpu", "hugepages-", "memory"',)


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


def _amount_errors(where: Invalid, name: str, value: Quantity) -> Iterator[Invalid]:
    shown = quantity.show(value)
    if value.nano < 0:
        yield where._replace(detail=_invalid_value(shown, "must be greater than or equal to 0"))
    if is_integer(name) and value.nano % _BYTE:
        yield where._replace(detail=_invalid_value(shown, "must be an integer"))
    if name.startswith(_PAGES) and not _is_whole_pages(name, value):
        words = f"{shown} is not positive integer multiple of {name}"
        yield where._replace(detail=_invalid_value(shown, words))


def page_size(name: str) -> int | None:
    """How many bytes a page of a resource has, such as hugepages-2Mi; None where its name says no such number
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
        _Asked("spec.resources", path, pod.requests, pod.limits, pod.unknown, pod.unknown, _pod_name_details, "")
    )
    unknown = pod.unknown.union(*(container.unknown_resources for container in pod.all_containers))
    yield from _aggregate_errors("requests", pod.requests, container_requests(pod), unknown)
    # Of what may be overcommitted the limits of containers may come to more than that of their pod.
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
