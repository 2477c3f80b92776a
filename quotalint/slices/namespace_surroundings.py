"""What of an environment is around each of its namespaces, and how certain the sums of each are."""

from __future__ import annotations

from quotalint.facts import Facts
from quotalint.kube.objects import Object
from quotalint.slices.kept import NamespaceSurroundings
from quotalint.transcript import digest

NO_SUMS = b""
"""How certain the sums of a namespace without a quota are."""
_MOST = 200  # objects of no namespace that each namespace of an environment rests on
_APART = frozenset(
    (
        ("", "Namespace"),
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
        ("apiregistration.k8s.io", "APIService"),
        ("rbac.authorization.k8s.io", "ClusterRole"),
        ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
    )
)
"""Kinds of no namespace of which there are many, and which decide nothing in one; what they define is known."""


def is_apart(group: str, kind: str) -> bool:
    """Whether objects of a kind are not among what is around a namespace, though they live in none."""
    return (group, kind) in _APART


def home_of(obj: Object) -> str:
    """The namespace that an object is of: where it lives, or which it declares; empty where it is of none."""
    return obj.name if is_namespace(obj) else obj.namespace


def is_namespace(obj: Object) -> bool:
    """Whether an object declares a namespace in Kubernetes' own way."""
    return (obj.group, obj.kind) == ("", "Namespace")


def surroundings_of(facts: Facts) -> NamespaceSurroundings | None:
    """What is around all namespaces; None where that is too much."""
    objects = [obj for obj in facts.cluster.objects if not home_of(obj) and not is_apart(obj.group, obj.kind)]
    discovery = facts.cluster.discovery
    kinds = tuple(tuple(kind) for kind in discovery.by_kind.values())
    if len(objects) > _MOST:
        return None
    return NamespaceSurroundings(facts.environment, tuple(objects), kinds, tuple(sorted(discovery.groups)))


def sums_digests(facts: Facts) -> dict[str, bytes]:
    """By namespace: how certain each sum of its quotas is, and why not, as far as a report without tables tells. That a
    sum is not is nothing to be told of where a quota is for critical pods alone."""
    certainties: dict[str, list[object]] = {}
    for projection in facts.projections:
        quota = projection.quota
        reasons = [(type(reason).__name__, str(reason)) for reason in projection.unknowns]
        is_told = projection.tracked, not quota.is_for_critical_pods
        what = quota.name, projection.name, is_told, projection.certainty, reasons, projection.guesses
        certainties.setdefault(quota.namespace, []).append(what)
    return {namespace: digest(repr(lines).encode("utf-8", "surrogatepass")) for namespace, lines in certainties.items()}
