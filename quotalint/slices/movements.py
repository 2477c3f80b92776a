"""Objects that come or go → whether nothing but their namespaces depends on them: neither which roots are applied
together, nor what folders say of namespaces, nor which of several objects of a name counts."""

from __future__ import annotations

import marshal
import posixpath
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice

from quotalint.deployed import (
    KUSTOMIZATION_NAMES,
    RootObject,
    RootObjects,
    conflicting_groups,
    fits_pattern,
    is_deployer,
    refuses_kind,
    tells_clusters_apart,
)
from quotalint.kube.discovery import is_cluster_scoped
from quotalint.kube.kinds import by_kind, limits_namespace
from quotalint.kube.objects import Object, Ref
from quotalint.named_tuples import NamedTuple
from quotalint.slices.kept import Home, Slice, Slices, unpack_surroundings
from quotalint.slices.local_kinds import is_local_kind
from quotalint.slices.namespace_surroundings import is_namespace
from quotalint.slices.remaking import is_unfinished
from quotalint.slices.slice_facts import discovery_around
from quotalint.slices.tree_notes import (
    AppliedRoot,
    NotedPart,
    NotedProject,
    TreeNote,
    folder_of,
    ref_digest,
    written_namespace,
)
from quotalint.workloads import makes_pods

_MARKS = (
    *(b"argoproj.io/", b"config.k8s.io/", b"configmanagement.gke.io/", b"fluxcd.io/", b"helm.sh/hook", b"quotalint"),
)
"""What is in labels and annotations by which tools are told what to do with an object."""


class Movement(NamedTuple):
    """An object that comes, or goes."""

    obj: Object
    homes: tuple[Home, ...]
    """Where it was; of a new one, the objects that it stands before now."""
    beside: tuple[Home, ...]
    """Where one is that is applied with it; none is looked for where it goes."""
    files: frozenset[str]
    """Those that it may be written in."""
    is_new: bool
    unit: int | None = None
    """The number of the one that it is made in."""
    source: str = ""
    """A file that is applied as that is in which it is written."""
    companions: Sequence[Object] = ()
    """What is applied where a new one is, as long as nothing of that is refused."""
    named_in: frozenset[str] = frozenset()
    """Which of the files may name its namespace; none where any of them may."""

    @property
    def names_namespace(self) -> bool:
        """Whether it may name its namespace itself, so that its folder says something of that."""
        if self.obj.metadata.get("namespace") != self.obj.namespace:
            return False
        if not self.is_new or self.unit is None:
            return True
        return posixpath.basename(self.obj.at("metadata", "namespace").real.source) not in KUSTOMIZATION_NAMES


def are_alone(movements: Sequence[Movement], slices: Slices, note: TreeNote, slice_at: Callable[[int], Slice]) -> bool:
    """Whether nothing depends on any of these but what is said of their namespaces, as far as that can be told without
    the roots."""
    leaving = {movement.obj.ref for movement in movements if not movement.is_new}
    coming = [(number, movement.obj.ref) for movement in movements if movement.is_new for number, _ in movement.homes]
    if len(set(coming)) < len(coming):
        return False
    for movement in movements:
        obj = movement.obj
        if not is_local_kind(obj.body, deploys=slices.deploys) or is_deployer(obj) or limits_namespace(obj):
            return False
        if not (obj.namespace and _names_its_own(obj, slices)) or obj.homeless or obj.guesses:
            return False
        if is_unfinished(obj, deploys=slices.deploys) or is_marked(obj):
            return False
        folders = set(map(folder_of, movement.named_in or movement.files))
        limiting = folders & note.limiting.keys()
        if makes_pods(obj, slices.settings.workloads) and movement.files & note.extreme:
            return False
        if folders & note.unread or any(note.limiting[folder] != obj.namespace for folder in limiting):
            return False
        if movement.is_new and obj.ref not in leaving and ref_digest(obj.ref) in note.refs:
            return False
        for of in (slice_at(number) for number, _ in movement.homes):
            if not _fits_into(obj, of, slices):
                return False
            if movement.names_namespace and not _says_nothing_new(
                obj, of, slices, leaving, note, limits=bool(limiting)
            ):
                return False
        siblings = [slice_at(number).objects[at] for number, at in movement.beside]
        if any(sibling.guesses or sibling.homeless for sibling in siblings):
            return False
        if not (is_allowed(obj, movement.companions, note) if movement.is_new else may_go(obj, note)):
            return False
    return True


def is_marked(obj: Object) -> bool:
    """Whether some tool may be told by an object what to do with it."""
    data = marshal.dumps(dict(obj.body))
    return any(mark in data for mark in _MARKS)


def _names_its_own(obj: Object, slices: Slices) -> bool:
    """Whether an object is of the namespace that it names, or of the one that what deploys it gives it, which gives the
    same one to all of them: the configuration gives one by files."""
    written = obj.metadata.get("namespace")
    return written == obj.namespace or (written in (None, "") and not slices.settings.namespaces)


def is_allowed(obj: Object, companions: Sequence[Object], note: TreeNote) -> bool:
    """Whether no project refuses all that an object comes with, since of that namespace or of that kind it allows
    nothing; one that refuses a companion is another one, or has refused all of it before."""
    for project in _refusing(obj, note):
        if not any(_refuses(project, companion) for companion in companions):
            return False
    namespace = written_namespace(obj.body)
    # Of custom kinds it is not known whether they are of a namespace.
    if not (namespace and _is_builtin(obj)):
        return True
    near = {written_namespace(companion.body) for companion in companions if _is_builtin(companion)} - {""}
    limiting = (project for project in note.projects if not project.is_extended)
    return namespace in near or all(_allows_any(project, near) for project in limiting)


