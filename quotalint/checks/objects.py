"""Checks of objects: fields that do not exist, and objects that are given twice."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks.hit import Hit, Related, check
from quotalint.cluster import Overwritten, Parallel
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


@check("QL005", Overwritten)
def duplicate_object(overwritten: Overwritten, facts: Facts) -> Iterator[Hit]:
    winner = overwritten.winner
    related = [Related("replaced", obj.place, f"this {obj.kind} is overwritten") for obj in overwritten.others]
    yield Hit(winner.place, _values(winner), winner, related=tuple(related))


@check("QL005", Parallel)
def parallel_objects(parallel: Parallel, facts: Facts) -> Iterator[Hit]:
    # Said once for both folders, and not as an alarm: quotalint cannot tell two clusters from a mistake here.
    obj, winner = parallel.pairs[0]
    values = {
        **_values(winner),
        "folder": parallel.folder or ".",
        "winning_folder": parallel.winning_folder or ".",
        "others": f" and {len(parallel.pairs) - 1} more" if len(parallel.pairs) > 1 else "",
    }
    related = Related("also here", obj.place, f"the same {obj.kind}, not counted")
    yield Hit(winner.place, values, winner, variant="elsewhere", related=(related,), severity="info")


def _values(obj: Object) -> dict[str, str]:
    where = f"namespace {obj.namespace}" if obj.namespace else "the cluster"
    return {"kind": obj.kind, "name": obj.name, "where": where, "winner": obj.place.source}
