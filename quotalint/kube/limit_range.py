"""A LimitRange, with the defaults that the API server gives it."""

from __future__ import annotations

from typing import NamedTuple

from quotalint.kube.amounts import Unknown, amounts
from quotalint.kube.fields import mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.text.place import Path

FIELDS = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")


class LimitRangeItem(NamedTuple):
    """One entry of `spec.limits`."""

    type: str
    path: Path
    max: ResourceList
    min: ResourceList
    default: ResourceList
    default_request: ResourceList
    ratio: ResourceList

    def field(self, name: str) -> ResourceList:
        """A resource list by the name of its field."""
        lists = (self.max, self.min, self.default, self.default_request, self.ratio)
        return lists[FIELDS.index(name)]


class LimitRange(NamedTuple):
    """A LimitRange as the API server stores it."""

    object: Object
    items: tuple[LimitRangeItem, ...]
    unknowns: tuple[Unknown, ...]


def limit_range(obj: Object) -> LimitRange:
    """The LimitRange that an object describes, defaulted (SetDefaults_LimitRangeItem)."""
    unknowns: list[Unknown] = []
    items = []
    for index, written in enumerate(sequence(obj.spec.get("limits"))):
        path: Path = ("spec", "limits", index)
        item = mapping(written)
        lists = [amounts(item.get(field), (*path, field), unknowns) for field in FIELDS]
        kind = text(item.get("type"))
        if kind == "Container":
            _default(*lists[:4])
        items.append(LimitRangeItem(kind, path, *lists))
    return LimitRange(obj, tuple(items), tuple(unknowns))


def _default(
    maximum: dict[str, Quantity],
    minimum: dict[str, Quantity],
    default: dict[str, Quantity],
    default_request: dict[str, Quantity],
) -> None:
    # Kubernetes 1.34, pkg/apis/core/v1/defaults.go: max → default → defaultRequest, then min → defaultRequest.
    for name, value in maximum.items():
        default.setdefault(name, value)
    for name, value in default.items():
        default_request.setdefault(name, value)
    for name, value in minimum.items():
        default_request.setdefault(name, value)
