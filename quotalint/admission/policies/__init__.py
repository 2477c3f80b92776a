"""Policies that change objects before their quota is checked: what they set, for the objects that they match.

The API server calls them in this order: MutatingAdmissionPolicies, then webhooks by the names of their configurations
(Kubernetes 1.34, pkg/kubeapiserver/options/plugins.go; plugin/webhook/mutating/dispatcher.go). The defaults of
LimitRanges are set before. Whether the engine of a policy runs here is not known, so all that it sets is assumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from types import ModuleType

from quotalint.admission.policies import expressions, gatekeeper, kyverno, resource_override
from quotalint.admission.policies.kyverno_match import GROUP as KYVERNO_GROUP
from quotalint.admission.policies.kyverno_match import POLICIES as KYVERNO_POLICIES
from quotalint.admission.policies.target import Target
from quotalint.kube import quantity
from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import Body, dig, mapping, sequence
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object
from quotalint.kube.pod import Filled, Pod
from quotalint.named_tuples import NamedTuple

_ENGINES: Mapping[tuple[str, str], ModuleType] = {
    expressions.MUTATING_POLICY: expressions,
    resource_override.OVERRIDE: resource_override,
    gatekeeper.ASSIGN: gatekeeper,
    **dict.fromkeys(KYVERNO_POLICIES, kyverno),
    **dict.fromkeys(expressions.KYVERNO, expressions),
    expressions.WEBHOOK: expressions,
}
"""The module that reads each kind of policy, in the order of their calls."""
_CONDITIONS = (expressions.BINDING, gatekeeper.CONFIG, (KYVERNO_GROUP, "PolicyException"))
_NAMESPACES = (("", "Namespace"), ("project.openshift.io", "Project"))


class Policies(NamedTuple):
    """The policies of a cluster that set amounts or replicas."""

    policies: tuple[Object, ...]
    conditions: tuple[Object, ...]
    """Bindings, exceptions and configurations, which say where policies apply."""
    namespaces: Mapping[str, Body]
    """The labels of each Namespace in view."""


class Effect(NamedTuple):
    """What policies do to an object."""

    body: Body
    guesses: Mapping[str, tuple[Guess, ...]]
    """The policies, by the entries of `hard` that they change; the empty name stands for all entries."""
    unknowns: tuple[UnknownAmount, ...]
    """The amounts that they may set, not known here."""
    names: Mapping[str, str]
    """The policy that set the amounts of an entry, if what it sets is known."""


def read_policies(cluster: Cluster) -> Policies | None:
    """The policies of a cluster that set amounts or replicas; None if there are none."""
    setting = [
        obj
        for kind, engine in _ENGINES.items()
        for obj in sorted(cluster.of(*kind), key=lambda obj: obj.name)
        if engine.sets_amounts(obj)
    ]
    if not setting:
        return None
    conditions = tuple(obj for kind in _CONDITIONS for obj in cluster.of(*kind))
    described = [obj for kind in _NAMESPACES for obj in cluster.of(*kind)]
    described += [obj for obj in cluster.live if (obj.group, obj.kind) in _NAMESPACES]
    labels: dict[str, Body] = {}
    for obj in described:
        labels[obj.name] = {**mapping(obj.metadata.get("labels")), **labels.get(obj.name, {})}
    return Policies(tuple(setting), conditions, labels)


def _effect_on(target: Target, by: Policies) -> Effect | None:
    """What policies do to an object when it is created; None if nothing."""
    guesses: dict[str, dict[Guess, None]] = {}
    unknowns: dict[UnknownAmount, None] = {}
    names: dict[str, str] = {}
    for policy in by.policies:
        for change in _ENGINES[policy.group, policy.kind].changes(policy, target, by.conditions):
            guess = _guess_of(policy, is_known=change.body is not None)
            for entry in change.entries:
                guesses.setdefault(entry, {})[guess] = None
            if change.body is None:
                unknowns |= dict.fromkeys(_unknown_amounts(policy, change.entries))
            else:
                target = target._replace(body=change.body)
                names |= dict.fromkeys(change.entries, f"{policy.kind} {policy.name}")
    if not guesses:
        return None
    return Effect(target.body, {entry: tuple(found) for entry, found in guesses.items()}, tuple(unknowns), names)


def _guess_of(policy: Object, *, is_known: bool) -> Guess:
    named = f"{policy.kind} {policy.name}"
    if is_known:
        reason = f"{named} sets amounts before the quota is checked, and these are counted"
    else:
        reason = f"{named} may set amounts before the quota is checked, and what it sets is not known here"
    return Guess(CONTENT, reason, "write in the manifests what it sets")


def _unknown_amounts(policy: Object, entries: Set[str]) -> Iterator[UnknownAmount]:
    named = f"{policy.kind} {policy.name}"
    for entry in sorted(entries - {""}):
        field, _, resource = entry.partition(".")
        if field in ("requests", "limits"):
            reason = f"{named} may set the {field} of pods, and what it sets is not known here"
            yield UnknownAmount(
                ("spec", "containers", "*", "resources", field, resource), f"may be set by {named}", for_all=reason
            )


def changed_member(obj: Object, by: Policies) -> Effect | None:
    """What policies do to a workload when it is applied."""
    if obj.foreign or (obj.group, obj.kind) == ("", "Pod"):
        return None
    return _effect_on(_target(obj, (obj.group, obj.version, obj.kind), obj.name, obj.body, by), by)


def _target(owner: Object, kind: tuple[str, str, str], name: str, body: Body, by: Policies) -> Target:
    return Target(*kind, owner.namespace, name, body, by.namespaces.get(owner.namespace))


def changed_pod(
    owner: Object, body: Body, pod: Pod, by: Policies, read_again: Callable[[Body], Pod]
) -> tuple[Pod, Effect] | None:
    """A pod with the defaults of its namespace after policies have changed it, and what they did. `read_again` reads
    the changed body and sets the defaults that are still missing."""
    is_bare = (owner.group, owner.kind) == ("", "Pod")
    name = owner.name if is_bare else f"{owner.name}-"
    defaulted = _with_amounts(body, pod)
    effect = _effect_on(_target(owner, ("", "v1", "Pod"), name, defaulted, by), by)
    if effect is None:
        return None
    if effect.body is defaulted:
        return pod, effect
    changed = read_again(effect.body)
    set_by_policies = tuple(_filled_amounts(pod, changed, effect))
    return changed._replace(filled=(*pod.filled, *set_by_policies, *changed.filled)), effect


def _with_amounts(body: Body, pod: Pod) -> Body:
    """The body of a pod with the requests and limits of its containers as they are after defaults."""
    if not pod.filled and all(set(container.limits) <= set(container.requests) for container in pod.all_containers):
        defaults = any(
            set(container.requests) - set(mapping(dig(body, *container.path, "resources", "requests")))
            for container in pod.all_containers
        )
        if not defaults:
            return body
    spec = dict(mapping(body.get("spec")))
    for field, containers in (("containers", pod.containers), ("initContainers", pod.init_containers)):
        items = [*sequence(spec.get(field))]
        for container in containers:
            index = int(container.path[-1])
            item = mapping(items[index])
            resources = mapping(item.get("resources"))
            listed = {
                name: {**{key: quantity.show(amount) for key, amount in known.items()}, **mapping(resources.get(name))}
                for name, known in (("requests", container.requests), ("limits", container.limits))
            }
            items[index] = {**item, "resources": {**resources, **{k: v for k, v in listed.items() if v}}}
        if items:
            spec[field] = items
    return {**body, "spec": spec}


def _filled_amounts(before: Pod, after: Pod, effect: Effect) -> Iterator[Filled]:
    """The amounts that were not written and that policies set."""
    filled = {(item.container, item.field, item.resource) for item in after.filled}
    olds = {container.path: container for container in before.all_containers}
    for container in after.all_containers:
        old = olds.get(container.path)
        for field, now, then in (
            ("requests", container.requests, old.requests if old else {}),
            ("limits", container.limits, old.limits if old else {}),
        ):
            for resource in now.keys() - then.keys():
                plugin = effect.names.get(f"{field}.{resource}")
                if plugin and (container.name, field, resource) not in filled:
                    yield Filled(container.name, field, resource, plugin)
