"""Why the API server refuses the quotas and LimitRanges of an environment, as they are applied."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from quotalint.kube.api_error import ApiError
from quotalint.kube.limit_range import LimitRange, limit_range_errors
from quotalint.quota.quotas import Quota
from quotalint.quota.validation import quota_errors
from quotalint.runtime.recall import recalled
from quotalint.text.place import Place


def limit_errors(
    quotas: Sequence[Quota], limits: Sequence[LimitRange], kube_version: str, awaited: frozenset[Place]
) -> dict[Place, tuple[ApiError, ...]]:
    """The errors by the place of the refused object. `awaited` are places whose value is filled in later; errors there
    are dropped."""
    errors = {
        quota.place: recalled("errors", (quota,), kube_version, partial(quota_errors, quota, kube_version))
        for quota in quotas
    }
    errors.update(
        {
            limit_range.place: recalled("errors", (limit_range,), "", partial(limit_range_errors, limit_range))
            for limit_range in limits
        }
    )
    if awaited:
        objects = {quota.place: quota.object for quota in quotas}
        objects.update({limit_range.place: limit_range.object for limit_range in limits})
        errors = {
            place: tuple(error for error in api_errors if objects[place].at(*error.path) not in awaited)
            for place, api_errors in errors.items()
        }
    return {place: api_errors for place, api_errors in errors.items() if api_errors}
