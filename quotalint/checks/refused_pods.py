"""Checks of workloads whose pods or claims are refused before sums are compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from quotalint.accounts.facts import Facts
from quotalint.admission import Admitted
from quotalint.admission.limit_ranger import Violation
from quotalint.checks.hit import EntryNeed, Hit, Note, Related, check, hook_notes
from quotalint.fixes.fix import Add, Edit, Fix
from quotalint.kube import quantity
from quotalint.kube.api_error import field_path
from quotalint.kube.fields import dig
from quotalint.kube.limit_range import LimitRange, LimitRangeItem
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.quantity import Quantity
from quotalint.quota.charges import Charge
from quotalint.quota.quotas import Quota
from quotalint.quota.refusals import is_deferred
from quotalint.text.place import Place
from quotalint.text.words import join_with_and
from quotalint.workloads.demand import SOLVING


@check("QL401", Charge)
def missing_compute_resource(charge: Charge, facts: Facts) -> Iterator[Hit]:
    pod = charge.admitted.item
    if not isinstance(pod, Pod):  # the common case
        return
    owner = charge.owner
    if owner is None or not is_ever_created(charge):
        return
    if is_deferred(charge, facts.settings.enforcement):
        return  # compute is checked when the pod is scheduled, and then a missing amount is zero
    for quota in facts.enforced.get(owner.namespace, ()):
        if not charge.matches(quota.requirements):
            continue
        missing = charge.evaluator.missing(pod, frozenset(quota.hard))
        if missing:
            missing = _never_written(missing, owner, facts)
        if missing:
            fix = default_limits_fix(missing, owner.namespace, facts)
            notes = (*_refused_defaults_notes(missing, owner.namespace, facts), *hook_notes(owner))
            hit = _missing_requests_hit(charge, owner, pod, quota, missing)
            # Policies that surely leave one of these containers alone change nothing about the refusal.
            is_sure = any(not _may_be_set(name, charge.admitted) for name in missing)
            yield hit._replace(fix=fix, notes=notes, entries=_NO_ENTRY if is_sure else tuple(missing))


_NO_ENTRY = ("",)


def _may_be_set(name: str, admitted: Admitted) -> bool:
    """Whether a policy that is not known in full may state this for a container that lacks it."""
    field, _, resource = name.rpartition(".")
    return any(item.for_all and item.path[-2:] == (field or "requests", resource) for item in admitted.unknowns)


@check("QL402", Charge)
def limit_range_violation(charge: Charge, facts: Facts) -> Iterator[Hit]:
    if not charge.admitted.violations:  # most have none
        return
    demand = charge.demand
    if demand.owner is None or demand.place is None or not is_ever_created(charge):
        return
    for violation in charge.admitted.violations:
        related = Related("limited by", violation.limit, f"LimitRange {violation.limit_range}")
        values = {
            "kind": demand.owner.kind,
            "name": demand.owner.name,
            "what": "pods" if demand.kind == "Pod" else "claims",
            "container": f"container {violation.container}: " if violation.container else "",
            "detail": violation.message,
            "limit_range": violation.limit_range,
            "bound": ".".join(map(str, violation.limit.path[-2:])),
        }
        notes = (
            *filled_notes(charge.admitted.item, violation.container),
            *_aggregated_note(charge, violation.limit_range),
            *hook_notes(demand.owner),
        )
        place = demand.place_of(*violation.path)
        field = field_path(place.path[len(demand.owner.place.path) :])
        variant = _owner_variant(charge, demand.owner)
        needs = tuple(_needs_outside(violation))
        resource = violation.limit.path[-1]
        entries = (f"requests.{resource}", f"limits.{resource}")
        hit = Hit(place, values, demand.owner, field, variant, (related,), notes, needs=needs, entries=entries)
        step = demand.size.step
        if step is not None and step.because == SOLVING:  # refused only while a certificate is renewed
            at = step.path
            field = ".".join(map(str, at)) if at[0] == "spec" else f"metadata.annotations[{at[-1]}]"
            hit = hit._replace(place=demand.owner.at(*at), field=field, variant="renewal", severity="warning")
        yield hit


def _needs_outside(violation: Violation) -> Iterator[EntryNeed]:
    """By how much an amount is above or below its bound."""
    amount, bound = violation.amount, violation.bound
    if amount is not None and bound is not None:
        name = str(violation.limit.path[-1])
        larger, smaller = (amount, bound) if amount.nano > bound.nano else (bound, amount)
        yield EntryNeed(name, larger, smaller)


def is_ever_created(charge: Charge) -> bool:
    """Whether the object will be created at some time as it is written; a CronJob is idle first."""
    demand, item = charge.demand, charge.admitted.item
    ended = isinstance(item, Pod) and item.finished
    return demand.size.numbers.peak + demand.number + demand.size.queued > 0 and not demand.grown and not ended


def _aggregated_note(charge: Charge, limit_range: str) -> Iterator[Note]:
    """A note if one LimitRange has several violations: the API server joins them into one message without duplicates
    (utilerrors.NewAggregate)."""
    own_messages = (
        violation.message for violation in charge.admitted.violations if violation.limit_range == limit_range
    )
    messages = tuple(dict.fromkeys(own_messages))
    if len(messages) > 1:
        yield Note("so", f"the API server says all of it at once: [{', '.join(messages)}]")


def _missing_requests_hit(
    charge: Charge, owner: Object, pod: Pod, quota: Quota, missing: Mapping[str, tuple[str, ...]]
) -> Hit:
    detail = "; ".join(f"{name} for: {','.join(containers)}" for name, containers in sorted(missing.items()))
    name, containers = sorted(missing.items())[0]
    values = {
        "kind": owner.kind,
        "name": owner.name,
        "quota": quota.name,
        "containers": ", ".join(sorted({container for listed in missing.values() for container in listed})),
        "resources": ", ".join(sorted(missing)),
        "detail": f"failed quota: {quota.enforced_as or quota.name}: must specify {detail}",
        "defaults": _default_entries(frozenset(missing)),
    }
    related = Related("demanded by", quota.entry(name), f"quota {quota.name} limits {name}")
    variant = _owner_variant(charge, owner)
    made_for = charge.demand.size.step
    if made_for is not None and made_for.path[-1] == "resources":  # a pod that no template describes
        at = field_path(made_for.path)
        return Hit(
            owner.at(*made_for.path),
            {**values, "step": made_for.because, "field": at},
            owner,
            at,
            "made",
            (related,),
            resource=name,
        )
    place = _container_place(charge, pod, containers[0])
    field = field_path(place.path[len(owner.place.path) :])
    if charge.demand.parts:
        variant, values["field"] = "stated", join_with_and(sorted(_missing_fields(charge, owner, pod, missing)))
    return Hit(place, values, owner, field, variant, (related,), resource=name)


def _missing_fields(charge: Charge, owner: Object, pod: Pod, missing: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """The fields of a custom object that would state what is missing."""
    for name, containers in missing.items():
        side, _, resource = name.rpartition(".")
        for container in pod.all_containers:
            if container.name in containers:
                place = charge.demand.place_of(*container.path, "resources", side or "requests", resource)
                yield f"`{field_path(place.path[len(owner.place.path) :])}`"


def _refused_defaults_notes(names: Iterable[str], namespace: str, facts: Facts) -> Iterator[Note]:
    """A note that a LimitRange would give all that is missing if it were valid."""
    for limits in facts.limit_ranges:
        if limits.namespace == namespace and facts.errors.get(limits.place):
            items = [item for item in limits.items if item.type == "Container"]
            requests = {name for item in items for name in item.stated_resources("defaultRequest")}
            given = {f"limits.{name}" for item in items for name in item.stated_resources("default")}
            if given.union(requests, (f"requests.{name}" for name in requests)).issuperset(names):
                yield Note("note", f"LimitRange {limits.name} would give these, but the API server refuses it (QL121)")


def _never_written(
    missing: Mapping[str, tuple[str, ...]], owner: Object, facts: Facts
) -> Mapping[str, tuple[str, ...]]:
    """The missing resources of containers, without those below an unknown field (`limit: {cpu: 1}`), which QL404
    reports."""
    misplaced = frozenset(_misplaced_names(owner, facts))
    if not misplaced:
        return missing
    lacking = {
        name: tuple(container for container in containers if (container, name.rpartition(".")[2]) not in misplaced)
        for name, containers in missing.items()
    }
    return {name: containers for name, containers in lacking.items() if containers}


def _misplaced_names(owner: Object, facts: Facts) -> Iterator[tuple[str, str]]:
    """Containers, and the names of amounts in unknown fields."""
    for admitted in facts.invalid.get(owner.identity, ()):
        template = admitted.demand.place
        if template is None:
            continue
        prefix = template.path[len(owner.place.path) :]
        for error in admitted.invalid:
            if error.decoding and error.detail.startswith("unknown"):
                written = dig(owner.body, *prefix, *error.path)
                names = written if isinstance(written, dict) else (error.path[-1],)
                yield from ((error.container, str(name)) for name in names)


def _owner_variant(charge: Charge, owner: Object) -> str:
    """`itself` if the refused object is the written one: a Pod or a claim."""
    return "itself" if owner.kind == charge.demand.kind else "default"


def _container_place(charge: Charge, pod: Pod, name: str) -> Place:
    path = next(container.path for container in pod.all_containers if container.name == name)
    return charge.demand.place_of(*path, "resources")


def _default_entries(names: frozenset[str]) -> str:
    """The LimitRange entries that would fill in what is missing: a default limit also becomes the request."""
    parts = []
    for resource in ("cpu", "memory"):
        if f"limits.{resource}" in names:
            parts.append(f"default.{resource}")
        elif resource in names or f"requests.{resource}" in names:
            parts.append(f"defaultRequest.{resource}")
    return join_with_and(parts)


def filled_notes(item: object, container: str) -> tuple[Note, ...]:
    """Notes on a container's requests and limits that are filled in, and by what; empty for a whole pod."""
    fields_by_plugin: dict[str, list[str]] = {}
    for filled in item.filled if isinstance(item, Pod) else ():
        if filled.container == container:
            fields_by_plugin.setdefault(filled.plugin, []).append(f"{filled.field}.{filled.resource}")
    return tuple(
        Note("note", f"{fields[0]} of {container} is not written: it comes from {plugin}")
        if len(fields) == 1
        else Note("note", f"{', '.join(fields)} of {container} are not written: they come from {plugin}")
        for plugin, fields in fields_by_plugin.items()
    )


