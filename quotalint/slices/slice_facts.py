"""What is known of a slice, and which checks can be asked of it: those that look at nothing that it does not show."""

from __future__ import annotations

from types import MappingProxyType

from quotalint.accounting import facts_of
from quotalint.checks.hit import Check
from quotalint.deployed import Environment, Layout, Rendering, View
from quotalint.facts import Facts, Repository
from quotalint.kube.discovery import Discovery, is_cluster_scoped
from quotalint.kube.kinds import Kind, declares_namespace
from quotalint.kube.objects import Object
from quotalint.kube.rbac import GROUP as RBAC
from quotalint.quota.projection import HiddenObjects
from quotalint.settings import Settings
from quotalint.slices.kept import NamespaceSurroundings, Slice
from quotalint.slices.namespace_surroundings import is_apart
from quotalint.text.reading import File
from quotalint.watched import Way
from quotalint.workloads.autoscalers import AUTOSCALING_KINDS

_COMPARING = frozenset(
    (
        "namespace_mismatch",
        "undeclared_namespace",
        "quota_not_protected",
        "container_out_of_line",
    )
)
"""Checks that compare namespaces by their names, those that objects name, those of their quotas and who may change
these, none of which has changed, or files by amounts that are extreme, which is looked into when slices are noted and
where they change."""
_COMPARED = frozenset(("quota_out_of_line", "limit_range_out_of_line"))
"""Checks that compare the quotas and LimitRanges of all namespaces, and look at nothing else."""
_KEYED = frozenset(
    (
        *("before", "by_quota", "charges", "claims_before", "enforced", "errors", "invalid"),
        *("maxima", "piles", "rollouts", "runs", "stopped"),
    )
)
"""Fields of facts in which a check may look up what is of its own namespace."""
_WAYS = frozenset(
    (
        *((name,) for name in ("admissions", "before", "claims_before", "default_limits", "environment", "errors")),
        ("limit_ranges",),
        *(("cluster", name) for name in ("discovery", "objects", "overwritten", "by_namespace")),
        *(("repository", name) for name in ("settings", "kustomized", "data", "fixtures", "deployed_unread")),
    )
)
"""Ways that lead to what is the same in a slice, or to what checks look at namespace by namespace, or file by file."""


def slice_facts(
    of: Slice, objects: tuple[Object, ...], around: NamespaceSurroundings, settings: Settings, files: tuple[File, ...]
) -> Facts:
    """What is known of a slice, as far as it can be known without the others, where its objects are these."""
    nothing: frozenset[str] = frozenset()
    repository = Repository(
        settings=settings,
        files=files,
        unreadable=(),
        kustomized=nothing,
        data=nothing,
        skipped=(),
        documents=sum(len(file.reading.documents) for file in files),
        outline=files,
        namespaces=tuple(filter(declares_namespace, objects)),
    )
    environment = Environment(around.environment, (Rendering(objects),), ())
    layout = Layout(nothing, nothing, MappingProxyType({}), (), (), (), MappingProxyType({}))
    discovery = discovery_around(around, settings)
    return facts_of(repository, environment, View(layout, (), discovery, (), of.unseen, ()), ())


def discovery_around(around: NamespaceSurroundings, settings: Settings) -> Discovery:
    """The kinds that are known in an environment."""
    kinds = [Kind(*fields) for fields in around.kinds]
    return Discovery(
        {(kind.group, kind.kind): kind for kind in kinds},
        {(kind.group, kind.plural): kind for kind in kinds},
        frozenset(around.groups),
        settings.kube_version,
    )


def is_of_namespace(check: Check) -> bool:
    """Whether a check can be asked of a slice."""
    return getattr(check.run, "__name__", "") not in _COMPARING | _COMPARED


def protects_alike(before: Facts, after: Facts) -> bool:
    """Whether it is known of each quota that there is in both whether anybody may write it: nobody is told of one that
    the API server refuses (`quota_not_protected`), and who may do what is not in a slice."""
    bound = {obj.namespace for facts in (before, after) for obj in facts.cluster.of(RBAC, "RoleBinding")}
    if not bound:
        return True
    lasting = {quota.object.ref for quota in before.quotas} & {quota.object.ref for quota in after.quotas}
    was, now = (
        {quota.object.ref for namespace in bound for quota in facts.enforced.get(namespace, ())} & lasting
        for facts in (before, after)
    )
    return was == now


def misses_alike(before: Facts, after: Facts) -> bool:
    """Whether it matters as much as before that something is not rendered, which is told wherever it stands, and not
    here (`unrendered_source`): that depends on what limits the namespaces that it may be in."""
    from quotalint.checks.manifest_files import limits_most_pods  # for what is judged in both states alone

    limited = before.charges.keys() & after.charges.keys()
    if any(limits_most_pods(namespace, before) != limits_most_pods(namespace, after) for namespace in limited):
        return False
    for gap in {gap for gap in (*before.unseen, *after.unseen) if gap.kinds}:
        hidden = HiddenObjects(gap.reason, gap.kinds)
        for namespace in [gap.namespace] if gap.namespace else {*before.enforced, *after.enforced}:
            was, now = (
                any(hidden.concerns(entry) for quota in facts.enforced.get(namespace, ()) for entry in quota.hard)
                for facts in (before, after)
            )
            if was != now:
                return False
    return True


def is_comparing_limits(check: Check) -> bool:
    """Whether a check compares the quotas or LimitRanges of all namespaces."""
    return getattr(check.run, "__name__", "") in _COMPARED


def shows_way(way: Way, facts: Facts) -> bool:
    """Whether what a way leads to is in the facts of a slice as it is in those of the whole."""
    if way in _WAYS:
        return True
    *fields, key = way
    if not isinstance(key, tuple):
        return False
    if fields == ["cluster", "by_kind"]:
        group, kind = key[0]
        is_everywhere = is_cluster_scoped(facts.cluster.discovery, group, kind) and not is_apart(group, kind)
        return is_everywhere or (group, kind) in AUTOSCALING_KINDS  # rivals are of one namespace
    return fields == ["cluster", "by_namespace"] or (len(fields) == 1 and fields[0] in _KEYED)
