"""Checks of objects: fields that do not exist, and objects that are given twice."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks.hit import Hit, Related, check
from quotalint.cluster import Duplicate
from quotalint.facts import Facts
from quotalint.kube.api_error import field_path
from quotalint.kube.limit_range import FIELDS
from quotalint.kube.objects import Object
from quotalint.kube.schema import errors

_KEYED = (*FIELDS, "hard")


@check("QL004", Object)
def unknown_field(obj: Object, facts: Facts) -> Iterator[Hit]:
    if obj.group or obj.kind not in ("ResourceQuota", "LimitRange"):
        return
    for error in errors(obj.kind, obj.body):
        values = {"kind": obj.kind, "name": obj.name, "reason": error.message}
        yield Hit(obj.at(*error.path), values, obj, field_path(error.path, keyed=_KEYED))


@check("QL005", Duplicate)
def duplicate_object(duplicate: Duplicate, facts: Facts) -> Iterator[Hit]:
    obj, winner = duplicate
    values = {
        "kind": obj.kind,
        "name": obj.name,
        "where": f"namespace {obj.namespace}" if obj.namespace else "the cluster",
        "winner": winner.place.source,
    }
    related = Related("replaced", obj.place, f"this {obj.kind} is overwritten")
    yield Hit(winner.place, values, winner, related=(related,))
