"""Policies that may set what Pod Security asks of a pod. Webhooks that change pods run before it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from quotalint.admission.policies import expressions, gatekeeper
from quotalint.admission.policies.kyverno_match import POLICIES as KYVERNO_POLICIES
from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import mapping, sequence
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object
from quotalint.text.lazy_patterns import lazy_pattern

_MODIFY_SET = (gatekeeper.ASSIGN[0], "ModifySet")
_FIELDS = lazy_pattern(
    r"[sS]ecurityContext|host(?:Network|PID|IPC|Port|Users|Path)|seccomp|[aA]pp[aA]rmor|capabilities"
)


def guesses_of_security(cluster: Cluster) -> Iterator[Guess]:
    """A guess for each policy in view that may set the security of pods, with any pods that it matches."""
    return (
        Guess(
            CONTENT,
            f"{policy.kind} {policy.name} may write the securityContext of pods first",
            "write it in the workload",
        )
        for policy in _setting_security(cluster)
    )


def _setting_security(cluster: Cluster) -> Iterator[Object]:
    for kind in KYVERNO_POLICIES:
        for policy in cluster.of(*kind):
            if any(_names_security(mapping(rule).get("mutate")) for rule in sequence(policy.spec.get("rules"))):
                yield policy
    for kind in (gatekeeper.ASSIGN, _MODIFY_SET):
        yield from (policy for policy in cluster.of(*kind) if _names_security(policy.spec.get("location")))
    for kind in (expressions.MUTATING_POLICY, *expressions.KYVERNO):
        yield from (policy for policy in cluster.of(*kind) if _names_security(policy.spec.get("mutations")))
    # A webhook that no table knows may set anything.
    yield from filter(expressions.sets_amounts, cluster.of(*expressions.WEBHOOK))


def _names_security(patch: object) -> bool:
    return patch is not None and _FIELDS.search(json.dumps(patch, default=str)) is not None
