"""Argo CD: Applications, and ApplicationSets that generate them (argo-cd 3.x)."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.gitops.deployer import ONLY_FILES, Context, Deployer, DeployingKind
from quotalint.gitops.origins import RepositoryOrigin, argo_origin
from quotalint.gitops.rendering import Rendering
from quotalint.kube.fields import mapping, sequence
from quotalint.kube.objects import Object

_APPLICATION = ("argoproj.io", "Application")


def _render_application(obj: Object, context: Context) -> tuple[Rendering, ...]:
    from quotalint.gitops.argocd.application import application

    return (application(obj, context),)


def _render_application_set(obj: Object, context: Context) -> tuple[Rendering, ...]:
    from quotalint.gitops.argocd.sets import application_set

    return application_set(obj, context)


def _sources_named(obj: Object) -> Iterator[RepositoryOrigin]:
    if (obj.group, obj.kind) == _APPLICATION:
        sources = sequence(obj.spec.get("sources")) or [obj.spec.get("source")]
        yield from (argo_origin(source) for source in map(mapping, sources) if source.get("path"))


ARGO_CD = Deployer(
    "Argo CD",
    (
        DeployingKind(
            *_APPLICATION,
            _render_application,
            # util/argo/argo.go, ValidateRepo
            needs=(("spec", "source"), ("spec", "sources"), ("spec", "sourceHydrator")),
            folder=("spec", "source", "path"),
            reads_below=ONLY_FILES,
            applies_as_written=True,
        ),
        DeployingKind(
            "argoproj.io", "ApplicationSet", _render_application_set, lists_folders=True, applies_as_written=True
        ),
    ),
    sources_named=_sources_named,
)
