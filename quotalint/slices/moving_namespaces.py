"""Namespaces that come or go with all that is in them → whether nothing else depends on that, and the slices in which
they begin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quotalint.deployed import Unseen, is_deployer
from quotalint.kube.discovery import is_cluster_scoped
from quotalint.kube.fields import mapping, text
from quotalint.kube.kinds import is_built_in, limits_namespace
from quotalint.kube.names import label_name_errors
from quotalint.kube.objects import Object, Ref
from quotalint.kube.rbac import GROUP as RBAC
from quotalint.kube.rbac import roles
from quotalint.named_tuples import NamedTuple
from quotalint.slices.kept import Homes, Slice, SliceAt, Slices, pack_slice, unpack_surroundings
from quotalint.slices.local_kinds import is_local_coming
from quotalint.slices.movements import is_marked
from quotalint.slices.namespace_surroundings import NO_SUMS, is_namespace
from quotalint.slices.remaking import is_unfinished
from quotalint.slices.slice_changes import SliceChanges, change_of
from quotalint.slices.slice_facts import discovery_around
from quotalint.slices.tree_notes import FOUNDING, TreeNote


class Vicinity(NamedTuple):
    """The environments that something is applied to, by the numbers of what is around namespaces there."""

    unseen: Mapping[int, tuple[Unseen, ...]]
    """What any of their namespaces may hold besides."""
    limits: Mapping[int, int]
    """The number of the slice in which all quotas and LimitRanges are, and what is of no namespace and decides nothing,
    as far as that is known."""


class MovingNamespace(NamedTuple):
    """A namespace that comes or goes with all that is in it."""

    folder: str
    """The one that all of it is written in; empty of what is built."""
    name: str
    objects: tuple[Object, ...]
    homes: tuple[Homes, ...] = ()
    """Where each of them was, of a folder that goes."""

    @property
    def limits(self) -> tuple[Object, ...]:
        """Its quotas and LimitRanges."""
        return tuple(filter(limits_namespace, self.objects))


def may_found(slices: Slices, note: TreeNote) -> bool:
    """Whether namespaces may come and go by themselves: none has quotas that nothing declares it for, or may have what
    templates write, and the configuration tells nothing apart by files."""
    return not (note.namespaces.strays or slices.settings.environments or slices.settings.namespaces)


def moving_namespace(folder: str, written: Iterable[Object], homes: tuple[Homes, ...] = ()) -> MovingNamespace:
    """The namespace of these objects, without a name where they do not declare just one."""
    all_objects = tuple(written)
    declared = [obj.name for obj in all_objects if is_namespace(obj)]
    return MovingNamespace(folder, declared[0] if len(declared) == 1 else "", all_objects, homes)


def stands_alone(own: MovingNamespace, near: Vicinity, slices: Slices) -> bool:
    """Whether nothing outside of a namespace depends on what comes or goes with it, and all of that is of it."""
    if label_name_errors(own.name) or is_built_in(own.name):
        return False
    if len({obj.ref for obj in own.objects}) < len(own.objects):
        return False
    if not near.unseen or (own.limits and near.limits.keys() != near.unseen.keys()):
        return False
    around = [unpack_surroundings(slices.surroundings[number]) for number in near.unseen]
    discoveries = [discovery_around(of_environment, slices.settings) for of_environment in around]
    of_namespace = (obj for obj in own.objects if not is_namespace(obj))
    if any(is_cluster_scoped(kinds, obj.group, obj.kind) for obj in of_namespace for kinds in discoveries):
        return False
    return all(_is_of_namespace(obj, own.name, slices) for obj in own.objects) and _protects_quotas(own, slices)


def _is_of_namespace(obj: Object, namespace: str, slices: Slices) -> bool:
    if is_unfinished(obj, deploys=slices.deploys) or is_deployer(obj) or is_marked(obj) or not obj.name:
        return False
    if obj.guesses or obj.homeless:
        return False
    if is_namespace(obj):
        return not obj.metadata.get("namespace")
    is_known = (obj.body.get("apiVersion"), obj.body.get("kind")) in FOUNDING  # and declares no other namespace
    is_local = is_known or is_local_coming(obj.body, deploys=slices.deploys)
    return is_local and text(obj.metadata.get("namespace")) == namespace


def _protects_quotas(own: MovingNamespace, slices: Slices) -> bool:
    """Whether nobody is allowed to write the quotas of a namespace (QL504)."""
    declared = roles((obj for obj in own.objects if (obj.group, obj.kind) == (RBAC, "Role")), ())
    for binding in (obj for obj in own.objects if (obj.group, obj.kind) == (RBAC, "RoleBinding")):
        is_own = mapping(binding.body.get("roleRef")).get("kind") == "Role"
        if not (is_own or is_local_coming(binding.body, deploys=slices.deploys)):
            return False
        if is_own and any(rule.writes_any_quota for rule in declared.rules(binding)):
            return False
    return True


class NewSlices:
    """The slices of new namespaces, with what comes to them. A class because they are numbered one after the other."""

    def __init__(self, slices: Slices, slice_at: SliceAt, changes: SliceChanges) -> None:
        """What comes is added to the changes."""
        self._before = slices
        self._slice_at = slice_at
        self._changes = changes
        self._packed: list[bytes] = []
        self._taken: set[tuple[int, Ref]] = set()

    def take(self, ref: Ref, environments: Iterable[int]) -> bool:
        """Whether an object comes to these environments, by the numbers of what is around namespaces there, for the
        first time."""
        places = {(surroundings, ref) for surroundings in environments}
        is_first = self._taken.isdisjoint(places)
        self._taken |= places
        return is_first

    def add(self, own: MovingNamespace, near: Vicinity) -> bool:
        """Add a namespace where it comes to; False where it is there already."""
        if not self.take(Ref("", "Namespace", "", own.name), near.unseen):
            return False
        for surroundings, unseen in near.unseen.items():
            number = len(self._before.slices) + len(self._packed)
            self._packed.append(pack_slice(Slice(surroundings, own.name, (), unseen, NO_SUMS)))
            change_of(self._changes, number).came.extend((0, obj) for obj in own.objects)
            if own.limits:
                compared = near.limits[surroundings]
                last = len(self._slice_at(compared).objects)
                change_of(self._changes, compared).came.extend((last, obj) for obj in own.limits)
        return True

    def with_others(self) -> Slices:
        """All slices, those of new namespaces empty as yet."""
        return self._before._replace(slices=[*self._before.slices, *self._packed])
