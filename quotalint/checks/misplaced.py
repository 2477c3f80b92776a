"""Checks of quotas and LimitRanges that go to a neighbour's namespace."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quotalint.checks.hit import Hit, Related, check
from quotalint.checks.homes import NAMESPACE, Homes, Member, homes
from quotalint.facts import Facts
from quotalint.fixes.fix import Fix, Replace
from quotalint.kube.declared import is_built_in
from quotalint.kube.objects import Object
from quotalint.text.place import Place

_PATTERN = 2  # folders that are called as their namespaces, before that is the way they are called


class Meant(NamedTuple):
    """Where something was to go, and how that is known."""

    namespace: str
    variant: str = "default"
    source: str = ""
    """The file that declares it."""


@check("QL601", Facts)
def namespace_mismatch(facts: Facts, _: Facts) -> Iterator[Hit]:
    limiting = (*facts.cluster.of("", "ResourceQuota"), *facts.cluster.of("", "LimitRange"))
    if not any(obj.metadata.get("namespace") for obj in limiting):
        return
    known = homes(facts)
    for member in known.limiting():
        meant = _meant(member, known) if member.is_here else None
        if meant is not None:
            yield _hit(member, meant, known)


def _meant(member: Member, known: Homes) -> Meant | None:
    """The namespace that its place in the repository says, where that is another one than it names itself."""
    here = known.declared.get(member.folder, {})
    if len(here) > 1:
        return _by_file(member, known)
    if here:
        ((namespace, files),) = here.items()
        return _by_folder(member, namespace, min(files), known)
    return _by_neighbours(member, known) or _by_pattern(member, known)


def _by_folder(member: Member, namespace: str, source: str, known: Homes) -> Meant | None:
    """The one namespace that the folder declares."""
    if namespace == member.namespace:
        return None
    inside = [one for one in known.members[member.folder] if one.object is not member.object]
    elsewhere = {one.namespace for one in (*inside, member) if one.limits} - {namespace}
    if len(elsewhere) > 1:
        return None  # a folder that collects the quotas of several namespaces
    named = _is_called(member, namespace)
    beside = [one for one in inside if one.namespace == member.namespace and not one.limits]
    if is_built_in(member.namespace):
        return Meant(namespace, source=source) if named and not beside else None
    if known.of(member.namespace) - {member.folder}:
        # It has a home of its own. A folder that holds workloads of both is one that serves both.
        serves = any(one.is_workload for one in beside) and any(one.namespace == namespace for one in inside)
        return None if serves else Meant(namespace, source=source)
    if beside:
        return None
    own = any(one.namespace == namespace and one.object.kind == member.object.kind for one in inside)
    return Meant(namespace, source=source) if named or not own else None


def _by_file(member: Member, known: Homes) -> Meant | None:
    """The one namespace that its file declares, in a folder of files that each declare one."""
    by_file: dict[str, set[str]] = {}
    for namespace, files in known.declared[member.folder].items():
        for file in files:
            by_file.setdefault(file, set()).add(namespace)
    own = by_file.get(member.file, set())
    if len(own) != 1 or member.namespace in own:
        return None
    limits = [one for one in known.members[member.folder] if one.limits and one.file != member.file]
    paired = [one for one in limits if len(by_file.get(one.file, ())) == 1]
    declared = any(member.namespace in names for file, names in by_file.items() if file != member.file)
    if declared and paired and all(one.namespace in by_file[one.file] for one in paired):
        return Meant(next(iter(own)), "file", member.file)
    return None


def _by_neighbours(member: Member, known: Homes) -> Meant | None:
    """The one namespace that the workloads, quotas and LimitRanges beside it name."""
    named = known.names[member.folder]
    names = named.workloads | (named.limiting - {member.namespace})
    if len(names) != 1 or member.namespace in names or is_built_in(member.namespace):
        return None
    (namespace,) = names
    if posixpath.basename(member.folder) == member.namespace:
        return None  # then the others are the ones that strayed
    inside = known.members[member.folder]
    others = [one for one in inside if one.is_workload or (one.limits and one.namespace != member.namespace)]
    certain = _is_called(member, namespace) or namespace in posixpath.basename(member.folder)
    if not certain:
        # A folder may hold what several namespaces have; not a second quota of one that has its own at home.
        copied = len(others) > 1 and any(one.is_workload for one in others) and _is_second(member, known)
        return Meant(namespace, "neighbours") if copied else None
    if _has_home(member, known):
        return Meant(namespace, "neighbours")
    alone = not any(one.limits and one.namespace == member.namespace for one in inside if one.object != member.object)
    kept = any(one.limits for one in others)
    return Meant(namespace, "neighbours") if alone and kept and len(others) > 1 else None


def _has_home(member: Member, known: Homes) -> bool:
    """Whether the namespace that it names is at home in another folder: declared, or the only one named there."""
    if known.of(member.namespace) - {member.folder}:
        return True
    return any(
        folder != member.folder
        and _named([one for one in several if one.is_workload or one.limits]) == {member.namespace}
        for folder, several in known.members.items()
    )


def _is_second(member: Member, known: Homes) -> bool:
    """Whether the namespace that it names has one of its kind in a folder of its own."""
    return any(
        folder != member.folder
        and _named(several) == {member.namespace}
        and any(one.limits and one.object.kind == member.object.kind for one in several)
        for folder, several in known.members.items()
    )


def _by_pattern(member: Member, known: Homes) -> Meant | None:
    """The namespace that its folder is called after, as those beside it are. The neighbour that it names has one of
    the same name, or it is called after its own folder."""
    parent, own = posixpath.split(member.folder)
    named = known.names[member.folder]
    if own == member.namespace or not named.only_limiting or named.limiting != {member.namespace}:
        return None
    beside = {
        posixpath.basename(folder): folder
        for folder, names in known.names.items()
        if names.limiting and posixpath.dirname(folder) == parent and folder != member.folder
    }
    if len(beside) < _PATTERN or any(known.names[folder].limiting != {name} for name, folder in beside.items()):
        return None
    rivals = [one for one in known.members.get(beside.get(member.namespace, "\0"), ()) if one.limits]
    twice = any((one.object.kind, one.object.name) == (member.object.kind, member.object.name) for one in rivals)
    return Meant(own, "pattern") if rivals and (twice or _is_called(member, own)) else None


def _named(members: Sequence[Member]) -> set[str]:
    return {one.namespace for one in members}


def _is_called(member: Member, namespace: str) -> bool:
    """Whether the object or its file is called after a namespace, and not after the one that it names."""
    words = f"{member.object.name} {posixpath.basename(member.file)}"
    return namespace in words and (member.namespace not in words or member.namespace in namespace)


def _hit(member: Member, meant: Meant, known: Homes) -> Hit:
    obj = member.object
    there = [one.object for one in known.limiting() if one.object is not obj and one.object.kind == obj.kind]
    replaced = [one for one in there if (one.namespace, one.name) == (obj.namespace, obj.name)]
    has_own = any(one.namespace == meant.namespace for one in there)
    variant = "replaces" if meant.variant == "default" and replaced and not has_own else meant.variant
    related = [Related("declares", Place(meant.source), f"declares {meant.namespace}")] if meant.source else []
    related += [Related("replaced", one.place, f"{one.kind} {one.name} of {one.namespace}") for one in replaced[:1]]
    values = {"kind": obj.kind, "name": obj.name, "namespace": obj.namespace, "meant": meant.namespace}
    return Hit(
        obj.at(*NAMESPACE),
        values,
        obj,
        "metadata.namespace",
        variant,
        tuple(related),
        fix=_fix(member, meant, there) if meant.variant == "default" else None,
    )


def _fix(member: Member, meant: Meant, there: Sequence[Object]) -> Fix:
    obj = member.object
    edit = Replace(obj.at(*NAMESPACE), obj.namespace, meant.namespace)
    fix = Fix((edit,), False, f"write {meant.namespace} in place of {obj.namespace}")
    taken = any(one.ref == obj.ref._replace(namespace=meant.namespace) for one in there)
    return fix._replace(obstacle=f"{meant.namespace} has a {obj.kind} {obj.name}") if taken else fix
