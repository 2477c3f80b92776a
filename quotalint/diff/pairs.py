"""Pairs of environments and quotas of two states."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from typing import TypeVar

from quotalint.accounting import beside_earlier
from quotalint.accounts.facts import Facts
from quotalint.checks.changed_claims import CLAIM, SET, is_update_refused
from quotalint.kube.objects import Object, Ref
from quotalint.quota.quotas import Quota

_T = TypeVar("_T")
Pairs = list[tuple[_T | None, _T | None]]


def pair_environments(before: Sequence[Facts], after: Sequence[Facts]) -> Pairs[Facts]:
    """The environments of two states, by name. If one state has a single environment, which may have no name, it is
    paired with the environment that has the most in common with it."""
    matches = match_by_keys(before, after, (lambda facts: facts.environment,))
    if 1 not in (len(before), len(after)):
        return matches
    lost = [old for old, new in matches if new is None and old is not None]
    come = [new for old, new in matches if old is None and new is not None]
    if not lost or not come:
        return matches
    old, new = max(((old, new) for old in lost for new in come), key=lambda pair: _in_common(*pair))
    return [(old, new), *(pair for pair in matches if old not in pair and new not in pair)]


def with_before(before: Sequence[Facts], after: Sequence[Facts]) -> tuple[Facts, ...]:
    """The facts of the head, with the quotas of the base and with what was admitted there."""
    olds = {
        new.environment: old
        for old, new in pair_environments(before, after)
        if old is not None and new is not None and not _may_be_another(old, new, before, after)
    }
    return tuple(_following_facts(new, olds.get(new.environment)) for new in after)


def _may_be_another(old: Facts, new: Facts, before: Sequence[Facts], after: Sequence[Facts]) -> bool:
    """Whether environments were renamed and another pair has as much in common, so that the earlier one is unknown."""
    if old.environment == new.environment:
        return False
    in_common = _in_common(old, new)
    names_before, names_after = ({facts.environment for facts in state} for state in (before, after))
    lost = [other for other in before if other is not old and other.environment not in names_after]
    come = [other for other in after if other is not new and other.environment not in names_before]
    rivals = (*((other, new) for other in lost), *((old, other) for other in come))
    return any(_in_common(*rival) >= in_common for rival in rivals)


def _following_facts(after: Facts, before: Facts | None) -> Facts:
    if before is None:
        return after
    claims = _claims_of(before)
    facts = beside_earlier(after, before, _refused_updates(claims, after))
    return facts._replace(before=_accepted_quotas(before), claims_before=claims, object_before=_finder_of(before))


def objects_by_ref(facts: Facts | None) -> Mapping[Ref, Object]:
    """The objects of an environment by reference; empty without an environment."""
    return {obj.ref: obj for obj in facts.cluster.objects} if facts is not None else {}


def _finder_of(facts: Facts) -> Callable[[Ref], Object | None]:
    """Finds an object of an environment by its reference; all are indexed on first use."""
    index = cache(lambda: objects_by_ref(facts))
    return lambda ref: index().get(ref)


def _refused_updates(claims: Mapping[Ref, Object], after: Facts) -> frozenset[Ref]:
    """The claims and StatefulSets that stay as they were, because the API server refuses their update."""
    objects = (obj for kind in (CLAIM, SET) for obj in after.cluster.of(*kind))
    return frozenset(obj.ref for obj in objects if obj.ref in claims and is_update_refused(claims[obj.ref], obj, after))


def moved_refs(
    before: frozenset[Ref], after: frozenset[Ref], namespaces: tuple[tuple[str, ...], tuple[str, ...]] | None
) -> frozenset[Ref]:
    """The objects that moved to another namespace together with a quota, by their names in both states; `namespaces`:
    those of the quota in each."""
    if namespaces is None or namespaces[0] == namespaces[1] or len(namespaces[0]) != 1 or len(namespaces[1]) != 1:
        return frozenset()
    (left,), (entered,) = namespaces
    moved = {ref for ref in before if ref.namespace == left and ref._replace(namespace=entered) in after}
    return frozenset((*moved, *(ref._replace(namespace=entered) for ref in moved)))


def match_by_keys(before: Iterable[_T], after: Iterable[_T], keys: Sequence[Callable[[_T], Hashable]]) -> Pairs[_T]:
    """Pairs of values with equal keys; earlier keys win; None for a missing partner. In the order of `after`, then of
    `before`."""
    old, new = list(before), list(after)
    partner: dict[int, _T] = {}
    for key in keys:
        waiting: dict[Hashable, list[int]] = {}
        for at, value in enumerate(old):
            waiting.setdefault(key(value), []).append(at)
        taken = set()
        for at, value in enumerate(new):
            same = waiting.get(key(value)) if at not in partner else None
            if same:
                partner[at] = old[same[0]]
                taken.add(same.pop(0))
        old = [value for at, value in enumerate(old) if at not in taken]
    return [*((partner.get(at), value) for at, value in enumerate(new)), *((value, None) for value in old)]


def pair_quotas(
    before: Sequence[_T], after: Sequence[_T], of: Callable[[_T], Quota], earlier: Callable[[str], str]
) -> Pairs[_T]:
    """Pairs of values about quotas: of the same quota, or of one that was renamed or moved. `earlier`: the earlier name
    of a file."""
    matches = match_by_keys(before, after, (lambda value: exact_key(of(value)), lambda value: name_key(of(value))))
    gone = [(at, of(old)) for at, (old, new) in enumerate(matches) if new is None and old is not None]
    come = [(at, of(new)) for at, (old, new) in enumerate(matches) if old is None and new is not None]
    moved = {now: was for was, now in _moved_quotas(gone, come, earlier)}
    taken = frozenset(moved.values())
    return [
        (matches[moved[at]][0], new) if at in moved else (old, new)
        for at, (old, new) in enumerate(matches)
        if at not in taken
    ]


def _moved_quotas(
    gone: Sequence[tuple[int, Quota]], come: Sequence[tuple[int, Quota]], earlier: Callable[[str], str]
) -> Iterable[tuple[int, int]]:
    """The positions of one removed and one added quota that match uniquely: same limits and namespaces, else same file
    and name, else same file and namespaces."""
    keys: tuple[Callable[[Quota, str], Hashable], ...] = (
        lambda quota, file: (quota.object.kind, quota.namespaces, limits_key(quota)),
        lambda quota, file: (quota.object.kind, file, quota.name),
        lambda quota, file: (quota.object.kind, file, quota.namespaces),
    )
    for key in keys:
        olds: dict[Hashable, list[int]] = {}
        news: dict[Hashable, list[int]] = {}
        for at, quota in gone:
            olds.setdefault(key(quota, quota.object.place.file), []).append(at)
        for at, quota in come:
            news.setdefault(key(quota, earlier(quota.object.place.file)), []).append(at)
        pairs = [
            (olds[likeness][0], news[likeness][0])
            for likeness in olds
            if len(olds[likeness]) == 1 == len(news.get(likeness, ()))
        ]
        yield from pairs
        done = {at for pair in pairs for at in pair}
        gone = [(at, quota) for at, quota in gone if at not in done]
        come = [(at, quota) for at, quota in come if at not in done]


def limits_key(quota: Quota) -> Hashable:
    """A key of the limits and scopes of a quota."""
    hard = tuple(sorted((name, amount.nano) for name, amount in quota.hard.items()))
    return hard, tuple(
        sorted((requirement.scope, requirement.operator, requirement.values) for requirement in quota.requirements)
    )


def exact_key(quota: Quota) -> Hashable:
    """A key of a quota with its namespaces."""
    return (*name_key(quota), quota.namespaces)


def quota_source(quota: Quota) -> Hashable:
    """A key that is the same for copies of one quota in several environments: name, place and limits."""
    return exact_key(quota), quota.object.place.real, limits_key(quota)


def name_key(quota: Quota) -> tuple[Hashable, ...]:
    """A key of a quota without its namespaces."""
    obj = quota.object
    return obj.group, obj.kind, obj.namespace, obj.name, quota.called, quota.path


def _in_common(old: Facts, new: Facts) -> tuple[int, int, int]:
    quotas = {exact_key(quota) for quota in old.quotas} & {exact_key(quota) for quota in new.quotas}
    bodies = {obj.ref: obj.body for obj in old.cluster.objects}
    return (
        len(quotas),
        len(_source_files(old) & _source_files(new)),
        sum(bodies.get(obj.ref) == obj.body for obj in new.cluster.objects),
    )


def _source_files(facts: Facts) -> frozenset[str]:
    """The source files of its objects: overlays without changes differ in nothing else."""
    places = {obj.place for obj in facts.cluster.objects}
    return frozenset(
        place.source
        for object_place in places
        for place in (object_place, *(object_place.made.via if object_place.made is not None else ()))
    )


def _claims_of(facts: Facts) -> Mapping[Ref, Object]:
    """The claims and StatefulSets that exist: refused ones, and those with generated names, are created anew."""
    objects = [obj for kind in (CLAIM, SET) for obj in facts.cluster.of(*kind) if obj.name]
    refused = {
        owner.ref
        for namespace in {obj.namespace for obj in objects}
        for charge in facts.charges.get(namespace, ())
        if (owner := charge.owner) is not None
        and (charge.demand.group, charge.kind) == (owner.group, owner.kind)
        and not facts.admissions.fate_of(charge).admitted
    }
    return {obj.ref: obj for obj in objects if obj.ref not in refused}


def _accepted_quotas(facts: Facts) -> Mapping[Ref, Quota]:
    accepted = [quota for quota in facts.quotas if not facts.is_rejected(quota)]
    # Of several under one name the first counts.
    return {quota.object.ref: quota for quota in reversed(accepted)}
