"""What a request to the API server would be for an object of the repository, as far as that is known beforehand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from quotalint.facts import Facts
from quotalint.kube.admission_policies import Target, Unseen
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.discovery import is_cluster_scoped, kind_of
from quotalint.kube.fields import mapping, text
from quotalint.kube.label_selectors import selects
from quotalint.kube.objects import Object
from quotalint.kube.stored_objects import FILLED_ELSEWHERE, stored_object

CREATE, UPDATE = "CREATE", "UPDATE"

VARIABLES: Mapping[str, str] = {
    **dict.fromkeys(("object", "oldObject", "namespaceObject", "authorizer"), "dyn"),
    **{
        f"request.{one}": "string"
        for one in ("operation", "namespace", "name", "uid", "subResource", "requestSubResource")
    },
    **{
        f"request.{one}": "dyn" for one in ("kind", "resource", "requestKind", "requestResource", "userInfo", "options")
    },
    "request.dryRun": "bool",
}
_FREE_MAPS = frozenset({"labels", "annotations", "matchLabels", "nodeSelector", "data", "hard", "requests", "limits"})


class Request(NamedTuple):
    """An object that would be created or updated."""

    object: Object
    target: Target
    body: Mapping[str, Any]
    """As expressions see it."""
    placeholders: frozenset[str]
    """The fields whose values are not known yet."""
    namespace: Object | None = None
    """None where it is not in view."""

    def unsettled(self, fields: frozenset[str]) -> str:
        """Why an expression that names these fields cannot be decided; empty where it can."""
        filled = FILLED_ELSEWHERE[self.object.group, self.object.kind] & fields
        if filled:
            return f"something else may set `{sorted(filled)[0]}` before policies see the object"
        masked = self.placeholders & fields
        return f"`{sorted(masked)[0]}` holds a placeholder" if masked else ""


def request_of(obj: Object, facts: Facts, namespace: Object | None) -> Request | None:
    """The request for an object in a Namespace, if that is in view; None where its kind has no resource."""
    kind = kind_of(facts.cluster.discovery, obj.group, obj.kind)
    if kind is None:
        return None
    labels = labelled(namespace)
    target = Target(
        obj.group, obj.version, kind.plural, obj.namespace, obj.name, mapping(obj.metadata.get("labels")), labels
    )
    body = stored_object(obj.group, obj.version, obj.kind, obj.namespace, obj.body)
    return Request(obj, target, body, frozenset(_placeholders(obj.body, "", "")), namespace)


def values_of(request: Request, operation: str) -> tuple[dict[str, object], dict[str, str]]:
    """The variables of expressions, and why others have no value."""
    obj = request.object
    kind = {"group": obj.group, "version": obj.version, "kind": obj.kind}
    resource = {"group": obj.group, "version": obj.version, "resource": request.target.resource}
    values: dict[str, object] = {
        "object": request.body,
        "request.operation": operation,
        "request.namespace": obj.namespace,
        "request.name": obj.name,
        "request.kind": kind,
        "request.requestKind": kind,
        "request.resource": resource,
        "request.requestResource": resource,
        "request.subResource": "",
        "request.requestSubResource": "",
        "request.dryRun": False,
    }
    reasons = {
        "authorizer": "what the authorizer allows is known to the cluster alone",
        "request.userInfo": "who applies it is not known",
        "request.uid": "a request has its uid when it is made",
        "request.options": "with which options it is applied is not known",
    }
    if operation == CREATE:
        values["oldObject"] = None
    else:
        reasons["oldObject"] = "the object that is there already is not in view"
    namespace = request.namespace
    if namespace is None:
        reasons["namespaceObject"] = f"Namespace {obj.namespace} is not in view"
    else:
        metadata: dict[str, object] = {"name": namespace.name, "labels": labelled(namespace)}
        annotations = mapping(namespace.metadata.get("annotations"))
        if annotations:
            metadata["annotations"] = {str(key): text(value) for key, value in annotations.items()}
        values["namespaceObject"] = {"metadata": metadata}
    return values, reasons


def params_of(policy: Object, binding: Object, request: Request, facts: Facts) -> Sequence[object] | Unseen:
    """What a policy is parametrised with, each by itself; one that is null where it needs none."""
    kind = mapping(policy.spec.get("paramKind"))
    reference = mapping(binding.spec.get("paramRef"))
    if not kind or not reference:
        return (None,)
    group = text(kind.get("apiVersion")).rpartition("/")[0]
    named = text(kind.get("kind"))
    namespace = text(reference.get("namespace")) or request.object.namespace
    scoped = is_cluster_scoped(facts.cluster.discovery, group, named)
    found = [obj for obj in facts.cluster.of(group, named) if scoped or obj.namespace == namespace]
    name = text(reference.get("name"))
    if name:
        one = next((obj for obj in found if obj.name == name), None)
        return Unseen(f"its parameters, {named} {name}, are not in view") if one is None else (_param(one),)
    selector = reference.get("selector")
    chosen = tuple(_param(obj) for obj in found if selects(selector, mapping(obj.metadata.get("labels"))))
    return Unseen(f"there may be more {named}s with its parameters than are in view", chosen)


def _param(obj: Object) -> Mapping[str, Any]:
    metadata = {**obj.metadata, "name": obj.name, **({"namespace": obj.namespace} if obj.namespace else {})}
    return {**obj.body, "metadata": metadata}


def labelled(namespace: Object | None) -> dict[str, str] | None:
    """The labels of a Namespace that is in view."""
    if namespace is None:
        return None
    written = mapping(namespace.metadata.get("labels"))
    return {**{str(key): text(value) for key, value in written.items()}, "kubernetes.io/metadata.name": namespace.name}


def _placeholders(value: object, key: str, above: str) -> Iterator[str]:
    """The names of fields with placeholders, and of the map where the names are free."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _placeholders(inner, str(name), key)
    elif isinstance(value, list):
        for one in value:
            yield from _placeholders(one, key, above)
    elif is_placeholder(value):
        yield key
        if above in _FREE_MAPS:
            yield above
