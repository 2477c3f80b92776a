"""Objects that deploy others: a HelmRelease, a Flux Kustomization, an Argo CD Application.

What they deploy is not rendered, so the namespaces that they deploy to are only partly in view.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import dig, text
from quotalint.kube.objects import Object


class Deployer(NamedTuple):
    """Something that will put objects into a namespace."""

    object: Object
    namespace: str
    """Where to; empty where that is not known."""
    reason: str


def deployers(objects: Iterable[Object]) -> Iterator[Deployer]:
    """The objects that deploy others, and where to."""
    for obj in objects:
        found = _namespace(obj)
        if found is not None:
            namespace = "" if is_placeholder(found) else found
            yield Deployer(obj, namespace, f"{obj.kind} {obj.name} deploys objects that are not rendered")


def _namespace(obj: Object) -> str | None:
    if (obj.group, obj.kind) == ("helm.toolkit.fluxcd.io", "HelmRelease"):
        return text(obj.spec.get("targetNamespace")) or obj.namespace
    if (obj.group, obj.kind) == ("kustomize.toolkit.fluxcd.io", "Kustomization"):
        return text(obj.spec.get("targetNamespace"))
    if (obj.group, obj.kind) == ("argoproj.io", "Application"):
        return text(dig(obj.spec, "destination", "namespace"))
    if (obj.group, obj.kind) == ("argoproj.io", "ApplicationSet"):
        return text(dig(obj.spec, "template", "spec", "destination", "namespace"))
    return None
