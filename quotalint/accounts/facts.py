"""The facts of one environment: the values that checks read, and the subjects that they are called with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from quotalint.accounts.server_limits import Configured
from quotalint.admission import Admitted
from quotalint.admission.plugins import Plugins
from quotalint.kube.api_error import ApiError
from quotalint.kube.cluster import Cluster, Overwritten
from quotalint.kube.guess import CONTENT, LEFT_OUT, VERSION, Guess
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
    from quotalint.kube.pod_security_configuration import SecurityConfiguration
    from quotalint.quota.histories import History
    from quotalint.quota.sequences import RolloutOutcome
    from quotalint.quota.unmet_demand import UnmetDemand


class Repository(NamedTuple):
    """Facts that do not depend on what is applied."""

    settings: Settings
    files: tuple[File, ...]
    """The files that were read."""
    unreadable: tuple[Unreadable, ...]
    kustomized: frozenset[str]
    """Kustomizations, and the files that they use as manifests or patches."""
    data: frozenset[str]
    """Other files that kustomizations use, such as the content of a generated ConfigMap."""
    skipped: tuple[Skipped, ...]
    documents: int
    fixtures: frozenset[str] = frozenset()
    """Files of tests and examples that are not applied."""
    idle: frozenset[str] = frozenset()
    """The files of folders that nobody applies, including fixtures."""
    deployed_unread: frozenset[str] = frozenset()
    """Unparsable files that a deployer applies as written."""
    configured: tuple[Configured, ...] = ()
    """The configurations of API servers that limit resources by default (`limitedResources`)."""
    security: tuple[SecurityConfiguration, ...] = ()
    """The configurations of API servers for Pod Security."""
    namespaces: tuple[Object, ...] = ()
    """The rendered objects of all environments that declare namespaces."""
    embedded: tuple[Object, ...] = ()
    """The quotas and LimitRanges inside other objects."""


class RefusedQuota(NamedTuple):
    """A quota that the API server refuses, with its errors."""

    quota: Quota
    errors: tuple[ApiError, ...]


class Facts(NamedTuple):
    """Everything that checks may read about one environment. Other environments are not visible to them."""

    repository: Repository
    environment: str
    """The name; empty if the repository has only one environment."""
    problems: tuple[Problem, ...]
    """What could not be rendered, or may differ from what will be applied."""
    unseen: tuple[Unseen, ...]
    """Why a namespace may contain objects that are not known here."""
    cluster: Cluster
    quotas: tuple[Quota, ...]
    enforced: Mapping[str, tuple[Quota, ...]]
    """The quotas that the API server accepts and enforces, by namespace."""
    limit_ranges: tuple[LimitRange, ...]
    errors: Mapping[Place, tuple[ApiError, ...]]
    """Why the API server refuses a quota or LimitRange, by the place of the object."""
    refused: tuple[RefusedQuota, ...]
    """The quotas with errors."""
    plugins: Plugins
    """What the admission plugins of the API server do to objects before their quota."""
    charges: Mapping[str, tuple[Charge, ...]]
    """By namespace, in the order of paths. Only namespaces with a quota or LimitRange have charges. If the API server
    limits something by default, all namespaces have."""
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
    stopped_rollouts: Mapping[Identity, tuple[RolloutOutcome, ...]] = MappingProxyType({})
    """Rollouts by the quota that stops them first."""
    histories: Mapping[Identity, tuple[History, ...]] = MappingProxyType({})
    """What a quota has no room to keep: old revisions, finished Jobs, ended pods."""
    unmet_runs: Mapping[str, tuple[UnmetDemand, ...]] = MappingProxyType({})
    """The scheduled runs that do not fit, by namespace."""
    unmet_overlapping_runs: Mapping[str, tuple[UnmetDemand, ...]] = MappingProxyType({})
    """The scheduled runs that do not fit as they pile up."""
    unmet_at_maximum: Mapping[str, tuple[UnmetDemand, ...]] = MappingProxyType({})
    """The workloads whose autoscaler maximum does not fit, by namespace."""
    default_limits: DefaultLimits = NO_LIMITS
    """The resources that need a quota before anything may use them (`limitedResources`)."""
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
        """The charges that a quota counts, in the order of creation."""
        return charges_of(quota, self.charges)

    def projections_of(self, quota: Quota) -> Mapping[str, Projection]:
        """The projections of one quota, by entry of `hard`."""
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
        if isinstance(subject, Object):  # guesses about its namespace or cluster do not matter here
            return tuple(guess for guess in subject.guesses if guess.about in (CONTENT, LEFT_OUT, VERSION))
        owner = subject.owner if isinstance(subject, Charge) else None
        if owner is None or not isinstance(subject, Charge):
            return ()
        changing = subject.admitted.guesses
        of_policies = (
            guess
            for name, guesses in changing.items()
            if not (entries and name) or name in entries
            for guess in guesses
        )
        ranges = (limit_range.object for limit_range in self.limit_ranges if limit_range.namespace == owner.namespace)
        limiting = (*ranges, *(quota.object for quota in self.enforced.get(owner.namespace, ())))
        return tuple(dict.fromkeys((*(guess for obj in (owner, *limiting) for guess in obj.guesses), *of_policies)))

    def subjects(self, kind: type) -> tuple[Any, ...]:
        """All subjects of a type, in the order in which checks get them."""
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
