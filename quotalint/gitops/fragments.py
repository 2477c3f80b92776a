"""Half a workload: a patch that nobody refers to, which looks like an object and which the API server would refuse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.gitops.layout import Skipped
from quotalint.gitops.roots import Root
from quotalint.kube.objects import Object

_POD = ("spec", "template", "spec")
# Where there must be the spec of a pod (pkg/apis/{core,apps,batch}/validation).
_REQUIRED = {
    ("", "Pod"): ("spec",),
    ("", "ReplicationController"): _POD,
    ("apps", "DaemonSet"): _POD,
    ("apps", "Deployment"): _POD,
    ("apps", "ReplicaSet"): _POD,
    ("apps", "StatefulSet"): _POD,
    ("batch", "CronJob"): ("spec", "jobTemplate", *_POD),
    ("batch", "Job"): _POD,
}


def without_fragments(root: Root) -> tuple[Root, tuple[Skipped, ...]]:
    """The root without them, and what they are."""
    skipped = tuple(_skipped(obj for part in root.parts for obj in part.rendering.objects))
    if not skipped:
        return root, ()
    parts = []
    for part in root.parts:
        whole_objects = tuple(obj for obj in part.rendering.objects if not is_fragment(obj))
        parts.append(part._replace(rendering=part.rendering._replace(objects=whole_objects)))
    return root._replace(parts=tuple(parts)), skipped


def _skipped(objects: Iterable[Object]) -> Iterator[Skipped]:
    for obj in objects:
        if is_fragment(obj):
            yield Skipped(
                obj.place.real.source,
                f"{obj.kind} {obj.name}".rstrip() + " has no pod spec, like a patch that nothing refers to",
            )


def is_fragment(obj: Object) -> bool:
    """Whether the spec of a pod is missing that there must be."""
    where = _REQUIRED.get((obj.group, obj.kind))
    if where is None:
        return False
    value: object = obj.body
    for key in where:
        if not isinstance(value, dict):
            return False  # a placeholder may stand for all of it
        value = value.get(key)
        if value is None:
            return True
    return False
