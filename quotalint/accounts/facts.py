"""All facts of a repository that a check may read, and the subjects that it is called with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from quotalint.accounts.server_limits import Configured
from quotalint.admission import Admitted
from quotalint.kube.api_error import ApiError
from quotalint.kube.cluster import Cluster, Overwritten
from quotalint.kube.guess import CONTENT, LEFT_OUT, Guess
from quotalint.kube.limit_range import LimitRange
from quotalint.kube.objects import Object, ObjectId, Ref
from quotalint.named_tuples import NamedTuple
from quotalint.quota.admissions import NOTHING, Admissions
from quotalint.quota.charges import Charge, charges_of
from quotalint.quota.default_limits import NO_LIMITS, DefaultLimits
from quotalint.quota.projection import Projection
from quotalint.quota.quotas import Identity, Quota
from quotalint.settings import Scenario, Settings
from quotalint.text.place import Place
from quotalint.text.reading import File
from quotalint.text.sources import Unreadable
from quotalint.unknowns.problems import Problem
from quotalint.unknowns.unseen import Skipped, Unseen

if TYPE_CHECKING:
    from quotalint.quota.sequences import RolloutOutcome
    from quotalint.quota.unmet_demand import UnmetDemand


class Repository(NamedTuple):
    """Facts that do not depend on what is applied."""

    settings: Settings
    files: tuple[File, ...]
    """The files that were read."""
    unreadable: tuple[Unreadable, ...]
    kustomized: frozenset[str]
    """The files that kustomizations refer to as manifests or patches, and the kustomizations."""
    data: frozenset[str]
    """The other files that they refer to."""
    skipped: tuple[Skipped, ...]
    documents: int
    fixtures: frozenset[str] = frozenset()
    """The files of tests and examples that nobody applies."""
    idle: frozenset[str] = frozenset()
    """The files of folders that nobody applies, including fixtures."""
    deployed_unread: frozenset[str] = frozenset()
    """The files that cannot be read and that something deploys as they are."""
    configured: tuple[Configured, ...] = ()
    """The default limits of API servers."""
    namespaces: tuple[Object, ...] = ()
    """The objects of all environments that declare namespaces, as they are rendered."""
    embedded: tuple[Object, ...] = ()
    """The quotas and LimitRanges inside other objects."""


class RefusedQuota(NamedTuple):
    """A quota that the API server refuses, and why."""

    quota: Quota
    errors: tuple[ApiError, ...]


class Facts(NamedTuple):
    """The intermediate values for one environment."""

    repository: Repository
    environment: str
    """Empty where there is only one."""
    problems: tuple[Problem, ...]
    """What could not be rendered, or only differently."""
    unseen: tuple[Unseen, ...]
    """Why a namespace may hold more objects than are in view."""
    cluster: Cluster
    quotas: tuple[Quota, ...]
    enforced: Mapping[str, tuple[Quota, ...]]
    """Those of the quotas that take effect, by namespace."""
    limit_ranges: tuple[LimitRange, ...]
    errors: Mapping[Place, tuple[ApiError, ...]]
    """Why the API server refuses a quota or LimitRange, by the place of the object."""
    refused: tuple[RefusedQuota, ...]
    """The quotas among these."""
    charges: Mapping[str, tuple[Charge, ...]]
    """By namespace, in path order; only of namespaces with a quota or a LimitRange, of all where something is limited
    by default."""
    projections: tuple[Projection, ...]
    by_quota: Mapping[Identity, Mapping[str, Projection]]
    """The projections by the identity of their quota and the entry of its `hard`."""
    admissions: Admissions = NOTHING
    """The result of applying everything in order."""
    may_be_full: frozenset[str] = frozenset()
    """The namespaces in which something may be refused, now or during any rollout."""
    invalid: Mapping[ObjectId, tuple[Admitted, ...]] = MappingProxyType({})
    """The pods that the API server refuses whatever the quota, by the identity of their owner."""
    rollouts: Mapping[ObjectId, RolloutOutcome] = MappingProxyType({})
    """The outcome of the next rollout of a workload, by the identity of its object; without those that go well."""
    stopped: Mapping[Identity, tuple[RolloutOutcome, ...]] = MappingProxyType({})
    """Rollouts by the quota that stops them first, now or after more changes."""
    runs: Mapping[str, tuple[UnmetDemand, ...]] = MappingProxyType({})
    """The scheduled runs that do not fit, by namespace."""
    overlapping_runs: Mapping[str, tuple[UnmetDemand, ...]] = MappingProxyType({})
    """The scheduled runs that do not fit as they pile up."""
    maxima: Mapping[str, tuple[UnmetDemand, ...]] = MappingProxyType({})
    """The workloads whose autoscaler maximum does not fit, by namespace."""
    default_limits: DefaultLimits = NO_LIMITS
    """What the API server limits by default."""
    withheld: Mapping[Ref, str] = MappingProxyType({})
    """Why the objects here are not applied at all: their deployer is not allowed to."""
    before: Mapping[Ref, Quota] = MappingProxyType({})
    """The quotas of the base that the API server accepted, by the names of their objects."""
    claims_before: Mapping[Ref, Object] = MappingProxyType({})
    """The claims of the base, and the owners of immutable claim templates."""
    object_before: Callable[[Ref], Object | None] = lambda _: None
    """An object of the base by its reference; None if the base has none."""

    @property
    def settings(self) -> Settings:
        return self.repository.settings

    def is_rejected(self, quota: Quota) -> bool:
        """Whether the API server refuses the quota."""
        return bool(self.errors.get(quota.place))

    def charges_of(self, quota: Quota) -> tuple[Charge, ...]:
        """Everything that counts against a quota, in the order in which it is applied."""
        return charges_of(quota, self.charges)

    def projections_of(self, quota: Quota) -> Mapping[str, Projection]:
        """Those of one quota, by entry of `hard`."""
        return self.by_quota.get(quota.id, {})

    def is_tight(self, quota: Quota) -> bool:
        """Whether any entry is exceeded at the peak; if not, no single workload exceeds it either."""
        return any(projection.exceeds(Scenario.PEAK) for projection in self.projections_of(quota).values())

    def guesses_of(
        self, subject: object, entries: Collection[str] = (), actor: Object | None = None
    ) -> tuple[Guess, ...]:
        """The guesses that a sum, the use of a quota (or of some `entries`, with all but `actor` at rest) or the
        refusal of a pod depends on."""
        if isinstance(subject, Projection):
            return subject.proof(self.settings.scenario).guesses
        if isinstance(subject, Quota):
            return tuple(
                dict.fromkeys(
                    guess
                    for name, projection in self.projections_of(subject).items()
                    if not entries or name in entries
                    for guess in (projection.guesses_at_rest(actor) if entries else projection.guesses)
                )
            )
        if isinstance(subject, Object):  # wherever it goes; what was left out may mend what is wrong with it
            return tuple(guess for guess in subject.guesses if guess.about in (CONTENT, LEFT_OUT))
        owner = subject.owner if isinstance(subject, Charge) else None
        if owner is None:
            return ()
        ranges = (limit_range.object for limit_range in self.limit_ranges if limit_range.namespace == owner.namespace)
        limiting = (*ranges, *(quota.object for quota in self.enforced.get(owner.namespace, ())))
        return tuple(dict.fromkeys(guess for obj in (owner, *limiting) for guess in obj.guesses))

    def subjects(self, kind: type) -> tuple[Any, ...]:
        """What the checks of one kind of subject are called with, in order."""
        if kind is Charge:
            return tuple(charge for charges in self.charges.values() for charge in charges)
        by_kind: dict[type, tuple[Any, ...]] = {
            Facts: (self,),
            File: self.repository.files,
            Unreadable: self.repository.unreadable,
            Problem: self.problems,
            Object: self.cluster.objects,
            Overwritten: self.cluster.overwritten,
            Quota: self.quotas,
            RefusedQuota: self.refused,
            LimitRange: self.limit_ranges,
            Projection: self.projections,
        }
        return by_kind[kind]
