"""Checks of temporary demand: scheduled runs, overlapping runs, and the maximum of an autoscaler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.accounts.facts import Facts
from quotalint.checks import quota_repairs
from quotalint.checks.exceeded.kept_objects import ended_runs_without_room
from quotalint.checks.exceeded.quota_words import number_words, share_words
from quotalint.checks.exceeded.sufficient_amounts import (
    SufficientAmount,
    amounts_of,
    raise_words,
    raised_to,
    sufficient_amounts,
)
from quotalint.checks.exceeded.temporary_needs import (
    entry_needs,
    exceeded_notes,
    excess_values,
    limited_by,
    unmet_excesses,
    usage_notes,
)
from quotalint.checks.hit import Hit, Note, Related, hook_notes
from quotalint.fixes.fix import Add, Edit, Fix, Replace
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.resources import alias
from quotalint.quota.excesses import Excess, steps_by_owner
from quotalint.quota.quotas import Quota
from quotalint.settings import Scenario
from quotalint.text.place import Path
from quotalint.workloads.autoscalers import MAXIMUM_PATHS
from quotalint.workloads.demand import RUN, SOLVING

_MAXIMUM: dict[str, Path] = {
    **MAXIMUM_PATHS,
    "ScaledJob": ("spec", "maxReplicaCount"),
    "VerticalPodAutoscaler": ("spec", "resourcePolicy"),
}


def maxima_without_room(quota: Quota, facts: Facts) -> Iterator[Hit]:
    charges = facts.charges_of(quota)
    excessive = tuple(unmet_excesses(quota, facts, facts.unmet_at_maximum, charges, Scenario.SCALED))
    least = sufficient_amounts(quota, facts) if excessive else {}
    for excess in excessive:
        demand = excess.charge.demand
        scaler = demand.size.scaler
        if scaler is None:
            continue
        path = _MAXIMUM.get(scaler.kind, ("spec",))
        wanted = demand.number + excess.more
        raised = raised_to(excess.needed, least, excess.needed)
        lower = _lower_maximum(excess, scaler, path)
        bound = _vertical_bound(excess, scaler)
        larger = "never" if bound == "minAllowed" and _is_one_too_large(excess) else "larger"
        # An entry that is full in the steady state stops all autoscalers alike.
        exceeded = {projection.name for projection in excess.exceeded if projection.quota is quota}
        full_entries = [
            name for name in excess.needed if name in exceeded or excess.used[name].nano >= quota.hard[name].nano
        ]
        yield Hit(
            scaler.at(*path),
            {
                **excess_values(excess),
                "scaler": f"{scaler.kind} {scaler.name}",
                "maximum": number_words(wanted, "Pod"),
                "obstacle": " ".join(full_entries) or f"{scaler.kind} {scaler.name}",
                **raise_words(raised),
                "heal": f"; or {lower.words}, so that nobody counts on more" if lower else "",
                "bound": bound,
            },
            scaler,
            ".".join(map(str, path)),
            variant=larger if demand.grown else "itself" if excess.owner is scaler else "default",
            related=(*limited_by(excess), *_scaled_workload(excess.owner, scaler)),
            notes=(
                *usage_notes(excess, facts),
                *_consequence_notes(excess, wanted),
                *exceeded_notes(quota, excess.exceeded),
            ),
            resource=next(iter(excess.needed)),
            needs=entry_needs(excess.quota, excess.needed),
            entries=tuple(excess.needed),
            fix=quota_repairs.raise_entries(quota, amounts_of(raised)),
            ways=(lower,) if lower else (),
        )


def _vertical_bound(excess: Excess, scaler: Object) -> str:
    """The field of a VerticalPodAutoscaler that makes pods too large: the minimum, if it has no maximum for the
    resource."""
    policies = map(mapping, sequence(dig(scaler.spec, "resourcePolicy", "containerPolicies")))
    resource = alias(next(iter(excess.needed))).rpartition(".")[2]
    return "maxAllowed" if any(resource in mapping(policy.get("maxAllowed")) for policy in policies) else "minAllowed"


def _is_one_too_large(excess: Excess) -> bool:
    """Whether a single pod is larger than the whole quota."""
    each = excess.charge.each
    return any(name in each and each[name].nano > excess.quota.hard[name].nano for name in excess.needed)


def _scaled_workload(owner: Object, scaler: Object) -> tuple[Related, ...]:
    return () if owner is scaler else (Related("scales", owner.place, f"{owner.kind} {owner.name}"),)


def _lower_maximum(excess: Excess, scaler: Object, path: Path) -> Fix | None:
    """The fix that lowers the maximum instead of raising the quota; None if even the steady state does not fit."""
    demand = excess.charge.demand
    if excess.exceeded or not excess.reached or path[-1] not in _NUMBERS:
        return None
    if excess.reached < demand.number:
        return None
    written = dig(scaler.body, *path)
    place = scaler.at(*path)
    edit: Edit = Replace(place, written, excess.reached)
    if written is None:
        edit = Add(scaler.at(*path[:-1]), str(path[-1]), excess.reached)
    return Fix((edit,), safe=False, words=f"set the maximum to {excess.reached}")


_NUMBERS = ("maxReplicas", "maxReplicaCount")


def _consequence_notes(excess: Excess, wanted: int) -> Iterator[Note]:
    demand = excess.charge.demand
    if excess.reached is None:
        return
    if demand.grown and excess.more == 1:
        yield Note("so", f"its pod does not fit at that size: {excess.message}")
    elif demand.grown:
        fit = "fits" if excess.fitting == 1 else "fit"
        yield Note("so", f"{excess.fitting} of its {excess.more} pods {fit} at that size: {excess.message}")
    else:
        stop = f"it stops at {excess.reached} of {number_words(wanted, demand.kind)}, just when the load calls for more"
        yield Note("so", f"{stop}: {excess.message}")


def runs_without_room(quota: Quota, facts: Facts) -> Iterator[Hit]:
    yield from ended_runs_without_room(quota, facts)
    charges = facts.charges_of(quota)
    run_steps = {owner: step for owner, step in steps_by_owner(charges).items() if step.kind == RUN}
    if not run_steps:
        return
    charges = tuple(charge for charge in charges if charge.owner is not None and charge.owner.identity in run_steps)
    excesses_of_runs = unmet_excesses(quota, facts, facts.unmet_runs, charges, Scenario.SURGE)
    excesses_of_overlaps = unmet_excesses(quota, facts, facts.unmet_overlapping_runs, charges, Scenario.PEAK)
    runs = {excess.owner.identity: excess for excess in excesses_of_runs}
    unmet_overlapping_runs = {excess.owner.identity: excess for excess in excesses_of_overlaps}
    excess_by_owner = unmet_overlapping_runs | runs
    least = sufficient_amounts(quota, facts) if excess_by_owner else {}
    for owner, excess in excess_by_owner.items():
        path = run_steps[owner].path
        variant, when = ("default", "of one run") if owner in runs else ("pile-up", "when its runs pile up")
        if run_steps[owner].because == SOLVING:
            variant, when = "renewal", "of a renewal"
        elif path[0] == "metadata":
            variant, when = "hook", "of this hook"
        notes = (
            *usage_notes(excess, facts),
            *_refusal_note(excess, when),
            *(hook_notes(excess.owner) if variant == "hook" else ()),
            *exceeded_notes(quota, excess.exceeded),
        )
        yield _run_hit(excess, path, variant, notes, least)


def _run_hit(
    excess: Excess, path: Path, variant: str, notes: tuple[Note, ...], least: Mapping[str, SufficientAmount]
) -> Hit:
    raised = raised_to(excess.needed, least, excess.needed)
    return Hit(
        excess.owner.at(*path),
        {**excess_values(excess), **raise_words(raised), "fewer": _fewer_jobs_words(excess.owner)},
        excess.owner,
        f"metadata.annotations[{path[-1]}]" if path[0] == "metadata" else ".".join(map(str, path)),
        variant=variant,
        severity="error" if variant == "hook" and not _is_before_install(excess.owner, path) else "",
        related=limited_by(excess),
        notes=notes,
        resource=next(iter(excess.needed)),
        needs=entry_needs(excess.quota, excess.needed),
        entries=tuple(excess.needed),
        fix=quota_repairs.raise_entries(excess.quota, amounts_of(raised)),
    )


def _fewer_jobs_words(owner: Object) -> str:
    """How a CronJob can keep fewer Jobs, without what it has already."""
    limits = "lower `successfulJobsHistoryLimit` and `failedJobsHistoryLimit`"
    if text(owner.spec.get("concurrencyPolicy")) in ("Forbid", "Replace"):
        return limits
    return f"`concurrencyPolicy: Forbid`, an `activeDeadlineSeconds` below the time between two runs, {limits}"


def _is_before_install(hook: Object, path: Path) -> bool:
    """Whether Helm runs a hook only before the first install; Argo CD runs it before each sync."""
    return text(dig(hook.body, *path)).strip() == "pre-install"


def _refusal_note(excess: Excess, when: str) -> Iterator[Note]:
    if excess.reached is None:
        return
    fates = ("stays Pending", "is refused") if excess.more == 1 else ("stay Pending", "are refused")
    of_all = share_words(excess.more - excess.fitting, excess.more, excess.charge.kind)
    yield Note("so", f"{of_all} {when} {fates[0] if excess.pending else fates[1]}: {excess.message}")
