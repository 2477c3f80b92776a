"""What a run found out → the slices of it that can be judged by themselves."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from quotalint import budget
from quotalint.checks.invalid_claims import asks_for_stand_in
from quotalint.checks.unfilled import template_among_manifests, unfilled_fields
from quotalint.deployed import View, join_path
from quotalint.facts import Facts, Repository
from quotalint.finding import Finding
from quotalint.kube.amounts import is_placeholder, is_stand_in
from quotalint.kube.fields import dig
from quotalint.kube.kinds import limits_namespace
from quotalint.kube.objects import Object
from quotalint.kube.rbac import GROUP, Roles, roles
from quotalint.slices.kept import (
    Deploying,
    ShownOfFiles,
    Slice,
    Slices,
    pack_slice,
    pack_slices,
    pack_surroundings,
    usual_settings,
)
from quotalint.slices.local_kinds import decides_nothing
from quotalint.slices.namespace_surroundings import NO_SUMS, home_of, sums_digests, surroundings_of
from quotalint.slices.object_homes import Sources
from quotalint.slices.outline import inflates_charts, is_kustomization
from quotalint.slices.told_lines import told_lines
from quotalint.slices.tree_notes import noted_tree
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.reading import File
from quotalint.watched import Watched, Way

_POLICY_BINDING = ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding")
"""What has any object judged by expressions, which may be about objects of other namespaces."""
_CATTLE = ("fleet.cattle.io", "helm.cattle.io")
_DEPLOYERS = (*_CATTLE, "fluxcd")
"""What is in the groups of objects that deploy others, and may take values for that from ConfigMaps."""
_UNPRINTABLE = lazy_pattern("[\\\\\ufffd]")
"""In the name of a file: what may stand for something else in its path, by which it is not found again."""
_MOST = 2000  # objects of a namespace
_MOST_COMPARED = 20_000  # of those that are only compared with each other


def noted_slices(
    environments: Sequence[Facts],
    findings: Sequence[Finding],
    view: View,
    deciding: Iterable[str] = (),
    shown: ShownOfFiles | None = None,
) -> bytes:
    """The slices of what was found out, of which reports show these findings, and, where they show sums, this of files;
    nothing where there are none. The files `deciding` how everything is judged (absolute paths) may hold nothing else.
    Raises ValueError where something in them is no plain value."""
    repository = environments[0].repository
    settings = usual_settings(repository.settings)
    if settings is None or view.noted is None or not _is_plain_repository(repository):
        return b""
    others = any(part in obj.group for facts in environments for obj in facts.cluster.objects for part in _DEPLOYERS)
    charts = any(view.noted.tree.is_file(join_path(folder, "Chart.yaml")) for folder in view.deployed)
    # Each has its own roles: in one of them those of a name may allow more.
    writers = {writer for facts in environments for writer in _declared_roles(facts).quota_writers()}
    # What these groups' objects take values from is not looked up here.
    is_known = not any(obj.group in _CATTLE for facts in environments for obj in facts.cluster.objects)
    looked_up = view.noted.looked_up if is_known else None
    deploys = Deploying(others, charts, tuple(sorted(writers)), looked_up)
    told = told_lines(findings, environments)
    closed = frozenset(os.path.relpath(path).replace(os.sep, "/") for path in deciding)
    # Flux refuses to build on any that asks for charts.
    kustomizations = list(filter(is_kustomization, repository.files)) if others else []
    if any(map(inflates_charts, kustomizations)):
        closed |= {file.source.name for file in kustomizations}
    of_reports = view.noted, told, view.layout.data, closed
    sources = Sources(repository.files, *of_reports, deploys=deploys, shows_places=bool(shown and shown.lines))
    for obj in _objects_aside(environments, view):
        sources.note(obj, None)
    around: list[bytes] = []
    slices: list[Slice] = []
    refusing: set[int] = set()
    apart: set[str] = set()
    calm: set[int] = set()
    for facts in environments:
        own = surroundings_of(facts) if _is_plain_environment(facts) else None
        refuse = frozenset(_refusing_namespaces(facts))
        for of in (*_slices(facts, len(around)), _limits(facts, len(around))):
            is_open = own is not None and not _is_doubtful(of, facts)
            for number, obj in enumerate(of.objects):
                sources.note(obj, (len(slices), number) if is_open else None)
            if is_open and of.namespace in refuse:
                refusing.add(len(slices))
            # The scheduler may leave pods waiting where it has to look at quotas.
            if is_open and of.namespace not in facts.crowded and facts.settings.enforcement != "deferred":
                calm.add(len(slices))
            slices += [of] if is_open else []
            apart |= set() if is_open else {of.namespace}
        around += [pack_surroundings(own)] if own is not None else []
    noted = sources.noted_files()
    asked_for = noted.slices | refusing
    packed = [pack_slice(of) if number in asked_for else b"" for number, of in enumerate(slices)]
    apart.update(of.namespace for of, packed_slice in zip(slices, packed, strict=True) if not packed_slice)
    if not asked_for:
        return b""
    tree = noted_tree(environments, view, sources, told.extreme, closed, deploys=deploys)
    sets = frozenset(apart), frozenset(calm)
    return pack_slices(Slices(settings, deploys, noted, around, packed, *sets, tree, shown, view.noted.folders()))


def refusing_namespaces(environments: Iterable[Facts]) -> Iterator[tuple[str, str]]:
    """The namespaces in which something is refused, by their environments and names."""
    return ((facts.environment, namespace) for facts in environments for namespace in _refusing_namespaces(facts))


def _refusing_namespaces(facts: Facts) -> Iterator[str]:
    fates = facts.admissions.fates
    for namespace, charges in facts.charges.items() if fates else ():
        if any(charge.identity in fates for charge in charges):
            yield namespace


def _is_plain_repository(repository: Repository) -> bool:
    """Whether all that decides about it is known, and a run is far from the end of what it may do."""
    if repository.unreadable or repository.configured or repository.embedded or budget.units_left() < budget.START // 2:
        return False
    return not any(
        os.path.basename(file.source.name).startswith("helmfile") or _UNPRINTABLE.search(file.source.name)
        for file in repository.files
    )


def _is_plain_environment(facts: Facts) -> bool:
    """Whether what is known of a namespace in it follows from what is in the namespace."""
    cluster = facts.cluster
    return not (
        facts.before
        or facts.claims_before
        or cluster.live
        or _POLICY_BINDING in cluster.by_kind
        or any(map(is_placeholder, cluster.by_namespace))
        or any(next(unfilled_fields(obj), None) for obj in cluster.objects)
        or _awaits_filling(facts)
        or any(
            (quota.object.kind, *quota.namespaces) != ("ResourceQuota", quota.object.namespace)
            for quota in facts.quotas
        )
        or any(limits.object.kind != "LimitRange" for limits in facts.limit_ranges)
        or any(_may_be_template(file, facts) for file in facts.repository.files if file.reading.failures)
    )


def _awaits_filling(facts: Facts) -> bool:
    """Whether there is an amount that may be filled in before it is applied, which is looked up in scripts and
    workflows."""
    if any(error.decoding for pods in facts.invalid.values() for pod in pods for error in pod.invalid):
        return True
    if any(map(asks_for_stand_in, facts.cluster.objects)):
        return True
    unknowns = [(quota.object, quota.unknowns) for quota in facts.quotas]
    unknowns += [(limits.object, limits.unknowns) for limits in facts.limit_ranges]
    return any(
        unknown.unreadable and is_stand_in(dig(obj.body, *unknown.path)) for obj, mine in unknowns for unknown in mine
    )


def _declared_roles(facts: Facts) -> Roles:
    return roles(facts.cluster.of(GROUP, "Role"), facts.cluster.of(GROUP, "ClusterRole"))


def _objects_aside(environments: Iterable[Facts], view: View) -> Iterator[Object]:
    """The objects on which more rests than their namespaces: which of several counts, what nobody applies."""
    for facts in environments:
        contested = {obj.ref for obj in facts.cluster.replaced}
        yield from facts.cluster.replaced
        yield from (obj for obj in facts.cluster.objects if obj.ref in contested)
        yield from (obj for obj in facts.cluster.objects if not (home_of(obj) or decides_nothing(obj)))
    for environment in view.unapplied:
        yield from environment.objects


def _may_be_template(file: File, facts: Facts) -> bool:
    """Whether a file that cannot be read is called a template, or that is decided by what is in any other file."""
    ways: set[Way] = set()
    watched: Any = Watched(facts, ways)
    if not facts.settings.runs(template_among_manifests.rule):
        return False
    has_hits = any(template_among_manifests.run(file, watched))
    return has_hits or not ways.isdisjoint((("cluster", "objects"), ("repository", "files")))


def _slices(facts: Facts, surroundings: int) -> Iterator[Slice]:
    """The slices of one environment."""
    members: dict[str, list[Object]] = {}
    for obj in facts.cluster.objects:
        if home_of(obj):
            members.setdefault(home_of(obj), []).append(obj)
    sums = sums_digests(facts)
    for namespace, objects in members.items():
        unseen = tuple(item for item in facts.unseen if item.namespace in ("", namespace))
        yield Slice(surroundings, namespace, tuple(objects), unseen, sums.get(namespace, NO_SUMS))


def _limits(facts: Facts, surroundings: int) -> Slice:
    """What some checks compare with the same of other namespaces, and what is of none and decides nothing in any."""
    objects = tuple(obj for obj in facts.cluster.objects if limits_namespace(obj) or decides_nothing(obj))
    return Slice(surroundings, "", objects, (), NO_SUMS)


def _is_doubtful(of: Slice, facts: Facts) -> bool:
    """Whether it is not surely known what a namespace holds."""
    winners = (lost.winner for lost in facts.cluster.overwritten)
    if not of.namespace:
        return len(of.objects) > _MOST_COMPARED or any(map(limits_namespace, winners))
    return len(of.objects) > _MOST or any(obj.namespace == of.namespace for obj in winners)
