"""`commonMetadata`: the labels and annotations that Flux writes over those of everything that it applies."""

from __future__ import annotations

from quotalint.gitops.rendering import Rendering
from quotalint.kube.fields import Body, mapping
from quotalint.kube.objects import Object


def with_common_metadata(obj: Object, common: Body) -> Object:
    """With the labels and annotations that all get; they win (fluxcd/pkg, ssa/normalize, SetCommonMetadata)."""
    metadata = dict(obj.metadata)
    for field in ("labels", "annotations"):
        if mapping(common.get(field)):
            metadata[field] = {**mapping(metadata.get(field)), **mapping(common.get(field))}
    return obj._replace(body={**obj.body, "metadata": metadata}) if common else obj


def as_marked(obj: Object, rendering: Rendering) -> Rendering:
    """What a Kustomization or HelmRelease applies, with its `commonMetadata`."""
    common = mapping(obj.spec.get("commonMetadata"))
    if not common:
        return rendering
    return rendering._replace(objects=tuple(with_common_metadata(part, common) for part in rendering.objects))
