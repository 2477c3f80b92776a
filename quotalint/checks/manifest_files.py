"""Checks of files as they are written and rendered: unreadable files, failed renderings, and what deployers would
refuse."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, Note, Related, check
from quotalint.kube.fields import mapping, text
from quotalint.kube.limited_resources import FILE_GROUPS
from quotalint.kube.objects import objects
from quotalint.quota.projection import HiddenObjects
from quotalint.runtime.resource_limits import is_of_time
from quotalint.text.documents import Document, DuplicateKey
from quotalint.text.fences import FENCE
from quotalint.text.place import Place
from quotalint.text.reading import STATEMENT, File
from quotalint.text.sources import Unreadable
from quotalint.text.tree import KUSTOMIZATION_NAMES
from quotalint.text.words import list_some
from quotalint.unknowns.causes import CLUSTERS, FAMILIES, OTHER_CLUSTERS
from quotalint.unknowns.problems import (
    ABSENT,
    AS_OBJECT,
    DENIED,
    EMPTY_KUSTOMIZATION,
    EXPENSIVE,
    HELM,
    HIDDEN,
    KEPT_OUT,
    LIBRARY,
    LOAD,
    MISSING,
    REFUSED,
    REFUSED_CHART,
    TEXT,
    UNREAD,
    UNRENDERED,
    Problem,
)


@check("QL001", File)
def unreadable_manifest(file: File, facts: Facts) -> Iterator[Hit]:
    if not file.reading.failures and not file.reading.dropped:  # the common case
        return
    name = file.source.name
    file_name = posixpath.basename(name)
    if is_reported(file, facts):
        for failure in file.reading.failures:
            values = {"reason": failure.message, "file_name": file_name}
            severity, variant = _severity_in(name, facts), "fence" if failure.message == FENCE else "default"
            if _is_unlisted(name, facts):
                severity, variant = severity or "warning", "unlisted"
            yield Hit(Place(name), values, variant=variant, line=failure.line, column=failure.column, severity=severity)
    if file.reading.dropped and any(_holds_objects(document, name) for document in file.reading.documents):
        for line in file.reading.dropped:
            values = {"reason": "", "file_name": file_name}
            yield Hit(Place(name), values, variant="dropped", line=line, column=1)


@check("QL001", Unreadable)
def unreadable_file(file: Unreadable, facts: Facts) -> Iterator[Hit]:
    yield Hit(Place(file.name), {"reason": f"the file {file.reason}"}, line=1, column=1)


@check("QL001", Problem)
def unreadable_source(problem: Problem, facts: Facts) -> Iterator[Hit]:
    """Reports files in other languages that the program which applies them would refuse."""
    if problem.cause == UNREAD:
        values = {"reason": problem.reason, "file_name": posixpath.basename(problem.place.file)}
        yield Hit(problem.place, values, line=problem.line, column=problem.column)


@check("QL002", File)
def duplicate_key(file: File, facts: Facts) -> Iterator[Hit]:
    name = file.source.name
    for document in file.reading.documents:
        if not document.duplicates:
            continue
        is_kustomization = posixpath.basename(name) in KUSTOMIZATION_NAMES
        if not is_kustomization and not _holds_objects(document, name):
            continue
        unseparated = _unseparated_runs(document)
        in_runs = [duplicate for run in unseparated for duplicate in run]
        single = [duplicate for duplicate in document.duplicates if duplicate not in in_runs]
        for duplicate in document.duplicates:
            is_first = any(duplicate is run[0] for run in unseparated)
            if not is_first and duplicate is not next(iter(single), None) and not is_kustomization:
                continue  # reported with the first
            values = {
                "key": duplicate.key,
                "first_line": str(duplicate.first_line),
                "file_name": posixpath.basename(name),
            }
            place = Place(name, document.index, duplicate.path)
            variant = "separator" if is_first else "kustomization" if is_kustomization else "default"
            if is_first:
                values["together"] = f"{name} {document.index}"
            severity = _severity_in(name, facts)
            notes = () if is_first or is_kustomization else tuple(_further_notes(single[1:]))
            yield Hit(
                place,
                values,
                variant=variant,
                line=duplicate.line,
                column=duplicate.column,
                severity=severity,
                notes=notes,
            )


def _further_notes(others: Sequence[DuplicateKey]) -> Iterator[Note]:
    """A note on the other keys that an object repeats."""
    if others:
        keys = [f"`{other.key}` on line {other.line}" for other in others]
        yield Note("also", f"repeated here: {list_some(keys, _SHOWN)}")


_SHOWN = 8  # keys that are listed


def _is_unlisted(name: str, facts: Facts) -> bool:
    """Whether a file is not applied because a kustomization of its folder does not list it."""
    if name not in facts.repository.idle or name in facts.repository.kustomized:
        return False
    folder = posixpath.dirname(name)
    return any(posixpath.dirname(other) == folder for other in facts.repository.kustomized)


def _severity_in(name: str, facts: Facts) -> str:
    """The severity of an error in a file: test fixtures may be wrong on purpose. Empty: the rule's default."""
    return "info" if name in facts.repository.fixtures else ""


