"""Slices and the files in them that have changed → whether the answer stands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from quotalint import budget
from quotalint.backstop import was_stopped, watch_shares
from quotalint.catalogue import rule_by_id
from quotalint.checks import checks
from quotalint.checks.hit import Note
from quotalint.checks.implausible import doubtful_limits, limiting_amounts
from quotalint.facts import Facts
from quotalint.faults import noted_faults
from quotalint.finding import fingerprint_of
from quotalint.kube.kinds import limits_namespace
from quotalint.kube.limit_range import limit_range
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.quota.quotas import quota
from quotalint.recall import Memory, recalled, recalling
from quotalint.rechecks import Rechecks
from quotalint.settings import Settings
from quotalint.slices.edits import Edits
from quotalint.slices.kept import (
    NamespaceSurroundings,
    Slice,
    Slices,
    unpack_slice,
    unpack_slice_name,
    unpack_surroundings,
)
from quotalint.slices.namespace_surroundings import NO_SUMS, sums_digests
from quotalint.slices.remaking import Remake, Remaking, remaking_of
from quotalint.slices.slice_changes import SliceChange, changed_slices_of, objects_after, reaches_further
from quotalint.slices.slice_facts import (
    is_comparing_limits,
    is_of_namespace,
    protects_alike,
    shows_way,
    slice_facts,
)
from quotalint.text.reading import File

MOST_OBJECTS = 4000
"""Those of namespaces that are judged again; more take longer than is worth it."""


class SliceInBoth(NamedTuple):
    """What is known of a slice of which the same is said."""

    before: Facts
    """Before some of its objects said something else."""
    after: Facts
    sums_are_fine: bool
    """Nothing is said of what its quotas have room for."""


class SliceAfterItself(NamedTuple):
    """What is known of a slice, and of the same where it follows on itself, of which the same is said but for notes."""

    facts: Facts
    following: Facts
    notes: tuple[OtherNotes, ...]


class OtherNotes(NamedTuple):
    """What is noted with a finding in a slice, and what where the slice follows on itself."""

    fingerprint: str
    notes: tuple[Note, ...]
    following: tuple[Note, ...]


def is_same_said(slices: Slices, edits: Edits) -> bool:
    """Whether the same is said of the repository as before these edits, and the same shown of sums where a report shows
    any. What cannot be said is no."""
    if slices.shown is None:
        return changed_slices(slices, edits, lambda _, after: after) is not None
    from quotalint.slices.shown_sums import sums_digest

    pairs = changed_slices(slices, edits, lambda _, after: after, _remaking_in_place)
    if pairs is None:
        return False
    with watch_shares():
        return all(sums_digest(pair.before) == sums_digest(pair.after) for pair in pairs) and is_cheap()


def _remaking_in_place(slices: Slices, edits: Edits) -> Remaking | None:
    """What the edits do; None also where something is written in another place, of which a report shows the line."""
    remaking = remaking_of(slices, edits)
    if remaking is None or slices.shown is None or not slices.shown.lines:
        return remaking
    from quotalint.slices.shown_sums import places_digest

    of_units = ((of.unit.places, places_digest(of.rendering.objects)) for of in remaking.units.values())
    return remaking if all(before == now for before, now in of_units) else None


def changed_slices(
    slices: Slices, edits: Edits, with_earlier: Callable[[Facts, Facts], Facts], remake: Remake = remaking_of
) -> list[SliceInBoth] | None:
    """What is known of the slices that these edits concern before them and since; None where something else may be said
    of the repository now, or where that cannot be said. `with_earlier` gives what is known of a slice that follows on
    another one."""
    with watch_shares():
        budget.renew()
        remaking = remake(slices, edits)
        if remaking is None:
            return None
        slices = remaking.slices
        touched, changed = changed_slices_of(slices, remaking.changes)
        if sum(len(of.objects) for of in touched.values() if of.namespace) > MOST_OBJECTS:
            return None
        pairs = []
        for number, of in touched.items():
            if not of.namespace:
                if not are_compared_alike(of, changed[number], slices):
                    return None
                continue
            files = (*edits.files.values(), *edits.came.values())
            pair = _same_said_facts(of, changed[number], slices, files, with_earlier)
            if pair is None:
                return None
            pairs.append(pair)
        return pairs if is_cheap() else None


def slices_after_themselves(
    slices: Slices, namespaces: Collection[tuple[str, str]], with_earlier: Callable[[Facts, Facts], Facts]
) -> list[SliceAfterItself] | None:
    """What is known of namespaces, by their environments and names, and what where they follow on themselves; None
    where more than a note is another then, or where that cannot be said."""
    with watch_shares():
        budget.renew()
        around = list(map(unpack_surroundings, slices.surroundings))
        after_themselves = []
        for packed in filter(None, slices.slices):
            number, namespace = unpack_slice_name(packed)
            if (around[number].environment, namespace) in namespaces:
                after_itself = _slice_after_itself(unpack_slice(packed), around[number], slices.settings, with_earlier)
                if after_itself is None:
                    return None
                after_themselves.append(after_itself)
        return after_themselves if len(after_themselves) == len(namespaces) and is_cheap() else None


def _slice_after_itself(
    of: Slice, around: NamespaceSurroundings, settings: Settings, with_earlier: Callable[[Facts, Facts], Facts]
) -> SliceAfterItself | None:
    if len(of.objects) > MOST_OBJECTS:
        return None
    with recalling(Memory()):
        facts = slice_facts(of, (*around.objects, *of.objects), around, settings, ())
        following = with_earlier(facts, facts)
        was, now = _said_of(facts, of), _said_of(following, of)
        if was is None or now is None or was.hits != now.hits:
            return None
        notes = (
            OtherNotes(fingerprint, old, new)
            for (fingerprint, old), (_, new) in zip(was.notes, now.notes, strict=True)
            if old != new
        )
        return SliceAfterItself(facts, following, tuple(notes))


def is_cheap() -> bool:
    """Whether nothing was given up, and the other slices have enough left of what one run may do."""
    return not noted_faults() and not was_stopped() and budget.spent() < budget.START // 4


def _same_said_facts(
    of: Slice,
    change: SliceChange,
    slices: Slices,
    files: tuple[File, ...],
    with_earlier: Callable[[Facts, Facts], Facts],
) -> SliceInBoth | None:
    """What is known of a slice as it was, and since a change, where the same is said of both."""
    around = unpack_surroundings(slices.surroundings[of.surroundings])
    now = objects_after(of, change)
    if reaches_further(of, change, slices.settings):
        return None
    with recalling(Memory()):
        before = slice_facts(of, (*around.objects, *of.objects), around, slices.settings, ())
        before_it = _said_of(with_earlier(before, before), of)
    if before_it is None:
        return None
    with recalling(Memory()):
        after = with_earlier(before, slice_facts(of, (*around.objects, *now), around, slices.settings, files))
        if not protects_alike(before, after):
            return None
        return SliceInBoth(before, after, before_it.sums_are_fine) if _said_of(after, of) == before_it else None


def are_compared_alike(of: Slice, change: SliceChange, slices: Slices) -> bool:
    """Whether the same is said of quotas and LimitRanges beside those of other namespaces: those of one name are held
    against each other."""
    was = [of.objects[at] for at in (*change.bodies, *change.went)]
    now = [
        *(of.objects[at]._replace(body=body) for at, body in change.bodies.items()),
        *(obj for _, obj in change.came),
    ]
    names = {(obj.kind, obj.name) for obj in (*was, *now) if _is_limiting(obj)}
    stays = (obj for at, obj in enumerate(of.objects) if at not in change.bodies and at not in change.went)
    lasting, went, came = (
        limiting_amounts(obj for obj in objects if (obj.kind, obj.name) in names and _is_limiting(obj))
        for objects in (stays, was, now)
    )
    doubtful = doubtful_limits(lasting, went) | doubtful_limits(lasting, came)
    if not doubtful:
        return True
    around = unpack_surroundings(slices.surroundings[of.surroundings])
    with recalling(Memory()):
        empty = slice_facts(of, (), around, slices.settings, ())
        hits_before, hits_now = (
            _hits_beside([obj for obj in objects if (obj.kind, obj.name) in doubtful and _is_limiting(obj)], empty)
            for objects in (of.objects, objects_after(of, change))
        )
    return hits_before == hits_now


def _is_limiting(obj: Object) -> bool:
    return obj.version == "v1" and limits_namespace(obj)


def _hits_beside(limiting: Sequence[Object], empty: Facts) -> str:
    """What is said of quotas and LimitRanges beside each other, where nothing else is known."""
    quotas = (obj for obj in limiting if obj.kind == "ResourceQuota")
    limits = (obj for obj in limiting if obj.kind == "LimitRange")
    facts = empty._replace(
        quotas=tuple(recalled("quota", (obj,), None, partial(quota, obj)) for obj in quotas),
        limit_ranges=tuple(recalled("limit range", (obj,), None, partial(limit_range, obj)) for obj in limits),
    )
    return repr([list(check.run(facts, facts)) for check in checks() if is_comparing_limits(check)])


class _Said(NamedTuple):
    """All that checks say of a slice."""

    hits: str
    """Without their notes."""
    notes: tuple[tuple[str, tuple[Note, ...]], ...]
    """Of each hit, by the fingerprint of its finding."""
    sums_are_fine: bool


def _said_of(facts: Facts, of: Slice) -> _Said | None:
    """All that there is to say of a slice; None where that cannot be said."""
    if facts.problems or sums_digests(facts).get(of.namespace, NO_SUMS) != of.sums:
        return None
    return _hits(facts)


def _hits(facts: Facts) -> _Said | None:
    """All that checks say; None where one has looked at more than what a slice shows."""
    rechecks = Rechecks()
    rechecks.begin((facts,), ())
    hits: list[object] = []
    notes: list[tuple[str, tuple[Note, ...]]] = []
    speaks_of_sums = False
    for check in checks():
        if not facts.settings.runs(check.rule) or not is_of_namespace(check):
            continue
        answers = rechecks.answers(check, facts)
        if answers is None:
            return None
        for hit, guesses in (statement for _, of_subject in answers for statement in of_subject):
            hits.append((check.rule, hit._replace(notes=()), guesses))
            notes.append((fingerprint_of(rule_by_id(check.rule), hit, facts.settings), hit.notes))
            speaks_of_sums = speaks_of_sums or bool(rule_by_id(check.rule).counts)
    if not all(shows_way(way, facts) for way in rechecks.ways()):
        return None
    return _Said(repr(hits), tuple(notes), not speaks_of_sums)
