"""Makes manifests of what resources of Terraform's Kubernetes providers declare.

The provider's schema has the fields of Kubernetes in snake case; each block is an item of a list, and maps keep their
keys. `schemas/terraform-resources.json` has what differs. Plans have the same values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from quotalint.kube.fields import dig, mapping
from quotalint.kube.objects import Object, objects
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.data import load_table
from quotalint.terraform.values import RefusedError, Unknown, as_text, causes_in, plain_value, with_unknowns
from quotalint.text.digits import whole_number
from quotalint.text.documents import read
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Derivation, Mixed, Origin, Place, inner_document, place_of, step

_VERSION = lazy_pattern(r"_v\d\w*$")
_PROVIDER = "kubernetes_"


class Applied(NamedTuple):
    """What a resource applies."""

    objects: tuple[Object, ...] = ()
    causes: tuple[str, ...] = ()
    """What is unknown of what the objects may use of a quota, or limit."""
    unknown: Place | None = None
    """Where the first such value is written."""
    hidden: str = ""
    """The kind of an object whose namespace or content is unknown; empty if there is none."""
    why: str = ""


def applied_kind(kind: str) -> str:
    """The kind of the object that a resource applies; `object` if its arguments say it, empty if it is not counted."""
    if kind in ("kubernetes_manifest", "kubectl_manifest"):
        return "object"
    entry = _entry(kind)
    return entry[1] if entry is not None else ""


def _entry(kind: str) -> Any:
    if not kind.startswith(_PROVIDER):
        return None
    name = _VERSION.sub("", kind.removeprefix(_PROVIDER))
    table: Any = load_table("terraform-resources")
    return table["kinds"].get(name) or table["cluster_kinds"].get(name)


def applied_objects(kind: str, values: Mapping[str, object], origin: Origin, via: tuple[Place, ...] = ()) -> Applied:
    """What a resource of a type in the tables applies, with its arguments; `via` are the calls of its module."""
    applied = _applied(kind, values, origin)
    if not via:
        return applied
    objects = (
        obj._replace(place=obj.place._replace(made=Derivation(obj.place.made.origin, obj.place.made.depth, via)))
        for obj in applied.objects
        if obj.place.made is not None
    )
    return applied._replace(objects=tuple(objects))


def _applied(kind: str, values: Mapping[str, object], origin: Origin) -> Applied:
    if kind == "kubernetes_manifest":
        return _of_manifest(values.get("manifest"), step(origin, "manifest"))
    if kind == "kubectl_manifest":
        return _of_text(values.get("yaml_body"), step(origin, "yaml_body"), values.get("override_namespace"))
    version, called, fields = _entry(kind)
    metadata = {**_first(values.get("metadata"))}
    if _VERSION.sub("", kind.removeprefix(_PROVIDER)) in _table("kinds") and not metadata.get("namespace"):
        metadata["namespace"] = "default"
    body, origins = _fields({name: value for name, value in values.items() if name in ("metadata", *fields)}, origin)
    body = {"apiVersion": version, "kind": called, **body}
    named, inner = _fields(metadata, step(step(origin, "metadata"), 0))
    body["metadata"] = named
    below = {**origins.below, "metadata": inner}
    for path, default in _table("defaults").get(called, ()):
        *above, last = path
        target = dig(body, *above)
        if isinstance(target, dict):
            target.setdefault(last, default)
    return _counted(body, Mixed(place_of(origin), below))


def _table(name: str) -> Any:
    return load_table("terraform-resources")[name]


def _first(value: object) -> Mapping[str, object]:
    return mapping(value[0]) if isinstance(value, list) and value else {}


def _fields(values: Mapping[str, object], origin: Origin) -> tuple[dict[str, object], Mixed]:
    """The fields of a block under the names of Kubernetes. What is empty is not sent, as in the provider."""
    body: dict[str, object] = {}
    below: dict[str | int, Origin] = {}
    for name, value in values.items():
        if value is None or value in ("", []) or (value == 0 and name in _table("no_zero")):
            continue
        listed = _table("lists").get(name)
        key = listed or _camel(name)
        body[key], below[key] = _field(name, value, step(origin, name), is_list=listed is not None)
    return body, Mixed(place_of(origin), below)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join("IP" if word == "ip" else word.capitalize() for word in others)


def _field(name: str, value: object, origin: Origin, *, is_list: bool) -> tuple[object, Origin]:
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        pairs = [_fields(mapping(item), step(origin, at)) for at, item in enumerate(value)]
        if not is_list:
            return pairs[0]
        return [body for body, _ in pairs], Mixed(place_of(origin), {at: own for at, (_, own) in enumerate(pairs)})
    if isinstance(value, dict):  # a map of strings
        return {key: _string(inner) for key, inner in value.items() if inner is not None}, origin
    number = whole_number(value) if name in _table("numbers") and isinstance(value, str) else None
    return value if number is None else number, origin


def _string(value: object) -> object:
    try:
        return as_text(value)
    except RefusedError:
        return value


def _of_manifest(value: object, origin: Origin) -> Applied:
    if isinstance(value, dict):
        return _counted(value, origin)
    return Applied(causes=causes_in(value), hidden="object", why="its manifest is unknown")


def _of_text(value: object, origin: Origin, namespace: object) -> Applied:
    """The objects of a text of YAML."""
    text = value.text if isinstance(value, Unknown) else value
    reading = read(text.encode("utf-8", "surrogatepass")) if isinstance(text, str) else None
    if reading is None or reading.failures or not isinstance(text, str):
        why = f"its yaml_body cannot be read: {reading.failures[0].message}" if reading else "its yaml_body is unknown"
        return Applied(causes=causes_in(value), hidden="object", why=why)
    applied = Applied(hidden="object", why="its yaml_body is unknown", causes=causes_in(value))
    for document in reading.documents[:1]:  # the provider takes one
        body = mapping(with_unknowns(document.value, causes_in(value)))
        if namespace:
            body = {**body, "metadata": {**mapping(body.get("metadata")), "namespace": namespace}}
        if body:
            at = place_of(origin).at(inner_document(document.index)) if isinstance(origin, Place) else origin
            applied = _counted(body, at)
    return applied


def _counted(body: Mapping[str, object], origin: Origin) -> Applied:
    """The objects of a manifest; none if its namespace, or all that it allows, is unknown."""
    kind = as_text(plain_value(body.get("kind") or "object"))
    found = tuple(_decisive_unknowns(body, origin))
    causes = tuple(dict.fromkeys(cause for unknown, _ in found for cause in unknown.causes))
    for path, why in (*_NAMESPACE, *_CONTENT.get(kind, ())):
        if any(isinstance(dig(body, *path[:end]), Unknown) for end in range(1, len(path) + 1)):
            return Applied(causes=causes, hidden=kind, why=why)
    place = place_of(origin)._replace(path=(), made=Derivation(origin))
    if not found or kind in _COUNTED_ONLY or all(entry[1] != kind for entry in _table("kinds").values()):
        return Applied(tuple(objects(plain_value(body), place)))
    return Applied(tuple(objects(plain_value(body), place)), causes, found[0][1])


_NAMESPACE = ((("metadata", "namespace"), "its namespace is unknown"), (("spec",), "its spec is unknown"))
_CONTENT = {
    "LimitRange": ((("spec", "limits"), "its limits are unknown"),),
    "ResourceQuota": ((("spec", "hard"), "what it allows is unknown"),),
}
_COUNTED_ONLY = frozenset(("ConfigMap", "Ingress", "Secret"))
_IDLE = frozenset(
    ("annotations", "args", "command", "env", "envFrom", "image", "labels", "matchLabels", "name", "volumes")
)
"""Fields that change neither a number of objects nor their requests."""


def _decisive_unknowns(value: object, origin: Origin) -> Iterator[tuple[Unknown, Place]]:
    """The unknown values that may decide what is charged or allowed, and where they are written."""
    if isinstance(value, Unknown):
        yield value, place_of(origin)
    elif isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if key not in _IDLE:
                yield from _decisive_unknowns(inner, step(origin, key))
