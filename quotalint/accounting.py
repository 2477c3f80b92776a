"""Makes the facts of an environment: objects → cluster → charges → projections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from quotalint.accounts.facts import Facts, RefusedQuota, Repository
from quotalint.accounts.server_limits import limited_in, security_in
from quotalint.accounts.sums import LIMITING_KINDS, Losses, invalid_pods, namespace_charges, quota_projections
from quotalint.admission import Admitted, admit_demand
from quotalint.admission.plugins import Plugins, cluster_plugins
from quotalint.deployed import Environment, Rendering, View, with_resolved_namespaces
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.api_error import ApiError
from quotalint.kube.cluster import Cluster, build_cluster, cluster_as_before
from quotalint.kube.fields import Body
from quotalint.kube.limit_range import LimitRange, limit_range
from quotalint.kube.objects import Object, Owner, Ref, owners_of
from quotalint.quota.admissions import CHANGING, Earlier, admissions, full_namespaces
from quotalint.quota.charges import Charge, charges, charges_of
from quotalint.quota.creation import Limited
from quotalint.quota.default_limits import DefaultLimits
from quotalint.quota.family import read_family
from quotalint.quota.hidden_quotas import namespaces_with_hidden_quotas
from quotalint.quota.limit_errors import limit_errors
from quotalint.quota.projection import Projection, entries_by_name
from quotalint.quota.quotas import Identity, Quota, quota, with_largest_use, with_live_use
from quotalint.runtime.faults import attempt
from quotalint.runtime.recall import memory_in_use, recalled, same_as_before
from quotalint.settings import Scenario, Settings
from quotalint.snapshots.snapshot import Snapshot, without_keys
from quotalint.text.place import Place
from quotalint.unknowns.causes import TERRAFORM_VALUES
from quotalint.unknowns.problems import DENIED, EXPENSIVE, MISSING, UNRENDERED, Problem
from quotalint.unknowns.unseen import Unseen
from quotalint.workloads import makes_pods
from quotalint.workloads.demand import RUN, demand_of_itself

if TYPE_CHECKING:
    from quotalint.accounts.contested import Contested


def facts_of(repository: Repository, environment: Environment, view: View, snapshots: Sequence[Snapshot]) -> Facts:
    """The facts of one environment, including its snapshots. If the work exceeds a limit or fails because of a bug, the
    facts are empty and say why."""

    def instead(reason: str, is_expensive: bool) -> Facts:
        why = f"{reason} (environment {environment.name})" if environment.name else reason
        problem = Problem(_first_place(environment), why, UNRENDERED, cause=EXPENSIVE)
        unknown = Rendering(problems=(problem,) if is_expensive else (), unseen=(Unseen("", why),))
        return _facts_of(repository, environment._replace(renderings=(unknown,)), view, ())

    def whole_facts() -> Facts:
        facts = recall_facts(frozenset())
        if not facts.errors:  # as nearly all
            return facts
        from quotalint.accounts.filling import amounts_filled_in_later

        awaited = amounts_filled_in_later(facts)
        return recall_facts(awaited) if awaited else facts

    def recall_facts(awaited: frozenset[Place]) -> Facts:
        if memory_in_use() is None or snapshots:
            return _facts_of(repository, environment, view, snapshots, awaited)
        settings = same_as_before(("settings", environment.name), repository.settings.within(environment.name))
        parts = (
            environment,
            view.unseen,
            settings,
            same_as_before("discovery", view.discovery),
            same_as_before("configured", repository.configured),
            same_as_before("security", repository.security),
        )
        names = tuple(other.name for other in view.environments)
        is_applied = any(environment is other for other in view.environments)
        make = partial(_facts_of, repository, environment, view, snapshots, awaited)
        facts = recalled("facts", parts, (names, is_applied, awaited), make)
        return facts._replace(repository=repository._replace(settings=settings))

    return attempt("adding up", environment.name, whole_facts, instead)


def _first_place(environment: Environment) -> Place:
    """The file that is named for a problem of a whole environment: its first file with a quota or LimitRange, else its
    first."""
    objects = sorted(environment.objects, key=lambda obj: (obj.kind not in LIMITING_KINDS, obj.place.file))
    return objects[0].place.real if objects else Place("")


def _facts_of(
    repository: Repository,
    environment: Environment,
    view: View,
    snapshots: Sequence[Snapshot],
    awaited: frozenset[Place] = frozenset(),
) -> Facts:
    """The facts; `awaited` are places of amounts that are replaced before the objects are applied."""
    settings = same_as_before(("settings", environment.name), repository.settings.within(environment.name))
    repository = repository._replace(settings=settings)
    if view.discovery.kube_version != settings.kube_version:
        view = view._replace(discovery=view.discovery._replace(kube_version=settings.kube_version))
    view = view._replace(discovery=same_as_before(("discovery", environment.name), view.discovery))
    shown = [snapshot for snapshot in snapshots if _is_of(snapshot, environment.name)]
    others = [obj for snapshot in shown for obj in with_resolved_namespaces(snapshot.objects, view.discovery)]
    live = [
        obj
        for snapshot in shown
        if not snapshot.is_report
        for obj in with_resolved_namespaces(snapshot.objects, view.discovery)
    ]
    renderings = _without_missing(environment.renderings, live, settings) if live else environment.renderings
    addresses = frozenset(address for snapshot in shown for address in snapshot.planned)
    if addresses:
        refs = frozenset(obj.ref for obj in others)
        renderings = tuple(_as_planned(rendering, refs, addresses) for rendering in renderings)
    objects = (obj for rendering in renderings for obj in rendering.objects)
    is_remembered = any(environment is other for other in view.environments) and not others
    settle = partial(_settle_object, cache(partial(_known_contests, renderings)))
    held = (
        cluster_as_before(objects, view.discovery, environment.name, settle)
        if is_remembered
        else build_cluster(objects, view.discovery, others, settle)
    )
    kin = read_family(held)
    lost = Losses()
    own = [
        [obj for obj in held.of("", kind) if obj.version == "v1" and obj.ref not in kin.made_refs]
        for kind in LIMITING_KINDS
    ]
    written = (*lost.each("the quota is not judged", own[0], _quota), *kin.quotas)
    quotas = tuple(with_live_use(quota_, held.live) for quota_ in written)
    for newest in (snapshot for snapshot in shown if snapshot.earlier):
        moments = [(snapshot.when_taken, snapshot.objects) for snapshot in (*newest.earlier, newest)]
        quotas = tuple(with_largest_use(quota_, moments) for quota_ in quotas)
    limits = (*lost.each("the LimitRange is not judged", own[1], _limit_range), *kin.limit_ranges)
    errors = limit_errors(quotas, limits, settings.kube_version, awaited)
    names = tuple(other.name for other in view.environments)
    limited = limited_in(environment.name, names, repository.configured, settings)
    security = security_in(environment.name, names, repository.security, settings) if repository.security else ()
    everywhere = cluster_plugins(held, _accepted(limits, errors), settings.kube_version, security)
    charged = namespace_charges(
        held, quotas, limits, everywhere, errors, settings, held.by_namespace if limited else (), lost
    )
    hidden = dict.fromkeys(
        _nowhere(obj) for obj in held.objects if is_placeholder(obj.namespace) and makes_pods(obj, settings.workloads)
    )
    unseen = (
        *view.unseen,
        *environment.unseen,
        *(item for rendering in renderings for item in rendering.unseen),
        *lost.unseen,
    )
    unseen = (*unseen, *(item for snapshot in shown for item in snapshot.unseen))
    hidden |= dict.fromkeys(unseen)
    enforced = _enforced_quotas(quotas, errors)
    accepted = tuple(quota_ for quota_ in quotas if quota_.shares is None and quota_.place not in errors)
    projected = tuple(
        quota_projections(quotas, errors, charged, held, tuple(hidden), settings, lost, shown, kin.limit_ranges)
    )
    facts = Facts(
        repository=repository,
        environment=environment.name,
        problems=tuple(problem for rendering in renderings for problem in rendering.problems),
        unseen=unseen,
        cluster=held,
        quotas=quotas,
        enforced=enforced,
        limit_ranges=limits,
        errors=errors,
        refused=tuple(RefusedQuota(quota_, errors[quota_.place]) for quota_ in quotas if quota_.place in errors),
        plugins=everywhere,
        charges=charged,
        projections=projected,
        by_quota=_projections_by_quota(projected),
        invalid=invalid_pods(held, charged, everywhere, settings),
        default_limits=DefaultLimits(
            limited, enforced, accepted, cache(partial(namespaces_with_hidden_quotas, unseen, held.objects))
        ),
        withheld={
            obj.ref: problem.reason
            for rendering in renderings
            for problem in rendering.problems
            for obj in (rendering.denied if problem.kind == DENIED else ())
        },
    )
    where = projected[0].quota.object.place if projected else Place("")
    stored = _stored_charges(live, held, everywhere)
    play = partial(_play_scenarios, facts, stored=stored)
    facts = lost.attempt("the order of admission is not judged", where, (), play, facts)
    return facts._replace(problems=(*facts.problems, *lost.problems)) if lost.problems else facts


def _known_contests(renderings: Sequence[Rendering]) -> Contested:
    from quotalint.accounts.contested import Contested

    return Contested(renderings)


def _settle_object(contested: Callable[[], Contested], winner: Object, others: Sequence[Object]) -> Object:
    return contested().settle(winner, others)


def _is_of(snapshot: Snapshot, environment: str) -> bool:
    """Whether a snapshot belongs to an environment. The only environment of a repository may be named by the snapshot
    alone."""
    return snapshot.environment in ("", environment) or (
        not environment and snapshot.environment == snapshot.about.environment
    )


def beside_earlier(facts: Facts, earlier: Facts, refused: Set[Ref] = frozenset()) -> Facts:
    """The facts of the head of a diff. Objects of `earlier`, the base, stay admitted; only new or larger objects may be
    refused by a quota. `refused`: objects whose update the API server refuses."""
    there = _charges_there(facts, earlier)
    facts = _with_charges_kept(facts, there, refused) if refused else facts
    return _play_scenarios(facts, Earlier(there, earlier.admissions))


def _with_charges_kept(facts: Facts, there: Mapping[str, tuple[Charge, ...]], refused: Set[Ref]) -> Facts:
    """The facts, with the charges that these objects had before: a refused update changes nothing."""
    owners = {obj.ref: obj for obj in facts.cluster.objects if obj.ref in refused}
    charged = dict(facts.charges)
    changed = {ref.namespace for ref in owners if ref.namespace in charged}
    for namespace in changed:
        others = (charge for charge in charged[namespace] if charge.owner is None or charge.owner.ref not in owners)
        kept = (
            _with_owner(charge, owners[charge.owner.ref])
            for charge in there.get(namespace, ())
            if charge.owner is not None and charge.owner.ref in owners
        )
        charged[namespace] = (*others, *kept)
    projected = []
    for projection in facts.projections:
        quota_ = projection.quota
        if projection.entries and not changed.isdisjoint(quota_.namespaces):
            entries = entries_by_name(quota_, charges_of(quota_, charged), {projection.name})
            projection = projection.with_entries(entries.get(projection.name, ()))
        projected.append(projection)
    return facts._replace(charges=charged, projections=tuple(projected), by_quota=_projections_by_quota(projected))


def _with_owner(charge: Charge, owner: Object) -> Charge:
    return charge._replace(admitted=charge.admitted._replace(demand=charge.demand._replace(owner=owner)))


def _projections_by_quota(projected: Iterable[Projection]) -> Mapping[Identity, Mapping[str, Projection]]:
    entries: dict[Identity, dict[str, Projection]] = {}
    for projection in projected:
        entries.setdefault(projection.quota.id, {})[projection.name] = projection
    return entries


def _charges_there(facts: Facts, earlier: Facts) -> Mapping[str, tuple[Charge, ...]]:
    """The charges of the base, including namespaces that only the head limits."""
    return {**earlier.charges, **charges_in(earlier, [name for name in facts.charges if name not in earlier.charges])}


def charges_in(facts: Facts, namespaces: Sequence[str]) -> Mapping[str, tuple[Charge, ...]]:
    """The charges in namespaces without quota or LimitRange, as if they had one."""
    if not namespaces:
        return {}
    everywhere = facts.plugins.limited_by(_accepted(facts.limit_ranges, facts.errors))
    return namespace_charges(facts.cluster, (), (), everywhere, facts.errors, facts.settings, namespaces, Losses())


def charge_anew(facts: Facts, charge: Charge, body: Body, limits: Object | None) -> tuple[Charge, ...]:
    """A charge as it would be with another body and, if given, another version of a LimitRange."""
    namespace = charge.owner.namespace if charge.owner is not None else ""
    mine = (of for of in facts.limit_ranges if of.namespace == namespace)
    ranges = (limit_range(limits) if limits is not None and of.object.ref == limits.ref else of for of in mine)
    by = facts.plugins.limited_by(_accepted(ranges, facts.errors)).within(namespace)
    return charges((admit_demand(charge.demand._replace(body=body), by),), facts.cluster.discovery)


def _accepted(limits: Iterable[LimitRange], errors: Mapping[Place, tuple[ApiError, ...]]) -> Iterator[LimitRange]:
    """The LimitRanges that the API server accepts; the others have no effect."""
    return (limit_range_ for limit_range_ in limits if limit_range_.place not in errors)


def _stored_charges(live: Iterable[Object], held: Cluster, everywhere: Plugins) -> Mapping[str, tuple[Charge, ...]]:
    """The charges of live objects that the repository applies again."""
    by_namespace: dict[str, list[Admitted]] = {}
    applied = {obj.ref for obj in held.live}
    for obj in (obj for obj in live if (obj.group, obj.kind) in CHANGING and obj.ref in applied):
        by = everywhere.within(obj.namespace)
        by_namespace.setdefault(obj.namespace, []).append(admit_demand(demand_of_itself(obj), by))
    return {namespace: charges(admitted, held.discovery) for namespace, admitted in by_namespace.items()}


def _play_scenarios(
    facts: Facts, earlier: Earlier | None = None, stored: Mapping[str, Sequence[Charge]] = MappingProxyType({})
) -> Facts:
    """The facts with the simulated outcomes: creation of everything, rollouts, scheduled runs, and autoscalers at their
    maximum."""
    charged, settings = facts.charges, facts.settings
    deferred = settings.enforcement == "deferred"
    limited = _limited_by_default(facts.default_limits) if facts.default_limits.alternatives else None
    may_be_full = full_namespaces(charged, facts.enforced, facts.by_quota, limited, deferred=deferred)
    nodes = settings.nodes.default
    done = admissions(
        charged,
        facts.enforced,
        limited,
        deferred=deferred,
        nodes=nodes,
        may_be_full=may_be_full,
        projections=facts.by_quota,
        earlier=earlier,
        stored=stored,
    )
    facts = facts._replace(admissions=done, may_be_full=may_be_full)
    if deferred or not may_be_full:
        return facts
    from quotalint.quota.histories import histories
    from quotalint.quota.sequences import by_quota, rollout_outcomes
    from quotalint.quota.unmet_demand import find_unmet_demand

    played = {name: mine for name, mine in charged.items() if name in may_be_full}
    rollouts = rollout_outcomes(played, done)
    return facts._replace(
        rollouts=rollouts,
        stopped_rollouts=by_quota(rollouts),
        histories=histories(played, done, rollouts),
        unmet_runs=find_unmet_demand(played, done, Scenario.SURGE, _is_run),
        unmet_overlapping_runs=find_unmet_demand(played, done, Scenario.PEAK, _is_run),
        unmet_at_maximum=find_unmet_demand(played, done, Scenario.SCALED),
    )


def _limited_by_default(limits: DefaultLimits) -> Limited:
    return lambda charge: bool(limits.refusals(charge))


def _is_run(charge: Charge) -> bool:
    step = charge.demand.size.step
    return step is not None and step.kind == RUN


def _without_missing(
    renderings: Sequence[Rendering], others: Sequence[Object], settings: Settings
) -> tuple[Rendering, ...]:
    """The renderings without gaps that a snapshot closes: live objects of a release replace a release that could not
    be rendered. A snapshot without workloads closes none."""
    if not any(makes_pods(obj, settings.workloads) for obj in others):
        return tuple(renderings)
    owners = owners_of(others)
    refs = frozenset(obj.ref for obj in others if makes_pods(obj, settings.workloads))
    return tuple(_live(_shown_in(rendering, owners), owners, refs) for rendering in renderings)


def _shown_in(rendering: Rendering, owners: Set[Owner]) -> Rendering:
    """The rendering without missing parts of these owners, which are visible elsewhere."""
    return rendering._replace(
        problems=tuple(
            problem for problem in rendering.problems if problem.kind != MISSING or owners.isdisjoint(problem.owners)
        ),
        unseen=tuple(unseen_source for unseen_source in rendering.unseen if owners.isdisjoint(unseen_source.owners)),
    )


def _live(rendering: Rendering, owners: Set[Owner], refs: Set[Ref]) -> Rendering:
    """A rendering without workloads that the snapshot shows, if values or variables out of view may change them: the
    live workloads count instead."""
    if not any(problem.kind == UNRENDERED and not owners.isdisjoint(problem.owners) for problem in rendering.problems):
        return rendering
    return rendering._replace(objects=tuple(obj for obj in rendering.objects if obj.ref not in refs))


def _as_planned(rendering: Rendering, refs: Set[Ref], addresses: Set[str]) -> Rendering:
    """A rendering of Terraform in which the resources of a plan count, if values of theirs are not in view."""
    known = tuple(problem for problem in rendering.problems if not _is_planned(problem, addresses))
    if len(known) == len(rendering.problems):
        return rendering
    closed = tuple(problem.reason for problem in rendering.problems if problem not in known)
    return rendering._replace(
        objects=tuple(obj for obj in rendering.objects if obj.ref not in refs),
        problems=known,
        unseen=tuple(gap for gap in rendering.unseen if not gap.reason.endswith(closed)),
    )


def _is_planned(problem: Problem, addresses: Set[str]) -> bool:
    if problem.shared is None or problem.shared.family != TERRAFORM_VALUES:
        return False
    subject = without_keys(problem.subject)
    return subject in addresses or any(address.startswith(f"{subject}.") for address in addresses)


def _nowhere(obj: Object) -> Unseen:
    reason = f"{obj.kind} {obj.name} goes to namespace {obj.namespace}, a placeholder, which may be any"
    return Unseen("", f"{obj.place.file}: {reason}")


def _quota(obj: Object) -> Quota:
    return recalled("quota", (obj,), None, partial(quota, obj))


def _limit_range(obj: Object) -> LimitRange:
    return recalled("limit range", (obj,), None, partial(limit_range, obj))


def _enforced_quotas(
    quotas: Iterable[Quota], errors: Mapping[Place, tuple[ApiError, ...]]
) -> dict[str, tuple[Quota, ...]]:
    quotas_by_namespace: dict[str, list[Quota]] = {}
    for quota_ in quotas:
        if quota_.place not in errors and quota_.shares is None:
            for namespace in quota_.namespaces:
                quotas_by_namespace.setdefault(namespace, []).append(quota_)
    return {namespace: tuple(mine) for namespace, mine in quotas_by_namespace.items()}
