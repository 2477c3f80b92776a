"""Hooks: pods that run for a while, one hook after another, and have terminated in the steady state.

Source: Helm 4.0, pkg/action/hooks.go (execHook): Helm waits for each hook before the next one; Argo CD 3.2,
gitops-engine/pkg/sync/sync_context.go (Sync): a phase begins when the one before it has completed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.kube.fields import integer
from quotalint.kube.hooks import hook_annotation, is_deleted_on_success
from quotalint.kube.objects import Object
from quotalint.workloads.demand import RUN, Demand, Numbers, Step, ended_pod, has_ended


def hook_demands(hook: Object, demands: Iterable[Demand]) -> Iterator[Demand]:
    """The demands of an object that runs as a hook; unchanged if it is no hook. Unless a policy deletes it, the object
    and its terminated pods stay until the next run."""
    annotation = hook_annotation(hook)
    if not annotation:
        yield from demands
        return
    stays = not (is_deleted_on_success(hook) or integer(hook.spec.get("ttlSecondsAfterFinished")) is not None)
    step = Step(RUN, "its run as a hook", ("metadata", "annotations", annotation))
    for demand in demands:
        size = demand.size
        _, running, _, most = size.numbers
        if demand.kind != "Pod" and demand.kind == hook.kind and stays:
            yield demand
        elif has_ended(demand):
            ended = size._replace(numbers=Numbers(most, most, most, most))
            yield demand._replace(size=ended, kept=None) if stays else demand
        else:
            size = size._replace(because="ended once all has settled", step=step)
            yield demand._replace(size=size._replace(numbers=Numbers(0, running, 0, most)))
            if stays and demand.kind == "Pod" and running:
                ended = size._replace(numbers=Numbers(running, 0, running, 0))
                yield demand._replace(body=ended_pod(demand.body), size=ended)
