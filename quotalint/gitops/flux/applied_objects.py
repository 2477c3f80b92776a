"""Changes that Flux makes to objects when it applies them: `commonMetadata`; and objects that it does not apply for
now, because they are suspended or an annotation excludes them."""

from __future__ import annotations

from quotalint.gitops.rendering import Rendering
from quotalint.gitops.rendering import as_resumed as resumed
from quotalint.kube.fields import Body, mapping
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object

_UNTOUCHED = (("kustomize.toolkit.fluxcd.io/reconcile", "disabled"), ("kustomize.toolkit.fluxcd.io/ssa", "Ignore"))


def with_reconcile_guesses(rendering: Rendering) -> Rendering:
    """The rendering with a guess for each object that an annotation excludes: it counts as applied."""
    return rendering._replace(objects=tuple(map(_as_touched, rendering.objects)))


def _as_touched(obj: Object) -> Object:
    annotations = mapping(obj.metadata.get("annotations"))
    annotation = next((name for name, value in _UNTOUCHED if annotations.get(name) == value), "")
    if not annotation:
        return obj
    reason = f"Flux leaves {obj.kind} {obj.name} alone ({annotation}); it is counted as written here"
    guess = Guess(CONTENT, reason, "pass a snapshot of the cluster with `--with`")
    return obj._replace(guesses=(*obj.guesses, guess))


def as_resumed(obj: Object, rendering: Rendering) -> Rendering:
    """The rendering; that of a suspended Kustomization or HelmRelease gets the guess that it is resumed."""
    suspended = obj.spec.get("suspend") is True
    return resumed(rendering, f"{obj.kind} {obj.name}", "suspended") if suspended else rendering


def with_common_metadata(obj: Object, common: Body) -> Object:
    """The object with common labels and annotations, which replace its own (fluxcd/pkg, ssa/normalize,
    SetCommonMetadata)."""
    metadata = dict(obj.metadata)
    for field in ("labels", "annotations"):
        if mapping(common.get(field)):
            metadata[field] = {**mapping(metadata.get(field)), **mapping(common.get(field))}
    return obj._replace(body={**obj.body, "metadata": metadata}) if common else obj


def apply_common_metadata(obj: Object, rendering: Rendering) -> Rendering:
    """The rendering with the `commonMetadata` of its Kustomization or HelmRelease."""
    common = mapping(obj.spec.get("commonMetadata"))
    if not common:
        return rendering
    return rendering._replace(objects=tuple(with_common_metadata(part, common) for part in rendering.objects))