@check("QL004", File)
def list_of_manifests(file: File, facts: Facts) -> Iterator[Hit]:
    """Quotas that are items of a list, in a folder of manifests; applying such a file fails."""
    name = file.source.name
    if not file.limiting or file.templated or name in facts.repository.data or name in facts.repository.fixtures:
        return
    for document in file.reading.documents:
        items = document.value if isinstance(document.value, list) else []
        kinds = [text(mapping(item).get("kind")) for item in items if isinstance(mapping(item).get("apiVersion"), str)]
        whole = len(kinds) == len(items) > 0 and all(kinds)
        if whole and not _LIMITING.isdisjoint(kinds) and _is_among_manifests(name, facts):
            values = {"number": str(len(items)), "kind": kinds[0], "key": "list"}
            yield Hit(Place(name, document.index, (0,)), values, variant="list", severity="warning")


_LIMITING = frozenset({"ResourceQuota", "LimitRange"})


def _is_among_manifests(name: str, facts: Facts) -> bool:
    folder = posixpath.dirname(name)
    siblings = (file for file in facts.repository.files if posixpath.dirname(file.source.name) == folder)
    neighbours = (file for file in siblings if file.source.name != name)
    return name in facts.repository.kustomized or any(
        isinstance(document.value, dict) and {"apiVersion", "kind", "metadata"} <= document.value.keys()
        for file in neighbours
        for document in file.reading.documents
    )


def _unseparated_runs(document: Document) -> list[list[DuplicateKey]]:
    """The runs of duplicate keys that repeat a whole object because a `---` is missing between two objects."""
    runs: list[list[DuplicateKey]] = []
    for duplicate in sorted(document.duplicates, key=lambda key: (key.line, key.column)):
        if not duplicate.path:
            if not runs or any(key.key == duplicate.key for key in runs[-1]):
                runs.append([])
            runs[-1].append(duplicate)
    return [run for run in runs if {"apiVersion", "kind"} <= {key.key for key in run}]


def is_reported(file: File, facts: Facts) -> bool:
    """Whether an unparsable file was meant as a manifest: it has its fields, or something refers to it."""
    if file.source.explicit:
        return True
    if file.encrypted:
        return False
    if file.source.name in facts.repository.kustomized:
        # A template engine's source of a kustomization is no kustomization; one that is listed by another is.
        is_own = posixpath.basename(file.source.name) in KUSTOMIZATION_NAMES
        return not (is_own and any(failure.message == STATEMENT for failure in file.reading.failures))
    if file.source.name in facts.repository.deployed_unread:
        return True  # it is applied before a program would render it
    return file.claims and not file.templated and file.source.name not in facts.repository.data


def _holds_objects(document: Document, name: str) -> bool:
    return any(obj.group not in FILE_GROUPS for obj in objects(document.value, Place(name)))


_VARIANTS = {
    MISSING: "default",
    REFUSED: "refused",
    EMPTY_KUSTOMIZATION: "refused",
    KEPT_OUT: "refused",
    LOAD: "load",
    DENIED: "denied",
    AS_OBJECT: "directory",
}


