"""Amounts in the values of charts that no API server can read, whatever the chart does with them.

Charts copy a `resources` value into their containers as it is, so what is there follows core/v1 (ResourceRequirements).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks.hit import Hit
from quotalint.kube import spelling
from quotalint.kube.amounts import amounts, is_stand_in
from quotalint.kube.api_error import field_path
from quotalint.kube.fields import dig, mapping, sequence
from quotalint.kube.objects import Object
from quotalint.text.documents import Document
from quotalint.text.place import Path, Place

_NAMES = frozenset({"cpu", "memory", "ephemeral-storage", "storage"})
_SIDES = ("requests", "limits")
_DEPTH = 24


def values_of_object(obj: Object) -> Iterator[Hit]:
    """The unreadable amounts in the values that a HelmRelease or Application states."""
    paths: list[Path] = [("spec", "values"), ("spec", "source", "helm", "valuesObject")]
    sources = sequence(dig(obj.body, "spec", "sources"))
    paths += (("spec", "sources", number, "helm", "valuesObject") for number, _ in enumerate(sources))
    for path in paths:
        for below, detail in _unreadable_amounts(dig(obj.body, *path), path, _DEPTH):
            values = _texts(below, detail, dig(obj.body, *below), f"{obj.kind} {obj.name}")
            yield Hit(obj.at(*below), values, obj, field_path(below), variant="values")


def values_of_document(document: Document, name: str) -> Iterator[Hit]:
    """The unreadable amounts in one document of a values file."""
    if "apiVersion" in mapping(document.value) and "kind" in mapping(document.value):
        return  # an object
    for below, detail in _unreadable_amounts(document.value, (), _DEPTH):
        values = _texts(below, detail, dig(document.value, *below), name)
        yield Hit(Place(name, document.index, below), values, field=field_path(below), variant="values")


def _texts(path: Path, detail: str, written: object, where: str) -> dict[str, str]:
    meant = spelling.amount(written) if isinstance(written, str) else None
    return {
        "where": where,
        "quota": where,
        "resource": ".".join(map(str, path)),
        "value": str(written)[:80],
        "detail": detail,
        "suggestion": meant or "an amount such as 500m, 1.5 or 4Gi",
    }


def _unreadable_amounts(value: object, path: Path, depth: int) -> Iterator[tuple[Path, str]]:
    """The path of each amount below a `resources` that is no quantity, and the API server's message."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        if not isinstance(inner, (dict, list)) or not depth:
            continue
        if isinstance(inner, dict) and str(key).lower().endswith("resources"):
            yield from _unreadable_in(inner, (*path, key))
        yield from _unreadable_amounts(inner, (*path, key), depth - 1)


def _unreadable_in(resources: dict[str, object], path: Path) -> Iterator[tuple[Path, str]]:
    for side in _SIDES:
        written = {name: value for name, value in mapping(resources.get(side)).items() if _is_amount(name, value)}
        for unknown in amounts(written, (*path, side)).unknowns:
            # Neither a placeholder nor a word that stands for an amount.
            if unknown.unreadable and not is_stand_in(written[str(unknown.path[-1])]):
                yield unknown.path, unknown.unreadable


def _is_amount(name: object, value: object) -> bool:
    is_resource = name in _NAMES or str(name).startswith("hugepages-")
    return is_resource and isinstance(value, (str, int, float)) and not isinstance(value, bool) and value != ""
