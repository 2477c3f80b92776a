"""The request to the API server for an object of the repository, as far as it is known in advance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quotalint.accounts.facts import Facts
from quotalint.kube import kinds
from quotalint.kube.admission_policies import GROUP, PolicyTarget, UnseenFact
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.discovery import guessed_plural, is_cluster_scoped, kind_of
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.label_selectors import NAMESPACE_NAME, selects
from quotalint.kube.objects import Object
from quotalint.kube.stored_objects import (
    FILLED_BY_SERVER,
    FILLED_ELSEWHERE,
    KINDS,
    fields_with_defaults,
    named_object,
    names_in,
    stored_object,
)
from quotalint.named_tuples import NamedTuple

CREATE, UPDATE = "CREATE", "UPDATE"

VARIABLES: Mapping[str, str] = {
    **dict.fromkeys(("object", "oldObject", "namespaceObject", "authorizer"), "dyn"),
    **{
        f"request.{name}": "string"
        for name in ("operation", "namespace", "name", "uid", "subResource", "requestSubResource")
    },
    **{
        f"request.{name}": "dyn"
        for name in ("kind", "resource", "requestKind", "requestResource", "userInfo", "options")
    },
    "request.dryRun": "bool",
}
_FREE_MAPS = frozenset({"labels", "annotations", "matchLabels", "nodeSelector", "data", "hard", "requests", "limits"})


class ExpressionReads(NamedTuple):
    """The names that an expression reads."""

    names: frozenset[str]
    """All names, and fields of `metadata` and `request` as `metadata.name`."""
    selected: frozenset[str]
    """The fields and keys of the judged object."""

    def with_all_of(self, other: ExpressionReads) -> ExpressionReads:
        """The names that both expressions read."""
        return ExpressionReads(self.names | other.names, self.selected | other.selected)


class AdmissionRequest(NamedTuple):
    """An object that would be created or updated."""

    object: Object
    """The written object: the object itself, or its owner."""
    target: PolicyTarget
    kind: str
    body: Mapping[str, Any]
    """The object as expressions get it."""
    placeholders: frozenset[str]
    """The fields with unknown values (placeholders)."""
    filled: frozenset[str] = frozenset()
    """The fields that something unknown may fill in."""
    written: frozenset[str] | None = None
    """The written fields, if it is unknown which others the API server fills in."""
    namespace: Object | None = None
    """None if its Namespace is not known."""
    made: str = ""
    """For an object that a controller makes: its description, as `the pods of Deployment web`."""
    others: tuple[Mapping[str, Any], ...] = ()
    """Other possible bodies."""

    @property
    def subject(self) -> str:
        """The object in words."""
        return self.made or f"{self.object.kind} {self.object.name}"

    def why_undecided(self, reading: ExpressionReads) -> str:
        """Why an expression that reads these fields cannot be decided; empty if it can."""
        filled = self.filled & reading.names
        if filled:
            return f"something else may set `{sorted(filled)[0]}` before policies see the object"
        masked = self.placeholders & reading.names
        if masked:
            return f"`{sorted(masked)[0]}` holds a placeholder"
        missing = reading.selected - self.written - _ALWAYS_KNOWN if self.written is not None else None
        if missing:
            return f"whether `{sorted(missing)[0]}` is filled in is not known: no schema of {self.kind} is in view"
        return ""


_ALWAYS_KNOWN = frozenset(
    {"apiVersion", "kind", "metadata", "name", "namespace", "labels", "annotations", "finalizers", "ownerReferences"}
)
_SEVERAL_VERSIONS: Mapping[tuple[str, str], frozenset[str]] = {
    ("autoscaling", "HorizontalPodAutoscaler"): frozenset({"v1", "v2"}),
}
"""Built-in kinds that the API server converts between served versions."""


def is_evaluated_for(obj: Object) -> bool:
    """Whether policies are evaluated for an object: for kinds related to quotas, and custom resources."""
    return obj.group != GROUP and (
        (obj.group, obj.kind) in _RELATED or (kinds.by_kind(obj.group, obj.kind) is None and obj.group != "")
    )


_RELATED = KINDS - {("", "Pod")} | {("", "Namespace"), ("", "PersistentVolumeClaim"), ("", "Service")}


def request_of(obj: Object, facts: Facts, namespace: Object | None) -> AdmissionRequest:
    """The request for an object; `namespace` is its Namespace object, if known."""
    body = obj.body
    if (obj.group, obj.kind) in KINDS:
        filled, written = FILLED_ELSEWHERE[obj.group, obj.kind], None
        body = stored_object(obj.group, obj.version, obj.kind, obj.namespace, obj.body)
    else:
        body = named_object(obj.group, obj.version, obj.kind, obj.namespace, obj.body)
        defaults = fields_with_defaults(facts.cluster.of(*_DEFINITIONS), obj.group, obj.version, obj.kind)
        filled = FILLED_BY_SERVER | (defaults or frozenset())
        written = frozenset(names_in(body)) if defaults is None else None
    placeholders = frozenset(placeholders_in(obj.body))
    return AdmissionRequest(
        obj, target_of(obj, facts, namespace), obj.kind, body, placeholders, filled, written, namespace
    )


def target_of(obj: Object, facts: Facts, namespace: Object | None) -> PolicyTarget:
    """What match constraints compare with an object."""
    is_known = kind_of(facts.cluster.discovery, obj.group, obj.kind) is not None
    is_namespace = (obj.group, obj.kind) == ("", "Namespace")
    scope = "Cluster" if is_cluster_scoped(facts.cluster.discovery, obj.group, obj.kind) else "Namespaced"
    others = _other_versions(obj, facts) if is_known else None
    labels = mapping(obj.metadata.get("labels"))
    return PolicyTarget(
        *(obj.group, obj.version, plural_of(obj, facts), obj.namespace, obj.name, labels),
        *(labels_with_name(obj if is_namespace else namespace), scope, others),
    )


def plural_of(obj: Object, facts: Facts) -> str:
    """The plural of an object's kind, guessed if no definition is known."""
    kind = kind_of(facts.cluster.discovery, obj.group, obj.kind)
    return kind.plural if kind else guessed_plural(obj.kind)


