"""Checks of a quota's scopes: entries that stay 0, scopes that nothing can match, and Jobs that they miss."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import partial
from itertools import chain

from quotalint.accounts.facts import Facts
from quotalint.admission.plugins import BUILTIN_PRIORITY_CLASSES
from quotalint.checks.folder_namespaces import written_objects
from quotalint.checks.hit import Hit, Related, check
from quotalint.evaluators.persistentvolumeclaims import class_of
from quotalint.fixes.fix import Add, Fix
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.discovery import KNOWN
from quotalint.kube.fields import dig, integer
from quotalint.kube.objects import Object
from quotalint.kube.scopes import CLAIM_SCOPES, CONFLICTS, POD_SCOPES, Requirement, selects
from quotalint.kube.spelling import most_similar
from quotalint.quota.quotas import Quota
from quotalint.quota.validation import can_count, tracking_state
from quotalint.runtime.recall import recalled_each
from quotalint.text.place import Path, Place
from quotalint.text.reading import File


@check("QL203", Quota)
def scope_never_counts(quota: Quota, facts: Facts) -> Iterator[Hit]:
    if not quota.requirements or facts.is_rejected(quota) or _contradicting_pair(quota.requirements):
        return
    requirements = tuple(item for item in quota.requirements if not is_placeholder(item.scope))
    for name in quota.hard:
        if can_count(name, requirements) or tracking_state(name, facts.cluster.discovery) != KNOWN:
            continue
        blocking = next(item for item in requirements if not can_count(name, (item,)))
        related = Related("scope", quota.object.at(*blocking.path), f"the scope {blocking.scope}")
        values = {"quota": quota.name, "resource": name, "scope": blocking.scope}
        field = quota.field(name)
        yield Hit(quota.entry(name), values, quota.object, field, related=(related,), resource=name)


@check("QL204", Quota)
def scope_never_matches(quota: Quota, facts: Facts) -> Iterator[Hit]:
    if not quota.requirements or facts.is_rejected(quota):
        return
    contradiction = _contradicting_pair(quota.requirements)
    if contradiction is not None:
        first, other = contradiction
        related = Related("scope", quota.object.at(*first.path), _requirement_words(first))
        values = {"quota": quota.name, "one": _requirement_words(first), "other": _requirement_words(other)}
        field = quota.within("scopes") if other.is_listed else quota.within("scopeSelector", "matchExpressions")
        yield Hit(quota.object.at(*other.path), values, quota.object, field, related=(related,))


_JOBS: dict[tuple[str, str], tuple[str, ...]] = {
    ("batch", "Job"): ("spec",),
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec"),
}
"""The path of the Job's spec in each kind."""


@check("QL207", Object, kinds=_JOBS)
def job_deadline_scope(obj: Object, facts: Facts) -> Iterator[Hit]:
    path = _JOBS[obj.group, obj.kind]
    job = dig(obj.body, *path)
    if dig(job, "activeDeadlineSeconds") is None:
        return
    if dig(job, "template", "spec", "activeDeadlineSeconds") is not None:
        return
    for quota in facts.enforced.get(obj.namespace, ()):
        for requirement in quota.requirements:
            if requirement.scope in ("Terminating", "NotTerminating"):
                related = Related("quota", quota.object.at(*requirement.path), f"the scope {requirement.scope}")
                values = {
                    "kind": obj.kind,
                    "name": obj.name,
                    "quota": quota.name,
                    "scope": requirement.scope,
                    "path": ".".join((*path, "template", "spec")),
                }
                yield Hit(
                    obj.at(*path, "activeDeadlineSeconds"),
                    values,
                    obj,
                    ".".join((*path, "activeDeadlineSeconds")),
                    variant="missed" if requirement.scope == "Terminating" else "default",
                    related=(related,),
                    fix=_deadline_fix(obj, path) if requirement.scope == "Terminating" else None,
                )
                break


_MOST = 100
"""The most requirements of a quota that are compared with each other."""


def _contradicting_pair(requirements: tuple[Requirement, ...]) -> tuple[Requirement, Requirement] | None:
    """Two requirements that no object can satisfy together; None if there are none."""
    # Duplicates cannot add a contradiction, and the API server refuses long lists anyway.
    requirements = tuple(
        {
            (requirement.scope, requirement.operator, requirement.values): requirement
            for requirement in requirements[:_MOST]
        }.values()
    )
    for index, requirement in enumerate(requirements):
        for other in requirements[index + 1 :]:
            pair = (requirement.scope, other.scope)
            if pair in CONFLICTS or pair[::-1] in CONFLICTS or _exclude_each_other(requirement, other):
                return requirement, other
            if (requirement.scope in CLAIM_SCOPES) != (other.scope in CLAIM_SCOPES) and {
                *pair
            } <= POD_SCOPES | CLAIM_SCOPES:
                return requirement, other
    return None


