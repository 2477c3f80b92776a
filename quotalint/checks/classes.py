"""Checks of the classes that a quota names."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.admission.priority import BUILTIN
from quotalint.checks.hit import Hit, check
from quotalint.evaluators.persistentvolumeclaims import class_of
from quotalint.facts import Facts
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.spelling import nearest
from quotalint.quota.quotas import Quota
from quotalint.text.place import Place

# scope → the kind of class that its values name
_SCOPED = {
    "PriorityClass": ("scheduling.k8s.io", "PriorityClass"),
    "VolumeAttributesClass": ("storage.k8s.io", "VolumeAttributesClass"),
}


@check("QL205", Quota)
def unknown_class(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for requirement in quota.requirements:
        if requirement.scope in _SCOPED:
            for index, value in enumerate(requirement.values):
                place = quota.object.at(*requirement.path, "values", index)
                field = quota.within("scopeSelector", "matchExpressions", "values")
                yield from _unknown_class(quota, facts, _SCOPED[requirement.scope], value, place, field)
    for name in quota.hard:
        storage_class = class_of(name)
        if storage_class:
            kind = ("storage.k8s.io", "StorageClass")
            yield from _unknown_class(quota, facts, kind, storage_class, quota.entry(name), quota.field(name))


def _unknown_class(
    quota: Quota, facts: Facts, kind: tuple[str, str], name: str, place: Place, field: str
) -> Iterator[Hit]:
    defined = {obj.name for obj in facts.cluster.of(*kind)}
    if not defined or name in defined or is_placeholder(name) or (kind[1] == "PriorityClass" and name in BUILTIN):
        return
    suggestion = nearest(name, defined)
    values = {
        "quota": quota.name,
        "kind": kind[1],
        "class": name,
        "defined": ", ".join(sorted(defined)),
        "suggestion": suggestion or "",
    }
    yield Hit(place, values, quota.object, field, "suggested" if suggestion else "default")
