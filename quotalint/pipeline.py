"""The arrows of the pipeline, in order. The only file that knows every room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from quotalint.admission import admitted
from quotalint.admission.plugins import plugins
from quotalint.checks import checks
from quotalint.cluster import Cluster, cluster
from quotalint.facts import Facts, Repository
from quotalint.findings import Finding, findings
from quotalint.gitops.environments import Environment
from quotalint.gitops.layout import Skipped, in_charts
from quotalint.gitops.limits import configurations, limited_in
from quotalint.gitops.namespaces import homes
from quotalint.gitops.rendering import Rendering, Unseen
from quotalint.gitops.snapshot import Snapshot
from quotalint.gitops.view import View, kustomization_alone, view
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.api_error import ApiError
from quotalint.kube.limit_range import LimitRange, limit_range
from quotalint.kube.limit_range_validation import limit_range_errors
from quotalint.kube.objects import Object
from quotalint.quota.budget import charges_of
from quotalint.quota.charges import Charge, charges
from quotalint.quota.family import family
from quotalint.quota.projection import Hidden, Projection, projections
from quotalint.quota.quotas import Quota, quota
from quotalint.quota.settling import settled
from quotalint.quota.validation import quota_errors
from quotalint.settings import Settings
from quotalint.text.documents import MAX_BYTES
from quotalint.text.files import content
from quotalint.text.place import Place, Span
from quotalint.text.reading import File, read_all
from quotalint.text.sources import Found, Unreadable
from quotalint.text.spans import locate
from quotalint.workloads import makes_pods
from quotalint.workloads.namespaces import demands
from quotalint.workloads.operators import unknown_pods


class Result(NamedTuple):
    """What one run found out."""

    environments: tuple[Facts, ...]
    """At least one."""
    findings: tuple[Finding, ...]
    locate: Callable[[Iterable[Place]], Mapping[Place, Span]]
    """Places → lines, for reports that show more of them."""
    content: Callable[[str], bytes]
    """The bytes of a file by its name in the report."""


def run(
    found: Found, settings: Settings, stdin: Callable[[], bytes], jobs: int, snapshots: Sequence[Snapshot] = ()
) -> Result:
    """Everything there is to say of these sources, and of clusters that hold more."""
    repository, seen = gather(found, settings, stdin, jobs, snapshots)
    facts = tuple(_facts(repository, one, seen, snapshots) for one in seen.environments)
    paths = {source.name: source.path for source in found.sources}

    def of_file(name: str) -> bytes:
        return _content(paths.get(name, name), stdin)

    def spans(places: Iterable[Place]) -> Mapping[Place, Span]:
        return _spans(places, of_file)

    return Result(facts, findings(facts, checks(), spans), spans, of_file)


def render_root(
    folder: str, settings: Settings
) -> tuple[Rendering, Callable[[Iterable[Place]], Mapping[Place, Span]]] | None:
    """The objects of one kustomization alone, and where they are; None where there is none."""
    found = kustomization_alone(folder, settings)
    return None if found is None else (found, lambda places: _spans(places, lambda name: _content(name, bytes)))


def gather(
    found: Found, settings: Settings, stdin: Callable[[], bytes], jobs: int, snapshots: Sequence[Snapshot] = ()
) -> tuple[Repository, View]:
    """sources → documents → what is applied where."""
    outside, charts = in_charts(found.sources)
    read = read_all(outside, stdin, jobs)
    files = tuple(one for one in read if isinstance(one, File))
    unreadable = (*found.unreadable, *(one for one in read if isinstance(one, Unreadable)))
    shown = tuple(obj for one in snapshots for obj in one.objects)
    seen = view(files, unreadable, charts, (Skipped(*one) for one in found.passed), settings, shown)
    options = configurations(files, settings.repository)
    repository = Repository(
        settings=settings,
        files=files,
        unreadable=unreadable,
        kustomized=seen.layout.kustomized,
        data=seen.layout.data,
        # A configuration beside a kustomization is not for it to list.
        skipped=tuple(sorted((*(one for one in seen.skipped if one.name not in options.files), *options.skipped))),
        documents=sum(len(file.reading.documents) for file in files),
        configured=options.found,
    )
    return repository, seen


def _facts(repository: Repository, environment: Environment, seen: View, snapshots: Sequence[Snapshot]) -> Facts:
    """objects → cluster → charges → projections."""
    settings = repository.settings
    others = [
        obj
        for one in snapshots
        if one.environment in ("", environment.name)
        for obj in homes(one.objects, seen.discovery)
    ]
    held = cluster((obj for one in environment.renderings for obj in one.objects), seen.discovery, others)
    kin = family(held)
    quotas = (*(quota(obj) for obj in held.of("", "ResourceQuota") if obj.ref not in kin.made), *kin.quotas)
    limits = (*(limit_range(obj) for obj in held.of("", "LimitRange") if obj.ref not in kin.made), *kin.limit_ranges)
    errors = _errors(quotas, limits, settings)
    names = tuple(one.name for one in seen.environments)
    limited = limited_in(environment.name, names, repository.configured, settings)
    charged = _charges(held, quotas, limits, errors, settings, held.by_namespace if limited else ())
    hidden = dict.fromkeys(
        _nowhere(obj) for obj in held.objects if is_placeholder(obj.namespace) and makes_pods(obj, settings.workloads)
    )
    unseen = (*seen.unseen, *environment.unseen, *(item for one in environment.renderings for item in one.unseen))
    hidden |= dict.fromkeys(unseen)
    return Facts(
        repository=repository,
        environment=environment.name,
        problems=tuple(problem for one in environment.renderings for problem in one.problems),
        unseen=unseen,
        cluster=held,
        quotas=quotas,
        enforced=_enforced(quotas, errors),
        limit_ranges=limits,
        errors=errors,
        charges=charged,
        projections=tuple(_projections(quotas, errors, charged, held, tuple(hidden), settings)),
        settled=settled(charged, _enforced(quotas, errors), settings.nodes.default)
        if settings.enforcement == "deferred"
        else None,
        limited=limited,
    )


def _nowhere(obj: Object) -> Unseen:
    reason = f"{obj.kind} {obj.name} goes to namespace {obj.namespace}, a placeholder, which may be any"
    return Unseen("", f"{obj.place.real.source}: {reason}")


def _errors(
    quotas: Sequence[Quota], limits: Sequence[LimitRange], settings: Settings
) -> dict[Place, tuple[ApiError, ...]]:
    errors = {one.place: quota_errors(one, settings.kube_version) for one in quotas}
    errors.update({one.place: limit_range_errors(one) for one in limits})
    return {place: found for place, found in errors.items() if found}


def _enforced(quotas: Iterable[Quota], errors: Mapping[Place, tuple[ApiError, ...]]) -> dict[str, tuple[Quota, ...]]:
    found: dict[str, tuple[Quota, ...]] = {}
    for one in quotas:
        if one.place not in errors and one.shares is None:
            for namespace in one.namespaces:
                found[namespace] = (*found.get(namespace, ()), one)
    return found


def _charges(
    view: Cluster,
    quotas: Sequence[Quota],
    limits: Sequence[LimitRange],
    errors: Mapping[Place, tuple[ApiError, ...]],
    settings: Settings,
    others: Iterable[str],
) -> dict[str, tuple[Charge, ...]]:
    """By namespace; where no quota and no LimitRange is, nothing can be refused but in the `others`."""
    accepted = [one for one in limits if one.place not in errors]
    everywhere = plugins(view, accepted, settings.kube_version)
    found = {}
    counted = (namespace for one in quotas for namespace in one.namespaces)
    for namespace in sorted({*counted, *(one.namespace for one in limits if one.namespace), *others}):
        by = everywhere.within(namespace)
        wanted = demands(view.by_namespace.get(namespace, ()), settings.nodes, settings.workloads)
        found[namespace] = charges((admitted(demand, by) for demand in wanted), view.discovery)
    return found


def _projections(
    quotas: Iterable[Quota],
    errors: Mapping[Place, tuple[ApiError, ...]],
    charged: Mapping[str, tuple[Charge, ...]],
    view: Cluster,
    hidden: Sequence[Unseen],
    settings: Settings,
) -> Iterator[Projection]:
    shown = any(obj.foreign and makes_pods(obj, settings.workloads) for obj in view.objects)
    for one in quotas:
        if one.place in errors:
            continue
        members = [obj for namespace in one.namespaces for obj in view.by_namespace.get(namespace, ())]
        # A snapshot with workloads shows all of them, so that none in a namespace means none.
        empty = () if shown or one.shares else tuple(_uninhabited(one.namespaces, view, settings))
        inhabited = shown or bool(one.shares) or len(empty) < len(one.namespaces)
        reasons = [Hidden(item.reason, item.kinds) for item in hidden if item.namespace in ("", *one.namespaces)]
        operators = (unknown_pods(obj, settings.workloads) for obj in members)
        reasons += [Hidden(reason) for reason in operators if reason]
        reasons += map(Hidden, one.hidden)
        if inhabited:
            reasons += [Hidden(f"no workload of namespace {namespace} is in view") for namespace in empty]
        yield from projections(one, charges_of(one, charged), view.discovery, reasons, inhabited)


def _uninhabited(namespaces: Iterable[str], view: Cluster, settings: Settings) -> Iterator[str]:
    for namespace in namespaces:
        if not any(makes_pods(obj, settings.workloads) for obj in view.by_namespace.get(namespace, ())):
            yield namespace


def _spans(places: Iterable[Place], content: Callable[[str], bytes]) -> Mapping[Place, Span]:
    real = {place: place.real for place in places}
    by_source: dict[str, list[Place]] = {}
    for place in dict.fromkeys(real.values()):
        by_source.setdefault(place.source, []).append(place)
    spans: dict[Place, Span] = {}
    for name, wanted in by_source.items():
        spans.update(locate(content(name), wanted))
    return {place: spans[one] for place, one in real.items()}


def _content(path: str | None, stdin: Callable[[], bytes]) -> bytes:
    if path == "":
        return stdin()
    # What cannot be read (again) has no lines to show; its findings then point at the first.
    try:
        return (content(path, MAX_BYTES) if path else None) or b""
    except (OSError, ValueError):
        return b""
