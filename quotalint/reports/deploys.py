"""The deployed objects in the JSON report, so that other repositories can be joined with the report alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from quotalint.accounts.facts import Facts
from quotalint.kube.listed_kinds import LIMITING_OR_LIMITED
from quotalint.kube.objects import Object
from quotalint.settings import Settings
from quotalint.snapshots.snapshot_file import reduce_object
from quotalint.text.place import Place, Span
from quotalint.workloads import POD_OWNERS
from quotalint.workloads.configured import workload
from quotalint.workloads.operators import unknown_pods


def deployed_environments(
    environments: Sequence[Facts], locate: Callable[[Iterable[Place]], Mapping[Place, Span]]
) -> list[dict[str, Any]]:
    """By environment: the objects that decide charges, and what is not in view."""
    chosen = [
        (facts, [obj for obj in facts.cluster.objects if _affects_quotas(obj, facts.settings)])
        for facts in environments
    ]
    spans = locate({obj.place for _, objects in chosen for obj in objects})
    return [
        {
            "environment": facts.environment,
            "unseen": list(_unseen_json(facts)),
            "objects": [_object_json(obj, spans[obj.place].line) for obj in sorted(objects, key=_object_order)],
        }
        for facts, objects in chosen
    ]


def _affects_quotas(obj: Object, settings: Settings) -> bool:
    kind = obj.group, obj.kind
    decides = kind in POD_OWNERS or kind in LIMITING_OR_LIMITED or unknown_pods(obj, settings.workloads)
    return bool(decides) and not obj.foreign and not obj.homeless and bool(obj.name)


def _object_order(obj: Object) -> tuple[str, ...]:
    return (obj.namespace, obj.group, obj.kind, obj.name)


def _object_json(obj: Object, line: int) -> dict[str, Any]:
    manifest = reduce_object(obj)
    guesses = [guess._asdict() for guess in obj.guesses]
    place = {"file": obj.place.file, "line": line}
    return {**place, **({"assumptions": guesses} if guesses else {}), "manifest": manifest}


def _unseen_json(facts: Facts) -> Iterator[dict[str, Any]]:
    hidden = dict.fromkeys((objects.namespace, objects.reason, objects.kinds) for objects in facts.unseen)
    for namespace, reason, kinds in hidden:
        yield {"namespace": namespace, "reason": reason, "kinds": list(kinds)}
    homeless = [obj for obj in facts.cluster.objects if obj.homeless and (obj.group, obj.kind) in POD_OWNERS]
    if homeless and not homeless[0].foreign:
        named = "1 workload names" if len(homeless) == 1 else f"{len(homeless)} workloads name"
        reason = f"{named} no namespace, such as {homeless[0].place.file}"
        yield {"namespace": "", "reason": reason, "kinds": []}
    for obj in facts.cluster.objects:
        if not obj.foreign and (obj.group, obj.kind) not in POD_OWNERS and workload(obj, facts.settings.workloads):
            reason = f"{obj.kind} {obj.name} makes pods that are not in the report"
            yield {"namespace": obj.namespace, "reason": reason, "kinds": []}