def may_go(obj: Object, note: TreeNote) -> bool:
    """Whether an object that goes was not all that a project refused of what another Application deploys from there."""
    return not _refusing(obj, note)


def _allows_any(project: NotedProject, namespaces: Collection[str]) -> bool:
    """Whether a project that has refused nothing in these namespaces refuses nothing in another one: it does not look
    at namespaces, or is another one, as the only one that it lets pass unseen is that of the Application itself."""
    if all(pattern == "*" for pattern in project.namespaces):
        return True
    refused = (name for name in namespaces if not any(fits_pattern(pattern, name) for pattern in project.namespaces))
    return len(list(islice(refused, 2))) > 1


def _refusing(obj: Object, note: TreeNote) -> list[NotedProject]:
    """The projects that do not allow the kind of an object."""
    return [project for project in note.projects if _refuses(project, obj)]


def _refuses(project: NotedProject, obj: Object) -> bool:
    return refuses_kind(obj, project.lists, is_extended=project.is_extended)


def _is_builtin(obj: Object) -> bool:
    return by_kind(obj.group, obj.kind) is not None


def _fits_into(obj: Object, of: Slice, slices: Slices) -> bool:
    """Whether an object surely is of a namespace."""
    around = unpack_surroundings(slices.surroundings[of.surroundings])
    is_elsewhere = is_cluster_scoped(discovery_around(around, slices.settings), obj.group, obj.kind)
    return of.namespace == obj.namespace and not is_elsewhere


def _says_nothing_new(
    obj: Object, of: Slice, slices: Slices, leaving: Collection[Ref], note: TreeNote, *, limits: bool
) -> bool:
    """Whether what its folder says of namespaces is what it was, where there may be quotas or LimitRanges in that, or
    not."""
    workloads = slices.settings.workloads
    others = [other for other in of.objects if other.ref not in leaving and other.ref != obj.ref]
    here = [other for other in others if other.folder == obj.folder and _names_alike(other, obj)]
    if limits:
        # Where there is nothing else it may be the home of another namespace.
        return not all(map(limits_namespace, here))
    # A folder may be the home of the namespace for its workloads, or be that of another one no longer.
    is_limited = bool(note.limiting) or any(map(limits_namespace, of.objects))
    return not (is_limited and makes_pods(obj, workloads)) or any(makes_pods(other, workloads) for other in here)


def _names_alike(other: Object, obj: Object) -> bool:
    """Whether another object names its namespace where one does that names its own: in its file, or in what builds
    it. One that is given a namespace by what deploys it says nothing of its folder."""
    is_named = other.metadata.get("namespace") == other.namespace
    return is_named and (other.place.made is None) == (obj.place.made is None)


def keeps_roots_apart(
    movements: Sequence[Movement],
    roots: Sequence[AppliedRoot],
    came: Sequence[RootObjects] = (),
    went: Collection[str] = (),
) -> bool:
    """Whether the same roots conflict with each other, and for the same reasons, where some come, and some folders
    go."""
    telling = [movement for movement in movements if tells_clusters_apart(movement.obj)]
    founding = [movement for movement in movements if is_namespace(movement.obj)]
    before = [root.objects for root in roots if root.objects is not None]
    if not (telling or founding or came or went) or len(before) < len(roots):
        return True
    changed = [_changed_keys(root, telling) for root in roots]
    groups = conflicting_groups(before)
    for new_first in (True, False) if telling else (True,):
        after = [
            _with_keys(own, *keys, new_first=new_first)._replace(declared=own.declared | _declared_by(root, founding))
            for own, keys, root in zip(before, changed, roots, strict=True)
        ]
        left = [number for number, own in enumerate(after) if own.folder not in went]
        numbers = [*left, *range(len(after), len(after) + len(came))]
        groups_left = conflicting_groups([*(after[number] for number in left), *came])
        labels = [{numbers[at]: label for at, label in group.labels.items()} for group in groups_left]
        if labels != [group.labels for group in groups]:
            return False
        # Where they put objects counts beside others that have nothing to do with them.
        if len(groups) > 1 and [group.namespaces for group in groups_left] != [group.namespaces for group in groups]:
            return False
        for number, keys in enumerate(changed):
            if any(keys) and _sharing(before, number) != _sharing(after, number):
                return False
    return True


_Keys = dict[tuple[str, ...], RootObject]


def _changed_keys(root: AppliedRoot, movements: Iterable[Movement]) -> tuple[_Keys, _Keys]:
    """The keys of the objects that come to a root, and of those that go."""
    came: _Keys = {}
    went: _Keys = {}
    for movement in movements:
        for part in filter(lambda part: _brings(part, movement), root.parts):
            key = (part.destination, *movement.obj.ref)
            (came if movement.is_new else went)[key] = RootObject(part.folder, None)
    return came, went


def _declared_by(root: AppliedRoot, founding: Iterable[Movement]) -> frozenset[str]:
    """The new namespaces that come with a root."""
    return frozenset(of.obj.name for of in founding if any(_brings(part, of) for part in root.parts))


def _brings(part: NotedPart, movement: Movement) -> bool:
    return movement.unit in part.units if movement.unit is not None else movement.source in part.sources


def _with_keys(own: RootObjects, came: _Keys, went: _Keys, *, new_first: bool) -> RootObjects:
    left = {key: of_root for key, of_root in own.by_key.items() if key not in went or key in came}
    return own._replace(by_key={**came, **left} if new_first else {**left, **came})


def _sharing(roots: Sequence[RootObjects], number: int) -> list[int]:
    """The numbers of the roots that have an object which a root has, too."""
    own = roots[number].by_key.keys()
    return [other for other, root in enumerate(roots) if other != number and not own.isdisjoint(root.by_key)]
