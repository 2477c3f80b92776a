"""LimitRanges with the API server's defaults, and why the API server refuses one.

Source: Kubernetes 1.34, pkg/apis/core/validation/validation.go (ValidateLimitRange).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube import quantity
from quotalint.kube.amounts import Listed, UnknownAmount, amount, amounts, is_placeholder
from quotalint.kube.api_error import UNDECODABLE, ApiError, Wrong, field_path
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.names import VALIDATED_METADATA, annotation_errors, label_errors, qualified_errors, subdomain_errors
from quotalint.kube.objects import Object
from quotalint.kube.quantity import BadQuantity, Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.resources import container_name_errors, may_overcommit, resource_name_errors
from quotalint.kube.schema import decodes
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path, Place

_SPEC: Path = ("spec",)
FIELDS = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")
DUPLICATE_TYPE = "Duplicate value"
UNBOUNDED_CLAIM = "either minimum or maximum storage value is required, but neither was provided"


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
    """Resources with a default limit of an unknown amount (a placeholder)."""
    unknown_default_request: frozenset[str] = frozenset()

    def field(self, name: str) -> ResourceList:
        """A resource list by the name of its field."""
        lists = (self.max, self.min, self.default, self.default_request, self.ratio)
        return lists[FIELDS.index(name)]

    def stated_resources(self, name: str) -> tuple[str, ...]:
        """The resources in a field, including those with unknown amounts."""
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
    """The path of the limits in the object."""
    spec: Body
    """The spec as it is written, or as a LimitRange would express it."""
    problem: str = ""
    """Why it cannot be read at all."""

    @property
    def place(self) -> Place:
        """Where the LimitRange begins: the object, or a part of an object with several."""
        return self.object.place if self.path == _SPEC else self.object.at(*self.path)


def limit_range(
    obj: Object, namespace: str | None = None, name: str = "", path: Path = _SPEC, spec: Body | None = None
) -> LimitRange:
    """The LimitRange that an object describes, defaulted (SetDefaults_LimitRangeItem), with the object's namespace and
    name unless others are given. `spec` replaces what is at the path if that differs from a LimitRange's spec."""
    unknowns: list[UnknownAmount] = []
    items = []
    spec = mapping(dig(obj.body, *path)) if spec is None else spec
    for index, written in enumerate(sequence(spec.get("limits"))):
        item_path: Path = (*path, "limits", index)
        item = mapping(written)
        listed = [amounts(item.get(field), (*item_path, field)) for field in FIELDS]
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
        items.append(LimitRangeItem(kind, item_path, *lists, _unknown_names(default), _unknown_names(request)))
    own_namespace = obj.namespace if namespace is None else namespace
    return LimitRange(obj, tuple(items), tuple(unknowns), own_namespace, name or obj.name, path, spec)


# Stated amounts; None is an unknown amount.
_Stated = dict[str, Quantity | None]


def _stated_amounts(listed: Listed) -> _Stated:
    # An unknown whose path ends with the field stands for the whole list, so it has no names.
    named = (str(unknown.path[-1]) for unknown in listed.unknowns if unknown.path[-1] not in FIELDS)
    return {**listed.known, **dict.fromkeys(named)}


def _fill_defaults(maximum: _Stated, minimum: _Stated, default: _Stated, default_request: _Stated) -> None:
    # Kubernetes 1.34, pkg/apis/core/v1/defaults.go: max → default → defaultRequest, then min → defaultRequest. Only
    # names are compared, so unknown amounts are filled in too.
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


_KEYED = (*FIELDS, "annotations")
_TYPES = ("Container", "PersistentVolumeClaim", "Pod")
# (smaller, larger, the field in the API server's error, message); each smaller must be ≤ larger.
_ORDER = (
    ("min", "max", "min", "min value {} is greater than max value {}"),
    ("min", "defaultRequest", "defaultRequest", "min value {} is greater than default request value {}"),
    ("defaultRequest", "max", "defaultRequest", "default request value {} is greater than max value {}"),
    ("defaultRequest", "default", "defaultRequest", "default request value {} is greater than default limit value {}"),
    ("min", "default", "default", "min value {} is greater than default value {}"),
    ("default", "max", "default", "default value {} is greater than max value {}"),
)


def limit_range_errors(limits: LimitRange) -> tuple[ApiError, ...]:
    """Every reason to refuse the LimitRange, in the order of its fields."""
    if not decodes(limits.object):
        return (UNDECODABLE,)
    errors = list(_metadata_errors(limits))
    if limits.problem:
        errors.append(_limits_error(limits.path, limits.problem))
    seen_types: set[str] = set()
    for item in limits.items:
        written = mapping(sequence(limits.spec.get("limits"))[int(item.path[-1])])
        errors += _type_errors(item, seen_types)
        errors += _quantity_errors(item, written)
        errors += _resource_errors(item, written)
        errors += _forbidden_errors(item, written)
        for name in sorted({name for field in FIELDS for name in item.field(field)}):
            errors += _relation_errors(item, name)
        seen_types.add(item.type)
    return tuple(error._replace(path=_written_path(limits, error.path)) for error in errors)


_DEFAULT_SOURCES = {"default": ("max",), "defaultRequest": ("default", "max", "min")}
"""The fields from which a missing field takes its amounts (SetDefaults_LimitRangeItem)."""


