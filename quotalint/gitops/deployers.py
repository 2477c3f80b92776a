"""Objects that deploy others: of Flux, its operator, Argo CD and Fleet, and those that are only known to do it."""

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

# Objects that deploy others and are not followed here: what they would put into which namespace is not in view.
#
# The list can only grow; a kind that is not on it is counted as an object and nothing more.
_OWN = ("metadata", "namespace")
"""For objects that deploy to their own namespace, or into one that nothing says."""

_HERE: Mapping[tuple[str, str], tuple[tuple[str, ...], ...]] = {
    # (group, kind) → where it may say the namespace of what it deploys; without any it may be each.
    ("apps.kubermatic.k8c.io", "ApplicationInstallation"): (("spec", "namespace", "name"),),
    ("apps.open-cluster-management.io", "Subscription"): (_OWN,),
    ("configsync.gke.io", "RepoSync"): (_OWN,),
    ("configsync.gke.io", "RootSync"): (),
    ("core.oam.dev", "Application"): (_OWN,),
    ("fleet.cattle.io", "Bundle"): (("spec", "namespace"), ("spec", "targetNamespace"), ("spec", "defaultNamespace")),
    ("fleet.cattle.io", "HelmOp"): (("spec", "namespace"), ("spec", "defaultNamespace")),
    ("gitops.kluctl.io", "KluctlDeployment"): (),
    ("helm.cattle.io", "HelmChart"): (("spec", "targetNamespace"), _OWN),
    ("helm.crossplane.io", "Release"): (("spec", "forProvider", "namespace"),),
    ("helm.m.crossplane.io", "Release"): (("spec", "forProvider", "namespace"),),
    ("kubernetes.crossplane.io", "Object"): (("spec", "forProvider", "manifest", "metadata", "namespace"),),
    ("kubernetes.m.crossplane.io", "Object"): (("spec", "forProvider", "manifest", "metadata", "namespace"),),
    ("olm.operatorframework.io", "ClusterExtension"): (("spec", "namespace"),),
    ("packages.eks.amazonaws.com", "Package"): (("spec", "targetNamespace"), _OWN),
    ("helm.fluxcd.io", "HelmRelease"): (("spec", "targetNamespace"), _OWN),
    ("kappctrl.k14s.io", "App"): (_OWN,),
    ("tanka.dev", "Environment"): (("spec", "namespace"),),
    ("packaging.carvel.dev", "PackageInstall"): (_OWN,),
}
_ELSEWHERE = frozenset(
    {
        ("addons.cluster.x-k8s.io", "ClusterResourceSet"),
        ("addons.cluster.x-k8s.io", "HelmChartProxy"),
        ("config.projectsveltos.io", "ClusterProfile"),
        ("config.projectsveltos.io", "Profile"),
        ("work.open-cluster-management.io", "ManifestWork"),
        ("work.open-cluster-management.io", "ManifestWorkReplicaSet"),
    }
)
"""Kinds that deploy to other clusters than the one they are in."""

UNFOLLOWED = frozenset(_HERE) | _ELSEWHERE


def unfollowed_rendering(obj: Object) -> Rendering:
    """That what an object deploys is not in view."""
    subject = f"{obj.kind} {obj.name}"
    if (obj.group, obj.kind) in _ELSEWHERE:
        reason = f"{subject} deploys to clusters that it chooses, which is not followed"
        shared = SharedCause(OTHER_CLUSTERS, obj.kind)
        return Rendering(problems=(Problem(obj.place, reason, MISSING, shared=shared, subject=subject),))
    why = f"what {obj.kind}s of {obj.group} deploy is not in view, since they are not followed"
    cause = Reason(why, UNFOLLOWED_OBJECTS, f"{obj.kind} of {obj.group}")
    return not_in_view(obj, cause, next(_namespaces_of(obj), ""))


def _namespaces_of(obj: Object) -> Iterator[str]:
    for path in _HERE[obj.group, obj.kind]:
        name = obj.namespace if path == _OWN else text(dig(obj.spec, *path[1:]))
        if name:
            yield name


_KUSTOMIZATION = ("kustomize.toolkit.fluxcd.io", "Kustomization")
_APPLICATION = ("argoproj.io", "Application")

Deployer = Callable[[Object, Context], tuple[Rendering, ...]]


def _imported_deployer(module: str, name: str) -> Deployer:
    """What follows objects of a kind, imported where a repository has such an object."""

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
"""Group and kind → what its objects deploy."""


_DEPLOYING = DEPLOYERS.keys() | UNFOLLOWED


def is_deployer(obj: Object) -> bool:
    """Whether an object deploys others. Half of one is a patch, and deploys nothing."""
    kind = obj.group, obj.kind
    return kind in _DEPLOYING and (kind in UNFOLLOWED or not missing_field(obj))


def path_of(obj: Object) -> str | None:
    """The path in a repository that an object deploys; None where it says none."""
    kind = (obj.group, obj.kind)
    if kind == _KUSTOMIZATION:
        path = text(obj.spec.get("path"))
    elif kind == _APPLICATION:
        path = text(dig(obj.spec, "source", "path"))
    else:
        return None
    return None if not path or is_placeholder(path) else posixpath.normpath(path.lstrip("/"))


def deployed_renderings(obj: Object, context: Context) -> tuple[Rendering, ...]:
    """What an object deploys; nothing for most objects."""
    kind = (obj.group, obj.kind)
    if kind in UNFOLLOWED:
        return (unfollowed_rendering(obj),)
    deploy = DEPLOYERS.get(kind)
    return deploy(obj, context) if deploy else ()
