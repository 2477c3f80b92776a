"""Objects that deploy others: Flux Kustomizations and HelmReleases, Argo CD Applications and ApplicationSets."""

from __future__ import annotations

from collections.abc import Callable

from quotalint.gitops.argocd.application import APPLICATION, application
from quotalint.gitops.argocd.sets import APPLICATION_SET, application_set
from quotalint.gitops.context import Context
from quotalint.gitops.flux.helm_release import HELM_RELEASE, helm_release
from quotalint.gitops.flux.kustomization import KUSTOMIZATION, flux_kustomization
from quotalint.gitops.rendering import Rendering
from quotalint.kube.objects import Object

_DEPLOYERS: dict[tuple[str, str], Callable[[Object, Context], Rendering]] = {
    KUSTOMIZATION: flux_kustomization,
    HELM_RELEASE: helm_release,
    APPLICATION: application,
}
KINDS = frozenset({*_DEPLOYERS, APPLICATION_SET})


def is_deployer(obj: Object) -> bool:
    """Whether an object deploys others."""
    return (obj.group, obj.kind) in KINDS


def deployed(obj: Object, context: Context) -> tuple[Rendering, ...]:
    """What an object deploys; nothing for most objects."""
    kind = (obj.group, obj.kind)
    if kind == APPLICATION_SET:
        return application_set(obj, context)
    render = _DEPLOYERS.get(kind)
    return (render(obj, context),) if render is not None else ()