def _other_versions(obj: Object, facts: Facts) -> frozenset[str]:
    other_versions = _SEVERAL_VERSIONS.get((obj.group, obj.kind), frozenset())
    for definition in facts.cluster.of(*_DEFINITIONS):
        if (definition.spec.get("group"), dig(definition.spec, "names", "kind")) == (obj.group, obj.kind):
            versions = map(mapping, sequence(definition.spec.get("versions")))
            other_versions |= {text(version.get("name")) for version in versions if version.get("served") is not False}
    return other_versions - {obj.version}


_DEFINITIONS = ("apiextensions.k8s.io", "CustomResourceDefinition")


def values_of(request: AdmissionRequest, operation: str) -> tuple[dict[str, object], dict[str, str]]:
    """The variables of expressions, and why others have no value."""
    obj = request.object
    target = request.target
    kind = {"group": target.group, "version": target.version, "kind": request.kind}
    resource = {"group": target.group, "version": target.version, "resource": target.resource}
    values: dict[str, object] = {
        "object": request.body,
        "request.operation": operation,
        "request.kind": kind,
        "request.requestKind": kind,
        "request.resource": resource,
        "request.requestResource": resource,
        "request.subResource": "",
        "request.requestSubResource": "",
        "request.dryRun": False,
    }
    is_namespace = (target.group, request.kind) == ("", "Namespace")
    if not is_namespace:
        values["request.namespace"] = obj.namespace
    if target.name:
        values["request.name"] = target.name
    reasons = {
        "request.name": "its name is made when it is created",
        "request.namespace": "what a request for a Namespace says of it is not known",
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
    if target.scope == "Cluster":
        values["namespaceObject"] = None
    elif namespace is None:
        reasons["namespaceObject"] = "its Namespace is not in view"
    else:
        metadata: dict[str, object] = {"name": namespace.name, "labels": labels_with_name(namespace)}
        annotations = mapping(namespace.metadata.get("annotations"))
        if annotations:
            metadata["annotations"] = {str(key): text(value) for key, value in annotations.items()}
        spec, status = {"finalizers": ["kubernetes"]}, {"phase": "Active"}
        values["namespaceObject"] = {"metadata": metadata, "spec": spec, "status": status}
    return values, reasons


def params_of(
    policy: Object, binding: Object, request: AdmissionRequest, facts: Facts
) -> Sequence[object] | UnseenFact:
    """The parameters of a policy, each evaluated separately; a single None if it needs none."""
    kind = mapping(policy.spec.get("paramKind"))
    reference = mapping(binding.spec.get("paramRef"))
    if not kind or not reference:
        return (None,)
    group = text(kind.get("apiVersion")).rpartition("/")[0]
    named = text(kind.get("kind"))
    namespace = text(reference.get("namespace")) or request.object.namespace
    scoped = is_cluster_scoped(facts.cluster.discovery, group, named)
    candidates = [obj for obj in facts.cluster.of(group, named) if scoped or obj.namespace == namespace]
    name = text(reference.get("name"))
    if name:
        param = next((obj for obj in candidates if obj.name == name), None)
        return (
            UnseenFact(f"its parameters, {named} {name}, are not in view") if param is None else (_param_body(param),)
        )
    selector = reference.get("selector")
    chosen = tuple(_param_body(obj) for obj in candidates if selects(selector, mapping(obj.metadata.get("labels"))))
    return UnseenFact(f"there may be more {named}s with its parameters than are in view", chosen)


def _param_body(obj: Object) -> Mapping[str, Any]:
    metadata = {**obj.metadata, "name": obj.name, **({"namespace": obj.namespace} if obj.namespace else {})}
    return {**obj.body, "metadata": metadata}


def labels_with_name(namespace: Object | None) -> dict[str, str] | None:
    """The labels of a Namespace, with its name label; None if the Namespace is unknown."""
    if namespace is None:
        return None
    written = mapping(namespace.metadata.get("labels"))
    return {**{str(key): text(value) for key, value in written.items()}, NAMESPACE_NAME: namespace.name}


def placeholders_in(value: object, key: str = "", parent_key: str = "") -> Iterator[str]:
    """The names of fields with placeholders, and the names of their maps if the keys are free."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from placeholders_in(inner, str(name), key)
    elif isinstance(value, list):
        for item in value:
            yield from placeholders_in(item, key, parent_key)
    elif is_placeholder(value):
        yield key
        if parent_key in _FREE_MAPS:
            yield parent_key
