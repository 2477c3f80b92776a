"""The clusters that Argo CD knows by Secrets of the repository (argo-cd, docs/operator-manual/declarative-setup.md)."""

from __future__ import annotations

from quotalint.gitops.context import Context
from quotalint.gitops.flux.post_build import data_of
from quotalint.kube.fields import dig, mapping
from quotalint.kube.kinds import CLUSTER_SECRET_LABEL
from quotalint.kube.objects import Object
from quotalint.settings import ConfiguredCluster

_KEPT_ELSEWHERE = {
    "ExternalSecret": ("spec", "target", "template", "metadata", "labels"),
    "SealedSecret": ("spec", "template", "metadata", "labels"),
}
"""Kinds that make Secrets of what is not in view, and where the labels of these are."""


def registered_clusters(obj: Object, context: Context) -> tuple[ConfiguredCluster, ...]:
    """Those of the configuration, else those of the Secrets beside the Argo CD that an object is for. None where one of
    them keeps its name or address to itself: a list with gaps would deploy too little."""
    if context.clusters:
        return context.clusters
    for kind, path in _KEPT_ELSEWHERE.items():
        if any(_is_for_cluster(dig(secret.body, *path)) for secret in context.nearest(obj, kind)):
            return ()
    clusters = []
    for secret in context.nearest(obj, "Secret"):
        if secret.namespace != obj.namespace or not _is_for_cluster(secret.metadata.get("labels")):
            continue
        data = data_of(secret)
        server = data.get("server", "").strip()
        name = data.get("name", "").strip() or server
        if not server or server.startswith("ENC[") or name.startswith("ENC["):
            return ()
        labels, annotations = (
            {key: str(value) for key, value in mapping(secret.metadata.get(field)).items()}
            for field in ("labels", "annotations")
        )
        clusters.append(ConfiguredCluster(name, server, labels, annotations))
    return tuple(clusters)


def _is_for_cluster(labels: object) -> bool:
    return mapping(labels).get(CLUSTER_SECRET_LABEL) == "cluster"
