"""Checks that apply to few repositories; their modules are imported on demand."""

from __future__ import annotations

from collections.abc import Iterator

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


@check("QL403", Facts)
def limited_resource_without_quota(facts: Facts, _: Facts) -> Iterator[Hit]:
    if facts.default_limits.alternatives:
        from quotalint.checks.lazy.governance import uncovered_pods

        yield from uncovered_pods(facts)


@check("QL406", Facts, kinds=[("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding")])
def denied_by_policy(facts: Facts, _: Facts) -> Iterator[Hit]:
    from quotalint.checks.lazy.policy_denials import denied_objects

    yield from denied_objects(facts)


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


@check("QL501", Facts)
def namespace_without_quota(facts: Facts, _: Facts) -> Iterator[Hit]:
    # It is off by default.
    if facts.settings.select or facts.settings.severity:
        from quotalint.checks.lazy.governance import bare_namespaces

        yield from bare_namespaces(facts)


@check("QL502", Facts)
def quotas_exceed_capacity(facts: Facts, _: Facts) -> Iterator[Hit]:
    if facts.settings.capacity.amounts:
        from quotalint.checks.lazy.capacity import promised_beyond_capacity

        yield from promised_beyond_capacity(facts)


@check("QL503", Facts)
def required_limits(facts: Facts, _: Facts) -> Iterator[Hit]:
    if facts.settings.required_limits:
        from quotalint.checks.lazy.governance import missing_limits

        yield from missing_limits(facts)


@check("QL504", Facts, kinds=[("rbac.authorization.k8s.io", "RoleBinding")])
def quota_not_protected(facts: Facts, _: Facts) -> Iterator[Hit]:
    from quotalint.checks.lazy.protection import unprotected_quotas

    yield from unprotected_quotas(facts)


@check("QL701", Facts, kinds=QUEUE_KINDS)
def never_admitted(facts: Facts, _: Facts) -> Iterator[Hit]:
    from quotalint.checks.lazy.queues import inadmissible_workloads

    yield from inadmissible_workloads(facts)


@check("QL702", Facts, kinds=QUEUE_KINDS)
def unknown_queue(facts: Facts, _: Facts) -> Iterator[Hit]:
    from quotalint.checks.lazy.queue_names import undefined_names

    yield from undefined_names(facts)


@check("QL703", Facts, kinds=QUEUE_KINDS)
def uncovered_resource(facts: Facts, _: Facts) -> Iterator[Hit]:
    from quotalint.checks.lazy.queues import excluded_workloads

    yield from excluded_workloads(facts)


@check("QL704", Object, kinds=QUEUE_KINDS)
def invalid_queue(obj: Object, _: Facts) -> Iterator[Hit]:
    from quotalint.kueue.validation import queue_errors

    for error in queue_errors(obj):
        values = {"kind": obj.kind, "name": obj.name, "field": error.field, "detail": error.message}
        yield Hit(obj.at(*error.path), values, obj, error.field)


@check("QL705", Facts, kinds=QUEUE_KINDS)
def queue_above_quota(facts: Facts, _: Facts) -> Iterator[Hit]:
    from quotalint.checks.lazy.queues import queues_above_quotas

    yield from queues_above_quotas(facts)
