"""Pods that are written as such."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Surroundings, constant_size, pods


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The pod, and the claims made for it."""
    return pods(obj, obj.body, obj.place, constant_size(1, "one pod"), surroundings)
