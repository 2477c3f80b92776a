"""The `resources` of containers wherever an object holds pod templates, as they are written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from quotalint.kube.fields import Body, mapping, text
from quotalint.kube.objects import Object
from quotalint.text.place import Path

_DEPTH = 12  # spec.jobTemplate.spec.template.spec.containers[0] is seven deep, templates in lists of templates ten
_LISTS = ("containers", "initContainers")


class Stated(NamedTuple):
    """What one container asks for."""

    container: str
    path: Path
    """Where its `resources` stand in the object."""
    resources: Body

    def amounts(self) -> Iterator[tuple[str, str, object, Path]]:
        """`requests` or `limits`, the resource, what is written, and where."""
        for side in ("requests", "limits"):
            for name, written in mapping(self.resources.get(side)).items():
                yield side, name, written, (*self.path, side, name)


def stated_resources(obj: Object) -> Iterator[Stated]:
    """Those of every container of every pod template in the object's spec."""
    return _below(obj.spec, ("spec",), _DEPTH)


def _below(value: object, path: Path, depth: int) -> Iterator[Stated]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in _LISTS and isinstance(inner, list):
                for index, container in enumerate(inner):
                    resources = mapping(container).get("resources")
                    if isinstance(resources, dict):
                        yield Stated(text(mapping(container).get("name")), (*path, key, index, "resources"), resources)
            elif isinstance(inner, (dict, list)) and depth:
                yield from _below(inner, (*path, key), depth - 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            if isinstance(inner, (dict, list)) and depth:
                yield from _below(inner, (*path, index), depth - 1)
