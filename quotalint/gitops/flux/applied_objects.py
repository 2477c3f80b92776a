"""What Flux makes of the objects that it applies: it writes labels and annotations over theirs (`commonMetadata`), and
does not look after all of them for now."""

from __future__ import annotations

from quotalint.gitops.rendering import Rendering
from quotalint.gitops.rendering import as_resumed as resumed
from quotalint.kube.fields import Body, mapping
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object

_UNTOUCHED = (("kustomize.toolkit.fluxcd.io/reconcile", "disabled"), ("kustomize.toolkit.fluxcd.io/ssa", "Ignore"))


def with_reconcile_guesses(rendering: Rendering) -> Rendering:
    """What a Kustomization applies, with what an annotation keeps it from applying: as though it did."""
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
    """What a Kustomization or HelmRelease applies; where it is suspended, as though it were not."""
    suspended = obj.spec.get("suspend") is True
    return resumed(rendering, f"{obj.kind} {obj.name}", "suspended") if suspended else rendering


def with_common_metadata(obj: Object, common: Body) -> Object:
    """With the labels and annotations that all get; they win (fluxcd/pkg, ssa/normalize, SetCommonMetadata)."""
    metadata = dict(obj.metadata)
    for field in ("labels", "annotations"):
        if mapping(common.get(field)):
            metadata[field] = {**mapping(metadata.get(field)), **mapping(common.get(field))}
    return obj._replace(body={**obj.body, "metadata": metadata}) if common else obj


def apply_common_metadata(obj: Object, rendering: Rendering) -> Rendering:
    """What a Kustomization or HelmRelease applies, with its `commonMetadata`."""
    common = mapping(obj.spec.get("commonMetadata"))
    if not common:
        return rendering
    return rendering._replace(objects=tuple(with_common_metadata(part, common) for part in rendering.objects))
