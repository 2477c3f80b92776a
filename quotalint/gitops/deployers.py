"""Objects that deploy others: of Flux, its operator, Argo CD and Fleet, and those that are only known to do it."""

from __future__ import annotations

import posixpath

from quotalint.gitops.context import Context
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.unfollowed import UNFOLLOWED, unfollowed
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import dig, text
from quotalint.kube.objects import Object

_KUSTOMIZATION = ("kustomize.toolkit.fluxcd.io", "Kustomization")
_HELM_RELEASE = ("helm.toolkit.fluxcd.io", "HelmRelease")
_APPLICATION = ("argoproj.io", "Application")
_APPLICATION_SET = ("argoproj.io", "ApplicationSet")
_RESOURCE_SET = ("fluxcd.controlplane.io", "ResourceSet")
_FLUX_INSTANCE = ("fluxcd.controlplane.io", "FluxInstance")
_GIT_REPO = ("fleet.cattle.io", "GitRepo")
_KINDS = frozenset(
    {_KUSTOMIZATION, _HELM_RELEASE, _APPLICATION, _APPLICATION_SET, _RESOURCE_SET, _FLUX_INSTANCE, _GIT_REPO}
)


def is_deployer(obj: Object) -> bool:
    """Whether an object deploys others."""
    return (obj.group, obj.kind) in _KINDS or (obj.group, obj.kind) in UNFOLLOWED


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


def deployed(obj: Object, context: Context) -> tuple[Rendering, ...]:
    """What an object deploys; nothing for most objects."""
    # Each is imported where a repository has such an object.
    kind = (obj.group, obj.kind)
    if kind == _KUSTOMIZATION:
        from quotalint.gitops.flux.kustomization import flux_kustomization

        return (flux_kustomization(obj, context),)
    if kind == _HELM_RELEASE:
        from quotalint.gitops.flux.helm_release import helm_release

        return (helm_release(obj, context),)
    if kind == _APPLICATION:
        from quotalint.gitops.argocd.application import application

        return (application(obj, context),)
    if kind == _APPLICATION_SET:
        from quotalint.gitops.argocd.sets import application_set

        return application_set(obj, context)
    if kind == _RESOURCE_SET:
        from quotalint.gitops.flux.resource_sets import resource_set

        return (resource_set(obj, context),)
    if kind == _FLUX_INSTANCE:
        from quotalint.gitops.flux.instances import flux_instance

        return flux_instance(obj, context)
    if kind == _GIT_REPO:
        from quotalint.gitops.fleet import git_repo

        return git_repo(obj, context)
    if kind in UNFOLLOWED:
        return (unfollowed(obj),)
    return ()
