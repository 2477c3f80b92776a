"""The namespaces that folders declare, and the namespaces that objects in the folders name."""

from __future__ import annotations

import posixpath
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import chain

from quotalint.accounts.facts import Facts
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.kinds import DECLARING, LIMITING, declares_namespace, limits_namespace
from quotalint.kube.objects import Object, objects
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import recalled_each
from quotalint.settings import Workload
from quotalint.text.place import Place
from quotalint.text.reading import File
from quotalint.text.tree import KUSTOMIZATION_NAMES
from quotalint.workloads import makes_pods

NAMESPACE = ("metadata", "namespace")
_LOOKED_AT = frozenset(kind for _, kind in (*DECLARING, *LIMITING))


class FolderMember(NamedTuple):
    """An object that names its namespace in its own file."""

    object: Object
    file: str
    limits: bool
    """It is a quota or LimitRange."""
    is_workload: bool = False

    @property
    def namespace(self) -> str:
        return self.object.namespace

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.file)


class FolderNames(NamedTuple):
    """The namespaces that the members of a folder name, computed once because a folder may have thousands."""

    workloads: frozenset[str]
    limiting: frozenset[str]
    """The namespaces that quotas and LimitRanges name."""
    only_limiting: bool
    """The folder has only quotas and LimitRanges."""


class FolderNamespaces(NamedTuple):
    """The namespaces that each folder declares and names. An object belongs to the folder of the file that names its
    namespace."""

    declared: Mapping[str, Mapping[str, frozenset[str]]]
    """folder → namespace → the files that declare it."""
    members: Mapping[str, tuple[FolderMember, ...]]
    """By folder, in order."""
    names: Mapping[str, FolderNames]
    """By folder."""
    own: tuple[FolderMember, ...]
    """The quotas and LimitRanges of the current environment."""

    def limiting(self) -> Iterator[FolderMember]:
        """All quotas and LimitRanges: those of the environment first, then those of plain files."""
        yield from self.own
        known = set(map(id, self.own))
        for folder_members in self.members.values():
            yield from (member for member in folder_members if member.limits and id(member) not in known)

    def of(self, namespace: str) -> frozenset[str]:
        """The folders that declare a namespace."""
        return frozenset(folder for folder, names in self.declared.items() if namespace in names)


def named_namespaces(facts: Facts) -> frozenset[str]:
    """All namespaces that are declared or named. If there is only one, nothing can be misplaced."""
    return frozenset((*facts.cluster.by_namespace, *_written_folders(facts).named)) - {""}


def read_folder_namespaces(facts: Facts) -> FolderNamespaces:
    """The namespaces of the repository's folders, and the objects of one environment in them."""
    written = _written_folders(facts)
    members: dict[str, list[FolderMember]] = {}
    candidates = recalled_each(
        ("homes", facts.environment),
        tuple(_all_objects(facts)),
        (facts.settings.workloads,),
        partial(_candidate_of, facts.settings.workloads),
    )
    for candidate in filter(None, candidates):
        if candidate.member.file in written.files and candidate.is_written_in(written.files):
            members.setdefault(candidate.folder, []).append(candidate.member)
    documents_at_home = {
        (member.file, member.object.place.document) for folder_members in members.values() for member in folder_members
    }
    own = tuple(member for folder_members in members.values() for member in folder_members if member.limits)
    for folder in members.keys() & written.limits.keys():
        plain_limits = written.limits[folder]
        members.setdefault(folder, []).extend(
            member for member in plain_limits if (member.file, member.object.place.document) not in documents_at_home
        )
    names = {folder: _namespaces_named(folder_members) for folder, folder_members in members.items()}
    members_by_folder = {folder: tuple(folder_members) for folder, folder_members in members.items()}
    # Folders of other environments are not copied: there may be thousands of both.
    return FolderNamespaces(
        written.declared, ChainMap(members_by_folder, written.limits), ChainMap(names, written.names), own
    )


def all_in_own_folders(limiting: Iterable[Object], facts: Facts) -> bool:
    """Whether these quotas and LimitRanges, and those that they replace, all name the one namespace that their folder
    declares. Then none is misplaced."""
    declared = _written_folders(facts).declared
    replaced = (obj for overwritten in facts.cluster.overwritten for obj in overwritten.others if limits_namespace(obj))
    candidates = map(partial(_candidate_of, facts.settings.workloads), chain(limiting, replaced))
    return all(
        candidate is None or declared.get(candidate.folder, {}).keys() == {candidate.member.namespace}
        for candidate in candidates
    )


class _WrittenFolders(NamedTuple):
    """The namespaces in the files, independent of the environment."""

    all_files: Sequence[File]
    namespaces: Sequence[Object]
    kustomized: Set[str]
    files: Mapping[str, File]
    objects: Sequence[Object]
    declared: Mapping[str, Mapping[str, frozenset[str]]]
    limits: dict[str, tuple[FolderMember, ...]]
    """The quotas and LimitRanges of plain files, by folder."""
    names: dict[str, FolderNames]
    """The namespaces that these limits name."""
    named: frozenset[str]
    """All namespaces that any file declares or names."""


_WRITTEN: list[_WrittenFolders] = []  # a cache for the last repository


