"""Custom kinds whose controllers make pods that quotalint does not count, or may; they make a sum a lower bound.

`custom_kinds.json` has what is known of kinds, each row with its source: which make pods (`pods`), and which make none
(`silent`). Every other custom kind may make anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.guess import LEFT_OUT, Guess
from quotalint.kube.kinds import BUILTIN
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Workload
from quotalint.workloads import CONTROLLERS, POD_OWNERS
from quotalint.workloads.configured import workload

if TYPE_CHECKING:
    from quotalint.workloads.operator_pods import Row

_PODS = "makes pods that are not counted"
_MORE_PODS = "may make more pods than are counted"
_MAYBE = "may make pods, because its kind is not known"
_GATEWAYS_WITH_PODS = frozenset({"istio", "istio-waypoint", "kgateway", "nginx"})
"""Gateway classes whose controllers run pods for each Gateway in its namespace: Istio, kgateway and NGINX Gateway
Fabric 2."""
_GATEWAYS_WITHOUT_PODS = (
    "alb",
    "amazon-vpc-lattice",
    "aws-",
    "azure-",
    "cilium",
    "eg",
    "envoy",
    "gke-",
    "haproxy",
    "istio-remote",
    "nlb",
    "traefik",
)
"""Beginnings of the names of Gateway classes whose proxies run elsewhere: of clouds and of Cilium, Envoy Gateway,
HAProxy and Traefik."""
_DEEPEST = 16


class UncountedObjects(NamedTuple):
    """Objects of a namespace that controllers make, or may make, of custom objects and that are not counted."""

    reason: str
    kinds: tuple[str, ...] = ()
    """The kinds that they have; empty: any."""


class _Row(NamedTuple):
    """What is known of kinds that make no pods."""

    groups: tuple[str, ...]
    kinds: tuple[str, ...]
    """Both may have `*` in them."""
    makes: Mapping[str, str]
    """The kinds of objects that it makes, each with the field without which it does not; empty: always."""
    unless: tuple[str, ...]
    """The fields with which it may make pods after all."""


class _Table(NamedTuple):
    """What is known of custom kinds."""

    pods: Mapping[str, frozenset[str]]
    """The kinds that make pods, by group."""
    silent: Mapping[str, tuple[_Row, ...]]
    """By group."""
    patterns: tuple[_Row, ...]
    """The rows whose groups have a `*`."""


@cache
def _table() -> _Table:
    from json import loads
    from pathlib import Path

    read = loads((Path(__file__).parent / "custom_kinds.json").read_text(encoding="utf-8"))
    rows = [
        _Row(
            tuple(row["groups"].split()),
            tuple(row["kinds"].split()),
            row.get("makes", {}),
            tuple(row.get("unless", ())),
        )
        for row in read["silent"]
    ]
    silent: dict[str, tuple[_Row, ...]] = {}
    for row in rows:
        for group in row.groups:
            silent[group] = (*silent.get(group, ()), row)
    pods = {group: frozenset(kinds.split()) for group, kinds in read["pods"].items()}
    return _Table(pods, silent, tuple(row for row in rows if "*" in "".join(row.groups)))


@cache
def _silent_row(group: str, kind: str) -> _Row | None:
    """What is known of a kind that makes no pods; None if it makes some, or may."""
    from fnmatch import fnmatchcase

    table = _table()
    if kind in table.pods.get(group, ()):
        return None
    rows = table.silent.get(group) or [
        row for row in table.patterns if any(fnmatchcase(group, pattern) for pattern in row.groups)
    ]
    return next((row for row in rows if any(fnmatchcase(kind, pattern) for pattern in row.kinds)), None)


def stated_pods(obj: Object, settings: Mapping[str, Workload]) -> Row | None:
    """How the fields of an object state some of its pods; None if they do not, or if the settings describe its kind.
    A snapshot has the pods themselves, and not all fields."""
    row = _rows_of(obj.group, obj.kind) if "." in obj.group and not obj.foreign else None
    return row if row is not None and workload(obj, settings) is None else None


@cache
def _rows_of(group: str, kind: str) -> Row | None:
    if kind not in _table().pods.get(group, ()):
        return None
    from quotalint.workloads.operator_pods import rows

    return rows().get(f"{kind}.{group}")


def unknown_pods(obj: Object, settings: Mapping[str, Workload] = MappingProxyType({})) -> str:
    """Why the pods of this object are not counted; empty if its kind is known to make none, or if the settings
    (`workloads`) describe it."""
    words = _words_for_kind(obj)
    return f"{obj.kind} {obj.name} ({obj.group}) {words}" if words and workload(obj, settings) is None else ""


def _words_for_kind(obj: Object) -> str:
    group, kind = obj.group, obj.kind
    if "." not in group or (group, kind) in CONTROLLERS or group in _builtin_groups():
        return ""
    if (group, kind) == ("gateway.networking.k8s.io", "Gateway"):
        gateway_class = text(obj.spec.get("gatewayClassName"))
        if gateway_class in _GATEWAYS_WITH_PODS:
            return _PODS
        return "" if gateway_class.startswith(_GATEWAYS_WITHOUT_PODS) else _MAYBE
    row = _silent_row(group, kind)
    if row is None:
        listed = kind in _table().pods.get(group, ())
        return (_MORE_PODS if _rows_of(group, kind) else _PODS) if listed else _MAYBE
    return _PODS if any(dig(obj.body, *field.split(".")) for field in row.unless) else ""


@cache
def _builtin_groups() -> frozenset[str]:
    return frozenset(kind.group for kind in BUILTIN)


def uncounted_objects(members: Iterable[Object], settings: Mapping[str, Workload]) -> tuple[UncountedObjects, ...]:
    """What the custom objects of a namespace make, or may make, that is not counted: once for each kind."""
    by_kind: dict[tuple[str, str, str, tuple[str, ...]], list[str]] = {}
    for obj in members:
        if "." not in obj.group or (obj.group, obj.kind) in CONTROLLERS or workload(obj, settings) is not None:
            continue
        words = _words_for_kind(obj)
        if words:
            by_kind.setdefault((obj.group, obj.kind, words, ()), []).append(obj.name)
        elif obj.group not in _builtin_groups() and (made := _made_kinds(obj)):
            by_kind.setdefault((obj.group, obj.kind, "", made), []).append(obj.name)
    return tuple(
        UncountedObjects(_reason(group, kind, words, made, names), made)
        for (group, kind, words, made), names in by_kind.items()
    )


def _made_kinds(obj: Object) -> tuple[str, ...]:
    row = _silent_row(obj.group, obj.kind)
    makes = row.makes.items() if row else ()
    return tuple(kind for kind, field in makes if not field or dig(obj.body, *field.split(".")))


def _reason(group: str, kind: str, words: str, made: tuple[str, ...], names: list[str]) -> str:
    """Why more may exist: the first object, how many others have its kind, and what would settle it."""
    others = f" and {len(names) - 1} more" if len(names) > 1 else ""
    subject = f"{kind} {names[0]}{others} ({group})"
    if words == _PODS:
        return f"{subject} {'make' if others else 'makes'} pods that are not counted"
    if words == _MORE_PODS:
        return f"{subject} {words}"
    if not words:
        return f"{subject} may make a {' or '.join(made)}, which is not counted"
    their = "their" if others else "its"
    return (
        f"{subject} may make pods, because {their} kind is not known; to settle it, describe {kind}.{group} under "
        "`workloads` in .quotalint.yaml, with `footprint: []` if it makes none"
    )


def targeted_workloads(
    members: Iterable[Object], settings: Mapping[str, Workload]
) -> Mapping[tuple[str, str], tuple[Guess, ...]]:
    """By kind and name: the workloads that objects of unknown kinds name, and that they may scale or patch."""
    targets: dict[tuple[str, str], tuple[Guess, ...]] = {}
    for obj in members:
        if "." not in obj.group or _words_for_kind(obj) != _MAYBE or workload(obj, settings) is not None:
            continue
        for kind, name in dict.fromkeys(_named_workloads(obj.spec, 0)):
            reason = f"{obj.kind} {obj.name} ({obj.group}) names {kind} {name} and may scale or change it"
            cure = (
                f"describe {obj.kind}.{obj.group} under `workloads` in .quotalint.yaml, with `footprint: []` if it "
                "changes nothing"
            )
            targets[kind, name] = (*targets.get((kind, name), ()), Guess(LEFT_OUT, reason, cure))
    return targets


_OWNING_KINDS = frozenset(kind for _, kind in POD_OWNERS)


def _named_workloads(value: object, depth: int) -> Iterator[tuple[str, str]]:
    """The kind and name of each reference to a workload. Whole manifests inside the value are skipped."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for element in value:
            yield from _named_workloads(element, depth + 1)
    elif isinstance(value, dict) and not mapping(value.get("metadata")):
        kind, name = text(value.get("kind")), text(value.get("name"))
        if kind in _OWNING_KINDS and name:
            yield kind, name
        for below in value.values():
            yield from _named_workloads(below, depth + 1)
