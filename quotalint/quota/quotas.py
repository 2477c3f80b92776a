"""ResourceQuota objects → quotas with exact amounts and requirements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from quotalint.admission.plugins import BUILTIN_PRIORITY_CLASSES
from quotalint.kube.amounts import UnknownAmount, amounts, is_placeholder
from quotalint.kube.api_error import ApiError, field_path
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.kube.scopes import Requirement
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path, Place

_SPEC: Path = ("spec",)
_KEYED = ("hard", "annotations")


Identity = tuple[Place, tuple[str, ...]]
"""What tells the quotas of a cluster apart: where each begins, and its namespaces."""
PoolKey = tuple[tuple[tuple[str, str, tuple[str, ...]], ...], tuple[str, ...]]
"""The scopes that the quotas of a pool share, and their namespaces."""


class Largest(NamedTuple):
    """The most that was ever charged to an entry."""

    amount: Quantity
    when: str
    """When that was, or the file that shows it."""


class Quota(NamedTuple):
    """A ResourceQuota as the API server stores it, or another object that limits what namespaces use."""

    object: Object
    namespaces: tuple[str, ...]
    """Whose usage is added up."""
    path: Path
    """Where in the object `hard` and the scopes stand."""
    hard: Mapping[str, Quantity]
    requirements: tuple[Requirement, ...]
    """Scopes and scope selector alike; all must hold."""
    unknowns: tuple[UnknownAmount, ...]
    """Entries of `hard` whose amount is not known here."""
    spec: Body
    """What is written there, or what it means in the words of a ResourceQuota."""
    called: str = ""
    """What refusals call it; empty: by the name of its object."""
    enforced_as: str = ""
    """The ResourceQuota that stands for it in each namespace, where that has a name of its own."""
    exceeding: str = ""
    """How a refusal begins; empty: `exceeded quota: NAME`."""
    is_split: bool = False
    """The ResourceQuota in a namespace has only a part of `hard`, so the numbers of a refusal are not known here."""
    hidden: tuple[str, ...] = ()
    """Why namespaces may belong to it that are not among `namespaces`."""
    refused: tuple[ApiError, ...] = ()
    """Why it is refused, beside what is wrong with `hard` and the scopes."""
    keys: Mapping[str, Path] = MappingProxyType({})
    """Where an entry stands that is not under its name in `hard`."""
    used: Mapping[str, Quantity] = MappingProxyType({})
    """What the cluster says that it charges."""
    largest: Mapping[str, Largest] = MappingProxyType({})
    """The most that several snapshots of it show; none where there are not several."""
    shares: tuple[Quota, ...] | None = None
    """Of a budget: the quotas whose `hard` is added up, in the place of what is used."""

    @property
    def name(self) -> str:
        return self.called or self.object.name

    @property
    def namespace(self) -> str:
        """The one whose usage counts, or of several the one that the object is in."""
        return self.namespaces[0] if len(self.namespaces) == 1 else self.object.namespace

    @property
    def place(self) -> Place:
        """Where the quota begins: the object, or the part of one that holds several."""
        return self.object.place if self.path == _SPEC else self.object.at(*self.path)

    @property
    def id(self) -> Identity:
        """Which quota: one place may give each of several namespaces a quota of its own."""
        return self.place, self.namespaces

    @property
    def pool(self) -> PoolKey:
        """Of all quotas that count the same objects."""
        scopes = sorted((scope.scope, scope.operator, scope.values) for scope in self.requirements)
        return tuple(scopes), self.namespaces

    @property
    def unread_scope(self) -> str:
        """The placeholder in its scopes that decides which objects it counts; empty where none does."""
        written = (word for scope in self.requirements for word in (scope.scope, scope.operator, *scope.values))
        return next(filter(is_placeholder, written), "") if self.requirements else ""

    @property
    def is_for_critical_pods(self) -> bool:
        """Whether it counts pods of Kubernetes' own priorities alone. It is there to let them in, where a cluster asks
        for one (admission configuration, `limitedResources`); Flux installs one in its own namespace."""
        return any(
            scope.scope == "PriorityClass"
            and scope.operator == "In"
            and BUILTIN_PRIORITY_CLASSES.issuperset(scope.values)
            for scope in self.requirements
        )

    def way(self, name: str) -> Path:
        """The way to an entry of `hard`."""
        return self.keys.get(name, (*self.path, "hard", name))

    def entry(self, name: str) -> Place:
        """The place of an entry of `hard`."""
        return self.object.at(*self.way(name))

    def field(self, name: str) -> str:
        """The API server's path of an entry of `hard`: `spec.hard[pods]`, `spec.quota.hard[pods]`."""
        return field_path(self.way(name), keyed=_KEYED)

    def within(self, *path: str) -> str:
        """The API server's path of something beside `hard`: `spec.scopes`."""
        return field_path((*self.path, *path), keyed=_KEYED)


def quota(
    obj: Object, namespaces: tuple[str, ...] | None = None, path: Path = _SPEC, spec: Body | None = None
) -> Quota:
    """The quota that an object describes, of its own namespace unless others are given. `spec` is what stands at the
    path, where that is not written as in a ResourceQuota. What is malformed is left out: validation reports it."""
    spec = mapping(dig(obj.body, *path)) if spec is None else spec
    hard, unknowns = amounts(spec.get("hard"), (*path, "hard"))
    # A scope means the same as a selector with Exists (generic/evaluator.go, getScopeSelectorsFromQuota).
    scopes = (
        Requirement(text(scope), "Exists", (), (*path, "scopes", index))
        for index, scope in enumerate(sequence(spec.get("scopes")))
    )
    requirements = (*scopes, *_selector(spec, path))
    members = (obj.namespace,) if namespaces is None else namespaces
    return Quota(obj, members, path, hard, requirements, unknowns, spec)


def _selector(spec: Body, within: Path) -> tuple[Requirement, ...]:
    requirements = []
    for index, written in enumerate(sequence(mapping(spec.get("scopeSelector")).get("matchExpressions"))):
        expression = mapping(written)
        values = tuple(map(text, sequence(expression.get("values"))))
        path = (*within, "scopeSelector", "matchExpressions", index)
        requirements.append(
            Requirement(text(expression.get("scopeName")), text(expression.get("operator")), values, path)
        )
    return tuple(requirements)


_USED = {
    ("", "ResourceQuota"): ("status", "used"),
    ("quota.openshift.io", "ClusterResourceQuota"): ("status", "total", "used"),
}


Moment = tuple[str, Sequence[Object]]
"""When a snapshot was taken, and what it shows."""


def with_live_use(quota: Quota, live: Iterable[Object]) -> Quota:
    """The quota with what is charged to it: as a snapshot shows it, else as it was exported."""
    obj = quota.object
    used = live_use(next((live_object for live_object in live if live_object.ref == obj.ref), obj))
    return quota._replace(used=used) if used else quota


def live_use(obj: Object) -> Mapping[str, Quantity]:
    """What the status of an object says to be charged, by entry; nothing where it is no quota, or says nothing."""
    path = _USED.get((obj.group, obj.kind))
    return {} if path is None else amounts(dig(obj.body, *path), path).known


def with_largest_use(quota: Quota, history: Iterable[Moment]) -> Quota:
    """The quota with the largest use that was seen; of several alike the first. Without several there is none."""
    largest: dict[str, Largest] = {}
    for when, objects in history:
        for obj in objects:
            if obj.ref != quota.object.ref:
                continue
            for name, amount in live_use(obj).items():
                if name not in largest or amount.nano > largest[name].amount.nano:
                    largest[name] = Largest(amount, when)
    return quota._replace(largest=largest) if largest else quota
