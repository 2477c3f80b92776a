"""A finding of the head → the changed objects that caused it, and the lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from quotalint.accounts.facts import Facts
from quotalint.deployed import is_deployer
from quotalint.diff.change_provenance import Provenance, WrittenLine, object_files
from quotalint.diff.effects import Outcome, effective_changes
from quotalint.diff.field_changes import FieldChange, field_changes
from quotalint.diff.pairs import objects_by_ref
from quotalint.diff.relevance import (
    by_weight,
    field_words,
    is_size,
    other_changes,
    part_noun,
    relevant_changes,
    size_changes,
)
from quotalint.diff.shares import Move
from quotalint.kube import quantity
from quotalint.kube.fields import dig, text
from quotalint.kube.objects import Object, Ref
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.quota.quotas import Quota
from quotalint.results.finding import RelatedPlace
from quotalint.workloads.autoscalers import MAXIMUM_PATHS

_POLICIES = frozenset(
    {"Assign", "ClusterPolicy", "GeneratingPolicy", "MutatingAdmissionPolicy", "MutatingPolicy", "Policy"}
)
"""Kinds that decide if they name amounts, replicas, quotas or LimitRanges."""
_AMOUNTS = ("limits", "requests", "replicas", "LimitRange", "ResourceQuota")
_DECIDING = frozenset(
    {
        *MAXIMUM_PATHS,
        "LimitRange",
        "VerticalPodAutoscaler",
        "PriorityClass",
        "RuntimeClass",
        "StorageClass",
        *("ClusterResourceOverride", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration"),
        *_POLICIES,
    }
)
"""Kinds that decide the number of pods, their size, and the quota that counts them."""
_OF_DEVICES = frozenset({"ResourceClaimTemplate", "DeviceClass"})
"""Kinds that decide what the resource claims of pods are charged."""
_PER_NODE = frozenset({"DaemonSet", "BroadcastJob"})
"""Kinds with a pod on each node."""
_COUNTING = frozenset({"scopes", "scopeSelector", "selector"})
"""Fields of a quota that decide which objects it counts."""
_NUMBER_PATHS = (("spec", "replicas"), ("spec", "parallelism"), ("spec", "maxReplicas"), ("spec", "schedule"))
_PATH_KEYS = frozenset({"path", "chart"})
_SHOWN = 3  # fields of one object that are named
COMES, GOES, CHANGES = "comes", "goes", "changes"


class Culprit(NamedTuple):
    """A changed object that moved a sum or caused a finding."""

    object: Object
    """In the head, or in the base if it is gone."""
    how: str
    """COMES, GOES or CHANGES."""
    fields: tuple[FieldChange, ...]
    """The fields that matter, the most important first; empty for an object that comes or goes."""
    line: WrittenLine | None
    """The changed line that says so; None if there is none."""
    move: Move | None = None
    """What the workload uses of the entry, before and now."""
    hard: tuple[Quantity | None, Quantity | None] | None = None
    """For a quota: what it allowed, and what it allows."""
    file_before: str = ""
    """For a quota: its earlier file, if that is another one."""

    @property
    def eases(self) -> bool:
        """Whether it made the sum smaller or the limit larger, so that it is no reason for a shortage."""
        if self.hard is not None:
            was, now = self.hard
            return was is not None and (now is None or was.nano < now.nano)
        return self.move is not None and self.move.more < 0

    @property
    def written_at(self) -> tuple[str, int] | None:
        """File and line of the change."""
        return (self.line.file, self.line.span.line) if self.line is not None else None

    @property
    def field_words(self) -> tuple[str, ...]:
        """`replicas 4 → 12`, one for each field."""
        if self.hard is not None and self.fields:
            was, now = (amount if amount is None else quantity.show(amount) for amount in self.hard)
            return (f"{field_words(self.fields[0])} {_value_words(was)} → {_value_words(now)}",)
        return tuple(dict.fromkeys(map(_field_move, self.fields)))[:_SHOWN]


class Versions:
    """The objects of an environment in both states, indexed once."""

    def __init__(
        self,
        before: Facts | None,
        after: Facts,
        trace: Provenance,
        elsewhere: Sequence[tuple[Facts | None, Facts | None]] = (),
    ) -> None:
        """`elsewhere`: the other environments in both states; their deployers may deploy into this one."""
        self._before, self._after, self._trace, self._elsewhere = before, after, trace, elsewhere
        self._old = objects_by_ref(before)
        self._new = objects_by_ref(after)

    def of_quota(self, old: Quota | None, new: Quota, resource: str) -> Culprit | None:
        """The change of an entry of a quota, or of its scopes or namespaces; None if nothing changed."""
        was = old.hard.get(resource) if old is not None else None
        now = new.hard.get(resource)
        if was is not None and now is not None and was.nano == now.nano:
            return (self._of_scopes(old, new) or self._of_namespaces(old, new)) if old is not None else None
        change = FieldChange(new.way(resource), was and quantity.show(was), now and quantity.show(now))
        how = CHANGES if old is not None else COMES
        line = self._trace.of_field(new.object, change) or (self._line_of_new(new.object) if old is None else None)
        file = old.object.place.file if old is not None else ""
        file_before = file if file != new.object.place.file else ""
        return Culprit(new.object, how, (change,), line, hard=(was, now), file_before=file_before)

    def _of_scopes(self, old: Quota, new: Quota) -> Culprit | None:
        changed_fields = field_changes(old.object.body, new.object.body)
        scope_fields = tuple(change for change in changed_fields if _COUNTING.intersection(change.path))
        return self._of_fields(new.object, scope_fields)

    def _of_namespaces(self, old: Quota, new: Quota) -> Culprit | None:
        """The change that added a namespace to those that a quota counts; the first one."""
        added = {name for name in new.namespaces if name not in old.namespaces}
        placing = (obj for obj in self._new.values() if added and _placed_namespace(obj) in added)
        return next(filter(None, map(self._of_placement, placing)), None)

    def _of_placement(self, obj: Object) -> Culprit | None:
        was = self._old.get(obj.ref)
        if was is None:
            return Culprit(obj, COMES, (), self._line_of_new(obj))
        return self._of_fields(obj, tuple(field_changes(was.body, obj.body)))

    def of_move(self, move: Move, resource: str) -> Iterator[Culprit]:
        """The changes of a workload that uses another amount, and of the objects that decide on the amount."""
        obj = move.share.owner
        old, new = self._old.get(obj.ref), self._new.get(obj.ref)
        if new is None:
            yield Culprit(obj, GOES, (), None, move)
            return
        if old is None:
            yield Culprit(new, COMES, (), self._line_of_new(new), move)
            return
        by_number = 2 * abs(move.by_number) >= abs(move.more)
        moving_fields = _moving_fields(old, new, resource, by_number=by_number)
        moving_fields = self._without_idle_sizes(obj.ref, (old, new), moving_fields, resource)
        if move.by_number == move.more:  # each is as large as it was, wherever that is written now
            sizes = size_changes(moving_fields)
            moving_fields = tuple(change for change in moving_fields if change not in sizes)
        mine = self._of_fields(new, moving_fields)
        if mine is not None:
            yield mine._replace(move=move)
        # What an autoscaler or a LimitRange decides is none of the workload's own fields.
        all_deciders = self.of_deciders(obj.namespace, resource, by_number=by_number)
        effective = filter(None, (self._with_effect(decider, obj.ref, resource) for decider in all_deciders))
        deciders = tuple(decider for decider in effective if _decides_for(decider.object, new, move))
        for other in deciders:
            if mine is None or other.object in move.share.scalers or other.object.kind == "LimitRange":
                yield other._replace(move=move)
        if mine is None and not deciders:
            sized = self._of_fields(new, size_changes(field_changes(old.body, new.body)))
            if sized is not None:
                yield sized._replace(move=move)

    def _without_idle_sizes(
        self, owner: Ref, versions: tuple[Object, Object], fields: tuple[FieldChange, ...], resource: str
    ) -> tuple[FieldChange, ...]:
        """The fields without amounts that are not charged: an init container may ask for more than a container does."""
        sizes = tuple(filter(is_size, fields))
        kept = effective_changes(self._after, owner, versions, sizes, lambda charge: charge.each.get(resource))
        return tuple(field for field in fields if field not in sizes or field in kept)

    def _with_effect(self, decider: Culprit, owner: Ref, resource: str) -> Culprit | None:
        """The fields of a changed LimitRange that move the charge of a workload; None if there are none."""
        old = self._old.get(decider.object.ref)
        if decider.object.kind != "LimitRange" or decider.how != CHANGES or old is None:
            return decider
        fields = self._without_idle_sizes(owner, (old, decider.object), decider.fields, resource)
        return self._of_fields(decider.object, fields)

    def of_refusal(self, obj: Object, refusal: Outcome) -> Iterator[Culprit]:
        """The changes of an object, and of the LimitRanges of its namespace, that its refusal depends on."""
        ranges = (new for ref, new in self._new.items() if (ref.kind, ref.namespace) == ("LimitRange", obj.namespace))
        for new in filter(None, (self._new.get(obj.ref), *ranges)):
            old = self._old.get(new.ref)
            if old is not None:
                fields = tuple(field_changes(old.body, new.body))
                culprit = self._of_fields(new, effective_changes(self._after, obj.ref, (old, new), fields, refusal))
                if culprit is not None:
                    yield culprit

    def of_deployers(self, obj: Object) -> Iterator[Culprit]:
        """The changes of the deployers of an object that is itself unchanged."""
        for before, deployer in _changed_deployers(obj, self._old, self._new):
            fields = field_changes(before.body, deployer.body) if before is not None else ()
            culprit = self._of_fields(deployer, tuple(fields))
            if culprit is not None:
                yield culprit

    def of_other_changes(self, move: Move) -> Culprit | None:
        """Any change of a workload that uses more, if nothing else explains it."""
        obj = move.share.owner
        old, new = self._old.get(obj.ref), self._new.get(obj.ref)
        if old is None or new is None:
            return None
        culprit = self._of_fields(new, other_changes(field_changes(old.body, new.body)))
        return culprit._replace(move=move) if culprit is not None else None

    def of_settings(self, obj: Object, resource: str) -> Culprit | None:
        """The changed fields of a workload that an entry of a quota depends on; None if there are none."""
        old, new = self._old.get(obj.ref), self._new.get(obj.ref)
        if old is None or new is None:
            return None
        return self._of_fields(new, _moving_fields(old, new, resource, by_number=True))

    def _of_fields(self, obj: Object, fields: tuple[FieldChange, ...]) -> Culprit | None:
        """The change of these fields, at the first one with a changed line; None without fields."""
        if not fields:
            return None
        parts = {field.new for field in fields if part_noun(field.path)}
        fields = tuple(_with_init_container(obj, field, parts) for field in fields)
        lines = (self._trace.of_field(obj, change) for change in fields)
        return Culprit(obj, CHANGES, fields, next(filter(None, lines), None) or self._deploying_line(obj))

    def of_deciders(self, namespace: str, resource: str = "", *, by_number: bool = False) -> Iterator[Culprit]:
        """The changes of objects that decide for all workloads of a namespace."""
        kinds = _DECIDING | _OF_DEVICES if "/" in resource else _DECIDING
        refs = dict.fromkeys((*self._new, *self._old))
        for ref in refs:
            if ref.kind not in kinds or ref.namespace not in ("", namespace):
                continue
            old, new = self._old.get(ref), self._new.get(ref)
            written = str([obj.spec for obj in (old, new) if obj is not None]) if ref.kind in _POLICIES else ""
            if ref.kind not in _POLICIES or any(word in written for word in _AMOUNTS):
                yield from self._of_decider(old, new, resource, by_number=by_number)

    def of_object(self, obj: Object) -> Culprit | None:
        """The change of an object; None if it is unchanged."""
        old, new = self._old.get(obj.ref), self._new.get(obj.ref)
        return (
            next(self._of_decider(old, new, "", by_number=False), None) if old is not None or new is not None else None
        )

    def of_new_at(self, places: Iterable[RelatedPlace]) -> Iterator[Culprit]:
        """The new objects that begin at these places of a finding."""
        begins = {(place.file, place.span.line) for place in places}
        files = {file for file, _ in begins}
        for ref, obj in self._new.items():
            begin = self._trace.of_place(obj.place) if ref not in self._old and obj.place.file in files else None
            if begin is not None and (begin.file, begin.span.line) in begins:
                yield Culprit(obj, COMES, (), begin)

    def _of_decider(
        self, old: Object | None, new: Object | None, resource: str, *, by_number: bool
    ) -> Iterator[Culprit]:
        if new is None:
            if old is not None:
                yield Culprit(old, GOES, (), None)
        elif old is None:
            yield Culprit(new, COMES, (), self._line_of_new(new))
        else:
            changed_fields = tuple(field_changes(old.body, new.body))
            deciding_fields = (
                relevant_changes(changed_fields, resource, by_number=by_number) if resource else ()
            ) or by_weight(changed_fields)
            culprit = self._of_fields(new, deciding_fields)
            if culprit is not None:
                yield culprit

    def _line_of_new(self, new: Object) -> WrittenLine | None:
        return self._trace.of_object(new, *_NUMBER_PATHS) or self._deploying_line(new)

    def _deploying_line(self, new: Object) -> WrittenLine | None:
        here = _deploying_line(new, self._old, self._new, self._trace)
        others = (
            _deploying_line(new, objects_by_ref(before), objects_by_ref(after), self._trace)
            for before, after in self._elsewhere
        )
        return here or next(filter(None, others), None)


def _deploying_line(
    obj: Object, old: Mapping[Ref, Object], new: Mapping[Ref, Object], trace: Provenance
) -> WrittenLine | None:
    """The first changed line of a deployer whose path leads to a file of the object."""
    lines = (_changed_line(before, deployer, trace) for before, deployer in _changed_deployers(obj, old, new))
    return next(filter(None, lines), None)


def _changed_deployers(
    obj: Object, old: Mapping[Ref, Object], new: Mapping[Ref, Object]
) -> Iterator[tuple[Object | None, Object]]:
    """The new or changed deployers of an object, each before and after the change."""
    for ref, deployer in new.items():
        before = old.get(ref)
        is_changed = before is None or before.body != deployer.body
        if is_changed and is_deployer(deployer) and any(_leads_to(deployer, file) for file in object_files(obj)):
            yield before, deployer


def _changed_line(before: Object | None, deployer: Object, trace: Provenance) -> WrittenLine | None:
    if before is None:
        return trace.of_object(deployer)
    lines = (trace.of_field(deployer, change) for change in field_changes(before.body, deployer.body))
    return next(filter(None, lines), None)


def _leads_to(deployer: Object, file: str) -> bool:
    """Whether a file lies below a path of a deployer; the part that a template fills in matches anything."""
    for path in _written_paths(deployer.spec):
        begin, template, _ = path.removeprefix("./").lstrip("/").partition("{{")
        begin = begin if template else f"{begin.rstrip('/')}/"
        if f"/{begin}" in f"/{file}":
            return True
    return False


def _written_paths(value: object) -> Iterator[str]:
    for key, below in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(below, str):
            if key in _PATH_KEYS and below.strip("./"):
                yield below
        else:
            yield from _written_paths(below)


def _moving_fields(old: Object, new: Object, resource: str, *, by_number: bool) -> tuple[FieldChange, ...]:
    """The changed fields of a workload that an entry of a quota depends on."""
    changed_fields = field_changes(old.body, new.body)
    return relevant_changes(changed_fields, resource, by_number=by_number, per_node=new.kind in _PER_NODE)


def _placed_namespace(obj: Object) -> str:
    """The namespace that an object declares or places in a hierarchy; empty for other objects."""
    if obj.kind == "HierarchyConfiguration":
        return obj.namespace
    return obj.name if obj.kind in ("Namespace", "SubnamespaceAnchor") else ""


def _decides_for(decider: Object, workload: Object, move: Move) -> bool:
    """Whether an object decides for a workload: a claim template that the workload names, or a LimitRange that fills in
    an amount."""
    if decider.kind == "LimitRange":
        return move.is_filled
    if decider.kind != "ResourceClaimTemplate":
        return True
    fields = field_changes(None, workload.body)
    return any(field.path[-1:] == ("resourceClaimTemplateName",) and field.new == decider.name for field in fields)


def _field_move(field: FieldChange) -> str:
    part = part_noun(field.path)
    if part and (field.old is None or field.new is None):
        return f"{part} {field.new or field.old} is {'new' if field.old is None else 'gone'}"
    of = f" of init container {field.init_container}" if field.init_container else ""
    return f"{field_words(field)}{of} {_value_words(field.old)} → {_value_words(field.new)}"


def _with_init_container(obj: Object, field: FieldChange, new_parts: Set[object]) -> FieldChange:
    """The field with the name of its init container, unless the whole container is new."""
    path = field.path
    if "initContainers" not in path[:-1] or part_noun(path):
        return field
    name = text(dig(obj.body, *path[: path.index("initContainers") + 2], "name"))
    return field if name in new_parts else field._replace(init_container=name)


def _value_words(value: object) -> str:
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return str(value) if isinstance(value, str | int | float) else "other values"
