"""Pod Security: the level that the labels of a Namespace enforce, and the pods that it forbids.

Only pods are refused, after LimitRanger and before quotas; workloads stay and have no pods.

Source: Kubernetes 1.37, k8s.io/pod-security-admission/admission/admission.go (ValidatePod, EvaluatePod) and
api/helpers.go (PolicyToEvaluate); pkg/kubeapiserver/options/plugins.go (AllOrderedPlugins).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import dig, text
from quotalint.kube.guess import CONTENT, Guess, guesses_of_both
from quotalint.kube.kinds import OPENSHIFT
from quotalint.kube.objects import Object
from quotalint.kube.pod_security import LEVELS, PRIVILEGED, Violation, violations
from quotalint.kube.pod_security_configuration import SecurityConfiguration
from quotalint.kube.pod_security_labels import LATEST, enforced_policy, is_version, label_errors
from quotalint.named_tuples import NamedTuple
from quotalint.text.digits import whole_number
from quotalint.workloads.demand import Demand

_JUDGED = frozenset(
    {
        *(("", kind) for kind in ("Pod", "ReplicationController")),
        *(("apps", kind) for kind in ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")),
        *(("apps.kruise.io", kind) for kind in ("CloneSet", "DaemonSet", "StatefulSet")),
        ("argoproj.io", "Rollout"),
        *(("batch", kind) for kind in ("CronJob", "Job")),
        ("jobset.x-k8s.io", "JobSet"),
        ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"),
    }
)
"""Kinds whose pods have the `securityContext` of their template. Other operators write their own."""


class Enforced(NamedTuple):
    """What a Namespace enforces."""

    level: str
    version: str
    minor: int
    """The version of the policy that the API server applies: not above its own."""
    guesses: tuple[Guess, ...] = ()
    """The guesses about the Namespace."""
    configured: tuple[SecurityConfiguration, ...] = ()
    """The configurations that the API server may have, with exemptions."""

    @property
    def policy(self) -> str:
        """The policy in the API server's messages."""
        return f"{self.level}:{self.version}"


class Forbidden(NamedTuple):
    """Why Pod Security refuses a pod."""

    by: Enforced
    violations: tuple[Violation, ...]
    guesses: tuple[Guess, ...]
    """What the refusal depends on; without any it is certain, and the pod uses nothing of a quota."""

    @property
    def message(self) -> str:
        """The API server's reason."""
        return f'violates PodSecurity "{self.by.policy}": {", ".join(each.message for each in self.violations)}'


def enforced_levels(
    cluster: Cluster, kube_version: str, configured: Sequence[SecurityConfiguration] = ()
) -> Mapping[str, Enforced]:
    """What each Namespace enforces, unless it is nothing. On OpenShift, SecurityContextConstraints write the
    `securityContext` of pods first, so nothing is known there."""
    if any(cluster.of(kind.group, kind.kind) for kind in OPENSHIFT if kind.group != "template.openshift.io"):
        return {}
    server = int(kube_version.split(".")[1])
    replaced: dict[str, list[Object]] = {}
    for other in (*cluster.replaced, *cluster.live):
        if (other.group, other.kind) == ("", "Namespace"):
            replaced.setdefault(other.name, []).append(other)
    from quotalint.admission.policies.security import guesses_of_security

    mutators = tuple(guesses_of_security(cluster))[:1]
    levels = {}
    for namespace in cluster.of("", "Namespace"):
        others = replaced.get(namespace.name, ())
        level, version = next(filter(_is_written, map(enforced_policy, (namespace, *others))), ("", LATEST))
        doubts = (*namespace.guesses, *mutators)
        if not level and len(configured) == 1:
            level, version = configured[0].enforce, configured[0].version or LATEST
            doubts = (*doubts, _default_level(configured[0].file))
        if level in LEVELS and level != PRIVILEGED and is_version(version) and not any(label_errors(namespace)):
            minor = min(server, whole_number(version.partition(".")[2]) or server)
            rivals = [other for other in others if not other.foreign and enforced_policy(other) != (level, version)]
            doubts = (*doubts, Guess(CONTENT, *_RIVAL)) if rivals else doubts
            levels[namespace.name] = Enforced(level, version, minor, doubts, tuple(configured))
    return levels


def _is_written(policy: tuple[str, str]) -> bool:
    return bool(policy[0])


def _default_level(file: str) -> Guess:
    reason = f"its Namespace has no label, and {file} is taken for the configuration of its API server"
    return Guess(CONTENT, reason, "write the label")


_RIVAL = "its Namespace is written more than once, with different levels", "keep one of them"


def forbidden(demand: Demand, enforced: Enforced) -> Forbidden | None:
    """Why a pod is refused; None if it is not, or if that is unknown."""
    owner = demand.owner
    if owner is None or owner.foreign or owner.homeless or demand.grown or (owner.group, owner.kind) not in _JUDGED:
        return None
    runtime_class = text(dig(demand.body, "spec", "runtimeClassName"))
    if any(each.exempts(owner.namespace, runtime_class, owner.kind) for each in enforced.configured):
        return None
    found = violations(demand.body, enforced.level, enforced.minor)
    return Forbidden(enforced, found, guesses_of_both(owner.guesses, enforced.guesses)) if found else None
