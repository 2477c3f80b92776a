"""The repository's ValidatingAdmissionPolicies, evaluated for the objects that it applies.

Source: Kubernetes 1.36, apiserver/pkg/admission/plugin/policy/validating/{dispatcher,validator}.go and
generic/policy_dispatcher.go (CollectParams).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from quotalint.accounts.facts import Facts
from quotalint.cel import INSTALL, is_installed
from quotalint.checks.hit import UNDECIDED, Hit, Note, Related
from quotalint.checks.lazy.admission_made import ADDED_LABELS, MADE, made_requests, maker_of
from quotalint.checks.lazy.admission_requests import (
    CREATE,
    UPDATE,
    AdmissionRequest,
    is_evaluated_for,
    plural_of,
    request_of,
)
from quotalint.checks.lazy.admission_verdicts import OPEN, REFUSED, AdmissionVerdict, Bound, PolicyJudge
from quotalint.kube.admission_policies import GROUP, UnseenFact, is_resource, matched_operations
from quotalint.kube.fields import mapping, sequence, strings, text
from quotalint.kube.label_selectors import selector_keys

_MUTATING = ("MutatingAdmissionPolicy", "MutatingWebhookConfiguration")


def denied_objects(facts: Facts) -> Iterator[Hit]:
    """The objects that a policy of the repository denies, including those that controllers would make; and why others
    cannot be judged."""
    bounds = list(_bound_policies(facts))
    if not bounds:
        return
    undecided: dict[tuple[int, str], list[AdmissionRequest]] = {}
    requests = _possible_requests(facts, bounds)
    installed = is_installed()
    mutating = any(facts.cluster.of(GROUP, kind) for kind in _MUTATING)
    changed_by_policies = {
        charge.owner.identity: tuple(guess for guesses in charge.admitted.guesses.values() for guess in guesses)
        for charges in facts.charges.values()
        for charge in charges
        if charge.owner is not None and charge.admitted.guesses
    }
    for index, bound in enumerate(bounds):
        judge = PolicyJudge(bound, facts) if installed else None
        denied: set[int] = set()
        for request in requests:
            operations, doubt = _matched_operations(bound, request)
            if not (operations or doubt) or (request.made and id(request.object) in denied):
                continue
            if judge is None:
                doubt = f"expressions need the engine of CEL, for Python 3.11 and later: `{INSTALL}`"
            if judge is None or not operations:
                undecided.setdefault((index, doubt), []).append(request)
                continue
            verdicts = judge.verdicts(request, operations)
            refusals = [operation for operation, verdict in verdicts.items() if verdict.state == REFUSED]
            if refusals and not doubt:
                if CREATE in refusals:
                    denied.add(id(request.object))
                hit = _denial_hit(bound, request, verdicts, refusals, mutating=mutating)
                changing = changed_by_policies.get(request.object.identity, ())
                yield hit._replace(guesses=tuple(dict.fromkeys((*hit.guesses, *changing))))
                continue
            open_reason = next((verdict.message for verdict in verdicts.values() if verdict.state == OPEN), None)
            if refusals or open_reason is not None:
                undecided.setdefault((index, doubt or open_reason or ""), []).append(request)
    for (index, reason), open_requests in undecided.items():
        yield _open_hit(bounds[index], reason, open_requests)


def _possible_requests(facts: Facts, bounds: Sequence[Bound]) -> list[AdmissionRequest]:
    """The requests that policies may match: for objects, then for objects that controllers make from them."""
    namespaces = {obj.name: obj for obj in facts.cluster.of("", "Namespace")}

    @cache
    def is_named(group: str, plural: str) -> bool:
        return any(_names_kind(bound, group, plural) for bound in bounds)

    requests = [
        request_of(obj, facts, namespaces.get(obj.namespace))
        for obj in facts.cluster.objects
        if obj.name and not obj.foreign and is_evaluated_for(obj) and is_named(obj.group, plural_of(obj, facts))
    ]
    plurals = {kind.plural for kind in MADE if is_named(kind.group, kind.plural)}
    return [*requests, *(made_requests(facts, namespaces, plurals) if plurals else ())]


def _names_kind(bound: Bound, group: str, plural: str) -> bool:
    rules = map(mapping, sequence(mapping(bound.policy.spec.get("matchConstraints")).get("resourceRules")))
    return any(
        {"*", group}.intersection(strings(rule.get("apiGroups")))
        and any(is_resource(resource, plural) for resource in strings(rule.get("resources")))
        for rule in rules
    )


def _bound_policies(facts: Facts) -> Iterator[Bound]:
    """Each policy with each of its bindings that reports a refusal (Deny or Warn)."""
    policies = {obj.name: obj for obj in facts.cluster.of(GROUP, "ValidatingAdmissionPolicy")}
    for binding in facts.cluster.of(GROUP, "ValidatingAdmissionPolicyBinding"):
        policy = policies.get(text(binding.spec.get("policyName")))
        actions = strings(binding.spec.get("validationActions"))
        if policy is not None and {"Deny", "Warn"}.intersection(actions):
            yield Bound(policy, binding, actions)


def _matched_operations(bound: Bound, request: AdmissionRequest) -> tuple[frozenset[str], str]:
    """The operations on an object that a policy matches, and why the match is uncertain."""
    constraints, resources = bound.policy.spec.get("matchConstraints"), bound.binding.spec.get("matchResources")
    possible = frozenset((CREATE,) if request.made else (CREATE, UPDATE))
    reason = ""
    for written, everything in ((constraints, False), (resources, True)):
        matched = matched_operations(written, request.target, everything=everything)
        if isinstance(matched, UnseenFact):
            possible, reason = possible & matched.operations, reason or matched.reason
        elif not matched & {CREATE, UPDATE}:
            return frozenset(), ""
        else:
            possible &= matched
    selectors = (mapping(written).get("objectSelector") for written in (constraints, resources))
    added = [key for selector in selectors for key in selector_keys(selector) if key in ADDED_LABELS]
    if request.made and added:
        return frozenset(), f"the label {added[0]}, which decides, is given to what controllers make"
    return possible, reason


def _denial_hit(
    bound: Bound,
    request: AdmissionRequest,
    verdicts: Mapping[str, AdmissionVerdict],
    refusals: Sequence[str],
    *,
    mutating: bool,
) -> Hit:
    obj, first = request.object, verdicts[refusals[0]]
    denies = "Deny" in bound.actions
    variant = "warned" if not denies else "failing" if first.fails else "default"
    unlisted = request.written is not None
    doubtful = first.fails or mutating or unlisted or len(refusals) < len(verdicts) or CREATE not in refusals
    severity = "info" if not denies else "warning" if doubtful else ""
    subject = request.subject
    values = {
        "subject": subject,
        "is": "are" if request.made else "is",
        "policy": bound.policy.name,
        "binding": bound.binding.name,
        "message": first.message,
        "key": f"{bound.policy.name} {bound.binding.name} {first.number}"
        + (f" {request.kind}" if request.made else ""),
        "detail": f"{bound.policy.name}/{first.number}",
    }
    notes = []
    if request.made and denies:
        notes.append(Note("so", f"applying {obj.kind} {obj.name} succeeds, and {maker_of(obj)} cannot create them"))
    if CREATE not in refusals:
        notes.append(Note("when", "every change of it is refused; its creation is not, as far as that is known"))
    elif len(refusals) < len(verdicts):
        notes.append(Note("when", "its creation is refused; a change of it is not, as far as that is known"))
    if mutating:
        notes.append(
            Note("sure?", "the repository has mutating webhooks or policies, which may change the object before")
        )
    if unlisted:
        notes.append(Note("sure?", f"what the API server fills in of {request.kind} by default is not known here"))
    place = bound.policy.at("spec", "validations", first.number)
    related = (Related("policy", place, f"ValidatingAdmissionPolicy {bound.policy.name}"),)
    guesses = tuple(dict.fromkeys((*obj.guesses, *bound.policy.guesses, *bound.binding.guesses)))
    return Hit(
        obj.place, values, obj, variant=variant, related=related, notes=tuple(notes), severity=severity, guesses=guesses
    )


def _open_hit(bound: Bound, reason: str, requests: Sequence[AdmissionRequest]) -> Hit:
    """One hit for several objects that cannot be judged for the same reason."""
    first = requests[0]
    namespace = first.object.namespace
    named = first.subject + (f" in {namespace}" if namespace else "")
    values = {
        "subject": named if len({request.subject for request in requests}) == 1 else "some of what it is about",
        "policy": bound.policy.name,
        "binding": bound.binding.name,
        "reason": reason.rstrip("."),
        "key": f"{bound.policy.name} {bound.binding.name} {reason}",
    }
    policy = bound.policy
    owner = bound.binding if policy.foreign else policy
    related = (Related("for", first.object.place, named),) if not first.object.foreign else ()
    return Hit(owner.place, values, owner, variant=UNDECIDED, related=related)
