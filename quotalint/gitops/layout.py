"""Which files are plain manifests: not those of a Helm chart, nor what a kustomization builds on.

Decided by what refers to a file, never by its shape: bases, components and patches look like objects and are none.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import objects
from quotalint.text.documents import Document, Reading
from quotalint.text.place import Place
from quotalint.text.sources import Source

KUSTOMIZATION_NAMES = frozenset({"kustomization.yaml", "kustomization.yml", "Kustomization"})
CHART, KUSTOMIZATION, TEMPLATE, OTHER = "chart", "kustomization", "template", "other"
_KUSTOMIZE_GROUP = "kustomize.config.k8s.io"
# Fields that name files or directories, as strings in a list.
_PATH_LISTS = (
    "resources",
    "bases",
    "components",
    "crds",
    "configurations",
    "generators",
    "transformers",
    "validators",
    "patchesStrategicMerge",
    "patches",
)
# Fields whose entries name a file under `path`.
_PATH_ENTRIES = ("patches", "patchesJson6902", "replacements")


class Skipped(NamedTuple):
    """Something that was seen and not counted."""

    name: str
    reason: str
    kind: str = OTHER
    """CHART, KUSTOMIZATION, TEMPLATE or OTHER."""
    namespaces: tuple[str, ...] = ()
    """The namespaces that it may concern."""
    anywhere: bool = False
    """It may concern any namespace."""


class Kustomization(NamedTuple):
    """A kustomization file and what it refers to within the files in view."""

    name: str
    body: Body
    files: tuple[str, ...]
    """Manifests and patches."""
    data: tuple[str, ...]
    """Files that it puts into ConfigMaps and Secrets, or hands to Helm: their content is nobody's manifest."""
    directories: tuple[str, ...]
    remote: bool
    """It builds on something that is not in view."""


def in_charts(sources: Iterable[Source]) -> tuple[tuple[Source, ...], tuple[Skipped, ...]]:
    """The sources outside of Helm charts, and the charts."""
    sources = tuple(sources)
    named = {posixpath.dirname(source.name) for source in sources if posixpath.basename(source.name) == "Chart.yaml"}
    if not named:
        return sources, ()
    outside = tuple(source for source in sources if source.explicit or named.isdisjoint(_folders(source.name)))
    # A chart in a chart (charts/) is part of it.
    charts = sorted(folder for folder in named if named.isdisjoint(_folders(folder)))
    reason = "a Helm chart: rendering charts is not supported yet, so its workloads are not counted"
    return outside, tuple(Skipped(_join(chart, "Chart.yaml"), reason, CHART, anywhere=True) for chart in charts)


def kustomizations(readings: Mapping[str, Reading]) -> dict[str, Kustomization]:
    """The kustomizations among the files, by the folder that they stand in."""
    bodies = {
        name: mapping(document.value)
        for name, reading in readings.items()
        for document in reading.documents[:1]
        if _is_kustomization(name, document.value)
    }
    folders = frozenset(map(posixpath.dirname, bodies))
    return {
        posixpath.dirname(name): _kustomization(name, body, readings.keys(), folders) for name, body in bodies.items()
    }


class Built(NamedTuple):
    """What kustomizations build on."""

    manifests: frozenset[str]
    """The kustomization files, and the manifests and patches that they refer to."""
    data: frozenset[str]
    """The other files that they refer to."""
    skipped: tuple[Skipped, ...]
    """What to say of each kustomization."""


def built(readings: Mapping[str, Reading]) -> Built:
    """The files that belong to kustomizations, and what to say of each kustomization."""
    found = kustomizations(readings)
    manifests = {kustomization.name for kustomization in found.values()}
    data: set[str] = set()
    used: dict[str, str] = {}
    for kustomization in found.values():
        manifests.update(kustomization.files)
        data.update(kustomization.data)
        for folder in kustomization.directories:
            used.setdefault(folder, kustomization.name)
    skipped = []
    for folder, kustomization in sorted(found.items()):
        if folder in used:
            skipped.append(Skipped(kustomization.name, f"a kustomization that {used[folder]} builds on", KUSTOMIZATION))
            continue
        namespaces, anywhere = _concerned(folder, found, readings, frozenset())
        reason = "a kustomization: rendering is not supported yet, so its objects are not counted"
        skipped.append(Skipped(kustomization.name, reason, KUSTOMIZATION, tuple(sorted(namespaces)), anywhere))
    return Built(frozenset(manifests), frozenset(data - manifests), tuple(skipped))


