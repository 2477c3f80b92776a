"""Slices and the files in them that have changed → whether the answer stands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from quotalint import budget
from quotalint.accounting import facts_of
from quotalint.backstop import was_stopped, watch_shares
from quotalint.checks import checks
from quotalint.deployed import Environment, Layout, Rendering, View, missing_field
from quotalint.facts import Facts, Repository
from quotalint.faults import noted_faults
from quotalint.kube.declared import declares_namespace
from quotalint.kube.discovery import Discovery, discover_kinds, is_cluster_scoped
from quotalint.kube.objects import Object, objects
from quotalint.recall import Memory, recalling
from quotalint.rechecks import Rechecks
from quotalint.settings import Settings
from quotalint.slices.kept import Slice, Slices, unpack_slice
from quotalint.slices.outline import outline_digest
from quotalint.slices.sums import NO_SUMS, sums_digests
from quotalint.text.place import Place
from quotalint.text.reading import File, read_all
from quotalint.text.sources import Source
from quotalint.watched import Way
from quotalint.workloads.autoscalers import AUTOSCALING_KINDS

_MOST_FILES = 400  # that are read again; more take longer than to find their readings
_COMPARING = frozenset(
    (
        "namespace_mismatch",
        "undeclared_namespace",
        "quota_out_of_line",
        "limit_range_out_of_line",
        "quota_not_protected",
    )
)
"""Checks that compare namespaces by their names, their quotas and who may change these, none of which has changed."""
_KEYED = frozenset(
    ("charges", "enforced", "by_quota", "errors", "invalid", "rollouts", "stopped", "runs", "piles", "maxima")
)
"""Fields of facts in which a check may look up what is of its own namespace."""
_WAYS = frozenset(
    (
        *((name,) for name in ("admissions", "before", "default_limits", "environment", "limit_ranges", "problems")),
        *(("cluster", name) for name in ("discovery", "objects", "overwritten", "by_namespace")),
        *(("repository", name) for name in ("settings", "kustomized", "data", "fixtures")),
    )
)
"""Ways that lead to what is the same in a slice, or to what checks look at namespace by namespace, or file by file."""


def is_nothing_found(slices: Slices, outlines: Mapping[str, bytes], touched: Collection[int]) -> bool:
    """Whether nothing is wrong in the slices that are `touched`, by their numbers, and nothing outside of them rests on
    what has changed: on the files that had these `outlines`. What cannot be said is no."""
    again = [unpack_slice(slices.packed_slices[number]) for number in touched]
    if sum(len(of.files) for of in again) > _MOST_FILES:
        return False
    with watch_shares():
        budget.renew()
        return all(_is_clean(of, slices.settings, slices.base, outlines) for of in again) and _is_cheap()


def _is_cheap() -> bool:
    """Whether nothing was given up, and the other slices have enough left of what one run may do."""
    return not noted_faults() and not was_stopped() and budget.spent() < budget.START // 4


def _is_clean(of: Slice, settings: Settings, base: str, outlines: Mapping[str, bytes]) -> bool:
    files = _read(of, base)
    if files is None or any(
        outline_digest(file) != outlines[file.source.name] for file in files if file.source.name in outlines
    ):
        return False
    everything = [obj for file in files for obj in _objects_in(file)]
    known = discover_kinds(everything, settings.kube_version)
    placed = tuple(
        obj._replace(namespace="") if is_cluster_scoped(known, obj.group, obj.kind) else obj for obj in everything
    )
    if any(map(missing_field, placed)):
        return False
    with recalling(Memory()):
        facts = _facts(of, files, placed, known, settings)
        if facts.problems or facts.unseen or sums_digests(facts).get(of.namespace, NO_SUMS) != of.sums:
            return False
        return _is_silent(facts)


def _read(of: Slice, base: str) -> tuple[File, ...] | None:
    files = read_all([Source(name, base + name, False) for name in of.files], bytes, 1)
    readable = tuple(file for file in files if isinstance(file, File) and not file.reading.failures)
    return readable if len(readable) == len(of.files) else None


def _objects_in(file: File) -> Iterator[Object]:
    for document in file.reading.documents:
        yield from objects(document.value, Place(file.source.name, document.index))


def _facts(
    of: Slice, files: tuple[File, ...], placed: tuple[Object, ...], known: Discovery, settings: Settings
) -> Facts:
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
        namespaces=tuple(filter(declares_namespace, placed)),
    )
    environment = Environment(of.environment, (Rendering(placed),), ())
    layout = Layout(nothing, nothing, MappingProxyType({}), (), (), (), MappingProxyType({}))
    return facts_of(repository, environment, View(layout, (), known, (), (), ()), ())


def _is_silent(facts: Facts) -> bool:
    """Whether no check says anything, and none has looked at more than what a slice shows."""
    rechecks = Rechecks()
    rechecks.begin((facts,), ())
    for check in checks():
        if not facts.settings.runs(check.rule) or getattr(check.run, "__name__", "") in _COMPARING:
            continue
        answers = rechecks.answers(check, facts)
        if answers is None or any(hits for _, hits in answers):
            return False
    return all(_is_own(way, facts) for way in rechecks.ways())


def _is_own(way: Way, facts: Facts) -> bool:
    """Whether what a way leads to is in the slice as it is in the whole."""
    if way in _WAYS:
        return True
    *fields, key = way
    if not isinstance(key, tuple):
        return False
    if fields == ["cluster", "by_kind"]:
        group, kind = key[0]
        is_everywhere = is_cluster_scoped(facts.cluster.discovery, group, kind) and (group, kind) != ("", "Namespace")
        return is_everywhere or (group, kind) in AUTOSCALING_KINDS  # rivals are of one namespace
    return fields == ["cluster", "by_namespace"] or (len(fields) == 1 and fields[0] in _KEYED)
