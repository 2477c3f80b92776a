"""The demands of workloads that policies change when they are applied: their replicas and pod templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from quotalint.admission import Admitted, admit_demand
from quotalint.admission.plugins import Plugins
from quotalint.admission.policies import Effect, Policies, changed_member
from quotalint.kube.guess import Guess
from quotalint.kube.objects import Object, ObjectId
from quotalint.settings import Workload
from quotalint.workloads import makes_pods
from quotalint.workloads.demand import Demand

_CLAIM = ("", "PersistentVolumeClaim")


def admitted_as_changed(
    members: Sequence[Object],
    by: Plugins,
    policies: Policies,
    configured: Mapping[str, Workload],
    demands: Callable[[Sequence[Object]], Iterable[Demand]],
) -> Iterator[Admitted]:
    """The admitted demands of a namespace. Their owners are the objects as they are written."""
    written: dict[ObjectId, tuple[Object, Effect]] = {}
    changed_members: list[Object] = []
    for obj in members:
        concerned = (obj.group, obj.kind) == _CLAIM or makes_pods(obj, configured)
        effect = changed_member(obj, policies) if concerned else None
        if effect is not None:
            changed = obj._replace(body=effect.body)
            written[changed.identity] = obj, effect
            obj = changed
        changed_members.append(obj)
    for demand in demands(changed_members):
        admitted = admit_demand(demand, by)
        known = written.get(demand.owner.identity) if demand.owner is not None else None
        yield _as_written(admitted, *known) if known is not None else admitted


def _as_written(admitted: Admitted, owner: Object, effect: Effect) -> Admitted:
    is_pod = (admitted.demand.group, admitted.demand.kind) == ("", "Pod")
    guesses: dict[str, tuple[Guess, ...]] = dict(admitted.guesses)
    for entry, found in effect.guesses.items():
        guesses[entry] = tuple(dict.fromkeys((*found, *guesses.get(entry, ()))))
    unknowns = (*admitted.unknowns, *effect.unknowns) if is_pod else admitted.unknowns
    demand = admitted.demand._replace(owner=owner)
    return admitted._replace(demand=demand, guesses=guesses, unknowns=tuple(dict.fromkeys(unknowns)))