@check("QL003", Problem)
def unrendered_source(problem: Problem, facts: Facts) -> Iterator[Hit]:
    if problem.kind == TEXT or problem.cause in (EXPENSIVE, UNREAD):
        return  # QL009 and QL001 report these; a TEXT problem only changes line breaks or annotations
    matters = problem.kind not in (LOAD, KEPT_OUT, EMPTY_KUSTOMIZATION) and _may_matter(problem, facts)
    values = {"reason": problem.reason, "namespaces": _namespace_words(problem, facts), "subject": problem.subject}
    shared = problem.shared
    cause_variant = "outside" if problem.kind == UNRENDERED else "shared"
    if shared is not None:
        # A pinned source may change its revision: the name is the key.
        spoken = FAMILIES[shared.family]
        values |= {"name": shared.name, "key": f"{shared.family} {shared.name.partition('?')[0]}"}
        values |= {"what": spoken.plural, "cure": spoken.cure}
        if shared.family == OTHER_CLUSTERS:
            cause_variant = "elsewhere"
        if cause_variant != "shared":
            values["many"] = f"{cause_variant}s"
        if shared.family == CLUSTERS and shared.name:
            values["cure"] += f"; in their paths stand {shared.name}"
    elif problem.subject and problem.kind == LOAD:
        values |= {"name": problem.subject, "many": "loads"}
    elif problem.subject and problem.cause == ABSENT:
        values |= {"name": problem.subject, "many": "absents"}
    variant = (HELM if problem.cause == LIBRARY else problem.cause) or (
        cause_variant if shared else _VARIANTS.get(problem.kind, "unrendered")
    )
    if variant in ("refused", HIDDEN):
        values["together"] = problem.place.file
    elif variant in ("denied", "directory", "below"):
        values["together"] = variant
    elif problem.target:
        values["together"] = problem.target
    elif variant == REFUSED_CHART:
        values["together"] = problem.reason.replace(f" ({problem.subject})", "")
    related = [Related("through", place, "this leads there") for place in problem.via[:1]]
    yield Hit(
        problem.place,
        values,
        variant=variant,
        related=tuple(link for link in related if link.place.file != problem.place.file),
        line=problem.line,
        column=problem.column,
        severity="" if matters else "info",
        group=_problem_group(problem, matters=matters),
    )


@check("QL009", Problem)
def too_expensive(problem: Problem, facts: Facts) -> Iterator[Hit]:
    if problem.cause == EXPENSIVE:
        # Another machine may get further, unless the change is what takes so long.
        severity = "warning" if is_of_time(problem.reason) and not facts.before else ""
        reason = f"too expensive: {problem.reason.removeprefix('too expensive: ')}"
        yield Hit(problem.place, {"reason": reason}, severity=severity)


def _problem_group(problem: Problem, *, matters: bool) -> tuple[str, ...]:
    """What problems that are reported together share: their cause, or the kustomization that names them."""
    if problem.shared is not None:
        return problem.shared.family, str(matters)
    kind = LOAD if problem.kind == LOAD else ABSENT if problem.cause == ABSENT else ""
    return (kind, problem.place.file, str(matters)) if kind and problem.subject else ()


def _may_matter(problem: Problem, facts: Facts) -> bool:
    """Whether a problem may concern a namespace with a quota or LimitRange, and an object that is counted there."""
    if problem.kind == DENIED:
        return True  # its author expects it to be applied, perhaps with a quota
    if problem.hides_limits:
        return True  # the quota itself may be missing
    if problem.shared is not None and problem.shared.family == OTHER_CLUSTERS:
        return False  # no namespace of this cluster gets more from it
    namespaces = [problem.namespace] if problem.namespace else facts.charges
    concerned = (name for name in namespaces if name in facts.charges and limits_most_pods(name, facts))
    if not problem.only:
        return next(concerned, None) is not None
    hidden = HiddenObjects(problem.reason, problem.only)
    entries = (name for namespace in concerned for quota in facts.enforced.get(namespace, ()) for name in quota.hard)
    return any(map(hidden.concerns, entries))


def limits_most_pods(namespace: str, facts: Facts) -> bool:
    """Whether a quota or LimitRange of a namespace limits other than critical pods; unknown objects hardly include
    critical pods."""
    quotas = facts.enforced.get(namespace, ())
    if not quotas or not all(quota.is_for_critical_pods for quota in quotas):
        return True
    return any(limits.object.namespace == namespace for limits in facts.limit_ranges)


def _namespace_words(problem: Problem, facts: Facts) -> str:
    return f"namespace {problem.namespace}" if problem.namespace else "any namespace"