def _written_folders(facts: Facts) -> _WrittenFolders:
    """The namespaces in the files, computed once for all environments, which may be hundreds."""
    all_files, namespaces = facts.repository.files, facts.repository.namespaces
    kustomized = facts.repository.kustomized
    known = (_WRITTEN[0].all_files, _WRITTEN[0].namespaces, _WRITTEN[0].kustomized) if _WRITTEN else ()
    if not known or known[0] is not all_files or known[1] is not namespaces or known[2] is not kustomized:
        files = {file.source.name: file for file in all_files}
        # Objects that declare or limit namespaces, in all files, whether or not they are applied.
        in_files = recalled_each("written", all_files, (), partial(written_objects, _LOOKED_AT))
        objects = tuple(chain.from_iterable(filter(None, in_files)))
        limits = _plain_limits(facts, objects)
        names = {folder: _namespaces_named(members) for folder, members in limits.items()}
        declared = _declared_namespaces(facts, objects)
        declared_names = (name for by_name in declared.values() for name in by_name)
        named = frozenset((*declared_names, *(obj.namespace for obj in objects)))
        _WRITTEN[:] = [
            _WrittenFolders(all_files, namespaces, kustomized, files, objects, declared, limits, names, named)
        ]
    return _WRITTEN[0]


def _plain_limits(facts: Facts, written: Iterable[Object]) -> dict[str, tuple[FolderMember, ...]]:
    limits: dict[str, list[FolderMember]] = {}
    for obj in filter(limits_namespace, written):
        file = obj.place.source
        if obj.namespace and not is_placeholder(obj.namespace) and _is_plain(file, facts):
            limits.setdefault(posixpath.dirname(file), []).append(FolderMember(obj, file, limits=True))
    return {folder: tuple(members) for folder, members in limits.items()}


def _namespaces_named(members: Sequence[FolderMember]) -> FolderNames:
    return FolderNames(
        frozenset(member.namespace for member in members if member.is_workload),
        frozenset(member.namespace for member in members if member.limits),
        all(member.limits for member in members),
    )


def _all_objects(facts: Facts) -> Iterator[Object]:
    """All objects, including those that others replace."""
    yield from facts.cluster.outline
    for overwritten in facts.cluster.overwritten:
        yield from overwritten.others


class _Candidate(NamedTuple):
    """An object that may name its namespace itself."""

    member: FolderMember
    folder: str
    place: Place | None
    """The place of the namespace; None if it is in the object's own document."""

    def is_written_in(self, files: Mapping[str, File]) -> bool:
        """Whether the file has this namespace literally, without substitution."""
        return self.place is None or _written_value(self.place, files[self.member.file]) == self.member.namespace


def _candidate_of(workloads: Mapping[str, Workload], obj: Object) -> _Candidate | None:
    if obj.foreign or obj.homeless or obj.has_assumed_namespace or is_placeholder(obj.namespace):
        return None
    named_at = naming_place(obj)
    if named_at is None:
        return None
    member = FolderMember(obj, named_at.source, limits_namespace(obj), makes_pods(obj, workloads))
    return _Candidate(member, posixpath.dirname(named_at.source), None if named_at is obj.place else named_at)


def naming_place(obj: Object) -> Place | None:
    """The place where an object's namespace is written: in the object, in a patch, or in the source of a replacement.
    For an object without substitutions it is its document. None if it has no namespace or gets one otherwise."""
    if not obj.namespace or obj.metadata.get("namespace") != obj.namespace:
        return None
    is_whole_document = obj.place.made is None and not obj.place.path
    place = obj.place if is_whole_document else obj.at(*NAMESPACE).real
    is_of_object = is_whole_document or place.path[-2:] == NAMESPACE
    return place if is_of_object and posixpath.basename(place.source) not in KUSTOMIZATION_NAMES else None


def _written_value(place: Place, file: File) -> object:
    """The value in a file before any substitution; None if the file is a template."""
    values = (document.value for document in file.reading.documents if document.index == place.document)
    return dig(next(values, None), *place.path)


def _declared_namespaces(facts: Facts, written: Iterable[Object]) -> Mapping[str, Mapping[str, frozenset[str]]]:
    """The namespaces as they are written, and as they are rendered, which may change their names."""
    declaring_files: dict[str, dict[str, set[str]]] = {}
    declaring = [(obj, obj.place.source) for obj in written if declares_namespace(obj)]
    for obj, file in (*declaring, *((obj, obj.place.file) for obj in facts.repository.namespaces)):
        if obj.name and not is_placeholder(obj.name):
            declaring_files.setdefault(posixpath.dirname(file), {}).setdefault(obj.name, set()).add(file)
    return {
        folder: {name: frozenset(files) for name, files in names.items()} for folder, names in declaring_files.items()
    }


def written_objects(kinds: Set[str], file: File) -> tuple[Object, ...]:
    """The objects of these kinds in a file, whether or not they are applied, and all objects in its lists."""
    written: list[Object] = []
    for document in file.reading.documents:
        # Of ten thousand documents only a few have these kinds.
        body = mapping(document.value)
        if text(body.get("kind")) in kinds or "items" in body:
            written += objects(document.value, Place(file.source.name, document.index))
    return tuple(written)


def _is_plain(name: str, facts: Facts) -> bool:
    return name not in facts.repository.kustomized and name not in facts.repository.data
