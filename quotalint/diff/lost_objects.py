"""Objects that the base has and the head lacks, although their files are still there."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial

from quotalint.accounts.facts import Facts, Repository
from quotalint.deployed import is_deployer
from quotalint.diff.change_provenance import object_files
from quotalint.diff.edited_lines import EditedLines
from quotalint.diff.lost_visibility import LostVisibility
from quotalint.diff.state import State
from quotalint.diff.unknown_effect import Unknown
from quotalint.kube.fields import mapping, text
from quotalint.kube.kinds import limits_namespace
from quotalint.kube.objects import Object, Ref
from quotalint.named_tuples import NamedTuple
from quotalint.text.reading import File
from quotalint.text.words import list_some
from quotalint.unknowns.problems import REFUSED_CHART
from quotalint.workloads import makes_pods

_CURE = "add what deploys it, or pass a snapshot of the cluster with `--with`"
_UNKNOWN_CAUSE = "nothing in view takes it for what it was"
_NAMED = 2


class LostObjects(NamedTuple):
    """The objects that went out of view although they may still be there."""

    unknowns: tuple[Unknown, ...]
    """The unknown effects, grouped by cause: one entry for each of their namespaces."""
    reasons: Mapping[Ref, str]


def find_lost(before: State, after: State, edited: EditedLines) -> LostObjects:
    """The objects that limited a namespace or used a quota, and went out of view."""
    reasons: dict[Ref, str] = {}
    there = {obj.ref for facts in after.environments for obj in facts.cluster.objects}
    # A finding says why these are not applied.
    there.update(ref for facts in after.environments for ref in facts.withheld)
    made_of = {(obj.place.file, obj.kind) for facts in after.environments for obj in facts.cluster.objects}
    old_files = {file.source.name: file for file in before.environments[0].repository.files}
    new_files = {file.source.name: file for file in after.environments[0].repository.files}
    changed = list(edited.changed_files())
    moved = {edited.before(name): name for name in changed}
    visibility = cache(partial(LostVisibility, before, after))
    # That Helm refuses a chart is a finding.
    problems = (problem for facts in after.environments for problem in facts.problems)
    refused = tuple(problem.reason for problem in problems if problem.cause == REFUSED_CHART)
    by_cause: dict[str, dict[str, dict[str, None]]] = {}
    for obj in _judged_objects(before.environments):
        name = obj.place.file
        if obj.ref in there:
            continue
        if name not in old_files or old_files[name].reading.failures:
            why = "" if edited.is_removed(name) else visibility().lost_object(obj)  # such as what a chart makes
            if why and not why.startswith(refused):
                reasons[obj.ref] = why
                by_cause.setdefault(why, {}).setdefault(obj.namespace, {})[name] = None
            continue
        now = moved.get(name, "") if edited.is_removed(name) else name
        way = [edited.is_removed(file) for file in object_files(obj) if file != name]
        if (
            not now
            or any(way)
            or (now, obj.kind) in made_of
            or not _is_written(obj, old_files[name], now, new_files, edited)
        ):
            continue
        why = _why_lost(now, new_files, after.environments[0].repository)
        if why == _UNKNOWN_CAUSE:  # what nothing deploys or lists is known to be gone
            reasons[obj.ref] = f"{now} is still here, but {why}"
        by_cause.setdefault(why, {}).setdefault(obj.namespace, {})[now] = None
    unknowns: list[Unknown] = []
    for why, by_namespace in by_cause.items():
        names = list(dict.fromkeys(name for of in by_namespace.values() for name in of))
        who = list_some(names, _NAMED)
        reason = f"{who} {'was' if len(names) == 1 else 'were'} judged before and {'is' if len(names) == 1 else 'are'} "
        place = _place_of_cause(names, changed, after.environments, edited)
        since = f" (since {place[0]})" if place[0] not in names else ""
        unknowns += (Unknown(*place, space, f"{reason}not any more: {why}{since}", _CURE) for space in by_namespace)
    return LostObjects(tuple(unknowns), reasons)


def _judged_objects(environments: Sequence[Facts]) -> Iterator[Object]:
    """The objects that limit a namespace, and the workloads and claims in limited namespaces."""
    for facts in environments:
        limited = {name for quota in facts.quotas for name in quota.namespaces}
        limited |= {limit_range.namespace for limit_range in facts.limit_ranges}
        for obj in facts.cluster.objects:
            if limits_namespace(obj) or (
                obj.namespace in limited
                and (obj.kind == "PersistentVolumeClaim" or makes_pods(obj, facts.settings.workloads))
            ):
                yield obj


def _is_written(obj: Object, old: File, now: str, new_files: dict[str, File], edited: EditedLines) -> bool:
    """Whether a file still contains an object, perhaps in another form."""
    place = obj.place.real
    value = next((of.value for of in old.reading.documents if of.index == place.document), None)
    name = text(mapping(mapping(value).get("metadata")).get("name"))
    file = new_files.get(now)
    if file is None or file.reading.failures:
        return bool(name) and name in edited.text(now)
    values = (mapping(value) for of in file.reading.documents for value in _objects_in(of.value))
    return any(
        text(of.get("kind")).lower() == text(mapping(value).get("kind")).lower()
        and name in (text(mapping(of.get("metadata")).get("name")), text(mapping(of.get("Metadata")).get("name")))
        for of in values
    )


def _objects_in(value: object) -> Iterator[object]:
    """A document, and its items if it looks like a list of objects."""
    yield value
    items = mapping(value).get("items")
    yield from items if isinstance(items, list) else ()


def _why_lost(name: str, files: dict[str, File], repository: Repository) -> str:
    reasons = {skipped.name: skipped.reason for skipped in repository.skipped}
    if name in reasons and "deploys" not in reasons[name]:
        return reasons[name]
    if name not in files:
        return "its name is not that of a manifest"
    if files[name].reading.failures:
        return "it cannot be read as a manifest"
    if name in repository.idle:
        folder = posixpath.dirname(name)
        listed = any(posixpath.dirname(other) == folder for other in repository.kustomized)
        return "the kustomization does not list it" if listed else "nothing in view deploys it"
    return _UNKNOWN_CAUSE


def _place_of_cause(
    names: Sequence[str], changed: Sequence[str], environments: Sequence[Facts], edited: EditedLines
) -> tuple[str, int]:
    """The changed line for the annotation: in one of the files, else in a deployer."""
    deployers = {obj.place.file for facts in environments for obj in facts.cluster.objects if is_deployer(obj)}
    deployers |= environments[0].repository.kustomized
    own = [name for name in changed if name in names]
    others = [name for name in changed if name in deployers]
    file = next(iter((*own, *others, *changed)), names[0])
    return file, min(edited.lines(file), default=1)
