"""Reads ResourceQuota objects into quotas with exact amounts and requirements."""

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
_KEYED = ("hard", "annotations", "overall")


Identity = tuple[Place, tuple[str, ...]]
"""The identity of a quota in a cluster: its place and namespaces."""
PoolKey = tuple[tuple[tuple[str, str, tuple[str, ...]], ...], tuple[str, ...]]
"""The scopes and namespaces that the quotas of a pool share."""


class Largest(NamedTuple):
    """The largest amount ever charged to an entry."""

    amount: Quantity
    when: str
    """The time of that charge, or the file that shows it."""


class Quota(NamedTuple):
    """A ResourceQuota as the API server stores it, or another object that limits what namespaces use."""

    object: Object
    namespaces: tuple[str, ...]
    """The namespaces whose usage is added up."""
    path: Path
    """The path in the object where `hard` and the scopes are."""
    hard: Mapping[str, Quantity]
    requirements: tuple[Requirement, ...]
    """Scopes and scope selector alike; all must hold."""
    unknowns: tuple[UnknownAmount, ...]
    """Entries of `hard` whose amount is unknown here."""
    spec: Body
    """The spec as it is written, or as a ResourceQuota would express it."""
    called: str = ""
    """The name in refusals; empty: the name of its object."""
    enforced_as: str = ""
    """The name of the ResourceQuota that enforces it in each namespace, if that differs."""
    exceeding: str = ""
    """How a refusal begins; empty: `exceeded quota: NAME`."""
    is_split: bool = False
    """Each namespace has a ResourceQuota with only a part of `hard`, so the numbers in a refusal are unknown here."""
    hidden: tuple[str, ...] = ()
    """Why the quota may have more namespaces than `namespaces`."""
    refused: tuple[ApiError, ...] = ()
    """Why it is refused, in addition to errors in `hard` and the scopes."""
    keys: Mapping[str, Path] = MappingProxyType({})
    """The path of each entry that is not under its name in `hard`."""
    used: Mapping[str, Quantity] = MappingProxyType({})
    """The usage in the cluster's status."""
    largest: Mapping[str, Largest] = MappingProxyType({})
    """The largest usage in several snapshots; empty without several snapshots."""
    shares: tuple[Quota, ...] | None = None
    """For a budget: the quotas whose `hard` is added up instead of usage."""
    is_general: bool = False
    """A policy makes it in every namespace that it selects, so an entry may bind in others."""

    @property
    def name(self) -> str:
        return self.called or self.object.name

    @property
    def namespace(self) -> str:
        """The namespace whose usage counts; if there are several, the object's namespace."""
        return self.namespaces[0] if len(self.namespaces) == 1 else self.object.namespace

    @property
    def place(self) -> Place:
        """Where the quota begins: the object, or a part of an object with several quotas."""
        return self.object.place if self.path == _SPEC else self.object.at(*self.path)

    @property
    def id(self) -> Identity:
        """The identity of the quota: one place may give each of several namespaces its own quota."""
        return self.place, self.namespaces

    @property
    def pool(self) -> PoolKey:
        """The key of all quotas that count the same objects."""
        scopes = sorted((scope.scope, scope.operator, scope.values) for scope in self.requirements)
        return tuple(scopes), self.namespaces

    @property
    def unread_scope(self) -> str:
        """The placeholder in the scopes that decides which objects count; empty if there is none."""
        written = (word for scope in self.requirements for word in (scope.scope, scope.operator, *scope.values))
        return next(filter(is_placeholder, written), "") if self.requirements else ""

    @property
    def is_for_critical_pods(self) -> bool:
        """Whether it counts only pods with Kubernetes' own priority classes. Such a quota admits pods where the cluster
        requires one (admission configuration, `limitedResources`); Flux installs one in its own namespace."""
        return any(
            scope.scope == "PriorityClass"
            and scope.operator == "In"
            and BUILTIN_PRIORITY_CLASSES.issuperset(scope.values)
            for scope in self.requirements
        )

    def way(self, name: str) -> Path:
        """The path of an entry of `hard`."""
        return self.keys.get(name, (*self.path, "hard", name))

    def entry(self, name: str) -> Place:
        """The place of an entry of `hard`."""
        return self.object.at(*self.way(name))

    def field(self, name: str) -> str:
        """The API server's field path of an entry of `hard`: `spec.hard[pods]`, `spec.quota.hard[pods]`."""
        return field_path(self.way(name), keyed=_KEYED)

    def within(self, *path: str) -> str:
        """The API server's field path of another field: `spec.scopes`."""
        return field_path((*self.path, *path), keyed=_KEYED)


def quota(
    obj: Object, namespaces: tuple[str, ...] | None = None, path: Path = _SPEC, spec: Body | None = None
) -> Quota:
    """The quota that an object describes, for its own namespace unless others are given. `spec` replaces what is at the
    path if that differs from a ResourceQuota's spec. Malformed parts are skipped; validation reports them."""
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
"""The time of a snapshot, and its objects."""


def with_live_use(quota: Quota, live: Iterable[Object]) -> Quota:
    """The quota with its current usage, from a snapshot or else from its own status."""
    obj = quota.object
    used = live_use(next((live_object for live_object in live if live_object.ref == obj.ref), obj))
    return quota._replace(used=used) if used else quota


def live_use(obj: Object) -> Mapping[str, Quantity]:
    """The usage in an object's status, by entry; empty if it is no quota or has no usage."""
    path = _USED.get((obj.group, obj.kind))
    return {} if path is None else amounts(dig(obj.body, *path), path).known


def with_largest_use(quota: Quota, history: Iterable[Moment]) -> Quota:
    """The quota with its largest usage in the history; of equal amounts the first."""
    largest: dict[str, Largest] = {}
    for when, objects in history:
        for obj in objects:
            if obj.ref != quota.object.ref:
                continue
            for name, amount in live_use(obj).items():
                if name not in largest or amount.nano > largest[name].amount.nano:
                    largest[name] = Largest(amount, when)
    return quota._replace(largest=largest) if largest else quota
