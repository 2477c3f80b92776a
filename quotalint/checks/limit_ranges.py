"""Checks of LimitRanges: what the API server refuses."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks.hit import Hit, check
from quotalint.facts import Facts
from quotalint.kube.limit_range import LimitRange


@check("QL121", LimitRange)
def invalid_limit_range(limits: LimitRange, facts: Facts) -> Iterator[Hit]:
    obj = limits.object
    for error in facts.errors.get(limits.place, ()):
        values = {"limit_range": limits.name, "field": error.field, "detail": error.detail}
        yield Hit(obj.at(*error.path), values, obj, error.field)
