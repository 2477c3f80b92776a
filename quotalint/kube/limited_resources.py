"""What an API server limits by default: the configuration of its admission plugin ResourceQuota.

It is read like kube-apiserver does: a value of a wrong type and, since 1.32, an unknown field keep it from starting.

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

FILE_GROUPS = _OPTION_GROUPS | _PROGRAM_GROUPS | {"pod-security.admission.config.k8s.io"}
"""Groups that no API server serves: their documents configure the API server or other programs."""

PLUGIN = "ResourceQuota"

_ADMISSION, _QUOTA = "AdmissionConfiguration", "ResourceQuotaConfiguration"

KINDS = (_ADMISSION, _QUOTA, "Configuration")
"""The kinds that `admission_limits` or `limits` can read."""

_ADMISSIONS = ("apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1")
_QUOTAS = (
    ("apiserver.config.k8s.io/v1", _QUOTA),
    (f"{_QUOTA_GROUP}/v1beta1", "Configuration"),
    (f"{_QUOTA_GROUP}/v1alpha1", "Configuration"),
)
_CLASS_SCOPES = frozenset({"PriorityClass", "VolumeAttributesClass"})
_LABEL_VALUE = lazy_pattern(r"([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?")


_Fields: TypeAlias = Mapping[str, "_Fields"]
"""The fields of an object or of each object in a list; empty: a value without checked fields."""


class LimitedResource(NamedTuple):
    """A resource that may only be consumed if a quota covers it."""

    group: str
    resource: str
    """The plural: `pods`. With its group it names the objects that `contains` concerns; `scopes` concern every kind."""
    contains: tuple[str, ...]
    """Consumption of any resource whose name contains one of these needs a quota."""
    scopes: tuple[Requirement, ...]
    """An object that matches one of these scopes needs a quota with this scope."""
    place: Place


class LimitedConfiguration(NamedTuple):
    """The configuration of the plugin."""

    place: Place
    limited: tuple[LimitedResource, ...]


class Elsewhere(NamedTuple):
    """The configuration of the plugin is in another file."""

    place: Place
    path: str
    """Absolute, or relative to the folder of the referring file."""


class Malformed(NamedTuple):
    """A configuration with which kube-apiserver does not start."""

    place: Place
    reason: str


def is_limits(api_version: object, kind: object) -> bool:
    """Whether a document is meant as a configuration of the plugin alone, in any version."""
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
    """The plugin's configuration in a document; None if it is no AdmissionConfiguration or does not configure the
    plugin. `strict`: whether this release refuses unknown fields."""
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
    entry, at = plugin_entries[0]  # the first of several counts
    path = _text_field(entry, "path", place, at, wrong)
    wrong += _unknown_fields(value, _ADMISSION_FIELDS, place) if strict else ()
    if wrong:
        return wrong[0]
    if entry.get("configuration") is not None:
        return limits(entry["configuration"], place.at(*at, "configuration"), strict=strict)
    return Elsewhere(place.at(*at, "path"), path) if path else None


def limits(value: object, place: Place, *, strict: bool = True) -> LimitedConfiguration | Malformed:
    """Reads a configuration of the plugin."""
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


def limited_priority_resource(classes: tuple[str, ...], place: Place) -> LimitedResource:
    """The limit of managed clusters: pods with these priority classes."""
    requirement = Requirement("PriorityClass", "In", classes, ())
    return LimitedResource("", "pods", (), (requirement,), place)


def selector_error(requirement: Requirement) -> str:
    """Why a scope cannot be compared with an object; empty if it can.

    `matchScopes` is not validated. If a comparison fails, CheckRequest admits the object without checking any quota
    (pkg/apis/core/v1/helper/helpers.go, ScopedResourceSelectorRequirementsAsSelector; labels.NewRequirement).
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
    """The objects in a list; a null entry is an object without fields."""
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
    """The unknown fields, as strict decoding finds them; values without checked fields are skipped."""
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
