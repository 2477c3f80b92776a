"""One file per subject, one function per rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quotalint.checks import (
    autoscaling,
    classes,
    files,
    limit_ranges,
    never_enforced,
    objects,
    refused_pods,
    rendering,
    resource_quotas,
    rollouts,
    schedules,
    scopes,
    shadowed,
    updates,
    usage,
)
from quotalint.checks.hit import Check, Hit
from quotalint.facts import Facts

_MODULES = (
    files,
    objects,
    rendering,
    resource_quotas,
    updates,
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
)


# Checks of what few repositories have: where their name says, and where they apply. They are imported when they do.
_RARE: dict[str, tuple[str, str, Callable[[Facts], bool]]] = {
    "QL403": ("limited", "limited_resource_without_quota", lambda facts: bool(facts.limited)),
    # Off until it is asked for.
    "QL501": (
        "governance",
        "namespace_without_quota",
        lambda facts: bool(facts.settings.select or facts.settings.severity),
    ),
    "QL502": ("capacity", "quotas_exceed_capacity", lambda facts: bool(facts.settings.capacity.amounts)),
    "QL503": ("governance", "required_limits", lambda facts: bool(facts.settings.required_limits)),
    "QL504": (
        "protection",
        "quota_not_protected",
        lambda facts: bool(facts.cluster.of("rbac.authorization.k8s.io", "RoleBinding")),
    ),
}


def checks() -> tuple[Check, ...]:
    """Every check, in the order of the rules."""
    found = [value for module in _MODULES for value in vars(module).values() if isinstance(value, Check)]
    found += [Check(rule, Facts, _later(*where)) for rule, where in _RARE.items()]
    return tuple(sorted(found, key=lambda check: check.rule))


def _later(module: str, name: str, applies: Callable[[Facts], bool]) -> Callable[[Facts, Facts], Iterator[Hit]]:
    def run(subject: Facts, facts: Facts) -> Iterator[Hit]:
        if applies(facts):
            from importlib import import_module

            check: Check = getattr(import_module(f"quotalint.checks.{module}"), name)
            yield from check.run(subject, facts)

    return run
