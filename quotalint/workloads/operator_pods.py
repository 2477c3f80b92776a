"""Pods of custom objects whose own fields state their number and resources, by the rows of `operator_pods.json`. They
are a lower bound, because operators may add pods and containers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.fields import Body, dig, integer, mapping, sequence, text
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object
from quotalint.kube.queue_names import suspended_for
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path
from quotalint.workloads.configured import mapping_paths
from quotalint.workloads.demand import Demand, Number, Replicas, Surroundings, count, pods, replicas, size_with_step

ALWAYS, STATED = "always", "stated"
_PRESENT = "*"
_OF_POD = ("activeDeadlineSeconds", "priorityClassName", "runtimeClassName")
_PRIORITY = "priorityClassName"
_SIDES = ("requests", "limits")
_COMPUTE = ("cpu", "memory")


class Component(NamedTuple):
    """Equal pods of an object, and the fields that describe them. Paths are relative to `at`."""

    at: str
    """The path of each mapping that describes such pods; `*` is any key or index. Without it there are none."""
    replicas: str = "replicas"
    """The path of their number; empty: one."""
    default: int = 1
    minimum: str = ""
    maximum: str = ""
    """The path of the number that the operator's autoscaler may reach."""
    times: str = ""
    """The path of a factor of the number."""
    template: str | None = None
    """The path of a pod's spec. Any part of it may be missing."""
    containers: Mapping[str, str] = MappingProxyType({})
    """The paths of resources by container, `{name}` is that of the object. The first whose parent is written counts;
    without any there is no such container."""
    reader: str = ""
    """Reads the resources if they have a notation of their own: `flink` or `spark`."""
    literal: str = ""
    """Whether amounts that a container does not state stay unset: ALWAYS, or if it states any (STATED). Else the
    operator may set them."""
    priority: str = _PRIORITY
    """The path of the priority class if the template has none."""
    needs: str = ""
    """The path of a field of the object without which there are no such pods."""
    unless: Mapping[str, object] = MappingProxyType({})
    """Values of fields with which there are no such pods: below `at`, or of the whole object."""
    unless_beside: str = ""
    """A kind of the same group; beside one, there are no such pods."""


class Row(NamedTuple):
    """What is known of a kind."""

    kinds: str
    source: str
    pods: tuple[Component, ...]
    off: Mapping[str, object] = MappingProxyType({})
    """Values of fields with which there are no pods."""
    assumes: str = ""
    """What must hold for the numbers to be a lower bound, if nothing in view says it."""


@cache
def rows() -> Mapping[str, Row]:
    """By `Kind.group`."""
    from json import loads
    from pathlib import Path as File

    read = loads((File(__file__).parent / "operator_pods.json").read_text(encoding="utf-8"))
    listed = [Row(**{**row, "pods": tuple(Component(**part) for part in row["pods"])}) for row in read["kinds"]]
    return {kind: row for row in listed for kind in row.kinds.split()}


class _Part(NamedTuple):
    """The fields of an object that describe equal pods."""

    owner: Object
    body: Body
    path: Path
    component: Component

    def value(self, path: str) -> object:
        """The value of one of the fields; None without a path."""
        return dig(self.body, *_steps(path)) if path else None


_Container = tuple[Body, Mapping[Path, Path]]
"""A container, and where its parts are written in the owner."""


def expand(obj: Object, row: Row, surroundings: Surroundings) -> Iterator[Demand]:
    """The pods that the fields of an object state."""
    if _matches_any(obj.body, row.off) and not suspended_for(obj, surroundings.objects):
        return
    if _shows_what_runs(surroundings.objects):
        return
    beside = {kind for group, kind, _ in surroundings.objects if group == obj.group}
    reason = f"{row.assumes}, so {obj.kind} {obj.name} has what it states"
    guesses = (Guess(CONTENT, reason, "pass a snapshot of the cluster with `--with`"),) if row.assumes else ()
    for index, component in enumerate(row.pods):
        if component.unless_beside in beside or (component.needs and dig(obj.body, *_steps(component.needs)) is None):
            continue
        for path in mapping_paths(obj.body, _steps(component.at), ()):
            part = _Part(obj, mapping(dig(obj.body, *path)), path, component)
            body, parts = _pod(part)
            if not _matches_any({**part.body, **obj.body}, component.unless) and "containers" in mapping(body["spec"]):
                size = size_with_step(_replicas(part, surroundings, scaled=not index))
                for demand in pods(obj, body, obj.at(*path), size, surroundings):
                    yield demand._replace(parts=parts, guesses=guesses)


def _shows_what_runs(objects: Mapping[tuple[str, str, str], Object]) -> bool:
    """Whether a snapshot shows what custom objects made that it does not list: they may stand between an object and its
    pods, which would be counted twice."""
    return any(
        "." in group and (group, text(reference.get("kind")), text(reference.get("name"))) not in objects
        for obj in objects.values()
        if obj.foreign
        for reference in map(mapping, sequence(obj.metadata.get("ownerReferences")))
        for group in (text(reference.get("apiVersion")).rpartition("/")[0],)
    )


