"""Roles and their bindings: who may do what with the objects of a namespace.

Source: Kubernetes 1.34, pkg/apis/rbac/v1/evaluation_helpers.go, pkg/registry/rbac/validation/rule.go
(GetRoleReferenceRules, appliesToUser) and pkg/controller/clusterroleaggregation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from quotalint.kube.fields import EMPTY, Body, mapping, sequence, strings, text
from quotalint.kube.label_selectors import selects
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple

GROUP = "rbac.authorization.k8s.io"
_VERBS = ("create", "update", "patch", "delete", "deletecollection")
_NAMELESS = ("create", "deletecollection")  # without an object's name, so a rule with resourceNames allows none


class PolicyRule(NamedTuple):
    """One rule of a role."""

    groups: tuple[str, ...]
    resources: tuple[str, ...]
    verbs: tuple[str, ...]
    names: tuple[str, ...]
    """The names of the objects that it concerns; empty: all."""
    role: Object | None = None
    """The role with this rule; None for a built-in role."""
    number: int = 0
    """The index of the rule in its role."""

    def verbs_to_write_quota(self, name: str) -> frozenset[str]:
        """The verbs with which the rule allows writing a ResourceQuota."""
        if not {"*", ""}.intersection(self.groups) or not {"*", "resourcequotas"}.intersection(self.resources):
            return frozenset()
        allowed = frozenset(_VERBS if "*" in self.verbs else set(_VERBS).intersection(self.verbs))
        if not self.names:
            return allowed
        return allowed.difference(_NAMELESS) if name in self.names else frozenset()


class BindingSubject(NamedTuple):
    """A user, group or service account that gets a role."""

    kind: str
    """User, Group or ServiceAccount."""
    name: str
    namespace: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"


class ClusterRole(NamedTuple):
    """A known ClusterRole, or a built-in one."""

    name: str
    labels: Body
    rules: tuple[PolicyRule, ...]
    selectors: tuple[object, ...] = ()
    """The selectors for the ClusterRoles that it aggregates."""


def _aggregated_role(name: str, into: str) -> ClusterRole:
    labels = {f"{GROUP}/aggregate-to-{into}": "true"} if into else EMPTY
    return ClusterRole(name, labels, (), ({"matchLabels": {f"{GROUP}/aggregate-to-{name}": "true"}},))


# bootstrappolicy/policy.go (clusterRoles). `admin`, `edit` and `view` themselves only read quotas; other ClusterRoles
# can be added to them by labels.
BUILTIN = (
    ClusterRole("cluster-admin", EMPTY, (PolicyRule(("*",), ("*",), ("*",), ()),)),
    _aggregated_role("admin", ""),
    _aggregated_role("edit", "admin"),
    _aggregated_role("view", "edit"),
)


class Roles(NamedTuple):
    """The roles of a cluster."""

    by_namespace: Mapping[tuple[str, str], Object]
    """By namespace and name."""
    of_cluster: Mapping[str, ClusterRole]

    def rules(self, binding: Object) -> tuple[PolicyRule, ...]:
        """The rules that a RoleBinding grants in its namespace; empty if the role is unknown."""
        reference = mapping(binding.body.get("roleRef"))
        kind, name = reference.get("kind"), text(reference.get("name"))
        if kind == "Role" and (binding.namespace, name) in self.by_namespace:
            role = self.by_namespace[binding.namespace, name]
            return _rules_of(role.body, role)
        if kind == "ClusterRole" and name in self.of_cluster:
            return tuple(self._rules_with_aggregated(self.of_cluster[name]))
        return ()

    def _rules_with_aggregated(self, role: ClusterRole) -> Iterator[PolicyRule]:
        waiting, visited_names = [role], {role.name}
        while waiting:
            next_role = waiting.pop(0)
            yield from next_role.rules
            for other in self.of_cluster.values() if next_role.selectors else ():
                if other.name not in visited_names and any(
                    selects(selector, other.labels) for selector in next_role.selectors
                ):
                    visited_names.add(other.name)
                    waiting.append(other)


def roles(namespaced: Iterable[Object], of_cluster: Iterable[Object]) -> Roles:
    """The Roles and ClusterRoles of a cluster."""
    by_name = {role.name: role for role in BUILTIN} | {obj.name: _cluster_role(obj) for obj in of_cluster}
    return Roles({(obj.namespace, obj.name): obj for obj in namespaced}, by_name)


def subjects(binding: Object) -> tuple[BindingSubject, ...]:
    """The subjects of a RoleBinding."""
    bound_subjects = []
    for subject in map(mapping, sequence(binding.body.get("subjects"))):
        kind, name = text(subject.get("kind")), text(subject.get("name"))
        if kind == "ServiceAccount" and name:
            bound_subjects.append(BindingSubject(kind, name, text(subject.get("namespace")) or binding.namespace))
        elif kind in ("User", "Group") and name:
            bound_subjects.append(BindingSubject(kind, name))
    return tuple(bound_subjects)


def _cluster_role(obj: Object) -> ClusterRole:
    written = obj.body.get("aggregationRule")
    if not isinstance(written, dict):
        return ClusterRole(obj.name, mapping(obj.metadata.get("labels")), _rules_of(obj.body, obj))
    # The controller overwrites the written rules; those in a snapshot come from the controller.
    own = _rules_of(obj.body, obj) if obj.foreign else ()
    return ClusterRole(
        obj.name, mapping(obj.metadata.get("labels")), own, tuple(sequence(written.get("clusterRoleSelectors")))
    )


def _rules_of(body: Body, role: Object | None = None) -> tuple[PolicyRule, ...]:
    return tuple(
        PolicyRule(
            strings(rule.get("apiGroups")),
            strings(rule.get("resources")),
            strings(rule.get("verbs")),
            strings(rule.get("resourceNames")),
            role,
            number,
        )
        for number, rule in enumerate(map(mapping, sequence(body.get("rules"))))
    )
