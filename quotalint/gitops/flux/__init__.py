"""Flux: Kustomizations and HelmReleases; and the Flux Operator: FluxInstances and ResourceSets."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.gitops.deployer import EVERYTHING, Context, Deployer, DeployingKind
from quotalint.gitops.origins import RepositoryOrigin, git_origin
from quotalint.gitops.rendering import Rendering
from quotalint.kube.objects import Object

_KUSTOMIZATION = ("kustomize.toolkit.fluxcd.io", "Kustomization")


def _render_kustomization(obj: Object, context: Context) -> tuple[Rendering, ...]:
    from quotalint.gitops.flux.flux_kustomization import flux_kustomization

    return (flux_kustomization(obj, context),)


def _render_helm_release(obj: Object, context: Context) -> tuple[Rendering, ...]:
    from quotalint.gitops.flux.helm_release import helm_release

    return (helm_release(obj, context),)


def _render_flux_instance(obj: Object, context: Context) -> tuple[Rendering, ...]:
    from quotalint.gitops.flux.instances import flux_instance

    return flux_instance(obj, context)


def _render_resource_set(obj: Object, context: Context) -> tuple[Rendering, ...]:
    from quotalint.gitops.flux.resource_sets import resource_set

    return (resource_set(obj, context),)


def _sources_named(obj: Object) -> Iterator[RepositoryOrigin]:
    if (obj.group, obj.kind) == ("source.toolkit.fluxcd.io", "GitRepository"):
        yield git_origin(obj)


FLUX = Deployer(
    "Flux",
    (
        DeployingKind(
            *_KUSTOMIZATION,
            _render_kustomization,
            # kustomize-controller, api/v1/kustomization_types.go
            needs=(("spec", "sourceRef"), ("spec", "path")),
            folder=("spec", "path"),
            reads_below=EVERYTHING,
            applies_as_written=True,
        ),
        DeployingKind(
            "helm.toolkit.fluxcd.io",
            "HelmRelease",
            _render_helm_release,
            # helm-controller, api/v2/helmrelease_types.go
            needs=(("spec", "chart"), ("spec", "chartRef")),
            needs_called="chart",
            deploys_folders=False,
            needs_others=_KUSTOMIZATION[1],
        ),
        DeployingKind("fluxcd.controlplane.io", "FluxInstance", _render_flux_instance),
        DeployingKind("fluxcd.controlplane.io", "ResourceSet", _render_resource_set),
    ),
    sources_named=_sources_named,
)
