"""What the API server fills in of a custom resource: the fields for which its definition has defaults.

Source: Kubernetes 1.36, apiextensions-apiserver/pkg/apiserver/schema/defaulting/algorithm.go (Default).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.kube.fields import dig, mapping, sequence
from quotalint.kube.objects import Object


def fields_with_defaults(definitions: Iterable[Object], group: str, version: str, kind: str) -> frozenset[str] | None:
    """The names of the fields of a kind that may be filled in; None where no schema of it is in view."""
    for definition in definitions:
        if (definition.spec.get("group"), dig(definition.spec, "names", "kind")) != (group, kind):
            continue
        for served in map(mapping, sequence(definition.spec.get("versions"))):
            schema = dig(served, "schema", "openAPIV3Schema")
            if served.get("name") == version and isinstance(schema, dict):
                return frozenset(_defaulted_names(schema))
    return None


def _defaulted_names(schema: object) -> Iterator[str]:
    """Every name that a default may bring into being, at any depth."""
    if isinstance(schema, list):
        for part in schema:
            yield from _defaulted_names(part)
        return
    for keyword, part in mapping(schema).items():
        if keyword != "properties":
            yield from _defaulted_names(part)
            continue
        for name, inner in mapping(part).items():
            if isinstance(inner, dict) and "default" in inner:
                yield str(name)
                yield from names_in(inner["default"])
            yield from _defaulted_names(inner)


def names_in(value: object) -> Iterator[str]:
    """The names of all fields, at any depth."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield str(name)
            yield from names_in(inner)
    elif isinstance(value, list):
        for item in value:
            yield from names_in(item)
