"""Objects that deploy others: those of Flux, its operator, Argo CD and Fleet, and kinds that are only known to
deploy."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping

from quotalint.gitops.context import Context, not_in_view
from quotalint.gitops.kustomize.problems import MISSING, Problem
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.required_fields import missing_field
from quotalint.gitops.unseen_causes import OTHER_CLUSTERS, UNFOLLOWED_OBJECTS, Reason, SharedCause
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import dig, text
from quotalint.kube.objects import Object

# Deploying kinds that are not followed here: which objects they create in which namespace is not in view.
#
# The list is open-ended; a kind that is missing is counted as a plain object.
_OWN_NAMESPACE = ("metadata", "namespace")
"""For kinds that deploy to their own namespace, or state none."""

_NAMESPACE_FIELDS: Mapping[tuple[str, str], tuple[tuple[str, ...], ...]] = {
    # (group, kind) → the fields that may state the target namespace; without any it is unknown.
    ("apps.kubermatic.k8c.io", "ApplicationInstallation"): (("spec", "namespace", "name"),),
    ("apps.open-cluster-management.io", "Subscription"): (_OWN_NAMESPACE,),
    ("configsync.gke.io", "RepoSync"): (_OWN_NAMESPACE,),
    ("configsync.gke.io", "RootSync"): (),
    ("core.oam.dev", "Application"): (_OWN_NAMESPACE,),
    ("fleet.cattle.io", "Bundle"): (("spec", "namespace"), ("spec", "targetNamespace"), ("spec", "defaultNamespace")),
    ("fleet.cattle.io", "HelmOp"): (("spec", "namespace"), ("spec", "defaultNamespace")),
    ("gitops.kluctl.io", "KluctlDeployment"): (),
    ("helm.cattle.io", "HelmChart"): (("spec", "targetNamespace"), _OWN_NAMESPACE),
    ("helm.crossplane.io", "Release"): (("spec", "forProvider", "namespace"),),
    ("helm.m.crossplane.io", "Release"): (("spec", "forProvider", "namespace"),),
    ("kubernetes.crossplane.io", "Object"): (("spec", "forProvider", "manifest", "metadata", "namespace"),),
    ("kubernetes.m.crossplane.io", "Object"): (("spec", "forProvider", "manifest", "metadata", "namespace"),),
    ("olm.operatorframework.io", "ClusterExtension"): (("spec", "namespace"),),
    ("packages.eks.amazonaws.com", "Package"): (("spec", "targetNamespace"), _OWN_NAMESPACE),
    ("helm.fluxcd.io", "HelmRelease"): (("spec", "targetNamespace"), _OWN_NAMESPACE),
    ("kappctrl.k14s.io", "App"): (_OWN_NAMESPACE,),
    ("tanka.dev", "Environment"): (("spec", "namespace"),),
    ("packaging.carvel.dev", "PackageInstall"): (_OWN_NAMESPACE,),
}
_OTHER_CLUSTER_KINDS = frozenset(
    {
        ("addons.cluster.x-k8s.io", "ClusterResourceSet"),
        ("addons.cluster.x-k8s.io", "HelmChartProxy"),
        ("config.projectsveltos.io", "ClusterProfile"),
        ("config.projectsveltos.io", "Profile"),
        ("work.open-cluster-management.io", "ManifestWork"),
        ("work.open-cluster-management.io", "ManifestWorkReplicaSet"),
    }
)
"""Kinds that deploy to other clusters."""

UNFOLLOWED = frozenset(_NAMESPACE_FIELDS) | _OTHER_CLUSTER_KINDS


def unfollowed_rendering(obj: Object) -> Rendering:
    """The rendering of a deploying object that is not followed."""
    subject = f"{obj.kind} {obj.name}"
    if (obj.group, obj.kind) in _OTHER_CLUSTER_KINDS:
        reason = f"{subject} deploys to clusters that it chooses, which is not followed"
        shared = SharedCause(OTHER_CLUSTERS, obj.kind)
        return Rendering(problems=(Problem(obj.place, reason, MISSING, shared=shared, subject=subject),))
    why = f"what {obj.kind}s of {obj.group} deploy is not in view, since they are not followed"
    cause = Reason(why, UNFOLLOWED_OBJECTS, f"{obj.kind} of {obj.group}")
    return not_in_view(obj, cause, next(_namespaces_of(obj), ""))


def _namespaces_of(obj: Object) -> Iterator[str]:
    for path in _NAMESPACE_FIELDS[obj.group, obj.kind]:
        name = obj.namespace if path == _OWN_NAMESPACE else text(dig(obj.spec, *path[1:]))
        if name:
            yield name


_KUSTOMIZATION = ("kustomize.toolkit.fluxcd.io", "Kustomization")
_APPLICATION = ("argoproj.io", "Application")

Deployer = Callable[[Object, Context], tuple[Rendering, ...]]


def _imported_deployer(module: str, name: str) -> Deployer:
    """The deployer function of a kind; its module is imported on first use."""

    def deploy(obj: Object, context: Context) -> tuple[Rendering, ...]:
        from importlib import import_module

        follow: Callable[[Object, Context], Rendering | tuple[Rendering, ...]]
        follow = getattr(import_module(f"quotalint.gitops.{module}"), name)
        followed = follow(obj, context)
        return (followed,) if isinstance(followed, Rendering) else followed

    return deploy


DEPLOYERS: dict[tuple[str, str], Deployer] = {
    _APPLICATION: _imported_deployer("argocd.application", "application"),
    ("argoproj.io", "ApplicationSet"): _imported_deployer("argocd.sets", "application_set"),
    ("fleet.cattle.io", "GitRepo"): _imported_deployer("fleet", "git_repo"),
    ("fluxcd.controlplane.io", "FluxInstance"): _imported_deployer("flux.instances", "flux_instance"),
    ("fluxcd.controlplane.io", "ResourceSet"): _imported_deployer("flux.resource_sets", "resource_set"),
    ("helm.toolkit.fluxcd.io", "HelmRelease"): _imported_deployer("flux.helm_release", "helm_release"),
    _KUSTOMIZATION: _imported_deployer("flux.flux_kustomization", "flux_kustomization"),
}
"""(group, kind) → the function that renders what objects of that kind deploy."""


_DEPLOYING = DEPLOYERS.keys() | UNFOLLOWED


def is_deployer(obj: Object) -> bool:
    """Whether an object deploys others. A partial object is a patch and deploys nothing."""
    kind = obj.group, obj.kind
    return kind in _DEPLOYING and (kind in UNFOLLOWED or not missing_field(obj))


def path_of(obj: Object) -> str | None:
    """The repository path that an object deploys; None if it states none."""
    kind = (obj.group, obj.kind)
    if kind == _KUSTOMIZATION:
        path = text(obj.spec.get("path"))
    elif kind == _APPLICATION:
        path = text(dig(obj.spec, "source", "path"))
    else:
        return None
    return None if not path or is_placeholder(path) else posixpath.normpath(path.lstrip("/"))


def deployed_renderings(obj: Object, context: Context) -> tuple[Rendering, ...]:
    """The renderings that an object deploys; empty for most objects."""
    kind = (obj.group, obj.kind)
    if kind in UNFOLLOWED:
        return (unfollowed_rendering(obj),)
    deploy = DEPLOYERS.get(kind)
    return deploy(obj, context) if deploy else ()