def _is_kustomization(name: str, value: object) -> bool:
    if not isinstance(value, dict):
        return False
    group = text(value.get("apiVersion")).partition("/")[0]
    if group == _KUSTOMIZE_GROUP:
        return text(value.get("kind")) in ("Kustomization", "Component", "")
    return posixpath.basename(name) in KUSTOMIZATION_NAMES and not group


def _kustomization(name: str, body: Body, known: Set[str], folders: Set[str]) -> Kustomization:
    folder = posixpath.dirname(name)
    files, directories, remote = [], [], bool(body.get("helmCharts") or body.get("helmChartInflationGenerator"))
    for path in _manifest_paths(body):
        if "://" in path or path.startswith(("git@", "github.com/")):
            remote = True
            continue
        target = _join(folder, path)
        if target in known:
            files.append(target)
        elif target in folders:
            directories.append(target)
        else:
            remote = True
    data = tuple(target for path in _data_paths(body) if (target := _join(folder, path)) in known)
    return Kustomization(name, body, tuple(files), data, tuple(directories), remote)


def _manifest_paths(body: Body) -> Iterator[str]:
    for field in _PATH_LISTS:
        for entry in sequence(body.get(field)):
            # An entry with a line break is an inline patch or resource, not a path.
            if isinstance(entry, str) and entry and "\n" not in entry:
                yield entry
    for field in _PATH_ENTRIES:
        for entry in sequence(body.get(field)):
            path = mapping(entry).get("path")
            if isinstance(path, str) and path:
                yield path


def _data_paths(body: Body) -> Iterator[str]:
    for field in ("configMapGenerator", "secretGenerator"):
        for entry in sequence(body.get(field)):
            for listed in ("files", "envs"):
                for item in sequence(mapping(entry).get(listed)):
                    yield text(item).partition("=")[2] or text(item)
    for entry in sequence(body.get("helmCharts")):
        listed_values = [mapping(entry).get("valuesFile"), *sequence(mapping(entry).get("additionalValuesFiles"))]
        yield from (value for value in listed_values if isinstance(value, str) and value)
    schema = mapping(body.get("openapi")).get("path")
    if isinstance(schema, str) and schema:
        yield schema


def _concerned(
    folder: str, found: Mapping[str, Kustomization], readings: Mapping[str, Reading], above: frozenset[str]
) -> tuple[set[str], bool]:
    """The namespaces that a kustomization may put objects into, and whether it may be any."""
    kustomization = found[folder]
    namespace = kustomization.body.get("namespace")
    if isinstance(namespace, str) and namespace:
        return {namespace}, False
    namespaces: set[str] = set()
    anywhere = kustomization.remote
    for name in kustomization.files:
        for document in readings[name].documents:
            written, unwritten = _named(document, name)
            namespaces |= written
            anywhere = anywhere or unwritten
    for other in kustomization.directories:
        if other in found and other not in above and other != folder:
            below, unknown = _concerned(other, found, readings, above | {folder})
            namespaces |= below
            anywhere = anywhere or unknown
    return namespaces, anywhere


def _named(document: Document, name: str) -> tuple[set[str], bool]:
    found = {obj.namespace for obj in objects(document.value, Place(name, document.index))}
    return found - {""}, "" in found


def _join(folder: str, path: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, path))
    return "" if joined == "." else joined


def _folders(name: str) -> Iterator[str]:
    """The folders that something stands in, from the innermost to the working directory (empty)."""
    while name.strip("/"):
        name = posixpath.dirname(name)
        yield name
