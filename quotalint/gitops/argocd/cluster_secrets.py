"""The clusters that Argo CD knows from Secrets in the repository (argo-cd,
docs/operator-manual/declarative-setup.md)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from quotalint.gitops.deployer import Context
from quotalint.gitops.flux.post_build import data_of
from quotalint.kube.fields import dig, mapping
from quotalint.kube.kinds import CLUSTER_SECRET_LABEL
from quotalint.kube.objects import Object
from quotalint.settings import ConfiguredCluster


def registered_clusters(obj: Object, context: Context) -> tuple[ConfiguredCluster, ...]:
    """The clusters in the settings, else those of the cluster Secrets next to the Argo CD of an object.

    Empty if any Secret hides its name or address, because an incomplete list would deploy too little.
    """
    if context.clusters:
        return context.clusters
    # These objects create cluster Secrets whose content is not in the repository.
    if any(context.nearest(obj, kind, _makes_cluster_secret) for kind in ("ExternalSecret", "SealedSecret")):
        return ()
    secrets = context.nearest(obj, "Secret", _is_cluster_secret)
    made = partial(_clusters_of, secrets, obj.namespace)
    return context.once.made("registered clusters", (secrets,), obj.namespace, made)


def _clusters_of(secrets: Sequence[Object], namespace: str) -> tuple[ConfiguredCluster, ...]:
    """The clusters of the Secrets in a namespace; empty if one hides its name or address."""
    clusters = []
    for secret in secrets:
        if secret.namespace != namespace:
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


def _makes_cluster_secret(obj: Object) -> bool:
    template = ("spec", "template") if obj.kind == "SealedSecret" else ("spec", "target", "template")
    return _is_for_cluster(dig(obj.body, *template, "metadata", "labels"))


def _is_cluster_secret(obj: Object) -> bool:
    return _is_for_cluster(obj.metadata.get("labels"))


def _is_for_cluster(labels: object) -> bool:
    return mapping(labels).get(CLUSTER_SECRET_LABEL) == "cluster"
