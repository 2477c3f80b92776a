"""How many extra pods a rolling update has, and how many may be missing.

Source: Kubernetes 1.34, pkg/controller/deployment/util/deployment_util.go (ResolveFenceposts, NewRSNewReplicas) and
apimachinery/pkg/util/intstr/intstr.go (GetScaledValueFromIntOrPercent).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeGuard

from quotalint.kube.fields import mapping
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.workloads.demand import ROLLOUT, Replicas, Size, Step, size_with_step

_LARGEST = 2**31 - 1


class RollingLimits(NamedTuple):
    """`maxSurge` and `maxUnavailable` as written, or their defaults."""

    surge: int | str
    unavailable: int | str
    invalid: tuple[str, ...] = ()
    """Why a value is neither a number nor a percentage."""

    def resolve_limits(self, replicas: int) -> tuple[int, int]:
        """How many extra pods there may be with this number of replicas, and how many may be missing. If both are zero,
        one may be missing, because the rollout would never progress."""
        return _resolve_shares(self.surge, self.unavailable, replicas)


@lru_cache(1 << 10)  # most workloads have the defaults, and searches try many numbers of replicas
def _resolve_shares(surge: int | str, unavailable: int | str, replicas: int) -> tuple[int, int]:
    more, fewer = share_of_total(surge, replicas, up=True), share_of_total(unavailable, replicas, up=False)
    if not more and not fewer:
        fewer = 1
    # There are never more new pods than replicas, nor more old pods that terminate.
    return min(more, replicas), min(fewer, replicas)


def share_of_total(written: int | str, total: int, *, up: bool) -> int:
    """A number, or a percentage of the total, rounded up or down."""
    if isinstance(written, int):
        return written
    hundredths = int(written[:-1]) * total
    return -(-hundredths // 100) if up else hundredths // 100


def update_limits(rolling: object, surge: int | str = "25%", unavailable: int | str = "25%") -> RollingLimits:
    """The limits in a strategy, with a Deployment's defaults unless others are given."""
    limits = {"maxSurge": surge, "maxUnavailable": unavailable}
    invalid = []
    for field in limits:
        written = mapping(rolling).get(field)
        if written is None:
            continue
        if _is_number_or_percentage(written):
            limits[field] = written
        else:
            limits[field] = 0
            invalid.append(f"{field} is neither a number nor a percentage: {str(written)[:40]!r}")
    return RollingLimits(limits["maxSurge"], limits["maxUnavailable"], tuple(invalid))


def _is_number_or_percentage(written: object) -> TypeGuard[int | str]:
    if isinstance(written, str):
        return re.fullmatch(r"[0-9]{1,9}%", written) is not None
    return isinstance(written, int) and not isinstance(written, bool) and 0 <= written <= _LARGEST


def rolling_size(obj: Object, replicas: Replicas, limits: RollingLimits, path: tuple[str, ...]) -> Size:
    """The size of a workload that is updated within these limits; `path` is the path of `maxSurge`."""
    surge, unavailable = limits.resolve_limits(replicas.steady)
    unknowns = tuple(f"{obj.kind} {obj.name}: {reason}" for reason in limits.invalid)
    words = f"{limits.surge} of {replicas.steady}" if isinstance(limits.surge, str) else f"{surge}"
    step = Step(ROLLOUT, f"maxSurge {words}", path, unavailable, gradual=True)
    size = size_with_step(replicas, limits.resolve_limits, step if surge else None)
    return size._replace(unknowns=(*size.unknowns, *unknowns))
