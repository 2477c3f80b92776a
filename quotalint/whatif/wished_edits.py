"""Requested changes → edited fields, new objects, and settings with another number of nodes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from quotalint.accounts.facts import Facts
from quotalint.deployed import deployed
from quotalint.kube import quantity
from quotalint.kube.amounts import amount
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.objects import Object, Ref
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.quota.quotas import Quota
from quotalint.settings import Capacity, ChartRelease, Nodes, Settings
from quotalint.settings.checking import nearest_word
from quotalint.text.place import Path
from quotalint.text.sources import find
from quotalint.text.words import list_some
from quotalint.whatif.imagined import with_field
from quotalint.whatif.wishes import CHART, CONTAINER, MAXIMUM, MINIMUM, NODES, QUOTA, REPLICAS, Unclear, Wish
from quotalint.workloads import makes_pods
from quotalint.workloads.autoscalers import MAXIMUM_PATHS, MINIMUM_PATHS

_SHOWN = 8
_CHART = "Chart.yaml"
_SHORT = {
    "deploy": "Deployment",
    "sts": "StatefulSet",
    "ds": "DaemonSet",
    "rs": "ReplicaSet",
    "cj": "CronJob",
    "po": "Pod",
    "dc": "DeploymentConfig",
}


def workload_of(subject: str, environments: Sequence[Facts]) -> Ref | Unclear:
    """The workload of `NAME`, `KIND/NAME`, `NAMESPACE/NAME` or `NAMESPACE/KIND/NAME`, or why it is unclear."""
    workloads = list(
        dict.fromkeys(
            obj.ref
            for facts in environments
            for obj in facts.cluster.objects
            if makes_pods(obj, facts.settings.workloads)
        )
    )
    matches = [ref for ref in workloads if _is_meant(ref, subject)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        return Unclear(f"{subject} may be any of these: {list_some([*map(way_to, matches)], _SHOWN)}")
    name = subject.rpartition("/")[2]
    near = nearest_word(name, dict.fromkeys(ref.name for ref in workloads))
    ways = sorted(way_to(ref) for ref in workloads if ref.name == (near if near != name else name))
    hint = f"; did you mean {list_some(ways, _SHOWN)}?" if ways else ""
    return Unclear(f"{subject}: no workload has this name{hint}")


def way_to(ref: Ref) -> str:
    """The shortest unique name of a workload."""
    return f"{ref.namespace}/{ref.kind}/{ref.name}"


def _is_meant(ref: Ref, subject: str) -> bool:
    *around, name = subject.split("/")
    if ref.name != name:
        return False
    if len(around) == 2:
        return around[0] == ref.namespace and _is_kind(around[1], ref.kind)
    return not around or (len(around) == 1 and (around[0] == ref.namespace or _is_kind(around[0], ref.kind)))


def _is_kind(text: str, kind: str) -> bool:
    return _SHORT.get(text.lower(), text).lower() == kind.lower()


def quota_of(subject: str, environments: Sequence[Facts]) -> tuple[tuple[str, str], str] | Unclear:
    """The namespace and name of the quota, and the entry, of `NAMESPACE/NAME.ENTRY` or `NAME.ENTRY`."""
    quotas: dict[tuple[str, str], Quota] = {}
    for facts in environments:
        for quota in facts.quotas:
            quotas.setdefault((quota.namespace, quota.name), quota)
    namespace, slash, quota_name = subject.partition("/")
    if not slash or "." in namespace:  # the name of a resource may hold a slash
        namespace, quota_name = "", subject
    # Names may contain dots: the longest existing name wins.
    mine = [key for key in quotas if quota_name.startswith(f"{key[1]}.") and namespace in ("", key[0])]
    longest = max((len(name) for _, name in mine), default=0)
    longest_keys = [key for key in mine if len(key[1]) == longest]
    if len(longest_keys) == 1:
        return longest_keys[0], quota_name[longest + 1 :]
    ways = [f"quota.{namespace}/{name}" for namespace, name in longest_keys or quotas]
    if longest_keys:
        return Unclear(f"quota.{subject} may be any of these: {list_some(ways, _SHOWN)}")
    near = nearest_word(f"quota.{subject}", ways)
    hint = (
        f"; did you mean {near}?" if near else f"; there are {list_some(ways, _SHOWN)}" if ways else "; there is none"
    )
    return Unclear(f"quota.{subject}: no quota and entry of this name{hint}")


def scaler_of(ref: Ref, facts: Facts) -> Object | None:
    """The autoscaler of a workload."""
    charged = (charge.demand for charge in facts.charges.get(ref.namespace, ()))
    scalers = (demand.size.scaler for demand in charged if demand.owner is not None and demand.owner.ref == ref)
    return next((scaler for scaler in scalers if scaler is not None), None)


_REPLICAS: Mapping[str, Path] = {
    "Deployment": ("spec", "replicas"),
    "StatefulSet": ("spec", "replicas"),
    "ReplicaSet": ("spec", "replicas"),
    "ReplicationController": ("spec", "replicas"),
    "DeploymentConfig": ("spec", "replicas"),
    "Rollout": ("spec", "replicas"),
    "CloneSet": ("spec", "replicas"),
    "LeaderWorkerSet": ("spec", "replicas"),
    "Job": ("spec", "parallelism"),
    "CronJob": ("spec", "jobTemplate", "spec", "parallelism"),
}
_BOUNDS: Mapping[str, Mapping[str, Path]] = {MINIMUM: MINIMUM_PATHS, MAXIMUM: MAXIMUM_PATHS}
_DEPTH = 12


class Edit(NamedTuple):
    """A new value for a field of an object, in every environment of the object."""

    ref: Ref
    path: Path
    value: str | int
    note: str = ""
    """A note for the user."""


def edits(wish: Wish, environments: Sequence[Facts]) -> tuple[Edit, ...] | Unclear:
    """The edits of a change, or why they are unclear."""
    if wish.kind == QUOTA:
        return _of_quota(wish, environments)
    ref = workload_of(wish.subject, environments)
    if isinstance(ref, Unclear):
        return ref
    objects = [(facts, obj) for facts in environments for obj in facts.cluster.objects if obj.ref == ref]
    wanted_edits: list[Edit] = []
    for facts, obj in objects:
        workload_edits = _of_workload(wish, obj, facts)
        if isinstance(workload_edits, Unclear):
            return workload_edits
        wanted_edits += workload_edits
    return tuple(dict.fromkeys(wanted_edits))


def change_object(obj: Object, wanted: Sequence[Edit]) -> Object:
    """The object with the new values of its fields."""
    for edit in wanted:
        if edit.ref == obj.ref:
            obj = obj._replace(body=with_field(obj.body, edit.path, edit.value))
    return obj


def _of_quota(wish: Wish, environments: Sequence[Facts]) -> tuple[Edit, ...] | Unclear:
    target = quota_of(wish.subject, environments)
    if isinstance(target, Unclear):
        return target
    where, entry = target
    quotas = [quota for facts in environments for quota in facts.quotas if (quota.namespace, quota.name) == where]
    if any(dig(quota.object.body, *quota.way(entry)[:-1]) is None for quota in quotas if quota.way(entry)[:-1]):
        return Unclear(
            f"{wish.text}: what-if cannot edit the amounts of {quotas[0].object.kind} {quotas[0].name}; they share text"
        )
    return tuple(dict.fromkeys(Edit(quota.object.ref, quota.way(entry), wish.value) for quota in quotas))


def _of_workload(wish: Wish, obj: Object, facts: Facts) -> list[Edit] | Unclear:
    if wish.kind == CONTAINER:
        return _of_container(wish, obj)
    if wish.kind in (MINIMUM, MAXIMUM):
        scaler = scaler_of(obj.ref, facts)
        path = _BOUNDS[wish.kind].get(scaler.kind) if scaler is not None else None
        if scaler is None or path is None:
            return Unclear(f"{wish.text}: {way_to(obj.ref)} has no known autoscaler with a {wish.kind}imum")
        return [Edit(scaler.ref, path, wish.number)]
    path = _REPLICAS.get(obj.kind) or _replicas_path(obj, facts)
    if path is None:
        hint = "; nodes=N sets the number of nodes" if obj.kind == "DaemonSet" else ""
        return Unclear(f"{wish.text}: {way_to(obj.ref)} does not say how many replicas it has{hint}")
    return [Edit(obj.ref, path, wish.number, _why_autoscaled(wish, obj, facts))]


def _replicas_path(obj: Object, facts: Facts) -> Path | None:
    configured = facts.settings.workloads.get(f"{obj.kind}.{obj.group}") or facts.settings.workloads.get(obj.kind)
    if configured is not None:
        return configured.replicas if configured.replicas and "*" not in configured.replicas else None
    return ("spec", "replicas") if isinstance(obj.spec.get("replicas"), int) else None


def _why_autoscaled(wish: Wish, obj: Object, facts: Facts) -> str:
    scaler = scaler_of(obj.ref, facts) if wish.kind == REPLICAS else None
    if scaler is None:
        return ""
    return f"{wish.text}: {scaler.kind} {scaler.name} decides between its bounds; {wish.subject}.max=N moves them"


def _of_container(wish: Wish, obj: Object) -> list[Edit] | Unclear:
    containers = list(_containers(obj.spec, ("spec",), _DEPTH))
    mine = [path for path, name, usual in containers if (name == wish.container if wish.container else usual)]
    names = dict.fromkeys(name for _, name, _ in containers)
    if not mine:
        return Unclear(f"{wish.text}: {way_to(obj.ref)} has no such container; it has {', '.join(names) or 'none'}")
    if len(mine) > 1 and not wish.container:
        ways = ", ".join(f"{wish.subject}:{name}" for name in names)
        return Unclear(f"{wish.text}: {way_to(obj.ref)} has several containers: {ways}")
    return [Edit(obj.ref, (*path, "resources", wish.side, wish.resource), wish.value) for path in mine]


def _containers(value: object, path: Path, depth: int) -> Iterator[tuple[Path, str, bool]]:
    """Every container of the pod templates in an object: its path, its name, and whether it is not an init
    container."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("containers", "initContainers") and isinstance(inner, list):
                for index, container in enumerate(sequence(inner)):
                    yield (*path, key, index), text(mapping(container).get("name")), key == "containers"
            elif isinstance(inner, (dict, list)) and depth:
                yield from _containers(inner, (*path, key), depth - 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            if isinstance(inner, (dict, list)) and depth:
                yield from _containers(inner, (*path, index), depth - 1)


def objects_of(wish: Wish, settings: Settings, environments: Sequence[Facts]) -> tuple[Object, ...] | Unclear:
    """The objects of a folder, a file or a chart."""
    path, namespace = wish.subject, wish.value
    if wish.kind != CHART and not os.path.lexists(path) and "@" in path:
        path, _, namespace = path.rpartition("@")
    if not os.path.exists(path):
        return Unclear(f"{wish.text}: no such file or folder: {path}")
    if wish.kind == CHART and not os.path.isfile(os.path.join(path, _CHART)):
        return Unclear(f"{wish.text}: no chart in {path}: it has no {_CHART}")
    if wish.kind == CHART:
        if not namespace:
            namespaces = dict.fromkeys(name for facts in environments for name in facts.enforced)
            if len(namespaces) != 1:
                return Unclear(f"{wish.text}: which namespace? Write {wish.text}@{next(iter(namespaces), 'NAMESPACE')}")
            (namespace,) = namespaces
        way = os.path.relpath(os.path.realpath(path), os.path.realpath(settings.root)).replace(os.sep, "/")
        name = os.path.basename(os.path.realpath(path))
        releases = (ChartRelease(way, name, namespace),)
        settings = settings._replace(renderers=settings.renderers._replace(releases=releases), environments=())
    view = deployed(find([path], settings.root, ()), settings).view
    objects = view.objects
    problems = [problem for rendering in view.renderings for problem in rendering.problems]
    if not any(makes_pods(obj, settings.workloads) for obj in objects) and problems:
        return Unclear(f"{wish.text}: {problems[0].reason}")
    homeless = [obj for obj in objects if obj.homeless]
    if homeless and not namespace:
        return Unclear(f"{wish.text}: it names no namespace; write {wish.text}@NAMESPACE")
    return tuple(obj._replace(namespace=namespace, homeless=False) if obj.homeless else obj for obj in objects)


def with_nodes(settings: Settings, wish: Wish) -> Settings | Unclear:
    """The settings with another number of nodes. Nodes count as equally large, so the capacity changes in
    proportion."""
    if wish.kind == NODES:
        return _with_node_number(settings, wish.number)
    default = settings.nodes.default
    if default is None:
        return Unclear(f"{wish.text}: the number of nodes is unknown: give --nodes N, or `nodes:` in .quotalint.yaml")
    if wish.number > default:
        return Unclear(f"{wish.text}: there are only {default} nodes")
    return _with_node_number(settings, default - wish.number)


def _with_node_number(settings: Settings, number: int) -> Settings:
    before = settings.nodes.default
    particulars = {
        name: particular._replace(
            nodes=None if particular.nodes is None else particular.nodes._replace(default=number),
            capacity=None
            if particular.capacity is None
            else _scale_capacity(particular.capacity, particular.nodes or settings.nodes, number),
        )
        for name, particular in settings.particulars.items()
    }
    return settings._replace(
        nodes=settings.nodes._replace(default=number),
        capacity=_scale_capacity(settings.capacity, settings.nodes, number) if before else settings.capacity,
        particulars=MappingProxyType(particulars),
    )


def _scale_capacity(capacity: Capacity, nodes: Nodes, number: int) -> Capacity:
    if not nodes.default:
        return capacity
    before = nodes.default
    return capacity._replace(amounts=MappingProxyType(_shares(capacity.amounts, number, before)))


def _shares(amounts: Mapping[str, str], number: int, of: int) -> dict[str, str]:
    """The capacity of so many of the nodes, rounded down."""
    shares = {}
    for name, written in amounts.items():
        parsed = amount(written)
        if isinstance(parsed, Quantity):
            shares[name] = quantity.show(Quantity(parsed.nano * number // of, parsed.format))
    return shares
