"""Checks that apply to few repositories; their modules are imported on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, check
from quotalint.kube.kinds import QUEUE_KINDS, is_surely_served
from quotalint.kube.objects import Object
from quotalint.text.reading import File

_WITH_VALUES = [
    ("argoproj.io", "Application"),
    ("helm.toolkit.fluxcd.io", "HelmRelease"),
]


@check("QL103", Object, kinds=_WITH_VALUES)
def unreadable_value_of_release(obj: Object, _: Facts) -> Iterator[Hit]:
    from quotalint.checks.lazy.chart_values import values_of_object

    yield from values_of_object(obj)


@check("QL103", File)
def unreadable_value_of_file(file: File, facts: Facts) -> Iterator[Hit]:
    *_, folder, name = ("", "", *file.source.name.split("/"))
    if "values" not in name and folder != "values" and not name.startswith(("helmfile", "kustomization")):
        return
    if file.source.name in facts.repository.fixtures:
        return
    from quotalint.checks.lazy.chart_values import values_of_document

    for document in file.reading.documents:
        yield from values_of_document(document, file.source.name)


@check("QL408", Object)
def pod_security(obj: Object, facts: Facts) -> Iterator[Hit]:
    for admitted in facts.invalid.get(obj.identity, ()):
        if admitted.forbidden is not None:
            from quotalint.checks.lazy.security import forbidden_pods

            yield from forbidden_pods(obj, facts)
            return
    if obj.kind == "Namespace" and not obj.group and "labels" in obj.metadata:
        labels = obj.metadata["labels"]
        if isinstance(labels, dict) and any(str(key).startswith("pod-security.kubernetes.io/") for key in labels):
            from quotalint.checks.lazy.security import invalid_labels

            yield from invalid_labels(obj)


@check("QL409", Object)
def missing_priority_class(obj: Object, facts: Facts) -> Iterator[Hit]:
    for admitted in facts.invalid.get(obj.identity, ()):
        if admitted.missing_class or any(error.of_priority for error in admitted.invalid):
            from quotalint.checks.lazy.priorities import priority_hits

            yield from priority_hits(obj, facts)
            return


@check("QL410", Object)
def removed_api_version(obj: Object, facts: Facts) -> Iterator[Hit]:
    if not is_surely_served(obj.group, obj.version, obj.kind):
        from quotalint.checks.lazy.unserved_versions import unserved_hits

        yield from unserved_hits(obj, facts)


@check("QL704", Object, kinds=QUEUE_KINDS)
def invalid_queue(obj: Object, _: Facts) -> Iterator[Hit]:
    from quotalint.kueue.validation import queue_errors

    for error in queue_errors(obj):
        values = {"kind": obj.kind, "name": obj.name, "field": error.field, "detail": error.message}
        yield Hit(obj.at(*error.path), values, obj, error.field)


def _imported(
    name: str, applies: Callable[[Facts], object] = lambda _: True
) -> Callable[[Facts, Facts], Iterator[Hit]]:
    """A check of all facts by `module.function` of `lazy`, which is imported if it applies."""

    def run(facts: Facts, _: Facts) -> Iterator[Hit]:
        if applies(facts):
            module, function = name.split(".")
            find_hits: Any = getattr(import_module(f"quotalint.checks.lazy.{module}"), function)
            yield from find_hits(facts)

    return run


_ROLE_BINDINGS = [("rbac.authorization.k8s.io", "RoleBinding")]
_POLICY_BINDINGS = [("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding")]

limited_resource_without_quota = check("QL403", Facts)(
    _imported("governance.uncovered_pods", lambda facts: facts.default_limits.alternatives)
)
denied_by_policy = check("QL406", Facts, kinds=_POLICY_BINDINGS)(_imported("policy_denials.denied_objects"))
# It is off by default.
namespace_without_quota = check("QL501", Facts)(
    _imported("governance.bare_namespaces", lambda facts: facts.settings.select or facts.settings.severity)
)
quotas_exceed_capacity = check("QL502", Facts)(
    _imported("capacity.promised_beyond_capacity", lambda facts: facts.settings.capacity.amounts)
)
required_limits = check("QL503", Facts)(
    _imported("governance.missing_limits", lambda facts: facts.settings.required_limits)
)
quota_not_protected = check("QL504", Facts, kinds=_ROLE_BINDINGS)(_imported("protection.unprotected_quotas"))
never_admitted = check("QL701", Facts, kinds=QUEUE_KINDS)(_imported("queues.inadmissible_workloads"))
unknown_queue = check("QL702", Facts, kinds=QUEUE_KINDS)(_imported("queue_names.undefined_names"))
uncovered_resource = check("QL703", Facts, kinds=QUEUE_KINDS)(_imported("queues.excluded_workloads"))
queue_above_quota = check("QL705", Facts, kinds=QUEUE_KINDS)(_imported("queues.queues_above_quotas"))
