"""The arrows of the pipeline, in order. The only file that knows every room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from quotalint.admission import admitted
from quotalint.admission.plugins import plugins
from quotalint.checks import checks
from quotalint.cluster import Cluster, cluster
from quotalint.facts import Facts
from quotalint.findings import Finding, findings
from quotalint.gitops.layout import Skipped, built, in_charts
from quotalint.gitops.namespaces import placed
from quotalint.gitops.unseen import Unseen, unread, unseen
from quotalint.kube.api_error import ApiError
from quotalint.kube.discovery import discovery
from quotalint.kube.limit_range import LimitRange, limit_range
from quotalint.kube.limit_range_validation import limit_range_errors
from quotalint.kube.objects import Object, objects
from quotalint.quota.charges import Charge, charges
from quotalint.quota.projection import Projection, projections
from quotalint.quota.quotas import Quota, quota
from quotalint.quota.validation import quota_errors
from quotalint.settings import Settings
from quotalint.text.documents import MAX_BYTES
from quotalint.text.files import content
from quotalint.text.place import Place, Span
from quotalint.text.reading import File, read_all
from quotalint.text.sources import Found, Unreadable
from quotalint.text.spans import locate
from quotalint.workloads import POD_OWNERS
from quotalint.workloads.namespaces import demands
from quotalint.workloads.operators import unknown_pods


class Result(NamedTuple):
    """What one run found out."""

    facts: Facts
    findings: tuple[Finding, ...]
    locate: Callable[[Iterable[Place]], Mapping[Place, Span]]
    """Places → lines, for reports that show more of them."""
    content: Callable[[str], bytes]
    """The bytes of a file by its name in the report."""


def run(found: Found, settings: Settings, stdin: Callable[[], bytes], jobs: int) -> Result:
    """Everything there is to say of these sources."""
    facts = gather(found, settings, stdin, jobs)
    paths = {source.name: source.path for source in found.sources}

    def of_file(name: str) -> bytes:
        return _content(paths.get(name), stdin)

    def spans(places: Iterable[Place]) -> Mapping[Place, Span]:
        return _spans(places, of_file)

    return Result(facts, findings(facts, checks(), spans), spans, of_file)


def gather(found: Found, settings: Settings, stdin: Callable[[], bytes], jobs: int) -> Facts:
    """sources → documents → objects → cluster → charges → projections."""
    outside, charts = in_charts(found.sources)
    read = read_all(outside, stdin, jobs)
    files = tuple(one for one in read if isinstance(one, File))
    unreadable = (*found.unreadable, *(one for one in read if isinstance(one, Unreadable)))
    kustomized = built({file.source.name: file.reading for file in files})
    passed = (Skipped(*one) for one in found.passed)
    skipped = tuple(sorted((*charts, *kustomized.skipped, *unread(files, kustomized.manifests), *passed)))

    used = kustomized.manifests | kustomized.data
    manifests = tuple(file for file in files if file.source.explicit or file.source.name not in used)
    written = tuple(_objects(manifests))
    known = discovery(written, settings.kube_version)
    view = cluster(placed(written, known, settings.namespace_of), known)

    quotas = tuple(quota(obj) for obj in view.of("", "ResourceQuota"))
    limits = tuple(limit_range(obj) for obj in view.of("", "LimitRange"))
    errors = _errors(quotas, limits, settings)
    charged = _charges(view, quotas, limits, errors, settings)
    hidden = tuple(unseen(skipped, unreadable, files, view.objects))
    return Facts(
        settings=settings,
        files=files,
        kustomized=kustomized,
        unreadable=unreadable,
        skipped=skipped,
        documents=sum(len(file.reading.documents) for file in files),
        cluster=view,
        quotas=quotas,
        enforced=_enforced(quotas, errors),
        limit_ranges=limits,
        errors=errors,
        charges=charged,
        projections=tuple(_projections(quotas, errors, charged, view, hidden)),
    )


def _objects(files: Iterable[File]) -> Iterator[Object]:
    for file in files:
        for document in file.reading.documents:
            yield from objects(document.value, Place(file.source.name, document.index))


def _errors(
    quotas: Sequence[Quota], limits: Sequence[LimitRange], settings: Settings
) -> dict[Place, tuple[ApiError, ...]]:
    errors = {one.object.place: quota_errors(one, settings.kube_version) for one in quotas}
    errors.update({one.object.place: limit_range_errors(one) for one in limits})
    return {place: found for place, found in errors.items() if found}


def _enforced(quotas: Iterable[Quota], errors: Mapping[Place, tuple[ApiError, ...]]) -> dict[str, tuple[Quota, ...]]:
    found: dict[str, tuple[Quota, ...]] = {}
    for one in quotas:
        if one.object.place not in errors:
            found[one.namespace] = (*found.get(one.namespace, ()), one)
    return found


def _charges(
    view: Cluster,
    quotas: Sequence[Quota],
    limits: Sequence[LimitRange],
    errors: Mapping[Place, tuple[ApiError, ...]],
    settings: Settings,
) -> dict[str, tuple[Charge, ...]]:
    """By namespace; where no quota and no LimitRange is, nothing can be refused."""
    accepted = [one for one in limits if one.object.place not in errors]
    everywhere = plugins(view, accepted, settings.kube_version)
    found = {}
    for namespace in sorted({*(one.namespace for one in quotas), *(one.object.namespace for one in limits)}):
        by = everywhere.within(namespace)
        wanted = demands(view.by_namespace.get(namespace, ()), settings.nodes)
        found[namespace] = charges((admitted(demand, by) for demand in wanted), view.discovery)
    return found


def _projections(
    quotas: Iterable[Quota],
    errors: Mapping[Place, tuple[ApiError, ...]],
    charged: Mapping[str, tuple[Charge, ...]],
    view: Cluster,
    hidden: Sequence[Unseen],
) -> Iterator[Projection]:
    for one in quotas:
        if one.object.place in errors:
            continue
        members = view.by_namespace.get(one.namespace, ())
        inhabited = any((obj.group, obj.kind) in POD_OWNERS for obj in members)
        reasons = [item.reason for item in hidden if item.namespace in ("", one.namespace)]
        reasons += filter(None, map(unknown_pods, members))
        yield from projections(one, charged[one.namespace], view.discovery, reasons, inhabited)


def _spans(places: Iterable[Place], content: Callable[[str], bytes]) -> Mapping[Place, Span]:
    by_source: dict[str, list[Place]] = {}
    for place in places:
        by_source.setdefault(place.source, []).append(place)
    spans: dict[Place, Span] = {}
    for name, wanted in by_source.items():
        spans.update(locate(content(name), wanted))
    return spans


def _content(path: str | None, stdin: Callable[[], bytes]) -> bytes:
    if path == "":
        return stdin()
    # What cannot be read (again) has no lines to show; its findings then point at the first.
    try:
        return (content(path, MAX_BYTES) if path else None) or b""
    except (OSError, ValueError):
        return b""
