"""Changed workloads and quotas whose demand is not known: they have an unknown field, are paused, or an operator makes
their pods."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quotalint.diff.field_changes import field_changes
from quotalint.diff.relevance import is_idle, known_field
from quotalint.diff.state import State
from quotalint.kube.kinds import limits_namespace
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.workloads import makes_pods
from quotalint.workloads.operators import unknown_pods

_SIZES = lazy_pattern(
    r"replica|instance|node|size|count|worker|shard|resources|requests|limits|storage|min|max|enabled", re.I
)
"""Names of fields in custom resources that decide on the number or size of pods."""
_DECIDING = frozenset({"paused", "replicas", "containers"})


_CURE = "say under `workloads` in .quotalint.yaml what it makes, or pass a snapshot of the cluster with `--with`"


class UnsureWorkload(NamedTuple):
    """An object whose demand is not known, and why."""

    object: Object
    reason: str
    cure: str


def find_unsure(before: State, after: State) -> Iterator[UnsureWorkload]:
    """The changed objects whose demand is not known."""
    olds = {obj.ref: obj for facts in before.environments for obj in facts.cluster.objects}
    for facts in after.environments:
        for obj in facts.cluster.objects:
            old = olds.get(obj.ref)
            if old is not None and old.body == obj.body:
                continue
            operated = unknown_pods(obj, facts.settings.workloads)
            if not (operated or limits_namespace(obj) or makes_pods(obj, facts.settings.workloads)):
                continue
            changes = [change for change in field_changes(old and old.body, obj.body) if not is_idle(change)]
            if operated:
                if old is None or any(_SIZES.search(str(step)) for change in changes for step in change.path):
                    yield UnsureWorkload(obj, operated, _CURE)
                continue
            names = (str(step) for change in changes if change.new is not None for step in change.path)
            unknown = next((name for name in names if known_field(name) not in ("", name)), "")
            known = known_field(unknown)
            if unknown:
                reason = f"{obj.kind} {obj.name} has `{unknown}`, which the API server does not know"
                yield UnsureWorkload(obj, reason, f"write `{known}`")
            elif (
                old is not None
                and (obj.group, obj.kind) == ("apps", "Deployment")
                and obj.spec.get("paused") is True
                and any(not _DECIDING.isdisjoint(change.path) for change in changes)
            ):
                reason = f"Deployment {obj.name} is paused: it keeps its ReplicaSets, and `replicas` scales these"
                yield UnsureWorkload(obj, reason, "compare it without `paused`")