def _written_path(limits: LimitRange, path: Path) -> Path:
    """The path of a refused value; for a defaulted value, the path of its source."""
    below = path[len(limits.path) :]
    if path[: len(limits.path)] != limits.path or len(below) < 4:
        return path
    _, index, field, name = below[:4]
    written = mapping(sequence(limits.spec.get("limits"))[int(index)])
    fields = (field, *_DEFAULT_SOURCES.get(str(field), ()))
    made_of = next((source_field for source_field in fields if name in mapping(written.get(str(source_field)))), field)
    return (*path[: len(limits.path) + 2], made_of, name)


def _limits_error(path: Path, detail: str, value: str = "") -> ApiError:
    return ApiError(Wrong.LIMITS, field_path(path, keyed=_KEYED), path, detail, value)


def _metadata_errors(limits: LimitRange) -> Iterator[ApiError]:
    for field, check in (("labels", label_errors), ("annotations", annotation_errors)):
        for key, words in check(mapping(limits.object.metadata.get(field))):
            if not is_placeholder(key) and not is_placeholder(mapping(limits.object.metadata[field])[key]):
                yield ApiError(Wrong.LIMITS, f"metadata.{field}", ("metadata", field, key), words, key)
    if not VALIDATED_METADATA.isdisjoint(limits.object.metadata):
        from quotalint.kube.metadata_validation import metadata_errors

        for error in metadata_errors(limits.object.metadata):
            yield ApiError(Wrong.LIMITS, *error)
    name = limits.object.name
    if not name and not limits.object.metadata.get("generateName"):
        yield _limits_error(("metadata", "name"), "name or generateName is required")
    elif name and not is_placeholder(name):
        for words in subdomain_errors(name):
            yield _limits_error(("metadata", "name"), words, name)


def _type_errors(item: LimitRangeItem, seen_types: set[str]) -> Iterator[ApiError]:
    path = (*item.path, "type")
    if is_placeholder(item.type):
        return
    errors = qualified_errors(item.type)
    if not errors and "/" not in item.type and item.type not in _TYPES:
        errors = ("must be a standard limit type or fully qualified",)
    for words in errors:
        yield _limits_error(path, words, item.type)
    if item.type in seen_types:
        yield _limits_error(path, f'{DUPLICATE_TYPE}: "{item.type}"', item.type)


def _quantity_errors(item: LimitRangeItem, written: Body) -> Iterator[ApiError]:
    for field in FIELDS:
        for name, value in mapping(written.get(field)).items():
            parsed = amount(value)
            if isinstance(parsed, BadQuantity) and not is_placeholder(value):
                yield _limits_error((*item.path, field, name), parsed.message, str(value))


# Kubernetes looks only at names in these two (ValidateLimitRange), so a placeholder as amount is valid.


def _resource_errors(item: LimitRangeItem, written: Body) -> Iterator[ApiError]:
    allowed = container_name_errors if item.type in ("Pod", "Container") else resource_name_errors
    for field in FIELDS:
        if item.type == "Pod" and field in ("default", "defaultRequest"):
            continue
        defaulted = () if item.type != "Container" else item.stated_resources(field)
        for name in dict.fromkeys((*mapping(written.get(field)), *defaulted)):
            errors = () if is_placeholder(name) else allowed(name)
            if errors:
                yield _limits_error((*item.path, field, name), "; ".join(errors), name)


def _forbidden_errors(item: LimitRangeItem, written: Body) -> Iterator[ApiError]:
    if item.type == "Pod":
        for field in ("default", "defaultRequest"):
            if mapping(written.get(field)):
                yield _limits_error((*item.path, field), "may not be specified when `type` is 'Pod'")
    bounded = (*mapping(written.get("min")), *mapping(written.get("max")))
    if item.type == "PersistentVolumeClaim" and not any(name == "storage" or is_placeholder(name) for name in bounded):
        yield _limits_error((*item.path, "limits"), UNBOUNDED_CLAIM)


def _relation_errors(item: LimitRangeItem, name: str) -> Iterator[ApiError]:
    values = {field: item.field(field).get(name) for field in FIELDS}
    if item.type == "Pod":
        values["default"] = values["defaultRequest"] = None
    for smaller, larger, blamed, words in _ORDER:
        low, high = values[smaller], values[larger]
        if low is not None and high is not None and low.nano > high.nano:
            detail = words.format(quantity.show(low), quantity.show(high))
            yield _limits_error((*item.path, blamed, name), detail, quantity.show(values[blamed] or low))
    default, request = values["default"], values["defaultRequest"]
    if default and request and default.nano != request.nano and not may_overcommit(name):
        default_text, request_text = quantity.show(default), quantity.show(request)
        detail = f"default value {default_text} must equal to defaultRequest value {request_text} in {name}"
        yield _limits_error((*item.path, "defaultRequest", name), detail, request_text)
    ratio, low, high = values["maxLimitRequestRatio"], values["min"], values["max"]
    if ratio is None:
        return
    path = (*item.path, "maxLimitRequestRatio", name)
    if ratio.nano < quantity.of(1).nano:
        yield _limits_error(path, f"ratio {quantity.show(ratio)} is less than 1", quantity.show(ratio))
    # A min of 0 allows any ratio (Kubernetes computes +Inf).
    if low and high and low.nano > 0 and ratio.nano * low.nano > high.nano * quantity.of(1).nano:
        detail = f"ratio {quantity.show(ratio)} is greater than max/min = {_ratio_text(high.nano, low.nano)}"
        yield _limits_error(path, detail, quantity.show(ratio))


def _ratio_text(numerator: int, denominator: int) -> str:
    # The quotient in the format %f with six decimals, without floats.
    millionths = (numerator * 1_000_000 + denominator // 2) // denominator
    return f"{millionths // 1_000_000}.{millionths % 1_000_000:06d}"
