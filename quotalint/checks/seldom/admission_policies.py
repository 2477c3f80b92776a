"""ValidatingAdmissionPolicies of the repository, evaluated on what it would apply.

Source: Kubernetes 1.36, apiserver/pkg/admission/plugin/policy/validating/{dispatcher,validator}.go and
generic/policy_dispatcher.go (CollectParams).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quotalint.cel import INSTALL, is_installed
from quotalint.checks.hit import UNDECIDED, Hit, Note, Related
from quotalint.checks.seldom.admission_requests import (
    CREATE,
    UPDATE,
    Request,
    labelled,
    request_of,
)
from quotalint.checks.seldom.admission_verdicts import OPEN, REFUSED, Bound, Judge, Verdict
from quotalint.facts import Facts
from quotalint.kube.admission_policies import GROUP, Target, Unseen, matched_operations
from quotalint.kube.fields import Body, mapping, strings, text
from quotalint.kube.objects import Object
from quotalint.kube.stored_objects import KINDS
from quotalint.workloads import makes_pods

_MUTATING = ("MutatingAdmissionPolicy", "MutatingWebhookConfiguration")


def denied_objects(facts: Facts) -> Iterator[Hit]:
    """The objects that a policy of the repository denies, and why others cannot be judged."""
    undecided: dict[tuple[int, str], list[Object]] = {}
    bounds = list(_bounds(facts))
    namespaces = {obj.name: obj for obj in facts.cluster.of("", "Namespace")}
    requests = [
        request
        for obj in (facts.cluster.objects if bounds else ())
        if (obj.group, obj.kind) in KINDS and obj.name and not obj.foreign
        if (request := request_of(obj, facts, namespaces.get(obj.namespace))) is not None
    ]
    installed = bool(bounds) and is_installed()
    mutating = [one for kind in _MUTATING for one in facts.cluster.of("admissionregistration.k8s.io", kind)]
    for index, bound in enumerate(bounds):
        judge = Judge(bound, facts) if installed else None
        for request in requests:
            operations = _operations(bound, request)
            if isinstance(operations, Unseen):
                undecided.setdefault((index, operations.reason), []).append(request.object)
                continue
            if not operations:
                continue
            if judge is None:
                reason = f"expressions need the engine of CEL, for Python 3.11 and later: `{INSTALL}`"
                undecided.setdefault((index, reason), []).append(request.object)
                continue
            verdicts = judge.verdicts(request, operations)
            refusals = [one for one, verdict in verdicts.items() if verdict.state == REFUSED]
            if refusals:
                yield _denial(bound, request, verdicts, refusals, bool(mutating))
                continue
            for verdict in verdicts.values():
                if verdict.state == OPEN:
                    undecided.setdefault((index, verdict.message), []).append(request.object)
                    break
        made = _whose_pods_match(bound, facts, namespaces)
        if made is not None:
            undecided.setdefault((index, _PODS), []).append(made)
    for (index, reason), objects in undecided.items():
        yield _open(bounds[index], reason, list({id(one): one for one in objects}.values()))


_PODS = "pods that controllers make are changed by other admission plugins before policies see them"


def _bounds(facts: Facts) -> Iterator[Bound]:
    """Each policy with each binding of it that makes somebody hear of a refusal."""
    policies = {obj.name: obj for obj in facts.cluster.of(GROUP, "ValidatingAdmissionPolicy")}
    for binding in facts.cluster.of(GROUP, "ValidatingAdmissionPolicyBinding"):
        policy = policies.get(text(binding.spec.get("policyName")))
        actions = strings(binding.spec.get("validationActions"))
        if policy is not None and {"Deny", "Warn"}.intersection(actions):
            yield Bound(policy, binding, actions)


def _operations(bound: Bound, request: Request) -> frozenset[str] | Unseen:
    policy = matched_operations(bound.policy.spec.get("matchConstraints"), request.target, False)
    binding = matched_operations(bound.binding.spec.get("matchResources"), request.target, True)
    both = [one for one in (policy, binding) if not isinstance(one, Unseen)]
    if any(not one for one in both):
        return frozenset()
    unseen = next((one for one in (policy, binding) if isinstance(one, Unseen)), None)
    if unseen is not None:
        return unseen
    found = frozenset((CREATE, UPDATE))
    for one in both:
        found &= one
    return found


def _denial(
    bound: Bound, request: Request, verdicts: Mapping[str, Verdict], refusals: Sequence[str], mutating: bool
) -> Hit:
    obj, first = request.object, verdicts[refusals[0]]
    denies = "Deny" in bound.actions
    variant = "warned" if not denies else "failing" if first.fails else "default"
    doubtful = first.fails or mutating or len(refusals) < len(verdicts) or CREATE not in refusals
    severity = "info" if not denies else "warning" if doubtful else ""
    values = {
        "kind": obj.kind,
        "name": obj.name,
        "policy": bound.policy.name,
        "binding": bound.binding.name,
        "message": first.message,
        "key": f"{bound.policy.name} {bound.binding.name} {first.number}",
        "detail": f"{bound.policy.name}/{first.number}",
    }
    notes = []
    if CREATE not in refusals:
        notes.append(Note("when", "every change of it is refused; its creation is not, as far as that is known"))
    elif len(refusals) < len(verdicts):
        notes.append(Note("when", "its creation is refused; a change of it is not, as far as that is known"))
    if mutating:
        notes.append(
            Note("sure?", "the repository has mutating webhooks or policies, which may change the object before")
        )
    place = bound.policy.at("spec", "validations", first.number)
    related = (Related("policy", place, f"ValidatingAdmissionPolicy {bound.policy.name}"),)
    guesses = tuple(dict.fromkeys((*obj.guesses, *bound.policy.guesses, *bound.binding.guesses)))
    return Hit(
        obj.place, values, obj, variant=variant, related=related, notes=tuple(notes), severity=severity, guesses=guesses
    )


def _open(bound: Bound, reason: str, objects: Sequence[Object]) -> Hit:
    """That several objects cannot be judged, for one reason."""
    first, more = objects[0], len(objects) - 1
    named = f"{first.kind} {first.name}" + (f" in {first.namespace}" if first.namespace else "")
    values = {
        "subject": named + (f" and {more} more" if more else ""),
        "policy": bound.policy.name,
        "binding": bound.binding.name,
        "reason": reason.rstrip("."),
        "key": f"{bound.policy.name} {bound.binding.name} {reason}",
    }
    policy = bound.policy
    owner = bound.binding if policy.foreign else policy
    related = (Related("for", first.place, named),) if not first.foreign else ()
    return Hit(owner.place, values, owner, variant=UNDECIDED, related=related)


def _whose_pods_match(bound: Bound, facts: Facts, namespaces: Mapping[str, Object]) -> Object | None:
    """A workload whose pods the policy is about, or may be."""
    for obj in facts.cluster.objects:
        if obj.foreign or obj.kind == "Pod" or not makes_pods(obj, facts.settings.workloads):
            continue
        labels = labelled(namespaces.get(obj.namespace))
        # The selector of objects looks at the labels of a template, wherever that stands: it is not asked.
        target = Target("", "v1", "pods", obj.namespace, "", {}, labels)
        bare = bound.policy._replace(body={**bound.policy.body, "spec": _without_object_selector(bound.policy.spec)})
        operations = _operations(bound._replace(policy=bare), Request(obj, target, {}, frozenset()))
        if isinstance(operations, Unseen) or CREATE in operations:
            return obj
    return None


def _without_object_selector(spec: Body) -> Body:
    constraints = mapping(spec.get("matchConstraints"))
    return {**spec, "matchConstraints": {**constraints, "objectSelector": None}}
