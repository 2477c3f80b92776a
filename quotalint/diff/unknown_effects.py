"""Changed files whose effect on quotas is not known: they are not rendered, not deployed or not readable, and a quota
or LimitRange may be in force."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from quotalint.accounts.facts import Facts
from quotalint.diff.change_provenance import object_files
from quotalint.diff.edited_lines import EditedLines
from quotalint.diff.field_changes import FieldChange, field_changes
from quotalint.diff.inert_objects import InertObjects
from quotalint.diff.lines import Locate
from quotalint.diff.lost_objects import LostObjects
from quotalint.diff.relevance import is_idle
from quotalint.diff.state import State
from quotalint.diff.unknown_effect import Unknown
from quotalint.diff.unsure_workloads import find_unsure
from quotalint.kube.fields import mapping, text, texts_below
from quotalint.kube.resources import alias
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import Document
from quotalint.text.place import Place
from quotalint.text.reading import File
from quotalint.unknowns.causes import FAMILIES
from quotalint.unknowns.problems import ABSENT, HELM, LIBRARY, MISSING, REFUSED_CHART, Problem
from quotalint.unknowns.unseen import CHART, LIMITING, TEMPLATE

_LIMITS = frozenset({"ResourceQuota", "LimitRange"})
_DATA = frozenset({"ConfigMap", "Secret"})
_PATHS = frozenset({"path", "chart"})
_UNDEPLOYED = "nothing deploys this"
_UNLISTED = "does not list it"
_UNRENDERED = "a Helm chart that is not rendered"
_OF_CHARTS = (".yaml", ".yml", ".tpl", ".json")
_IDLE_KEYS = frozenset(
    ("appVersion", "description", "digest", "image", "imagePullPolicy", "repository", "tag", "version")
)
_SNAPSHOT = "pass a snapshot of the cluster with `--with`"
_RENDER = "render it first, and check what comes of it"
_LIST = "add it to `resources` of that kustomization, or delete it"
_DEPLOYER = f"add what deploys it, or {_SNAPSHOT}"
_FETCH = "`git fetch --refetch --no-filter` brings what a partial clone left out"
_HELM = "install `quotalint[helm]`, which renders charts, or put `helm` on the path"


class _Source(NamedTuple):
    """Why the effect of a changed file is not known."""

    namespace: str
    reason: str
    cure: str
    family: str = ""
    """The family of the cause, if several causes have the same remedy."""
    document: int | None = None
    """The document of the file that matters; None if all do."""
    writes_limits: bool = False
    is_undeployed: bool = False
    """It is an object that nothing in view deploys, which is why its effect is not known."""


def find_unknowns(
    before: State, after: State, edited: EditedLines, locate: Locate, lost_objects: LostObjects
) -> tuple[Unknown, ...]:
    """The changed files whose effect on quotas is not known, each once, with its first line that matters. What went
    out of view comes first, then files that write quotas or LimitRanges."""
    environments = after.environments
    limited = frozenset(_limited_namespaces((*before.environments, *environments)))
    files = {file.source.name: file for file in environments[0].repository.files}
    old_files = {file.source.name: file for file in before.environments[0].repository.files}
    sources_of = _Sources(environments, files)
    reported = {
        finding.file for finding in after.findings if finding.rule.looks_at == "file" and finding.severity == "error"
    }
    lost = [
        unknown._replace(
            cure=next((of.cure for of in sources_of.of_file(unknown.file) if of.reason in unknown.reason), unknown.cure)
        )
        for unknown in lost_objects.unknowns
        if unknown.file not in reported
    ]
    lost_files = {unknown.file for unknown in lost}
    unsure: dict[str, list[_Source]] = {}
    for obj, reason, cure in find_unsure(before, after):
        source = _Source(obj.namespace, reason, cure, "", obj.place.real.document)
        for name in object_files(obj):
            unsure.setdefault(name, []).append(source)
    counted = _CountedSizes((*before.environments, *environments))
    limiting: list[Unknown] = []
    others: list[Unknown] = []
    undeployed: dict[str, str] = {}
    for name in edited.changed_files():
        if name in reported or name in lost_files:
            continue
        sources = (*unsure.get(name, ()), *sources_of.of_file(name))
        for source in sorted(sources, key=lambda source: not source.writes_limits):
            is_limited = source.writes_limits or (limited and (not source.namespace or source.namespace in limited))
            if is_limited or "" in limited:
                pair = files.get(name), old_files.get(edited.before(name))
                may_count = counted.may_count if source.is_undeployed else None
                line = _changed_line(name, pair, source.document, edited, locate, may_count)
                if line and edited.is_absent(name):
                    source = source._replace(reason=f"{name} is not in this clone", cure=_FETCH, family="")
                if line:
                    unknown = Unknown(name, line, source.namespace, source.reason, source.cure, source.family)
                    (limiting if source.writes_limits else others).append(unknown)
                    if source.is_undeployed:
                        undeployed[name] = sources_of.undeployed_folder(name)
                    break
    return (*lost, *_with_folders_as_causes((*limiting, *others), undeployed))


def _with_folders_as_causes(unknowns: Iterable[Unknown], undeployed: Mapping[str, str]) -> Iterator[Unknown]:
    """The unknowns. Several files of one folder that nothing deploys have that folder as their one cause."""
    numbers = Counter(undeployed.values())
    for unknown in unknowns:
        folder = undeployed.get(unknown.file, "")
        is_shared = bool(folder) and numbers[folder] > 1
        yield unknown._replace(reason=_undeployed_reason(f"{folder}/")) if is_shared else unknown


def _undeployed_reason(name: str) -> str:
    return f"nothing in view deploys {name}"


class _CountedSizes:
    """Tells which amounts that a pod asks for matter to a quota or LimitRange. A class because it keeps their names."""

    def __init__(self, environments: Sequence[Facts]) -> None:
        quotas = [quota for facts in environments for quota in facts.quotas]
        self._names = frozenset(alias(name).rpartition(".")[2] for quota in quotas for name in quota.hard)
        # A bound, a scope or a quota that nothing deploys may depend on any amount.
        self._all = any(quota.requirements for quota in quotas) or any(
            facts.limit_ranges or any(of.limiting and of.source.name in facts.repository.idle for of in files)
            for facts in environments
            for files in (facts.repository.files,)
        )

    def may_count(self, change: FieldChange) -> bool:
        """Whether a change may matter; one of `requests` or `limits` only if a quota counts that resource."""
        is_amount = len(change.path) > 1 and change.path[-2] in ("requests", "limits") and "resources" in change.path
        return self._all or not is_amount or str(change.path[-1]).rpartition(".")[2] in self._names


def _limited_namespaces(environments: Iterable[Facts]) -> Iterator[str]:
    """The namespaces of all quotas and LimitRanges, also of those that nothing deploys."""
    for facts in environments:
        for quota in facts.quotas:
            yield from quota.namespaces
        yield from (limit_range.namespace for limit_range in facts.limit_ranges)
        repository = facts.repository
        for file in repository.files:
            if file.limiting and file.source.name in repository.idle and file.source.name not in repository.fixtures:
                for document in file.reading.documents:
                    value = mapping(document.value)
                    if value.get("kind") in _LIMITS:
                        yield text(mapping(value.get("metadata")).get("namespace"))


class _Sources:
    """The files and sources of one state that are not in view, indexed once."""

    def __init__(self, environments: Sequence[Facts], files: Mapping[str, File]) -> None:
        self._files = files
        repository = environments[0].repository
        self._idle = repository.idle - repository.fixtures
        self._skipped = {skipped.name: skipped for skipped in repository.skipped}
        self._charts = {posixpath.dirname(of.name): of for of in repository.skipped if of.kind == CHART}
        # A template that writes quotas or LimitRanges stands for its chart.
        for skipped in repository.skipped:
            if skipped.kind == LIMITING and "/templates/" in f"/{skipped.name}":
                folder = f"/{skipped.name}".rpartition("/templates/")[0].lstrip("/")
                self._charts.setdefault(folder, skipped._replace(reason=_UNRENDERED))
        self._problems = tuple(
            dict.fromkeys(
                problem
                for facts in environments
                for problem in facts.problems
                # A finding says that these are wrong, whatever is in force.
                if problem.kind == MISSING and problem.cause not in (ABSENT, REFUSED_CHART)
            )
        )
        # That Helm refuses a chart is a finding, too.
        self._refused = tuple(
            problem for facts in environments for problem in facts.problems if problem.cause == REFUSED_CHART
        )
        self._problem_files = {problem.place.file for facts in environments for problem in facts.problems}
        self._unseen = tuple(dict.fromkeys(gap for facts in environments for gap in facts.unseen))
        self._objects = [obj for facts in environments for obj in facts.cluster.objects]
        self._judged = frozenset(file for obj in self._objects for file in object_files(obj))
        self._inert = InertObjects(environments, files)
        self._unreadable = {unreadable.name: unreadable.reason for unreadable in repository.unreadable}

    def of_file(self, name: str) -> Iterator[_Source]:
        """Why the effect of a file is not known; one item for each cause."""
        if any(name in problem.reason or self._is_named(name, problem) for problem in self._refused):
            return
        for problem in self._problems:
            if problem.place.file == name:
                yield _source_of(problem, problem.place.real.document)
            elif self._is_named(name, problem):
                yield _source_of(problem, None)
        yield from self._of_chart(name)
        skipped = self._skipped.get(name)
        if skipped is not None and skipped.kind in (TEMPLATE, LIMITING):
            namespace = skipped.namespaces[0] if skipped.namespaces else ""
            reason = skipped.reason if skipped.kind == LIMITING else f"{name} is {skipped.reason}"
            yield _Source(namespace, reason, _RENDER, writes_limits=skipped.kind == LIMITING)
        for gap in self._unseen:
            if gap.reason.startswith(f"{name}: ") and name not in self._problem_files:
                yield _Source(gap.namespace, gap.reason, _RENDER)
        if name in self._unreadable:
            yield _Source("", f"{name} {self._unreadable[name]}", "make it readable")
        is_idle_file = name in self._idle or (skipped is not None and _UNLISTED in skipped.reason)
        if is_idle_file and name not in self._judged and name in self._files:
            yield from self._of_idle(self._files[name])

    def undeployed_folder(self, name: str) -> str:
        """The highest folder of a file that nothing in view deploys, not even in part; empty if there is none."""
        return next((folder for folder in _folders_of(name) if folder not in self._deployed_folders), "")

    @cached_property
    def _deployed_folders(self) -> frozenset[str]:
        return frozenset(folder for name in self._files if name not in self._idle for folder in _folders_of(name))

    def _is_named(self, name: str, problem: Problem) -> bool:
        """Whether a source that is not rendered uses this file: the object that names the source names the file too."""
        place = problem.place.real
        file = self._files.get(place.source)
        value = next((of.value for of in file.reading.documents if of.index == place.document), None) if file else None
        if value is None:
            return False
        is_chart = problem.cause in (HELM, LIBRARY, REFUSED_CHART)
        if name not in self._judged and any(_leads_to(way, key, name, is_chart) for key, way in texts_below(value)):
            return True
        values_from = mapping(mapping(value).get("spec")).get("valuesFrom")
        wanted = {name_of_data for key, name_of_data in texts_below(values_from) if key == "name"}
        return any(
            obj.kind in _DATA
            and name in object_files(obj)
            and any(f"{obj.name}-".startswith(f"{of}-") for of in wanted)
            for obj in (self._objects if wanted else ())
        )

    def _of_chart(self, name: str) -> Iterator[_Source]:
        """The undeployed chart that a file is part of."""
        for folder, skipped in self._charts.items():
            if name.startswith(f"{folder}/" if folder else "") and name.endswith(_OF_CHARTS):
                writes = any(
                    other.kind == LIMITING and other.name.startswith(f"{folder}/" if folder else "")
                    for other in self._skipped.values()
                )
                namespace = skipped.namespaces[0] if len(skipped.namespaces) == 1 and not skipped.anywhere else ""
                reason = f"{folder or '.'} is {skipped.reason.partition(', so ')[0]}"
                yield _Source(namespace, reason, _DEPLOYER, writes_limits=writes)

    def _of_idle(self, file: File) -> Iterator[_Source]:
        """The objects of a file that nothing in view deploys."""
        name = file.source.name
        folder = posixpath.dirname(name)
        reasons = {posixpath.dirname(of.name): of.reason for of in self._skipped.values()}
        reason = self._skipped[name].reason if name in self._skipped else reasons.get(folder, _UNDEPLOYED)
        is_undeployed = _UNDEPLOYED in reason
        reason = reason.replace(_UNDEPLOYED, _undeployed_reason(name))
        for document in file.reading.documents:
            value = mapping(document.value)
            is_object = isinstance(value.get("apiVersion"), str) and isinstance(value.get("kind"), str)
            if is_object and not self._inert.holds(name, document.index):
                namespace = text(mapping(value.get("metadata")).get("namespace")) or text(value.get("namespace"))
                writes = value["kind"] in _LIMITS
                if is_undeployed:
                    yield _Source(namespace, reason, _DEPLOYER, "", document.index, writes, is_undeployed=True)
                elif writes and _UNLISTED in reason:
                    yield _Source(namespace, f"{name} is not applied: {reason}", _LIST, "", document.index, writes)


def _folders_of(name: str) -> Iterator[str]:
    """The folders that a file lies in, the highest first."""
    return accumulate(name.split("/")[:-1], posixpath.join)


def _source_of(problem: Problem, document: int | None) -> _Source:
    shared = problem.shared
    cure = _HELM if problem.cause in (HELM, LIBRARY) else FAMILIES[shared.family].cure if shared else _SNAPSHOT
    return _Source(
        problem.namespace, problem.reason, cure, shared.family if shared else "", document, writes_limits=problem.limits
    )


def _leads_to(way: str, key: object, name: str, is_chart: bool) -> bool:
    """Whether a written path names a file or a folder that contains it."""
    way = way.partition("{{")[0]
    way = (way.partition("/")[2] if way.startswith("$") else way).lstrip("./").rstrip("/")
    if not way or "\n" in way:
        return False
    if f"/{name}".endswith(f"/{way}") and ("." in way or "/" in way):
        return True
    return (is_chart or key == "path") and key in _PATHS and f"/{way}/" in f"/{posixpath.dirname(name)}/"


def _changed_line(
    name: str,
    files: tuple[File | None, File | None],
    document: int | None,
    edited: EditedLines,
    locate: Locate,
    may_count: Callable[[FieldChange], bool] | None = None,
) -> int:
    """The first line of a change that may move a sum; 0 where there is none, as for comments and images. `may_count`
    tells whether a field may matter, if that is known."""
    new, old = files
    if edited.is_absent(name):
        return 1
    if new is None or new.reading.failures or (old is not None and old.reading.failures):
        return next((line for line, texts in edited.changed_texts(name) if any(map(_may_matter, texts))), 0)
    earlier = {_document_key(of): of.value for of in (old.reading.documents if old is not None else ())}
    for of in new.reading.documents:
        if document is None or of.index == document:
            for change in field_changes(earlier.get(_document_key(of)), of.value):
                if is_idle(change) or (not _IDLE_KEYS.isdisjoint(change.path[-1:]) and "image" in change.path):
                    continue
                if may_count is not None and not may_count(change):
                    continue
                place = Place(name, of.index, change.path if change.new is not None else ())
                at = locate([place])[place].line
                written = edited.lines(name)
                return at if at in written else min(written, default=at)
    return 0


def _document_key(document: Document) -> tuple[object, ...]:
    value = mapping(document.value)
    metadata = mapping(value.get("metadata"))
    if "kind" not in value:
        return (document.index,)
    return text(value.get("kind")), text(metadata.get("namespace")), text(metadata.get("name"))


def _may_matter(line: str) -> bool:
    """Whether a line may move a sum: empty lines, comments, images and versions do not."""
    line = line.strip().removeprefix("- ")
    return bool(line) and not line.startswith("#") and line.partition(":")[0].strip("\"' ") not in _IDLE_KEYS
