"""The `resources` of containers wherever an object holds pod templates, as they are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.kube.fields import Body, mapping, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path

_DEPTH = 12  # spec.jobTemplate.spec.template.spec.containers[0] is seven deep, templates in lists of templates ten
_LISTS = ("containers", "initContainers")


class StatedResources(NamedTuple):
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


def stated_resources(obj: Object) -> Sequence[StatedResources]:
    """Those of every container of every pod template in the object's spec."""
    stated: list[StatedResources] = []
    _gather_below(obj.spec, ("spec",), _DEPTH, stated)
    return stated


def _gather_below(value: object, path: Path, depth: int, stated: list[StatedResources]) -> None:
    """No generator in a generator for each level: every workload is walked through."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        if not isinstance(inner, (dict, list)):
            continue
        if key in _LISTS and isinstance(inner, list):
            for index, container in enumerate(inner):
                resources = mapping(container).get("resources")
                if isinstance(resources, dict):
                    name = text(mapping(container).get("name"))
                    stated.append(StatedResources(name, (*path, key, index, "resources"), resources))
        elif depth:
            _gather_below(inner, (*path, key), depth - 1, stated)
