"""What of a file decides more than its own namespace: all of it, but for the bodies of kinds that reach no further."""

from __future__ import annotations

import marshal

from quotalint.text.reading import File
from quotalint.transcript import UNKNOWN, digest

_PLAIN_KINDS = frozenset(
    (
        *(("v1", kind) for kind in ("ConfigMap", "PersistentVolumeClaim", "Pod", "ReplicationController", "Service")),
        *(("apps/v1", kind) for kind in ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")),
        *(("batch/v1", kind) for kind in ("CronJob", "Job")),
        *((f"autoscaling/v{version}", "HorizontalPodAutoscaler") for version in (1, 2)),
        *(("networking.k8s.io/v1", kind) for kind in ("Ingress", "NetworkPolicy")),
        ("policy/v1", "PodDisruptionBudget"),
    )
)
"""Kinds that deploy nothing, declare nothing, limit nothing, and that nothing outside of their namespace looks up."""
_ABOUT = ("apiVersion", "kind", "metadata")


def is_plain(file: File) -> bool:
    """Whether a file is nothing but manifests, each of one object, that ask for nothing to be left out."""
    reading = file.reading
    if reading.failures or reading.dropped or file.marked or file.templated or file.encrypted or file.source.explicit:
        return False
    return all(
        isinstance(document.value, dict) and not document.duplicates and "items" not in document.value
        for document in reading.documents
    )


def outline_digest(file: File) -> bytes:
    """What stands for it; UNKNOWN where any other file may rest on any change of this one."""
    if file.limiting or not is_plain(file):
        return UNKNOWN
    outline: list[object] = []
    for document in file.reading.documents:
        body = document.value
        assert isinstance(body, dict)
        kind = body.get("apiVersion"), body.get("kind")
        if _is_text(kind) and kind in _PLAIN_KINDS:
            outline.append((document.index, [*body], [body.get(key) for key in _ABOUT]))
        else:
            outline.append((document.index, body))
    # The second version of the format tells equal values from each other by nothing but what they are.
    return digest(marshal.dumps(outline, 2))


def content_digest(file: File) -> bytes:
    """What stands for all that a file says, however it is written; UNKNOWN where comments may count."""
    if not is_plain(file):
        return UNKNOWN
    content = file.limiting, [(document.index, document.value) for document in file.reading.documents]
    return digest(marshal.dumps(content, 2))


def _is_text(kind: tuple[object, ...]) -> bool:
    return all(isinstance(part, str) for part in kind)
