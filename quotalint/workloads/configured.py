"""Kinds that the settings describe (`workloads`): the paths of their pod templates and numbers of pods, or a footprint
that is the same for every object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.objects import Object
from quotalint.settings import Workload
from quotalint.text.place import Path, Place
from quotalint.workloads.demand import (
    Bounds,
    Demand,
    Number,
    Replicas,
    Surroundings,
    constant_size,
    count,
    pods,
    size_with_step,
    uncounted_pods,
    unknown_because,
)

_ANY = "*"
_MOST = 1000  # pod templates in one object


def workload(obj: Object, configured: Mapping[str, Workload]) -> Workload | None:
    """The settings for the kind of an object: with its group, or for any group."""
    if not configured:
        return None
    return configured.get(f"{obj.kind}.{obj.group}") or configured.get(obj.kind)


def expand(obj: Object, configured_workload: Workload, surroundings: Surroundings) -> Iterator[Demand]:
    """The pods of each template at the configured path."""
    if configured_workload.footprint is not None:
        for alike in configured_workload.footprint:
            resources = {"requests": dict(alike.requests), "limits": dict(alike.limits)}
            same = {"spec": {"containers": [{"name": "footprint", "resources": resources}]}}
            number = constant_size(alike.number, f"footprint of {obj.kind} in the configuration")
            yield from pods(obj, same, obj.place, number, surroundings)
        return
    templates = 0
    for path in mapping_paths(obj.body, configured_workload.pod_template, ()):
        templates += 1
        if templates > _MOST:
            yield uncounted_pods(obj, f"it has more than {_MOST} pod templates")
            return
        stars = tuple(
            step for step, written in zip(path, configured_workload.pod_template, strict=True) if written == _ANY
        )
        size = size_with_step(_configured_replicas(obj, configured_workload, stars, surroundings))
        template, place = _template_at(obj, path)
        yield from pods(obj, template, place, size, surroundings)
    if not templates:
        yield uncounted_pods(
            obj, f"it has no pod template at {'.'.join(configured_workload.pod_template)} (`workloads`)"
        )


def mapping_paths(value: object, pattern: tuple[str, ...], before: Path) -> Iterator[Path]:
    """The paths of the mappings that match a pattern."""
    if not pattern:
        if isinstance(value, dict):
            yield before
        return
    key, pattern_below = pattern[0], pattern[1:]
    if isinstance(value, dict):
        keys = tuple(value) if key == _ANY else (key,) if key in value else ()
        for entry_key in keys:
            yield from mapping_paths(value[entry_key], pattern_below, (*before, entry_key))
    elif isinstance(value, list):
        indexes = range(len(value)) if key == _ANY else (int(key),) if _is_index(key, value) else ()
        for index in indexes:
            yield from mapping_paths(value[index], pattern_below, (*before, index))


def _is_index(key: str, value: list[object]) -> bool:
    return key.isascii() and key.isdigit() and len(key) < 10 and int(key) < len(value)


def _template_at(obj: Object, path: Path) -> tuple[object, Place]:
    """A pod template and its place; the path may lead to the template or to its pod spec."""
    body = mapping(dig(obj.body, *path))
    if "spec" in body or "containers" not in body:
        return body, obj.at(*path)
    if path and path[-1] == "spec":
        return dig(obj.body, *path[:-1]), obj.at(*path[:-1])
    return {"spec": body}, obj.at(*path)


def _configured_replicas(
    obj: Object, configured_workload: Workload, stars: Path, surroundings: Surroundings
) -> Replicas:
    written = _configured_count(obj, configured_workload.replicas, stars) if configured_workload.replicas else None
    number = written or Number(1, "one pod" if not configured_workload.replicas else "at least one pod")
    unknowns = number.unknowns
    if configured_workload.replicas and written is None:
        unknowns = (
            unknown_because(obj, f"it does not say {'.'.join(configured_workload.replicas)}, so one pod is counted"),
        )
    low, high = (
        _configured_count(obj, path, stars) for path in (configured_workload.minimum, configured_workload.maximum)
    )
    bounds = _configured_bounds(obj, configured_workload, stars, surroundings)
    scaler = bounds.autoscaler if bounds else obj if high else None
    least = bounds.minimum if bounds else low.value if low else 0
    most = bounds.maximum if bounds else high.value if high else None
    for limit in (low, high):
        unknowns = (*unknowns, *(limit.unknowns if limit else ()))
    steady = max(number.value, least)
    # An unreadable maximum is unknown, not 0.
    if most is None or (high and high.unknowns and not bounds):
        return Replicas(steady, steady, number.because, unknowns)
    steady = min(steady, max(most, least))
    return Replicas(steady, max(steady, most), number.because, unknowns, scaler)


def _configured_count(obj: Object, pattern: tuple[str, ...], stars: Path) -> Number | None:
    """The count at a path; None if it is missing. Each `*` takes the step that it has in the template's path."""
    if not pattern:
        return None
    written = _value_at(obj.body, pattern, stars)
    if written is None:
        return None
    return count(obj, written, ".".join(map(str, pattern)).removeprefix("spec."), 1)


def _value_at(value: object, pattern: tuple[str, ...], stars: Path) -> object:
    unused_stars = iter(stars)
    for written in pattern:
        key = next(unused_stars, _ANY) if written == _ANY else written
        if isinstance(value, list) and _is_index(str(key), value):
            value = value[int(key)]
        elif isinstance(value, dict):
            value = value.get(key)
        else:
            return None
    return value


def _configured_bounds(
    obj: Object, configured_workload: Workload, stars: Path, surroundings: Surroundings
) -> Bounds | None:
    """The bounds of the autoscaler that the object names, or that names the object."""
    named = text(_value_at(obj.body, configured_workload.autoscaler, stars)) if configured_workload.autoscaler else ""
    if named:
        for bounds in surroundings.autoscalers.values():
            if bounds.autoscaler.name == named:
                return bounds
    return surroundings.autoscalers.get((obj.kind, obj.name))
