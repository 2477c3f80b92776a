"""Which release or application an object belongs to: what the tools that apply it write on it.

Sources: Helm 3, pkg/action/validate.go; fluxcd helm-controller and kustomize-controller (owner labels); argo-cd 3.x,
util/argo/resource_tracking.go; Flux Operator, internal/controller (resource set labels).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object

Owner = tuple[str, str, str]
"""Kind, namespace and name. An Application is told by its name alone."""

HELM = "Helm release"
_FLUX = (
    ("HelmRelease", "helm.toolkit.fluxcd.io/"),
    ("Kustomization", "kustomize.toolkit.fluxcd.io/"),
    ("ResourceSet", "resourceset.fluxcd.controlplane.io/"),
)
_ARGO, _INSTANCE = "argocd.argoproj.io/tracking-id", "app.kubernetes.io/instance"


def owners_of(objects: Iterable[Object]) -> frozenset[Owner]:
    """What the objects of a cluster belong to."""
    return frozenset(owner for obj in objects for owner in _owners_of(obj))


def _owners_of(obj: Object) -> Iterator[Owner]:
    labels, annotations = mapping(obj.metadata.get("labels")), mapping(obj.metadata.get("annotations"))
    for kind, prefix in _FLUX:
        if text(labels.get(f"{prefix}name")):
            yield kind, text(labels.get(f"{prefix}namespace")), text(labels[f"{prefix}name"])
    release = text(annotations.get("meta.helm.sh/release-name"))
    if release:
        yield HELM, text(annotations.get("meta.helm.sh/release-namespace")) or obj.namespace, release
    tracked = text(annotations.get(_ARGO)).partition(":")[0] or text(labels.get(_INSTANCE))
    if tracked:
        # An Application in another namespace than Argo CD's is called by both: `namespace_name`.
        yield "Application", "", tracked
        yield "Application", "", tracked.rpartition("_")[2]
