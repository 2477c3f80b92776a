"""Namespaces that exist without a declaration: created by deployers and operators, or contained in other objects."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from quotalint.accounts.facts import Facts
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.kinds import DECLARING, DEPLOYING, declares_namespace
from quotalint.kube.objects import Object, objects
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import recalled_each
from quotalint.text.place import Place
from quotalint.text.reading import File

_DEPTH = 32
_MAKERS = frozenset(
    {
        # Kinds whose owners, users or clusters get namespaces with names that no manifest has.
        ("capsule.clastix.io", "Tenant"),
        ("management.cattle.io", "Project"),
        ("config.kiosk.sh", "Account"),
        ("tenancy.kiosk.sh", "Space"),
        ("toolchain.dev.openshift.com", "NSTemplateTier"),
        ("multitenancy.x-k8s.io", "Tenant"),
        ("tenancy.stakater.com", "Tenant"),
        ("tenantoperator.stakater.com", "Tenant"),
        ("kubeflow.org", "Profile"),
        ("management.loft.sh", "Project"),
        ("servicecatalog.k8s.io", "ServiceInstance"),
    }
)
_DECLARED = frozenset(kind for _, kind in DECLARING)
_NAMING = DEPLOYING | _DECLARED


class NamespacesElsewhere(NamedTuple):
    """The namespaces without a declaration."""

    names: frozenset[str]
    others: bool
    """There are others, with unknown names."""


def namespaces_elsewhere(facts: Facts) -> NamespacesElsewhere:
    """The namespaces that exist, or may exist, although no manifest declares them."""
    names = list(_names_elsewhere(facts))
    hidden = any(not unseen.namespace and (not unseen.kinds or "Namespace" in unseen.kinds) for unseen in facts.unseen)
    others = hidden or any(not name or is_placeholder(name) for name in names)
    return NamespacesElsewhere(frozenset(name for name in names if name), others)


def _names_elsewhere(facts: Facts) -> Iterator[str]:
    """The names; an empty name stands for any name."""
    objects_and_files = (
        *recalled_each(("named by objects", facts.environment), facts.cluster.objects, (), namespaces_named_in),
        *recalled_each("named by files", facts.repository.files, (), _namespaces_of_file),
    )
    return chain.from_iterable(filter(None, objects_and_files))


def _namespaces_of_file(file: File) -> tuple[str, ...]:
    return tuple(_named_in_file(file))


def _named_in_file(file: File) -> Iterator[str]:
    for document in file.reading.documents:
        body = mapping(document.value)
        if "apiVersion" not in body and "releases" in body:  # a helmfile: Helm creates the namespaces of its releases
            yield from (text(mapping(release).get("namespace")) for release in sequence(body["releases"]))
        elif "apiVersion" not in body and ("defaultNamespace" in body or "helm" in body):  # a fleet.yaml
            yield from filter(None, (text(body.get("defaultNamespace")), text(body.get("namespace"))))
        kind = text(body.get("kind"))
        if kind not in _NAMING and not kind.endswith("List"):
            continue
        for obj in objects(document.value, Place(file.source.name, document.index)):
            # An object that another environment applies, or that was applied by hand, may exist.
            if declares_namespace(obj):
                yield obj.name
            elif obj.kind in DEPLOYING:
                yield from _target_namespaces(obj)


def namespaces_named_in(obj: Object) -> tuple[str, ...]:
    """The namespaces that an object may create without declaring them; an empty name stands for any name."""
    return tuple(_named_in_object(obj))


def _named_in_object(obj: Object) -> Iterator[str]:
    if (obj.group, obj.kind) in _MAKERS:
        yield ""
    elif obj.kind in DEPLOYING:
        yield from _target_namespaces(obj)
    if not declares_namespace(obj):
        yield from _nested_names(obj.body, _DEPTH)


def _target_namespaces(obj: Object) -> Iterator[str]:
    """The namespaces that Argo CD, Flux, Fleet or k3s deploy to. Most of these tools can create a namespace themselves,
    by a setting outside the repository."""
    spec = obj.spec
    for field in ("targetNamespace", "namespace", "defaultNamespace"):
        yield from filter(None, (text(spec.get(field)),))
    for section in (spec, dig(spec, "template", "spec")):
        yield from filter(None, (text(dig(section, "destination", "namespace")),))


def _nested_names(value: object, depth: int) -> Iterator[str]:
    """Namespaces in templates, policies and manifests for other clusters."""
    if isinstance(value, dict):
        if text(value.get("kind")) in _DECLARED and "apiVersion" in value and "metadata" in value:
            yield text(dig(value, "metadata", "name"))
        for inner in value.values() if depth else ():
            if isinstance(inner, (dict, list)):
                yield from _nested_names(inner, depth - 1)
    elif isinstance(value, list) and depth:
        for inner in value:
            if isinstance(inner, (dict, list)):
                yield from _nested_names(inner, depth - 1)
