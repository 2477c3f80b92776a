"""What of a file or an object decides more than its own namespace: all of it, but for the bodies of kinds that reach no
further."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from typing import Any

from quotalint.deployed import KUSTOMIZATION_NAMES
from quotalint.kube.fields import Body
from quotalint.kube.objects import Object
from quotalint.text.reading import File
from quotalint.transcript import UNKNOWN, digest

_LOCAL_KINDS = frozenset(
    (
        *(("v1", kind) for kind in ("PersistentVolumeClaim", "Pod", "ReplicationController", "Service")),
        *(("apps/v1", kind) for kind in ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")),
        *(("batch/v1", kind) for kind in ("CronJob", "Job")),
        *((f"autoscaling/v{version}", "HorizontalPodAutoscaler") for version in (1, 2)),
        *(("networking.k8s.io/v1", kind) for kind in ("Ingress", "NetworkPolicy")),
        ("policy/v1", "PodDisruptionBudget"),
    )
)
"""Kinds that deploy nothing, declare nothing, limit nothing, and that nothing outside of their namespace looks up."""
_LOOKED_UP = ("v1", "ConfigMap")
"""Those of this kind are such as well, unless there is something that deploys: it may take values from them."""
_ABOUT = ("apiVersion", "kind", "metadata")
_TUNED = frozenset(("images", "replicas"))
"""Fields of a kustomization of which only what it makes of objects depends."""


def is_plain(file: File) -> bool:
    """Whether a file is nothing but mappings that ask for nothing to be left out."""
    reading = file.reading
    if reading.failures or reading.dropped or file.marked or file.templated or file.encrypted or file.source.explicit:
        return False
    return all(
        isinstance(document.value, dict) and not document.duplicates and "items" not in document.value
        for document in reading.documents
    )


def file_outline(file: File, *, deploys: bool) -> bytes:
    """What stands for that of a file, in a repository that holds something that `deploys` others or not; UNKNOWN where
    any other file may rest on any change of this one."""
    if file.limiting or not is_plain(file):
        return UNKNOWN
    is_kustomization = file.source.name.rpartition("/")[2] in KUSTOMIZATION_NAMES
    outline: list[Any] = []
    for document in file.reading.documents:
        body = document.value
        assert isinstance(body, dict)
        if is_kustomization:
            outline.append([(key, None if key in _TUNED else value) for key, value in body.items()])
        else:
            outline.append((document.index, _outline_of(body, deploys=deploys)))
    return _digest_of(outline)


def object_outlines(objects: Sequence[Object], *, deploys: bool) -> bytes:
    """The same for each of these objects."""
    return b"".join(_digest_of([*obj[:5], _outline_of(obj.body, deploys=deploys)]) for obj in objects)


def object_contents(objects: Sequence[Object]) -> bytes:
    """What stands for all that each of these objects says."""
    return b"".join(_digest_of([*obj[:6]]) for obj in objects)


def file_content(file: File) -> bytes:
    """What stands for all that a file says, however it is written; UNKNOWN where comments may count."""
    if not is_plain(file):
        return UNKNOWN
    return _digest_of([file.limiting, *((document.index, document.value) for document in file.reading.documents)])


def _digest_of(plain: list[Any]) -> bytes:
    # The second version of the format tells equal values from each other by nothing but what they are.
    return digest(marshal.dumps(plain, 2))


def _outline_of(body: Body, *, deploys: bool) -> object:
    kind = body.get("apiVersion"), body.get("kind")
    if all(isinstance(part, str) for part in kind) and (kind in _LOCAL_KINDS or (kind == _LOOKED_UP and not deploys)):
        return [*body], [body.get(key) for key in _ABOUT]
    return body
