"""Checks of quotas and LimitRanges with another team's namespace."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from quotalint.accounts.facts import Facts
from quotalint.checks.folder_namespaces import (
    NAMESPACE,
    FolderMember,
    FolderNamespaces,
    all_in_own_folders,
    named_namespaces,
    read_folder_namespaces,
)
from quotalint.checks.hit import Hit, Related, check
from quotalint.fixes.fix import Fix, Replace
from quotalint.kube.kinds import is_built_in
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Place

_PATTERN = 2  # folders named like their namespaces that make a pattern


class MeantNamespace(NamedTuple):
    """The namespace that was probably meant, and how it was found."""

    namespace: str
    variant: str = "default"
    source: str = ""
    """The file that declares it."""


@check("QL601", Facts)
def namespace_mismatch(facts: Facts, _: Facts) -> Iterator[Hit]:
    limiting = (*facts.cluster.of("", "ResourceQuota"), *facts.cluster.of("", "LimitRange"))
    if not any(obj.metadata.get("namespace") for obj in limiting) or len(named_namespaces(facts)) < 2:
        return
    if all_in_own_folders(limiting, facts):
        return
    folder_namespaces = read_folder_namespaces(facts)
    for member in folder_namespaces.own:
        meant = _meant_namespace(member, folder_namespaces)
        if meant is not None:
            yield _misplaced_hit(member, meant, folder_namespaces)


def _meant_namespace(member: FolderMember, folder_namespaces: FolderNamespaces) -> MeantNamespace | None:
    """The namespace that the object's folder implies, if it differs from the written one."""
    declared = folder_namespaces.declared.get(member.folder, {})
    if len(declared) > 1:
        return _by_file(member, folder_namespaces)
    if declared:
        ((namespace, files),) = declared.items()
        return _by_folder(member, namespace, min(files), folder_namespaces)
    return _by_neighbours(member, folder_namespaces) or _by_pattern(member, folder_namespaces)


def _by_folder(
    member: FolderMember, namespace: str, source: str, folder_namespaces: FolderNamespaces
) -> MeantNamespace | None:
    """From the one namespace that the folder declares."""
    if namespace == member.namespace:
        return None
    inside = [
        neighbour for neighbour in folder_namespaces.members[member.folder] if neighbour.object is not member.object
    ]
    elsewhere = {neighbour.namespace for neighbour in (*inside, member) if neighbour.limits} - {namespace}
    if len(elsewhere) > 1:
        return None  # the folder collects quotas of several namespaces
    is_named = _is_named_after(member, namespace)
    companions = [neighbour for neighbour in inside if neighbour.namespace == member.namespace and not neighbour.limits]
    if is_built_in(member.namespace):
        return MeantNamespace(namespace, source=source) if is_named and not companions else None
    if folder_namespaces.of(member.namespace) - {member.folder}:
        # The written namespace has its own folder. A folder with workloads of both namespaces serves both.
        serves = any(companion.is_workload for companion in companions) and any(
            neighbour.namespace == namespace for neighbour in inside
        )
        return None if serves else MeantNamespace(namespace, source=source)
    if companions:
        return None
    has_own = any(
        neighbour.namespace == namespace and neighbour.object.kind == member.object.kind for neighbour in inside
    )
    return MeantNamespace(namespace, source=source) if is_named or not has_own else None


def _by_file(member: FolderMember, folder_namespaces: FolderNamespaces) -> MeantNamespace | None:
    """From the one namespace that the file declares, in a folder whose files each declare one."""
    by_file: dict[str, set[str]] = {}
    for namespace, files in folder_namespaces.declared[member.folder].items():
        for file in files:
            by_file.setdefault(file, set()).add(namespace)
    own = by_file.get(member.file, set())
    if len(own) != 1 or member.namespace in own:
        return None
    limits = [
        neighbour
        for neighbour in folder_namespaces.members[member.folder]
        if neighbour.limits and neighbour.file != member.file
    ]
    paired = [limiting_member for limiting_member in limits if len(by_file.get(limiting_member.file, ())) == 1]
    declared = any(member.namespace in names for file, names in by_file.items() if file != member.file)
    if (
        declared
        and paired
        and all(limiting_member.namespace in by_file[limiting_member.file] for limiting_member in paired)
    ):
        return MeantNamespace(next(iter(own)), "file", member.file)
    return None


