"""Reads what `terraform show -json` prints of a plan or a state, with exact values (Terraform, "JSON Output Format").

What is only known after the plan is applied is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.terraform.resources import Applied, applied_kind, applied_objects
from quotalint.terraform.values import Unknown
from quotalint.text.place import Place

_CONTENTS = ("planned_values", "values")
_STATED = frozenset(("hard", "manifest", "namespace", "yaml_body"))
"""Arguments that are unknown only if the configuration takes them from something unknown. The provider, or the API
server, chooses many others."""
_MAPS = frozenset(("default", "default_request", "hard", "limits", "manifest", "max", "min", "requests"))


class Planned(NamedTuple):
    """A resource in a plan."""

    address: str
    applied: Applied
    place: Place


def is_plan(value: object) -> bool:
    """Whether a document is a plan or a state."""
    body = mapping(value)
    return "format_version" in body and any("root_module" in mapping(body.get(name)) for name in _CONTENTS)


def planned(value: object, place: Place) -> Iterator[Planned]:
    """What the resources of a plan apply."""
    body = mapping(value)
    name = next(name for name in _CONTENTS if "root_module" in mapping(body.get(name)))
    changes = (mapping(change) for change in sequence(body.get("resource_changes")))
    unknown = {text(change.get("address")): mapping(change.get("change")).get("after_unknown") for change in changes}
    pending = [(mapping(mapping(body[name])["root_module"]), place.at(name, "root_module"))]
    while pending:
        module, at = pending.pop()
        pending += [
            (mapping(child), at.at("child_modules", number))
            for number, child in enumerate(sequence(module.get("child_modules")))
        ]
        for number, resource in enumerate(map(mapping, sequence(module.get("resources")))):
            kind, address = text(resource.get("type")), text(resource.get("address"))
            if resource.get("mode") == "managed" and applied_kind(kind):
                values = mapping(_with_unknown(resource.get("values"), unknown.get(address), address, ""))
                where = at.at("resources", number)
                yield Planned(address, applied_objects(kind, values, where.at("values")), where)


def _with_unknown(value: object, unknown: object, address: str, key: str, inside: bool = False) -> object:
    """The values, with what is only known after the plan is applied."""
    if unknown is True and (inside or key in _STATED):
        return Unknown(f"${{{address}.{key}}}", (f"{address}.{key}",))
    if isinstance(unknown, dict):
        own = {**mapping(value)}
        for name, inner in unknown.items():
            found = _with_unknown(own.get(name), inner, address, name, inside or key in _MAPS)
            own |= {} if found is None else {name: found}
        return own
    if isinstance(unknown, list) and isinstance(value, list):
        rest = unknown[: len(value)]
        return [
            _with_unknown(item, inner, address, key, inside) for item, inner in zip(value, rest, strict=False)
        ] + value[len(rest) :]
    return value
