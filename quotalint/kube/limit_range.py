"""A LimitRange, with the defaults that the API server gives it."""

from __future__ import annotations

from quotalint.kube.amounts import Listed, UnknownAmount, amounts
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path, Place

_SPEC: Path = ("spec",)
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
    unknown_default: frozenset[str] = frozenset()
    """Resources that do have a default limit, of an amount that is not known here: a placeholder."""
    unknown_default_request: frozenset[str] = frozenset()

    def field(self, name: str) -> ResourceList:
        """A resource list by the name of its field."""
        lists = (self.max, self.min, self.default, self.default_request, self.ratio)
        return lists[FIELDS.index(name)]

    def stated_resources(self, name: str) -> tuple[str, ...]:
        """The resources in a field, also those with an amount that is not known here."""
        unknown = {"default": self.unknown_default, "defaultRequest": self.unknown_default_request}
        return (*self.field(name), *sorted(unknown.get(name, ())))


class LimitRange(NamedTuple):
    """A LimitRange as the API server stores it."""

    object: Object
    items: tuple[LimitRangeItem, ...]
    unknowns: tuple[UnknownAmount, ...]
    namespace: str
    name: str
    path: Path
    """Where in the object the limits stand."""
    spec: Body
    """What is written there, or what it means in the words of a LimitRange."""
    problem: str = ""
    """Why it cannot be read at all."""

    @property
    def place(self) -> Place:
        """Where it begins: the object, or the part of one that holds several."""
        return self.object.place if self.path == _SPEC else self.object.at(*self.path)


def limit_range(
    obj: Object, namespace: str | None = None, name: str = "", path: Path = _SPEC, spec: Body | None = None
) -> LimitRange:
    """The LimitRange that an object describes, defaulted (SetDefaults_LimitRangeItem); of its own namespace and name
    unless others are given. `spec` is what stands at the path, where that is not written as in a LimitRange."""
    unknowns: list[UnknownAmount] = []
    items = []
    spec = mapping(dig(obj.body, *path)) if spec is None else spec
    for index, written in enumerate(sequence(spec.get("limits"))):
        at: Path = (*path, "limits", index)
        item = mapping(written)
        listed = [amounts(item.get(field), (*at, field)) for field in FIELDS]
        unknowns += (unknown for field_amounts in listed for unknown in field_amounts.unknowns)
        maximum, minimum, default, request, ratio = map(_stated_amounts, listed)
        kind = text(item.get("type"))
        if kind == "Container":
            _fill_defaults(maximum, minimum, default, request)
        lists = (
            _known_amounts(maximum),
            _known_amounts(minimum),
            _known_amounts(default),
            _known_amounts(request),
            _known_amounts(ratio),
        )
        items.append(LimitRangeItem(kind, at, *lists, _unknown_names(default), _unknown_names(request)))
    where = obj.namespace if namespace is None else namespace
    return LimitRange(obj, tuple(items), tuple(unknowns), where, name or obj.name, path, spec)


# What is stated: None is an amount that is not known here.
_Stated = dict[str, Quantity | None]


def _stated_amounts(listed: Listed) -> _Stated:
    # An unknown whose path ends with the field itself is of a list without names.
    named = (str(unknown.path[-1]) for unknown in listed.unknowns if unknown.path[-1] not in FIELDS)
    return {**listed.known, **dict.fromkeys(named)}


def _fill_defaults(maximum: _Stated, minimum: _Stated, default: _Stated, default_request: _Stated) -> None:
    # Kubernetes 1.34, pkg/apis/core/v1/defaults.go: max → default → defaultRequest, then min → defaultRequest. It asks
    # whether a name is there, not for its amount: what is not known yet is filled no less.
    for name, value in maximum.items():
        default.setdefault(name, value)
    for name, value in default.items():
        default_request.setdefault(name, value)
    for name, value in minimum.items():
        default_request.setdefault(name, value)


def _known_amounts(stated: _Stated) -> ResourceList:
    return {name: value for name, value in stated.items() if value is not None}


def _unknown_names(stated: _Stated) -> frozenset[str]:
    return frozenset(name for name, value in stated.items() if value is None)
