"""What a run found out → the slices of it that can be judged by themselves."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from quotalint import budget
from quotalint.checks.hit import Check
from quotalint.checks.undeclared import undeclared_namespace
from quotalint.checks.unfilled import template_among_manifests, unfilled_fields
from quotalint.facts import Facts, Repository
from quotalint.finding import Finding
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.slices.kept import Slice, Slices, pack_slice, pack_slices, usual_settings
from quotalint.slices.outline import content_digest, is_plain, outline_digest
from quotalint.slices.sums import NO_SUMS, sums_digests
from quotalint.text.reading import File
from quotalint.watched import Watched, Way

_EVERYWHERE = 20  # files that every namespace of an environment rests on
_DEPLOYERS = ("argoproj", "cattle.io", "fluxcd", "helm", "kustomize", "open-cluster-management", "tanka")
"""What is in the groups of objects that deploy others: what they read of a repository may be any file."""
_POLICIES = "admissionregistration.k8s.io"


def noted_slices(environments: Sequence[Facts], findings: Sequence[Finding]) -> bytes:
    """The slices of what was found out; nothing where there are none."""
    repository = environments[0].repository
    settings = usual_settings(repository.settings)
    base = next((_base(file) for file in repository.files if _base(file)), "")
    if settings is None or not base or not _is_plain_repository(repository):
        return b""
    told = {name for finding in findings for name in (finding.file, *(place.file for place in finding.related))}
    of_file = _files_by_namespace(environments, {file.source.name: file for file in repository.files})
    names: list[str] = []
    owners = array("q")
    outlines: list[bytes] = []
    contents: list[bytes] = []
    packed: list[bytes] = []
    for facts in environments:
        if not _is_plain_environment(facts):
            continue
        for of, own in _slices(facts, of_file, told, base):
            names += (file.source.name for file in own)
            owners.extend([len(packed)] * len(own))
            outlines += map(outline_digest, own)
            contents += map(content_digest, own)
            packed.append(pack_slice(of))
    if not packed or len(set(names)) != len(names):
        return b""
    return pack_slices(Slices(settings, base, names, owners, b"".join(outlines), b"".join(contents), packed))


def _base(file: File) -> str:
    """What comes before its name in its path; empty where the path does not end in it."""
    path, name = file.source.path, file.source.name
    return path[: -len(name)] if path.endswith(os.sep + name) else ""


def _is_plain_repository(repository: Repository) -> bool:
    """Whether nothing in it reads other files but kustomizations, whose files are known."""
    if repository.unreadable or repository.configured or repository.embedded or budget.spent() > budget.START // 2:
        return False
    for file in repository.files:
        if os.path.basename(file.source.name).startswith("helmfile"):
            return False
        for document in file.reading.documents:
            version = document.value.get("apiVersion") if isinstance(document.value, dict) else ""
            if isinstance(version, str) and "/" in version and any(name in version for name in _DEPLOYERS):
                return False
    return True


def _is_plain_environment(facts: Facts) -> bool:
    """Whether what is known of a namespace in it follows from what is in the namespace."""
    cluster = facts.cluster
    return not (
        facts.problems
        or "" in _doubtful_namespaces(facts)
        or facts.default_limits.alternatives
        or facts.before
        or cluster.live
        or cluster.discovery.by_kind
        or any(group == _POLICIES for group, _ in cluster.by_kind)
        or any(map(is_placeholder, cluster.by_namespace))
        or any(next(unfilled_fields(obj), None) for obj in cluster.objects)
        or any(
            (quota.object.kind, *quota.namespaces) != ("ResourceQuota", quota.object.namespace)
            for quota in facts.quotas
        )
        or any(limits.object.kind != "LimitRange" for limits in facts.limit_ranges)
        or _asks_of_others(undeclared_namespace, facts, facts)
        # What cannot be read may be a template, which is one or not by what is in other files.
        or any(
            _asks_of_others(template_among_manifests, file, facts)
            for file in facts.repository.files
            if file.reading.failures
        )
    )


def _doubtful_namespaces(facts: Facts) -> frozenset[str]:
    """Those of which not all is in view, or not all in one place; the empty one: any."""
    return frozenset(
        (*(unseen.namespace for unseen in facts.unseen), *(lost.winner.namespace for lost in facts.cluster.overwritten))
    )


def _asks_of_others(check: Check, subject: object, facts: Facts) -> bool:
    """Whether a check says something of a subject, or looks for it at what is in any file or object."""
    ways: set[Way] = set()
    watched: Any = Watched(facts, ways)
    if not facts.settings.runs(check.rule):
        return False
    said = any(check.run(watched if subject is facts else subject, watched))
    return said or not ways.isdisjoint((("cluster", "objects"), ("repository", "files")))


class _FileUse(NamedTuple):
    """Where the objects of a file are."""

    file: File
    homes: set[tuple[str, str]]
    """Environments and namespaces; what is of no namespace has the empty one, unless it declares one."""
    objects: list[Object]


def _files_by_namespace(environments: Iterable[Facts], files: Mapping[str, File]) -> dict[str, _FileUse]:
    of_file: dict[str, _FileUse] = {}
    for facts in environments:
        for obj in facts.cluster.objects:
            name = obj.place.source
            if name in files:
                use = of_file.setdefault(name, _FileUse(files[name], set(), []))
                use.homes.add((facts.environment, _home(obj)))
                use.objects.append(obj)
    return of_file


def _home(obj: Object) -> str:
    return obj.name if (obj.group, obj.kind) == ("", "Namespace") else obj.namespace


def _slices(
    facts: Facts, of_file: Mapping[str, _FileUse], told: set[str], base: str
) -> Iterator[tuple[Slice, list[File]]]:
    """The slices of one environment, each with the files that are its own."""
    sources: dict[str, dict[str, None]] = {}
    order: dict[str, int] = {}
    for obj in facts.cluster.objects:
        sources.setdefault(_home(obj), {})[obj.place.source] = None
        order.setdefault(obj.place.source, len(order))
    everywhere = sources.pop("", {})
    if len(everywhere) > _EVERYWHERE or not all(
        _is_whole(of_file.get(name), facts, base) and name not in told for name in everywhere
    ):
        return
    sums, doubtful = sums_digests(facts), _doubtful_namespaces(facts)
    for namespace, names in sources.items():
        if (
            namespace not in doubtful
            and told.isdisjoint(names)
            and all(_is_whole(of_file.get(name), facts, base) for name in names)
        ):
            together = tuple(sorted((*everywhere, *names), key=order.__getitem__))
            of = Slice(facts.environment, namespace, together, sums.get(namespace, NO_SUMS))
            yield of, [of_file[name].file for name in names]


def _is_whole(use: _FileUse | None, facts: Facts, base: str) -> bool:
    """Whether all that a file holds is applied, as it is written and in one namespace."""
    if use is None or len(use.homes) != 1:
        return False
    file, repository = use.file, facts.repository
    name, documents = file.source.name, file.reading.documents
    if name in repository.kustomized or name in repository.data or name in repository.fixtures or not is_plain(file):
        return False
    if base + name != file.source.path or len(documents) != len(use.objects):
        return False
    return all(
        obj.body is document.value
        and obj.place == (name, document.index, (), None)
        and not (obj.guesses or obj.homeless or obj.foreign)
        and (not obj.namespace or obj.metadata.get("namespace") == obj.namespace)
        for obj, document in zip(use.objects, documents, strict=True)
    )