def _by_neighbours(member: FolderMember, folder_namespaces: FolderNamespaces) -> MeantNamespace | None:
    """From the one namespace that the workloads, quotas and LimitRanges in the folder name."""
    named = folder_namespaces.names[member.folder]
    names = named.workloads | (named.limiting - {member.namespace})
    if len(names) != 1 or member.namespace in names or is_built_in(member.namespace):
        return None
    (namespace,) = names
    if posixpath.basename(member.folder) == member.namespace:
        return None  # the folder has the written name, so the others are misplaced
    inside = folder_namespaces.members[member.folder]
    others = [
        neighbour
        for neighbour in inside
        if neighbour.is_workload or (neighbour.limits and neighbour.namespace != member.namespace)
    ]
    is_certain = _is_named_after(member, namespace) or namespace in posixpath.basename(member.folder)
    if not is_certain:
        # A folder may hold objects for several namespaces, but not a second quota of a namespace with its own folder.
        copied = (
            len(others) > 1 and any(other.is_workload for other in others) and _is_second(member, folder_namespaces)
        )
        return MeantNamespace(namespace, "neighbours") if copied else None
    if _has_other_folder(member, folder_namespaces):
        return MeantNamespace(namespace, "neighbours")
    alone = not any(
        neighbour.limits and neighbour.namespace == member.namespace
        for neighbour in inside
        if neighbour.object != member.object
    )
    others_limit = any(other.limits for other in others)
    return MeantNamespace(namespace, "neighbours") if alone and others_limit and len(others) > 1 else None


def _has_other_folder(member: FolderMember, folder_namespaces: FolderNamespaces) -> bool:
    """Whether another folder declares the written namespace, or names only that namespace."""
    if folder_namespaces.of(member.namespace) - {member.folder}:
        return True
    return any(
        folder != member.folder
        and _namespaces_of([neighbour for neighbour in folder_members if neighbour.is_workload or neighbour.limits])
        == {member.namespace}
        for folder, folder_members in folder_namespaces.members.items()
    )


def _is_second(member: FolderMember, folder_namespaces: FolderNamespaces) -> bool:
    """Whether another folder for the written namespace has an object of this kind."""
    return any(
        folder != member.folder
        and _namespaces_of(folder_members) == {member.namespace}
        and any(neighbour.object.kind == member.object.kind for neighbour in folder_members)
        for folder, folder_members in folder_namespaces.members.items()
    )


def _by_pattern(member: FolderMember, folder_namespaces: FolderNamespaces) -> MeantNamespace | None:
    """From the folder's name, if its sibling folders are named like their namespaces. The sibling for the written
    namespace must have an object of the same name, or this object must be named like its own folder."""
    parent, own = posixpath.split(member.folder)
    named = folder_namespaces.names[member.folder]
    if own == member.namespace or not named.only_limiting or named.limiting != {member.namespace}:
        return None
    sibling_folders = {
        posixpath.basename(folder): folder
        for folder, names in folder_namespaces.names.items()
        if names.limiting and posixpath.dirname(folder) == parent and folder != member.folder
    }
    if len(sibling_folders) < _PATTERN or any(
        folder_namespaces.names[folder].limiting != {name} for name, folder in sibling_folders.items()
    ):
        return None
    rivals = [
        neighbour
        for neighbour in folder_namespaces.members.get(sibling_folders.get(member.namespace, "\0"), ())
        if neighbour.limits
    ]
    twice = any((rival.object.kind, rival.object.name) == (member.object.kind, member.object.name) for rival in rivals)
    return MeantNamespace(own, "pattern") if rivals and (twice or _is_named_after(member, own)) else None


def _namespaces_of(members: Sequence[FolderMember]) -> set[str]:
    return {member.namespace for member in members}


def _is_named_after(member: FolderMember, namespace: str) -> bool:
    """Whether the object or its file is named after a namespace, and not after the written one."""
    words = f"{member.object.name} {posixpath.basename(member.file)}"
    return namespace in words and (member.namespace not in words or member.namespace in namespace)


def _misplaced_hit(member: FolderMember, meant: MeantNamespace, folder_namespaces: FolderNamespaces) -> Hit:
    obj = member.object
    same_kind = [
        other.object
        for other in folder_namespaces.limiting()
        if other.object is not obj and other.object.kind == obj.kind
    ]
    replaced = [other for other in same_kind if (other.namespace, other.name) == (obj.namespace, obj.name)]
    has_own = any(other.namespace == meant.namespace for other in same_kind)
    variant = "replaces" if meant.variant == "default" and replaced and not has_own else meant.variant
    related = [Related("declares", Place(meant.source), f"declares {meant.namespace}")] if meant.source else []
    related += [
        Related("replaced", other.place, f"{other.kind} {other.name} of {other.namespace}") for other in replaced[:1]
    ]
    values = {"kind": obj.kind, "name": obj.name, "namespace": obj.namespace, "meant": meant.namespace}
    return Hit(
        obj.at(*NAMESPACE),
        values,
        obj,
        "metadata.namespace",
        variant,
        tuple(related),
        fix=_namespace_fix(member, meant, same_kind) if meant.variant == "default" else None,
    )


def _namespace_fix(member: FolderMember, meant: MeantNamespace, same_kind: Sequence[Object]) -> Fix:
    obj = member.object
    edit = Replace(obj.at(*NAMESPACE), obj.namespace, meant.namespace)
    fix = Fix((edit,), safe=False, words=f"write {meant.namespace} in place of {obj.namespace}")
    taken = any(other.ref == obj.ref._replace(namespace=meant.namespace) for other in same_kind)
    return fix._replace(obstacle=f"{meant.namespace} has a {obj.kind} {obj.name}") if taken else fix
