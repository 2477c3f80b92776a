"""Whether a workload runs other images and nothing else of it is different: what most commits change.

No sum and no name depends on an image. That new pods are made with it matters only where some may be refused, and what
is tiny or huge because it only waits (`pause`) only beside amounts that are extreme.
"""

from __future__ import annotations

import marshal
from typing import Any

from quotalint.kube.fields import Body, mapping
from quotalint.kube.objects import Object
from quotalint.kube.pod_specs import CONTAINER_LISTS, POD_SPECS

_WAITING = "pause"
_ANY = b"any image"  # no value of a manifest is bytes


def runs_other_images_alone(obj: Object, now: Body) -> bool:
    """Whether what an object says now differs in nothing but the images of its containers."""
    path = POD_SPECS.get((obj.group, obj.kind))
    return path is not None and _without_images(obj.body, path) == _without_images(now, path)


def _without_images(body: Body, path: tuple[str, ...]) -> bytes:
    """What stands for all else that a body says."""
    # The second version of the format tells True and 1 apart, and equal values by nothing but what they are.
    return marshal.dumps(_with_no_image(body, path), 2)


def _with_no_image(value: Any, path: tuple[str, ...]) -> Any:
    if not isinstance(value, dict) or (path and path[0] not in value):
        return value
    if path:
        return {**value, path[0]: _with_no_image(value[path[0]], path[1:])}
    return {field: _of_no_image(inner) if field in CONTAINER_LISTS else inner for field, inner in value.items()}


def _of_no_image(containers: object) -> object:
    if not isinstance(containers, list):
        return containers
    return [
        {**container, "image": _ANY} if _runs_any_image(mapping(container).get("image")) else container
        for container in containers
    ]


def _runs_any_image(image: object) -> bool:
    return isinstance(image, str) and bool(image) and _WAITING not in image