# The fix for pods that must specify a request or limit: a default in the LimitRange of their namespace.
_AT_LEAST = {
    ("default", "cpu"): "500m",
    ("default", "memory"): "512Mi",
    ("defaultRequest", "cpu"): "100m",
    ("defaultRequest", "memory"): "128Mi",
}
"""The defaults if the needs of containers are unknown."""


def default_limits_fix(names: Iterable[str], namespace: str, facts: Facts) -> Fix:
    """A fix with defaults for what pods of a namespace must specify, in the only LimitRange for its containers."""
    wanted = _missing_defaults(frozenset(names))
    words = "give containers " + join_with_and([f"{field}.{resource}" for field, resource in wanted])
    container_items = [
        (limit_range, item)
        for limit_range in facts.limit_ranges
        if limit_range.namespace == namespace
        for item in limit_range.items
        if item.type == "Container"
    ]
    if len(container_items) != 1:
        many = "no" if not container_items else "more than one"
        reason = f"{many} LimitRange for containers in namespace {namespace} is in view"
        return Fix((), safe=False, words=words, obstacle=reason)
    ((limits, item),) = container_items
    reason = (
        "it is an object of the cluster, not of the repository"
        if limits.object.foreign
        else _ratio_obstacle(item, wanted)
    )
    edits = tuple(_default_edits(limits, item, wanted, facts))
    amounts = " and ".join(
        f"{edit.key}: {edit.value}" if not isinstance(edit.value, dict) else f"{edit.key}: {_amounts_text(edit.value)}"
        for edit in edits
        if isinstance(edit, Add)
    )
    return Fix(edits, safe=False, words=f"{words} in LimitRange {limits.name} ({amounts})", obstacle=reason)


