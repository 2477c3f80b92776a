"""Checks of objects: fields that do not exist, and objects that are given twice."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks.hit import Hit, Related, check
from quotalint.cluster import Overwritten
from quotalint.facts import Facts
from quotalint.kube.api_error import field_path
from quotalint.kube.limit_range import FIELDS
from quotalint.kube.objects import Object
from quotalint.kube.schema import errors
from quotalint.text.place import Place
from quotalint.workloads import makes_pods

_KEYED = (*FIELDS, "hard")
_COUNTED = tuple(("", kind) for kind in ("LimitRange", "PersistentVolumeClaim", "ResourceQuota", "Service"))


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
    related = [
        Related("replaced", _place(obj, winner), f"this {obj.kind} is overwritten") for obj in overwritten.others
    ]
    # Namespaces, roles and the like are often given by everyone who needs them, and mean the same.
    counted = (winner.group, winner.kind) in _COUNTED or makes_pods(winner, facts.settings.workloads)
    here = any(obj.place.made is None and obj.folder == winner.folder for obj in overwritten.others)
    if winner.homeless and not here and not counted:
        return  # nothing says that it is one namespace
    once = all(obj.place.real == winner.place.real for obj in overwritten.others)
    if once and (winner.homeless or not counted):
        return  # one of a base that comes out of it in several ways, as in a catalogue
    alarming = here or (counted and not winner.homeless)
    yield Hit(winner.place, _values(winner), winner, related=tuple(related), severity="" if alarming else "info")


def _place(obj: Object, winner: Object) -> Place:
    """Where it is written, or, where both are written once, through which entry it comes."""
    made = obj.place.made
    return made.via[0] if made is not None and made.via and obj.place.real == winner.place.real else obj.place


def _values(obj: Object) -> dict[str, str]:
    where = f"namespace {obj.namespace}" if obj.namespace else "the cluster"
    return {"kind": obj.kind, "name": obj.name, "where": where, "winner": obj.place.real.source}
