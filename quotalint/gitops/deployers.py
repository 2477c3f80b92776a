"""Objects that deploy others: of Flux, its operator, Argo CD and Fleet, and those that are only known to do it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from quotalint.gitops.context import Context
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.required_fields import missing_field
from quotalint.gitops.unfollowed import UNFOLLOWED, unfollowed_rendering
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import dig, text
from quotalint.kube.objects import Object

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