def _exclude_each_other(requirement: Requirement, other: Requirement) -> bool:
    if requirement.scope != other.scope:
        return False
    # All values that either names, one that neither names, and the empty value cover all cases.
    cases = {*requirement.values, *other.values, "", "\0"}
    return not any(selects(requirement, case) and selects(other, case) for case in cases)


def _requirement_words(requirement: Requirement) -> str:
    if requirement.is_listed:
        return requirement.scope
    values = f" [{', '.join(requirement.values)}]" if requirement.values else ""
    return f"{requirement.scope} {requirement.operator}{values}"


def _deadline_fix(obj: Object, path: Path) -> Fix | None:
    """A fix that copies a Job's deadline to its pods."""
    seconds = integer(dig(obj.body, *path, "activeDeadlineSeconds"))
    below = (*path, "template", "spec")
    if seconds is None or not isinstance(dig(obj.body, *below), dict):
        return None
    place = obj.at(*below)
    words = f"write `activeDeadlineSeconds: {seconds}` in {'.'.join(map(str, below))} too"
    # It changes an immutable field, and makes more pods count.
    fix = Fix((Add(place, "activeDeadlineSeconds", seconds),), safe=False, words=words)
    written = obj.at(*path, "activeDeadlineSeconds").real
    if written[:2] != place.real[:2]:
        # A change in a base would affect its other overlays.
        return fix._replace(obstacle=f"the deadline comes from {written.source}, and the pods from another document")
    return fix


# The kind of class that the values of a scope name.
_SCOPED = {
    "PriorityClass": ("scheduling.k8s.io", "PriorityClass"),
    "VolumeAttributesClass": ("storage.k8s.io", "VolumeAttributesClass"),
}


_CLASSES = frozenset(("PriorityClass", "StorageClass", "VolumeAttributesClass"))


@check("QL205", Quota)
def unknown_class(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for requirement in quota.requirements:
        if requirement.scope in _SCOPED:
            for index, value in enumerate(requirement.values):
                place = quota.object.at(*requirement.path, "values", index)
                field = quota.within("scopeSelector", "matchExpressions", "values")
                yield from _unknown_class(quota, facts, _SCOPED[requirement.scope], value, place, field)
    for name in quota.hard:
        storage_class = class_of(name)
        if storage_class:
            kind = ("storage.k8s.io", "StorageClass")
            for hit in _unknown_class(quota, facts, kind, storage_class, quota.entry(name), quota.field(name)):
                # A limit of 0 for an unknown class is harmless, and the platform may create the class.
                is_ban = quota.hard[name].nano == 0 and not hit.values["suggestion"]
                yield hit._replace(severity="info") if is_ban else hit


def _unknown_class(
    quota: Quota, facts: Facts, kind: tuple[str, str], name: str, place: Place, field: str
) -> Iterator[Hit]:
    defined = {obj.name for obj in facts.cluster.of(*kind)}
    if (
        not defined
        or name in defined
        or is_placeholder(name)
        or (kind[1] == "PriorityClass" and name in BUILTIN_PRIORITY_CLASSES)
        or name in names_in_files(facts, kind)
    ):
        return
    suggestion = most_similar(name, defined)
    values = {
        "quota": quota.name,
        "kind": kind[1],
        "class": name,
        "defined": ", ".join(sorted(defined)),
        "suggestion": suggestion or "",
    }
    yield Hit(place, values, quota.object, field, "suggested" if suggestion else "default")


_NAMES: list[tuple[tuple[File, ...], dict[str, set[str]]]] = []  # a cache for the last repository


def names_in_files(facts: Facts, kind: tuple[str, str]) -> Set[str]:
    """The names of a kind in all files, computed once. A file counts even if it is not applied here, because another
    environment may apply it."""
    files = facts.repository.files
    if not _NAMES or _NAMES[0][0] is not files:
        names: dict[str, set[str]] = {class_kind: set() for class_kind in _CLASSES}
        in_files = recalled_each("classes written", files, (), partial(written_objects, _CLASSES))
        for obj in chain.from_iterable(filter(None, in_files)):
            if obj.kind in names:
                names[obj.kind].add(obj.name)
        _NAMES[:] = [(files, names)]
    return _NAMES[0][1][kind[1]]
