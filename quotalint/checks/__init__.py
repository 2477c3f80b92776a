"""One file per subject, one function per rule."""

from __future__ import annotations

from quotalint.checks import (
    autoscaling,
    capacity,
    classes,
    files,
    governance,
    limit_ranges,
    limited,
    never_enforced,
    objects,
    protection,
    refused_pods,
    rendering,
    resource_quotas,
    rollouts,
    schedules,
    scopes,
    shadowed,
    usage,
)
from quotalint.checks.hit import Check

_MODULES = (
    files,
    objects,
    rendering,
    resource_quotas,
    limit_ranges,
    never_enforced,
    scopes,
    classes,
    shadowed,
    usage,
    rollouts,
    schedules,
    autoscaling,
    refused_pods,
    limited,
    governance,
    capacity,
    protection,
)


def checks() -> tuple[Check, ...]:
    """Every check, in the order of the rules."""
    found = [value for module in _MODULES for value in vars(module).values() if isinstance(value, Check)]
    return tuple(sorted(found, key=lambda check: check.rule))
