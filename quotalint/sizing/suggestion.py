"""Deployed objects → quotas and LimitRanges that fit them. All checks run on the proposal, and an entry that is too
small is raised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from itertools import count

from quotalint.accounting import charges_in
from quotalint.accounts.facts import Facts
from quotalint.checks.lazy.capacity import promised_shares
from quotalint.fixes.fix import Fix, Replace
from quotalint.kube import quantity
from quotalint.kube.amounts import amount
from quotalint.kube.limit_range import limit_range
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.pipeline import Gathered, Result, judged
from quotalint.quota.quotas import quota
from quotalint.results.finding import Finding
from quotalint.sizing.bare import bare_namespaces, limited_names, probe, quota_object
from quotalint.sizing.containers import default_limits
from quotalint.sizing.entries import Sizing, needs_by_place, proposed_entries, sizable
from quotalint.sizing.proposed import (
    PROPOSED,
    LimitRangeProposal,
    Promised,
    Proposal,
    QuotaProposal,
    Unsized,
    is_inside,
)
from quotalint.sizing.size_choice import anchor_of, component_sizes, configured_sizes, with_sizes
from quotalint.text.place import Place
from quotalint.whatif.imagined import imagine_view, with_field

_ROUNDS = 4
"""The most rounds of checking and raising a proposal."""
_SUMS = ("QL301", "QL302", "QL303", "QL304")
_OF_NAMESPACES = ("QL4", "QL6", "QL502")


class _Plan(NamedTuple):
    """The state before any amount is chosen."""

    limit_ranges: tuple[LimitRangeProposal, ...]
    probes: tuple[tuple[str, Object], ...]
    """By environment."""
    notes: Mapping[tuple[str, str], tuple[str, ...]]
    """By environment and namespace."""
    nameless: tuple[Unsized, ...]


def suggest_quotas(of: Gathered, result: Result, by: Sizing, names: Sequence[str]) -> Proposal:
    """Quotas and LimitRanges for every environment, or for the namespaces that match one of the names (with `*`)."""
    plan = _plan_objects(result.environments, names)
    sized = judged_with(of, lambda _, obj: obj, _added_objects(plan.limit_ranges, plan.probes))
    raised: dict[Place, Quantity] = {}
    for _ in range(_ROUNDS):
        proposal = _proposal(plan, sized.environments, by._replace(raised=raised), names)
        after = _try_proposal(of, proposal)
        more = _lacking(after, proposal)
        more = {place: value for place, value in more.items() if value.nano > raised.get(place, quantity.ZERO).nano}
        if not more:
            break
        raised |= more
    return proposal._replace(
        promised=tuple(_promised_resources(after.environments)), left=tuple(_lines_left(after, result, proposal))
    )


def _promised_resources(environments: Sequence[Facts]) -> Iterator[Promised]:
    """Each resource with a configured capacity, and the sum that all quotas allow."""
    for facts in environments:
        for resource, room, needed, _ in promised_shares(facts):
            yield Promised(facts.environment, resource, needed, room.capacity, room.reserve)


def judged_with(of: Gathered, change: Callable[[str, Object], Object], added: Mapping[str, Sequence[Object]]) -> Result:
    """The findings if objects were changed and others added."""
    return judged(of._replace(seen=imagine_view(of.seen, change, added)))


def _plan_objects(environments: Sequence[Facts], names: Sequence[str]) -> _Plan:
    """The LimitRanges, and quotas for namespaces without one, before amounts are chosen."""
    documents = count()
    limit_ranges: list[LimitRangeProposal] = []
    probes: list[tuple[str, Object]] = []
    notes: dict[tuple[str, str], tuple[str, ...]] = {}
    nameless: list[Unsized] = []
    for facts in environments:
        without = {namespace: homeless for namespace, homeless in bare_namespaces(facts) if is_named(namespace, names)}
        bare = [namespace for namespace, homeless in without.items() if not homeless]
        nameless += [
            Unsized(facts.environment, namespace, "", (_HOMELESS,)) for namespace in without if namespace not in bare
        ]
        limited = [namespace for namespace in facts.enforced if namespace not in bare and is_named(namespace, names)]
        charged = {
            **facts.charges,
            **charges_in(facts, [namespace for namespace in bare if namespace not in facts.charges]),
        }
        have = {
            limit_range_.namespace
            for limit_range_ in facts.limit_ranges
            if any(item.type == "Container" for item in limit_range_.items)
        }
        mine = []
        for namespace in sorted({*bare, *limited} - have):
            limits_proposal = default_limits(facts.environment, namespace, charged.get(namespace, ()), next(documents))
            if limits_proposal is not None:
                mine.append(limits_proposal)
        limit_ranges += mine
        filled = facts._replace(
            limit_ranges=(*facts.limit_ranges, *(limit_range(proposal.object) for proposal in mine))
        )
        charged = dict(charges_in(filled, bare))
        for namespace in sorted(bare):
            limits, unlimited_names = limited_names(charged[namespace], facts.settings.required_limits)
            notes[facts.environment, namespace] = unlimited_names
            if limits:
                probes.append((facts.environment, probe(namespace, limits, next(documents))))
    return _Plan(tuple(limit_ranges), tuple(probes), notes, tuple(nameless))


_HOMELESS = "nothing names the namespace of its workloads; `namespaces:` in .quotalint.yaml does"


def is_named(namespace: str, names: Sequence[str]) -> bool:
    """Whether a namespace matches one of the names."""
    return not names or any(fnmatchcase(namespace, name) for name in names)


def _added_objects(
    limit_ranges: Sequence[LimitRangeProposal], quotas: Sequence[tuple[str, Object]]
) -> Mapping[str, Sequence[Object]]:
    by_environment: dict[str, list[Object]] = {}
    for environment, obj in (
        *((limit_range_.environment, limit_range_.object) for limit_range_ in limit_ranges),
        *quotas,
    ):
        by_environment.setdefault(environment, []).append(obj)
    return by_environment


def _proposal(plan: _Plan, environments: Sequence[Facts], by: Sizing, names: Sequence[str]) -> Proposal:
    components = component_sizes(environments[0])
    anchor = anchor_of(components, environments[0])
    needs = needs_by_place(environments, anchor)
    configured = configured_sizes(environments[0].settings)
    quotas: list[QuotaProposal] = []
    unsized = list(plan.nameless)
    for facts in environments:
        for sizable_quota in sizable(facts):
            if any(
                is_named(namespace, names) for namespace in (sizable_quota.namespaces or (sizable_quota.namespace,))
            ):
                new = sizable_quota.object.place.source == PROPOSED
                entries = proposed_entries(sizable_quota, needs, by, anchor, new=new)
                notes = plan.notes.get((facts.environment, sizable_quota.namespace), ()) if new else ()
                quotas.append(QuotaProposal(facts.environment, sizable_quota, new, entries, notes=notes))
    quotas = list(with_sizes(quotas, configured, components, by, environments[0]))
    known_proposals = []
    for proposed_quota in quotas:
        has_needs = any(entry.needed is not None for entry in proposed_quota.entries)
        if proposed_quota.new:
            proposed_quota = _with_proposed_hard(proposed_quota)
        if has_needs and (proposed_quota.entries or not proposed_quota.new):
            known_proposals.append(proposed_quota)
        else:
            name = "" if proposed_quota.new else proposed_quota.quota.name
            unsized.append(
                Unsized(proposed_quota.environment, proposed_quota.quota.namespace, name, _reasons(proposed_quota))
            )
    unsized += [
        Unsized(
            facts.environment,
            own_quota.namespace,
            own_quota.name,
            ("the API server refuses it: `quotalint check` says why",),
        )
        for facts in environments
        for own_quota in facts.quotas
        if facts.is_rejected(own_quota) and not own_quota.object.foreign and is_named(own_quota.namespace, names)
    ]
    return Proposal(tuple(known_proposals), plan.limit_ranges, tuple(unsized))


def _reasons(quota_proposal: QuotaProposal) -> tuple[str, ...]:
    reasons = Counter(reason for entry in quota_proposal.entries for reason in entry.reasons)
    return tuple(reason for reason, _ in reasons.most_common()) or tuple(
        dict.fromkeys(entry.because for entry in quota_proposal.entries)
    )


def _with_proposed_hard(quota_proposal: QuotaProposal) -> QuotaProposal:
    """The proposal of a new quota with the proposed amounts in its `hard`, without entries that nothing needs."""
    entries = tuple(entry for entry in quota_proposal.entries if entry.after is not None)
    hard = {entry.name: quantity.show(entry.after) for entry in entries if entry.after is not None}
    obj = quota_object(quota_proposal.quota.namespace, hard, quota_proposal.quota.object.place.document)
    return quota_proposal._replace(quota=quota(obj), entries=entries)


def _try_proposal(of: Gathered, proposal: Proposal) -> Result:
    """The findings if the whole proposal were written."""
    by_object: dict[tuple[str, object, Place], list[QuotaProposal]] = {}
    for quota_proposal in proposal.quotas:
        obj = quota_proposal.quota.object
        by_object.setdefault((quota_proposal.environment, obj.ref, obj.place), []).append(quota_proposal)
    return judged_with(
        of,
        partial(_edit_quota, by_object),
        _added_objects(
            proposal.limit_ranges,
            [
                (quota_proposal.environment, quota_proposal.quota.object)
                for quota_proposal in proposal.quotas
                if quota_proposal.new
            ],
        ),
    )


def _edit_quota(
    by_object: Mapping[tuple[str, object, Place], Sequence[QuotaProposal]], environment: str, obj: Object
) -> Object:
    for quota_proposal in by_object.get((environment, obj.ref, obj.place), ()):
        for entry in quota_proposal.entries:
            way = quota_proposal.quota.way(entry.name)
            # An annotation of Rancher holds all amounts in one text.
            if entry.changes and entry.after is not None and not is_inside(quota_proposal.quota, entry.name):
                obj = obj._replace(body=with_field(obj.body, way, quantity.show(entry.after)))
    return obj


def _lacking(after: Result, proposal: Proposal) -> Mapping[Place, Quantity]:
    """The amounts that entries would need according to the remaining findings, by their places."""
    sized = {
        quota_proposal.quota.entry(entry.name).real
        for quota_proposal in proposal.quotas
        for entry in quota_proposal.entries
        if entry.needed
    }
    lacking: dict[Place, Quantity] = {}
    for finding in after.findings:
        if finding.rule.id in _SUMS and finding.fix is not None and not finding.suppressed:
            for place, value in _amounts(finding.fix):
                if place in sized and value.nano > lacking.get(place, quantity.ZERO).nano:
                    lacking[place] = value
    return lacking


def _amounts(fix: Fix) -> Iterator[tuple[Place, Quantity]]:
    for edit in fix.edits:
        value = amount(edit.after) if isinstance(edit, Replace) else None
        if isinstance(value, Quantity):
            yield edit.place.real, value


def _lines_left(after: Result, before: Result, proposal: Proposal) -> Iterator[str]:
    """The findings that remain for the proposed quotas, or that they cause."""
    there = {_subject(finding) for finding in before.findings}
    sized = {
        (quota_proposal.environment, member, quota_proposal.quota.name)
        for quota_proposal in proposal.quotas
        for member in (quota_proposal.quota.namespaces or (quota_proposal.quota.namespace,))
    }
    for finding in after.findings:
        still = finding.rule.id in _SUMS and _is_about(finding, sized)
        comes = finding.rule.id.startswith(_OF_NAMESPACES) and _subject(finding) not in there
        if not finding.suppressed and (still or comes):
            yield f"{finding.rule.id} {finding.message}"


def _subject(finding: Finding) -> tuple[str, ...]:
    """The subject of a finding, without amounts."""
    return (
        finding.rule.id,
        finding.file,
        finding.namespace,
        finding.field,
        finding.object.name if finding.object is not None else "",
    )


def _is_about(finding: Finding, sized: set[tuple[str, str, str]]) -> bool:
    name = finding.object.name if finding.object is not None else ""
    environments = finding.environments or ("",)
    return any((environment, finding.namespace, name) in sized for environment in environments)
