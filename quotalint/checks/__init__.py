"""One file per subject, one function per rule."""

from __future__ import annotations

from quotalint.checks import (
    classes,
    files,
    limit_ranges,
    never_enforced,
    objects,
    refused_pods,
    rendering,
    resource_quotas,
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
    refused_pods,
)


def checks() -> tuple[Check, ...]:
    """Every check, in the order of the rules."""
    found = [value for module in _MODULES for value in vars(module).values() if isinstance(value, Check)]
    return tuple(sorted(found, key=lambda check: check.rule))
