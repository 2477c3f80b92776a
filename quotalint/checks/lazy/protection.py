"""Checks of who may change the quotas of a namespace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, Note, Related
from quotalint.kube import admission_policies
from quotalint.kube.fields import Body, mapping, text
from quotalint.kube.objects import Object
from quotalint.kube.rbac import GROUP, BindingSubject, PolicyRule, roles, subjects
from quotalint.named_tuples import NamedTuple
from quotalint.quota.quotas import Quota
from quotalint.text.place import Place
from quotalint.text.words import list_some

_SHOWN = 8  # bindings, quotas and subjects that are listed; the rest is summed up
_ADMINISTRATING = frozenset({"argocd", "flux-system", "kube-system", "openshift-gitops"})
# Names with `system:` are Kubernetes' own, except for these groups, which may include anybody.
_ANYBODY = frozenset({"system:anonymous", "system:authenticated", "system:serviceaccounts", "system:unauthenticated"})
_OPERATIONS = {
    "create": "CREATE",
    "update": "UPDATE",
    "patch": "UPDATE",
    "delete": "DELETE",
    "deletecollection": "DELETE",
}
_OPERATION_VERBS = (("UPDATE", "change"), ("DELETE", "delete"))


class _Grant(NamedTuple):
    """A binding that allows its subjects to write quotas."""

    binding: Object
    subjects: tuple[BindingSubject, ...]
    rule: PolicyRule
    """The first rule that allows it."""
    operations: frozenset[str]
    quotas: tuple[Quota, ...]

    @property
    def owner(self) -> Object:
        """The object that the repository can change: the role, else the binding."""
        role = self.rule.role
        return self.binding if role is None or role.foreign else role

    @property
    def place(self) -> Place:
        if self.owner is self.binding:
            return self.binding.at("roleRef")
        return self.owner.at("rules", self.rule.number)


def unprotected_quotas(facts: Facts) -> Iterator[Hit]:
    """The roles whose subjects may change the quota that limits them."""
    # A role that is bound in many namespaces is reported once.
    grants: dict[tuple[Place, frozenset[str]], list[_Grant]] = {}
    for grant in _quota_grants(facts):
        grants.setdefault((grant.place.real, grant.operations), []).append(grant)
    yield from map(_grant_hit, grants.values())


def _quota_grants(facts: Facts) -> Iterator[_Grant]:
    bindings = [obj for obj in facts.cluster.of(GROUP, "RoleBinding") if obj.namespace in facts.enforced]
    if not bindings:
        return
    declared_roles = roles(facts.cluster.of(GROUP, "Role"), facts.cluster.of(GROUP, "ClusterRole"))
    judged_on = _judged_operations(facts)
    allowed: dict[tuple[str, object], tuple[PolicyRule, ...]] = {}
    operations_by_role: dict[tuple[str, object, str], frozenset[str]] = {}
    for binding in bindings:
        non_admins = tuple(subject for subject in subjects(binding) if not _is_administrator(subject))
        reference = mapping(binding.body.get("roleRef"))
        # A ClusterRole may be bound in many namespaces.
        role = (binding.namespace if reference.get("kind") == "Role" else "", repr(reference))
        if non_admins and role not in allowed:
            allowed[role] = declared_roles.rules(binding)
        rules = allowed[role] if non_admins else ()
        written = []
        for quota in facts.enforced[binding.namespace] if rules else ():
            if (quota.object.group, quota.object.kind) == ("", "ResourceQuota"):
                # Quotas of many namespaces may have the same name.
                named = (*role, quota.name)
                if named not in operations_by_role:
                    operations_by_role[named] = _allowed_operations(rules, quota)
                operations = operations_by_role[named]
                if (
                    operations
                    and not binding.may_be_in_other_namespaces(quota.object)
                    and not operations & judged_on(quota)
                ):
                    written.append((quota, operations))
        operations_granted = frozenset(operation for _, operations in written for operation in operations)
        operations_granted = operations_granted - {"CREATE"} or operations_granted
        quotas = tuple(quota for quota, operations in written if operations & operations_granted)
        if quotas:
            first = next(
                rule
                for rule in rules
                if any(_allowed_operations((rule,), quota) & operations_granted for quota in quotas)
            )
            yield _Grant(binding, non_admins, first, operations_granted, quotas)


def _allowed_operations(rules: Iterable[PolicyRule], quota: Quota) -> frozenset[str]:
    """The operations on a quota that these rules allow. Creating quotas alone only tightens limits, so it counts only
    if nothing else is allowed."""
    verbs = (verb for rule in rules for verb in rule.verbs_to_write_quota(quota.name))
    operations = frozenset(_OPERATIONS[verb] for verb in verbs)
    return operations - {"CREATE"} or operations


def _judged_operations(facts: Facts) -> Callable[[Quota], frozenset[str]]:
    """A function that returns which operations on a quota a ValidatingAdmissionPolicy may deny."""
    policies = facts.cluster.of(admission_policies.GROUP, "ValidatingAdmissionPolicy")
    bindings = facts.cluster.of(admission_policies.GROUP, "ValidatingAdmissionPolicyBinding")
    namespaces: Mapping[str, Body] = {
        obj.name: mapping(obj.metadata.get("labels")) for obj in facts.cluster.of("", "Namespace")
    }

    def judged_on(quota: Quota) -> frozenset[str]:
        labels = mapping(quota.object.metadata.get("labels"))
        target = admission_policies.PolicyTarget(
            "", "v1", "resourcequotas", quota.namespace, quota.name, labels, namespaces.get(quota.namespace)
        )
        return admission_policies.deniable_operations(policies, bindings, target)

    return judged_on


def _is_administrator(subject: BindingSubject) -> bool:
    """Whether the subject deploys quotas, or is Kubernetes itself."""
    if subject.kind == "ServiceAccount":
        return subject.namespace in _ADMINISTRATING
    for prefix in ("system:serviceaccount:", "system:serviceaccounts:"):
        if subject.name.startswith(prefix):
            return subject.name.split(":")[2] in _ADMINISTRATING
    return subject.name.startswith("system:") and subject.name not in _ANYBODY


def _grant_hit(grants: list[_Grant]) -> Hit:
    first = grants[0]
    role = mapping(first.binding.body.get("roleRef"))
    allowed_verbs = " and ".join(word for operation, word in _OPERATION_VERBS if operation in first.operations)
    people = list(dict.fromkeys(str(subject) for grant in grants for subject in grant.subjects))
    namespaces = list(dict.fromkeys(grant.binding.namespace for grant in grants))
    values = {
        "role": f"{text(role.get('kind'))} {text(role.get('name'))}",
        "binding": first.binding.name,
        "subjects": list_some(people, _SHOWN),
        "may": allowed_verbs or "create",
        "quotas": list_some(list(dict.fromkeys(quota.name for grant in grants for quota in grant.quotas)), _SHOWN),
        "namespaces": list_some(namespaces, _SHOWN),
    }
    field = "roleRef" if first.owner is first.binding else f"rules[{first.rule.number}]"
    shown = [(grant, quota) for grant in grants for quota in grant.quotas][:_SHOWN]
    bound = () if first.owner is first.binding else tuple(_related_binding(grant) for grant in grants[:_SHOWN])
    more = len(grants) - len(bound) if bound else 0
    variant = "create" if not allowed_verbs else "binding" if first.owner is first.binding else "default"
    return Hit(
        first.place,
        values,
        first.owner,
        field,
        variant,
        related=(*bound, *(Related("quota", quota.place, f"quota {quota.name}") for _, quota in shown)),
        notes=(*_aggregation_note(first), *([Note("and", f"{more} more bindings do the same")] if more else [])),
        severity="" if allowed_verbs else "info",
    )


def _related_binding(grant: _Grant) -> Related:
    binding = grant.binding
    subjects_bound = list_some([str(subject) for subject in grant.subjects], _SHOWN)
    message = f"RoleBinding {binding.name} of {binding.namespace}: {subjects_bound}"
    return Related("bound by", binding.place, message)


def _aggregation_note(grant: _Grant) -> Iterator[Note]:
    role, bound = grant.rule.role, text(mapping(grant.binding.body.get("roleRef")).get("name"))
    if role is not None and role.name != bound:
        yield Note("note", f"ClusterRole {role.name} is part of {bound}, which selects it by its labels")
