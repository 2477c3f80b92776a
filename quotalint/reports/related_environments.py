"""Environments that may be one: `staging` has the workloads of a namespace, and `staging-east` its quotas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.accounts.facts import Facts
from quotalint.reports.terminal import safe_text
from quotalint.text.words import list_some
from quotalint.workloads import makes_pods

_NAMES = 3


def related_environment_lines(environments: Sequence[Facts]) -> Iterator[str]:
    """A sentence for each environment with workloads without quotas, if one with a longer name has these quotas."""
    limited = {
        facts.environment: {name for quota in facts.quotas for name in quota.namespaces} for facts in environments
    }
    inhabited = {facts.environment: _namespaces_with_workloads(facts) for facts in environments}
    for name in filter(None, inhabited):
        near = {
            other: (inhabited[name] - limited[name]) & (limited[other] - inhabited[other])
            for other in limited
            if other.startswith((f"{name}-", f"{name}/")) or (other and name.startswith((f"{other}-", f"{other}/")))
        }
        others = [other for other, namespaces in near.items() if namespaces]
        if others:
            shown = list_some([safe_text(namespace) for namespace in sorted(set().union(*near.values()))], _NAMES)
            line = f"environmentAliases: {{{name}: {others[0]}}}"
            yield (
                f"Environment {safe_text(name)} has workloads of {shown} without a quota, and "
                f"{safe_text(list_some(others, _NAMES))} their quotas without workloads. If they are one, "
                f"`{safe_text(line)}` in .quotalint.yaml joins them."
            )


def _namespaces_with_workloads(facts: Facts) -> set[str]:
    settings = facts.settings.workloads
    return {
        name
        for name, members in facts.cluster.by_namespace.items()
        if any(makes_pods(obj, settings) for obj in members)
    }
