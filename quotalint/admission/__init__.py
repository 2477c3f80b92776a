"""Admission: what the API server changes and refuses in a pod or claim before its charge, in its order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from quotalint.admission import limit_ranger, plugins, runtime_class
from quotalint.admission.limit_ranger import Violation, least_filled, other_orders
from quotalint.admission.plugins import Plugins
from quotalint.kube import claim as claims
from quotalint.kube import kinds
from quotalint.kube import pod as pods
from quotalint.kube.amounts import UnknownAmount, is_stand_in
from quotalint.kube.api_error import field_path
from quotalint.kube.claim import Claim, device_claim
from quotalint.kube.controller_validation import controller_errors
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.guess import Guess
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.pod_names_validation import name_errors
from quotalint.kube.pod_resources import with_default_requests
from quotalint.kube.pod_spec_validation import spec_errors
from quotalint.kube.pod_validation import Invalid, decoding_errors, pod_errors
from quotalint.kube.releases import KubernetesRelease
from quotalint.kube.workload_validation import workload_errors
from quotalint.named_tuples import NamedTuple
from quotalint.workloads.demand import Demand

if TYPE_CHECKING:
    from quotalint.admission.pod_security import Forbidden


class Admitted(NamedTuple):
    """A demand with its object as the API server would store it."""

    demand: Demand
    item: object
    """A Pod, a Claim, or the body of any other kind."""
    violations: tuple[Violation, ...] = ()
    """Why LimitRanger refuses the object."""
    unknowns: tuple[UnknownAmount, ...] = ()
    invalid: tuple[Invalid, ...] = ()
    """Why validation refuses the object."""
    as_written: bool = False
    """The API server refuses the manifest that contains the template, so no pod is created."""
    guesses: Mapping[str, tuple[Guess, ...]] = MappingProxyType({})
    """Policies that change it, or why it may be refused although it is counted, by the entry of `hard` that they
    concern; the empty name stands for all entries."""
    forbidden: Forbidden | None = None
    """Why Pod Security refuses the pod."""
    missing_class: str = ""
    """The PriorityClass of the pod if it is not in view."""
    is_forbidden: bool = False
    """Whether one of these two certainly refuses it, so that nothing is charged."""

    def guesses_about(self, name: str) -> tuple[Guess, ...]:
        """The guesses behind what it is charged to an entry of `hard`."""
        return (*self.guesses.get(name, ()), *self.guesses.get("", ())) if self.guesses else ()

    @property
    def is_refused(self) -> bool:
        """Whether the object is certainly refused, whatever its namespace has room for."""
        return bool(self.invalid) or self.is_forbidden

    @property
    def has_faults(self) -> bool:
        """Whether the object is refused, or may be."""
        return bool(self.invalid or self.forbidden or self.missing_class)


STEPS: tuple[Callable[[Pod, Plugins], Pod], ...] = (
    lambda pod, _: with_default_requests(pod),
    lambda pod, by: limit_ranger.fill_limits(pod, by.limit_ranges),
    lambda pod, by: plugins.fill_priority(pod, by.default_priority_class),
    lambda pod, by: runtime_class.fill_overhead(pod, by.overheads),
)
"""The order matters: the request of a container with a limit is set before LimitRanger."""


def template_errors(
    demand: Demand, pod: Pod, other_errors: tuple[Invalid, ...], release: KubernetesRelease
) -> tuple[Invalid, ...]:
    """Why the API server refuses the manifest that contains a pod template; `other_errors` do not concern amounts.
    Custom resources have no known template, so only their pods are refused."""
    owner = demand.owner
    if owner is None or demand.grown or kinds.by_kind(owner.group, owner.kind) is None:
        return ()
    unreadable = tuple(
        Invalid(field_path(unknown.path, keyed=_KEYED), unknown.path, unknown.unreadable, "", decoding=True)
        for unknown in pod.unknowns
        if unknown.unreadable
    )
    undecoded = (*unreadable, *decoding_errors(demand.body))
    # A manifest that does not decode is not validated, and a Pod is defaulted before validation.
    if undecoded or (owner.group, owner.kind) == ("", "Pod"):
        return undecoded
    # A snapshot's objects were accepted, and the snapshot may omit fields.
    with_workload = () if owner.foreign else _workload_errors(owner, demand.body)
    # ValidatePodTemplateSpecForStatefulSet
    is_validated = owner.kind != "StatefulSet" or release.stateful_set_templates
    return (*with_workload, *pod_errors(pod), *other_errors) if is_validated else with_workload


def _workload_errors(owner: Object, template: Body) -> tuple[Invalid, ...]:
    """The errors of a workload outside its template, and those between the workload and its template."""
    if (owner.group, owner.version) == ("apps", "v1beta1"):
        return ()  # without a written selector, the labels of the template are used
    controller_faults = controller_errors(owner.group, owner.kind, owner.body)
    return (*controller_faults, *workload_errors(owner.group, owner.kind, owner.spec, template))


def _name_errors(demand: Demand, release: KubernetesRelease) -> tuple[Invalid, ...]:
    """The wrong names in a pod or template, for built-in kinds."""
    owner = demand.owner
    if owner is None or owner.foreign or demand.grown or kinds.by_kind(owner.group, owner.kind) is None:
        return ()
    # Webhooks may add volumes to pods. A workload without a selector may be a patch for one with volumes.
    has_all_volumes = owner.kind != "Pod" and (owner.group != "apps" or "selector" in owner.spec)
    replaced: tuple[str, ...] = ()
    if owner.kind == "StatefulSet":
        templates = sequence(owner.spec.get("volumeClaimTemplates"))
        replaced = tuple(text(dig(claim, "metadata", "name")) for claim in templates)
        is_known = release.stateful_set_templates and all(replaced) and not any(map(is_stand_in, replaced))
        has_all_volumes = has_all_volumes and is_known
    return tuple(name_errors(mapping(demand.body.get("spec")), has_all_volumes=has_all_volumes, replaced=replaced))


_KEYED = ("limits", "requests")
_POD, _CLAIM = ("", "Pod"), ("", "PersistentVolumeClaim")
_DEVICE_CLAIM = ("resource.k8s.io", "ResourceClaim")


def _is_live(demand: Demand) -> bool:
    """Whether a snapshot shows the pod: it was created, even if its class has changed since."""
    owner = demand.owner
    return owner is not None and owner.foreign and (owner.group, owner.kind) == _POD


def admit_demand(demand: Demand, by: Plugins) -> Admitted:
    """The demand after everything that changes or refuses it before quotas are checked."""
    kind = demand.group, demand.kind
    if kind == _POD:
        unfilled_pod = _read_pod(demand.body, by)
        other_errors = (*spec_errors(demand.body, by.release), *_name_errors(demand, by.release))
        refused = template_errors(demand, unfilled_pod, other_errors, by.release)
        pod = _with_defaults(unfilled_pod, by)
        if len(by.limit_ranges) > 1 and (pod.filled or pod.unknowns) and not refused:
            pod = _pod_in_every_order(unfilled_pod, pod, by)
        guesses: Mapping[str, tuple[Guess, ...]] = {}
        unknowns = demand.unknowns
        if by.policies is not None and demand.owner is not None and not (_is_live(demand) or pod.finished):
            from quotalint.admission.policies import changed_pod

            changed = changed_pod(
                demand.owner, demand.body, pod, by.policies, lambda body: _with_defaults(_read_pod(body, by), by)
            )
            if changed is not None:
                pod, effect = changed
                guesses, unknowns = effect.guesses, (*unknowns, *effect.unknowns)
        violations = limit_ranger.pod_violations(pod, by.limit_ranges)
        invalid = (
            refused
            or (*pod_errors(pod), *other_errors)
            or (() if _is_live(demand) else _plugin_errors(demand.body, unfilled_pod, pod, by))
        )
        unknowns = (*pod.unknowns, *unknowns)
        admitted = Admitted(demand, pod, violations, unknowns, invalid, bool(refused), guesses)
        return admitted if refused else _with_refusals(admitted, pod, by)
    if kind == _CLAIM:
        claim: Claim = plugins.fill_class(claims.claim(demand.body), by.default_storage_class)
        violations = limit_ranger.claim_violations(claim, by.limit_ranges)
        return Admitted(demand, claim, violations, claim.unknowns)
    if kind == _DEVICE_CLAIM:
        devices = device_claim(demand.body, by.extended_names)
        return Admitted(demand, devices, (), (*devices.unknowns, *demand.unknowns))
    return Admitted(demand, demand.body)


def _read_pod(body: Body, by: Plugins) -> Pod:
    return pods.pod(body, pod_level_resources=by.release.pod_level_resources, sidecars=by.release.sidecars)


def _with_defaults(pod: Pod, by: Plugins) -> Pod:
    """The pod after all that sets defaults. It is called again for a pod that policies have changed."""
    for step in STEPS:
        pod = step(pod, by)
    return pod


def _with_refusals(admitted: Admitted, pod: Pod, by: Plugins) -> Admitted:
    """The pod with what Pod Security and the plugin Priority say of it."""
    owner = admitted.demand.owner
    missing = "" if owner is None or owner.foreign else plugins.missing_class(pod, by)
    if by.enforced is None and not missing:  # the common case
        return admitted
    forbidden = _pod_security_refusal(admitted.demand, by)
    refusals = [forbidden.guesses] if forbidden is not None else []
    refusals += [plugins.class_doubts(missing, by)] if missing else []
    admitted = admitted._replace(forbidden=forbidden, missing_class=missing)
    if not all(refusals):  # one of them is certain
        return admitted._replace(is_forbidden=True, unknowns=(), guesses={})
    doubts = dict.fromkeys(guess for guesses in (admitted.guesses.get("", ()), *refusals) for guess in guesses)
    return admitted._replace(guesses={**admitted.guesses, "": tuple(doubts)}) if doubts else admitted


def _pod_security_refusal(demand: Demand, by: Plugins) -> Forbidden | None:
    if by.enforced is None:
        return None
    from quotalint.admission.pod_security import forbidden

    return forbidden(demand, by.enforced)


def _plugin_errors(body: Body, unfilled_pod: Pod, pod: Pod, by: Plugins) -> tuple[Invalid, ...]:
    """Why admission plugins refuse a pod that sets fields which its classes decide."""
    return (
        *plugins.priority_errors(body, by.priorities.get(pod.priority_class)),
        *runtime_class.overhead_errors(body, unfilled_pod, by.overheads),
        *runtime_class.selector_errors(body, by.node_selectors.get(pod.runtime_class)),
    )


def _pod_in_every_order(unfilled_pod: Pod, pod: Pod, by: Plugins) -> Pod:
    """The pod after LimitRanges in every possible order. If any order is valid, only valid orders count, and what
    differs between them is unknown."""
    filled = [pod]
    for order in other_orders(by.limit_ranges):
        other = unfilled_pod
        for step in STEPS:
            other = step(other, by._replace(limit_ranges=order))
        filled.append(other)
    valid = [other for other in filled if not pod_errors(other)]
    allowed = [other for other in valid if not limit_ranger.pod_violations(other, by.limit_ranges)]
    return least_filled(allowed) if allowed else (valid or filled)[0]