def _amounts_text(value: dict[str, str]) -> str:
    return ", ".join(f"{key} {amount}" for key, amount in value.items())


def _missing_defaults(names: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """The missing defaults: a default limit is also the default request."""
    missing_defaults = []
    for resource in ("cpu", "memory"):
        if f"limits.{resource}" in names:
            missing_defaults.append(("default", resource))
        elif resource in names or f"requests.{resource}" in names:
            missing_defaults.append(("defaultRequest", resource))
    return tuple(missing_defaults)


def _ratio_obstacle(item: LimitRangeItem, wanted: Iterable[tuple[str, str]]) -> str:
    """Why a default would violate the LimitRange's ratio; empty if it does not."""
    resources = [resource for _, resource in wanted if resource in item.ratio]
    return f"its maxLimitRequestRatio for {resources[0]} leaves no room for a default" if resources else ""


def _default_edits(
    limits: LimitRange, item: LimitRangeItem, wanted: Iterable[tuple[str, str]], facts: Facts
) -> Iterator[Edit]:
    place = limits.object.at(*item.path)
    written = dig(limits.object.body, *item.path)
    new: dict[str, dict[str, str]] = {}
    for field, resource in wanted:
        value = _sufficient_amount(field, resource, item, limits.namespace, facts)
        if isinstance(dig(written, field), dict):
            yield Add(place.at(field), resource, quantity.show(value), size=value.nano)
        else:
            new.setdefault(field, {})[resource] = quantity.show(value)
    for field, amounts in new.items():
        yield Add(place, field, amounts, "type")


def _sufficient_amount(field: str, resource: str, item: LimitRangeItem, namespace: str, facts: Facts) -> Quantity:
    """An amount within the bounds of the LimitRange that covers every container of the namespace."""
    amounts = [quantity.parse(_AT_LEAST[field, resource])]
    if resource in item.min:
        amounts.append(item.min[resource])
    if field == "default":
        amounts += [item.default_request[resource]] if resource in item.default_request else []
        for charge in facts.charges.get(namespace, ()):
            pod = charge.admitted.item
            for container in pod.all_containers if isinstance(pod, Pod) else ():
                if resource in container.requests and resource not in container.limits:
                    amounts.append(container.requests[resource])
    largest = max((value for value in amounts if isinstance(value, Quantity)), key=lambda value: value.nano)
    most = item.max.get(resource) if field == "default" else item.default.get(resource, item.max.get(resource))
    return most if most is not None and most.nano < largest.nano else largest
