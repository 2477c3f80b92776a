"""What an API server limits by default: the configuration of its admission plugin ResourceQuota.

Read as kube-apiserver reads it: with a value of the wrong type it does not start, and, since 1.32, with a field that it
does not know.

Source: Kubernetes 1.34, apiserver/pkg/admission/config.go (ReadAdmissionConfiguration, ConfigFor), pkg/apis/apiserver
(register.go of v1 and v1alpha1) and pkg/admission/plugin/resourcequota: config.go (LoadConfiguration),
apis/resourcequota (register.go and types.go of v1, v1beta1 and v1alpha1) and its validation (ValidateConfiguration).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from quotalint.kube.api_error import field_path
from quotalint.kube.fields import Body, mapping, text
from quotalint.kube.scopes import OPERATORS, Requirement
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Path, Place

_QUOTA_GROUP = "resourcequota.admission.k8s.io"

_OPTION_GROUPS = frozenset({"apiserver.config.k8s.io", "apiserver.k8s.io", "quotalint.dev", _QUOTA_GROUP})

_PROGRAM_GROUPS = frozenset(
    {
        "backstage.io",
        "scaffolder.backstage.io",
        "kind.x-k8s.io",
        "k3d.io",
        "kubeadm.k8s.io",
        "kubelet.config.k8s.io",
        "kubeproxy.config.k8s.io",
        "skaffold",
    }
)

FILE_GROUPS = _OPTION_GROUPS | _PROGRAM_GROUPS
"""Groups of which no API server serves a kind: their documents are files for its options, or of other programs."""

PLUGIN = "ResourceQuota"

_ADMISSION, _QUOTA = "AdmissionConfiguration", "ResourceQuotaConfiguration"

KINDS = (_ADMISSION, _QUOTA, "Configuration")
"""What a document calls itself that `admission_limits` or `limits` can read."""

_ADMISSIONS = ("apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1")
_QUOTAS = (
    ("apiserver.config.k8s.io/v1", _QUOTA),
    (f"{_QUOTA_GROUP}/v1beta1", "Configuration"),
    (f"{_QUOTA_GROUP}/v1alpha1", "Configuration"),
)
_CLASS_SCOPES = frozenset({"PriorityClass", "VolumeAttributesClass"})
_LABEL_VALUE = lazy_pattern(r"([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?")


_Fields: TypeAlias = Mapping[str, "_Fields"]
"""The fields of an object, or of each object of a list; none: it is no object, or anything may stand in it."""


class LimitedResource(NamedTuple):
    """What may only be consumed where a quota covers it."""

    group: str
    resource: str
    """The plural: `pods`. With its group it says whose consumption `contains` is about; `scopes` are about every
    kind, whatever stands here."""
    contains: tuple[str, ...]
    """Consumption of any name that contains one of these needs a quota."""
    scopes: tuple[Requirement, ...]
    """An object that matches one of these needs a quota with this scope."""
    place: Place


class LimitedConfiguration(NamedTuple):
    """The configuration of the plugin."""

    place: Place
    limited: tuple[LimitedResource, ...]


class Elsewhere(NamedTuple):
    """The configuration of the plugin is in a file of its own."""

    place: Place
    path: str
    """Relative to the folder of the file that says so, or absolute."""


class Malformed(NamedTuple):
    """With this configuration kube-apiserver does not start."""

    place: Place
    reason: str


def is_limits(api_version: object, kind: object) -> bool:
    """Whether a document means to be a configuration of the plugin alone, in whichever version."""
    group = text(api_version).partition("/")[0]
    return group in _OPTION_GROUPS if kind == _QUOTA else kind == "Configuration" and group == _QUOTA_GROUP


_LIMITS_FIELDS: _Fields = {
    "apiVersion": {},
    "kind": {},
    "limitedResources": {
        "apiGroup": {},
        "resource": {},
        "matchContains": {},
        "matchScopes": {"scopeName": {}, "operator": {}, "values": {}},
    },
}
_ADMISSION_FIELDS: _Fields = {
    "apiVersion": {},
    "kind": {},
    "plugins": {"name": {}, "path": {}, "configuration": {}},
}


def admission_limits(
    value: object, place: Place, *, strict: bool = True
) -> LimitedConfiguration | Elsewhere | Malformed | None:
    """What a document says of the plugin; None where it is no AdmissionConfiguration or leaves the plugin alone.
    `strict`: whether this release refuses fields that it does not know."""
    if not isinstance(value, dict) or value.get("kind") != _ADMISSION:
        return None
    if text(value.get("apiVersion")).partition("/")[0] not in _OPTION_GROUPS:
        return None
    if value.get("apiVersion") not in _ADMISSIONS:
        return Malformed(place, f"{text(value.get('apiVersion'))} has no kind {_ADMISSION}")
    wrong: list[Malformed] = []
    plugin_entries = [
        (entry, at)
        for entry, at in _object_entries(value, "plugins", place, (), wrong)
        if _text_field(entry, "name", place, at, wrong) == PLUGIN
    ]
    if wrong:
        return wrong[0]
    if not plugin_entries:
        return None
    entry, at = plugin_entries[0]  # of several the first counts
    path = _text_field(entry, "path", place, at, wrong)
    wrong += _unknown_fields(value, _ADMISSION_FIELDS, place) if strict else ()
    if wrong:
        return wrong[0]
    if entry.get("configuration") is not None:
        return limits(entry["configuration"], place.at(*at, "configuration"), strict=strict)
    return Elsewhere(place.at(*at, "path"), path) if path else None


def limits(value: object, place: Place, *, strict: bool = True) -> LimitedConfiguration | Malformed:
    """A configuration of the plugin."""
    if not isinstance(value, dict):
        return _malformed_field(place, (), "be an object")
    served = value.get("apiVersion"), value.get("kind")
    if served not in _QUOTAS:
        if not all(isinstance(part, str) and part for part in served):
            return Malformed(place, f"the configuration of {PLUGIN} needs an apiVersion and a kind")
        return Malformed(place, f"{served[0]} has no kind {served[1]} that the plugin {PLUGIN} reads")
    wrong: list[Malformed] = [*_unknown_fields(value, _LIMITS_FIELDS, place)] if strict else []
    limited = [
        _limited_resource(entry, at, place, wrong)
        for entry, at in _object_entries(value, "limitedResources", place, (), wrong)
    ]
    return wrong[0] if wrong else LimitedConfiguration(place, tuple(limited))


def of_priority_classes(classes: tuple[str, ...], place: Place) -> LimitedResource:
    """What managed clusters limit: pods of priority classes."""
    requirement = Requirement("PriorityClass", "In", classes, ())
    return LimitedResource("", "pods", (), (requirement,), place)


def selector_error(requirement: Requirement) -> str:
    """Why a scope cannot be compared with an object; empty where it can.

    Nobody validates `matchScopes`. Where a comparison fails, CheckRequest admits the object without a look at any
    quota (pkg/apis/core/v1/helper/helpers.go, ScopedResourceSelectorRequirementsAsSelector; labels.NewRequirement).
    """
    operator, values = requirement.operator, requirement.values
    if requirement.scope not in _CLASS_SCOPES or operator == "Exists":
        return ""
    if operator not in OPERATORS:
        return f"`{operator}` is no operator" if operator else "there is no operator"
    if operator == "DoesNotExist":
        return "the operator DoesNotExist takes no values" if values else ""
    if not values:
        return f"the operator {operator} needs values"
    wrong = next((value for value in values if not _LABEL_VALUE.fullmatch(value)), None)
    return "" if wrong is None else f"`{wrong}` cannot be the value of a label"


def _limited_resource(entry: Body, at: Path, place: Place, wrong: list[Malformed]) -> LimitedResource:
    resource = _text_field(entry, "resource", place, at, wrong)
    if not resource:
        wrong.append(_malformed_field(place, (*at, "resource"), "name a resource, such as pods"))
    scopes = [
        Requirement(
            _text_field(scope, "scopeName", place, below, wrong),
            _text_field(scope, "operator", place, below, wrong),
            tuple(_text_entries(scope, "values", place, below, wrong)),
            below,
        )
        for scope, below in _object_entries(entry, "matchScopes", place, at, wrong)
    ]
    group = _text_field(entry, "apiGroup", place, at, wrong)
    contains = tuple(_text_entries(entry, "matchContains", place, at, wrong))
    return LimitedResource(group, resource, contains, tuple(scopes), place.at(*at))


def _object_entries(
    body: Body, field: str, place: Place, at: Path, wrong: list[Malformed]
) -> Iterator[tuple[Body, Path]]:
    """The objects of a list; an empty one is read as one without fields."""
    for index, entry in enumerate(_list_field(body, field, place, at, wrong)):
        below = (*at, field, index)
        if entry is not None and not isinstance(entry, dict):
            wrong.append(_malformed_field(place, below, "be an object"))
        yield mapping(entry), below


def _text_entries(body: Body, field: str, place: Place, at: Path, wrong: list[Malformed]) -> Iterator[str]:
    for index, entry in enumerate(_list_field(body, field, place, at, wrong)):
        if entry is not None and not isinstance(entry, str):
            wrong.append(_malformed_field(place, (*at, field, index), "be a string"))
        yield entry if isinstance(entry, str) else ""


def _list_field(body: Body, field: str, place: Place, at: Path, wrong: list[Malformed]) -> list[object]:
    value = body.get(field)
    if value is not None and not isinstance(value, list):
        wrong.append(_malformed_field(place, (*at, field), "be a list"))
    return value if isinstance(value, list) else []


def _text_field(body: Body, field: str, place: Place, at: Path, wrong: list[Malformed]) -> str:
    value = body.get(field)
    if value is not None and not isinstance(value, str):
        wrong.append(_malformed_field(place, (*at, field), "be a string"))
    return value if isinstance(value, str) else ""


def _unknown_fields(value: object, known: _Fields, place: Place, at: Path = ()) -> Iterator[Malformed]:
    """Strict decoding; of what has none of these fields (texts, lists of them, what another plugin is told) nothing."""
    if not known:
        return
    if isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _unknown_fields(entry, known, place, (*at, index))
    for field, inner in mapping(value).items():
        if field in known:
            yield from _unknown_fields(inner, known[field], place, (*at, field))
        else:
            below = place.at(*at, field)
            yield Malformed(below, f"{field_path(below.path)} is no field that it reads")


def _malformed_field(place: Place, path: Path, what: str) -> Malformed:
    return Malformed(place.at(*path), f"{field_path((*place.path, *path)) or 'the configuration'} must {what}")