def _matches_any(body: Body, values: Mapping[str, object]) -> bool:
    """Whether a field has one of these values; a mapping matches a larger one."""
    return any(_matches(dig(body, *_steps(path)), value) for path, value in values.items())


def _matches(written: object, value: object) -> bool:
    if isinstance(value, dict):
        return all(_matches(mapping(written).get(key), inner) for key, inner in value.items())
    return written is not None if value == _PRESENT else written == value


def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.split(".")) if path else ()


def _replicas(part: _Part, surroundings: Surroundings, *, scaled: bool) -> Replicas:
    """The number of pods. The scale subresource of an object concerns its first component."""
    component = part.component
    if not component.replicas:
        return Replicas(1, 1, "one pod")
    field = ".".join(map(str, (*part.path[1:], component.replicas)))
    number = count(part.owner, part.value(component.replicas), field, component.default)
    least, most = integer(part.value(component.minimum)), integer(part.value(component.maximum))
    if least is not None and least > number.value:
        number = Number(least, f"{component.minimum} {least}", number.unknowns)
    found = Replicas(number.value, number.value, number.because, number.unknowns)
    if most is not None:
        found = found._replace(maximum=max(number.value, most), scaler=part.owner)
    elif scaled:
        found = replicas(part.owner, surroundings, number)
    times = integer(part.value(component.times))
    if times is None or times < 1:
        return found
    because = f"{found.because} × {component.times} {times}"
    return found._replace(steady=found.steady * times, maximum=found.maximum * times, because=because)


def _pod(part: _Part) -> tuple[Body, Mapping[Path, Path]]:
    """The fields of a pod that decide its charge, and where its parts are written in the owner."""
    component = part.component
    template = mapping(dig(part.body, *_steps(component.template or ""))) if component.template is not None else {}
    spec: dict[str, object] = {field: template[field] for field in _OF_POD if field in template}
    parts: dict[Path, Path] = {}
    if _PRIORITY not in spec and (written := part.value(component.priority)) is not None:
        spec[_PRIORITY] = written
        parts["spec", _PRIORITY] = (*part.path, *_steps(component.priority))
    elif _PRIORITY in spec:
        parts["spec", _PRIORITY] = (*part.path, *_steps(component.template or ""), _PRIORITY)
    for field in ("containers", "initContainers"):
        listed = {text(body.get("name")): (body, places) for body, places in _of_template(part, template, field)}
        for pattern, paths in component.containers.items() if field == "containers" else ():
            name = pattern.replace("{name}", part.owner.name)
            stated = _stated_container(part, name, paths)
            if stated is not None and (name not in listed or stated[0]["resources"] is not None):
                listed[name] = stated
        for index, (_, places) in enumerate(listed.values()):
            parts |= {("spec", field, index, *below): path for below, path in places.items()}
        if listed:
            spec[field] = [{**body, "resources": _completed(part, body["resources"])} for body, _ in listed.values()]
    return {"spec": spec}, parts


def _of_template(part: _Part, template: Body, field: str) -> Iterator[_Container]:
    at = (*part.path, *_steps(part.component.template or ""), field)
    for index, container in enumerate(map(mapping, sequence(template.get(field)))):
        kept = {key: container[key] for key in ("name", "restartPolicy") if key in container}
        yield {**kept, "resources": container.get("resources")}, {(): (*at, index)}


def _stated_container(part: _Part, name: str, paths: str) -> _Container | None:
    """A container with the resources that a field outside the template states."""
    for steps in map(_steps, paths.split() or [""]):
        if not isinstance(dig(part.body, *steps[:-1]), dict):
            continue
        path = (*part.path, *steps)
        resources = dig(part.body, *steps) if steps else None
        places: dict[Path, Path] = {("resources",): path}
        if part.component.reader:
            from quotalint.workloads.operator_notations import READERS

            resources, fields = READERS[part.component.reader](part.owner, mapping(dig(part.body, *steps)))
            places |= {("resources", *below): (*path, field) for below, field in fields.items()}
        return {"name": name, "resources": resources}, places
    return None


def _completed(part: _Part, resources: object) -> object:
    """The resources with unknown amounts where the operator may set what they do not state."""
    stated = mapping(resources)
    states_any = any(mapping(stated.get(side)) for side in _SIDES)
    literal = part.component.literal
    if literal == ALWAYS or (literal == STATED and states_any) or not (resources is None or stated is resources):
        return resources
    words = f"the operator may set amounts that {part.owner.kind} {part.owner.name} does not state"
    unknown = UnknownAmount((), "may be set by the operator", for_all=words)
    sides = {side: {**dict.fromkeys(_COMPUTE, unknown), **mapping(stated.get(side))} for side in _SIDES}
    return {**stated, **sides}
