"""Renders a repository into a View: files in, environments out."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import chain, compress

from quotalint.gitops.charts import Charts
from quotalint.gitops.context import Context, Neighbours
from quotalint.gitops.default_namespaces import place_objects
from quotalint.gitops.entry_points import find_applied_roots
from quotalint.gitops.environments import place_in_environments
from quotalint.gitops.fixtures import FIXTURES, file_name
from quotalint.gitops.following import Follower
from quotalint.gitops.helmfiles import found_helmfiles
from quotalint.gitops.layout import CHART, UNAPPLIED, Layout, Skipped, layout_of
from quotalint.gitops.look import Look, begin_look, renderer_of
from quotalint.gitops.origins import is_url_of, vendored_in
from quotalint.gitops.rendering import Environment, Rendering, View
from quotalint.gitops.roots import DeployedPart, Root, roots_of
from quotalint.gitops.skipped_files import (
    unlisted_files,
    unread_files,
    unseen_of_skipped,
    update_layout,
    without_fragments,
)
from quotalint.gitops.tree import Tree, join_path
from quotalint.gitops.unapplied_bases import why_unapplied
from quotalint.gitops.units import Units
from quotalint.gitops.unseen_causes import UNDEPLOYED_CHART
from quotalint.kube.discovery import Discovery, discover_kinds
from quotalint.kube.fields import mapping
from quotalint.kube.objects import Object, Ref, objects
from quotalint.runtime.recall import Memory, recalled_each, same_as_before
from quotalint.settings import ConfiguredCluster, Settings
from quotalint.text.documents import Reading
from quotalint.text.place import Place
from quotalint.text.progress import Tell, tell_nobody
from quotalint.text.reading import File
from quotalint.text.sources import NOTHING_FOUND, Found, Unreadable


def view_repository(
    files: Sequence[File],
    unreadable: Sequence[Unreadable],
    charts: Sequence[str],
    skipped: Iterable[Skipped],
    settings: Settings,
    shown: Sequence[Object] = (),
    tell: Tell = tell_nobody,
    files_found: Found = NOTHING_FOUND,
) -> View:
    """The rendered repository, with what could not be rendered. `shown` are snapshot objects, which may define kinds;
    `files_found` are the searched files."""
    readings = {file.source.name: file.reading for file in files}
    explicit = frozenset(file.source.name for file in files if file.source.explicit)
    vendored = vendored_in(_vendored_folders(settings))
    look = begin_look(settings, readings, vendored, files_found)
    tree, builds = look.tree, look.builds
    repository_layout = layout_of(readings, explicit, tree.canonical_name)
    charts_of_tree = Charts(tree, settings.kube_version, settings.renderers.helm, tell=tell)
    folders = tuple(set(recalled_each("folders of files", tuple(readings), (), posixpath.dirname)))
    render = partial(renderer_of, look, charts_of_tree, settings)
    units = Units(tree, render, repository_layout.plain, folders, tell)

    def context() -> Context:  # not called if nothing deploys anything
        neighbours = Neighbours(lambda: tuple(_own_renderings(repository_layout, units)))
        return Context(
            units,
            charts_of_tree,
            "" if look.name == "." else look.name,
            neighbours.find,
            neighbours.nearest,
            Memory(),
            is_url_of(tree.root),
            _clusters_in_report(settings),
            vendored,
        )

    follow = Follower(context)
    applied, lists = roots_of(repository_layout, units, follow)
    templated = frozenset(file.source.name for file in files if file.templated and file.reading.failures)
    in_use, unapplied_roots, by_entry_points = find_applied_roots(
        applied, settings.environments_of, files_found.folders, explicit, templated
    )
    unused = frozenset(
        name for root, _ in unapplied_roots for name in root.parts[0].rendering.used if name in templated
    )
    repository_layout = repository_layout._replace(
        kustomized=repository_layout.kustomized - unused,
        idle=frozenset(name for root, _ in unapplied_roots for name in root.parts[0].rendering.used),
        fixtures=frozenset(
            name for root, why in unapplied_roots if why in FIXTURES for name in root.parts[0].rendering.used
        ),
    )
    installed, unread_helmfiles, helmfile_names = found_helmfiles(files, tree, charts_of_tree, charts, units.any_folder)
    applied = (*in_use, *_configured_releases(settings, charts_of_tree), *installed)
    if settings.templates:
        applied = tuple(map(_with_templates_processed, applied))
    applied, fragments = without_fragments(applied)
    asked_charts = charts_of_tree.deployed_charts | (builds.asked_charts if builds is not None else frozenset())
    discovery = discover_kinds(
        (*shown, *chain.from_iterable(recalled_each("definitions of roots", applied, (), _definitions_of))),
        settings.kube_version,
        _custom_definitions(readings),
    )
    discovery = same_as_before("kinds in view", discovery)
    remembered_settings = same_as_before("settings of the view", settings)
    parts = discovery, remembered_settings
    placed_roots = tuple(recalled_each("at home", applied, parts, partial(_placed_root, *parts)))
    deployed_folders = frozenset(
        unit for root in applied for part in root.parts if part.is_deployed for unit in part.rendering.units
    )
    brought = frozenset(unit for root in applied for part in root.parts for unit in part.rendering.units)
    deployed_files = frozenset(
        name for root in applied for part in root.parts if part.is_deployed for name in part.rendering.used
    )
    repository_layout = update_layout(repository_layout, files, applied, deployed_files)
    unplaced = (
        *skipped,
        # Without entry points, a chart may be deployed by hand.
        *(
            Skipped(
                posixpath.join(chart, "Chart.yaml"),
                UNDEPLOYED_CHART,
                CHART,
                anywhere=not (by_entry_points or installed),
            )
            for chart in charts
            if chart not in deployed_folders and chart not in asked_charts
        ),
        *(
            Skipped(repository_layout.kustomizations[folder].name, "it only lists what is deployed one by one")
            for folder in lists
        ),
        *unread_files(files, repository_layout, helmfile_names, placed_roots),
        *unread_helmfiles,
        *unlisted_files(repository_layout, readings),
        *(Skipped(name, "a snapshot of a cluster, for --with") for name in repository_layout.snapshots),
        *(
            Skipped(repository_layout.kustomizations[folder].name, why_unapplied(folder))
            for folder in repository_layout.unused
            if folder not in brought
        ),
        *fragments,
        *(
            Skipped(file_name(root.parts[0].rendering), reason, UNAPPLIED)
            for root, reason in unapplied_roots
            if root.parts and (root.is_kustomization or root.parts[0].rendering.objects)
        ),
    )
    # Folders with values or settings also name environments, but nothing is applied from them.
    giving = tuple(root for root in placed_roots if root.renders_anything)
    placement = place_in_environments(giving, settings.environments_of, files_found.folders)
    unplaced = (
        *unplaced,
        *(Skipped(file_name(root.parts[0].rendering), _REPLACED, UNAPPLIED) for root in placement.replaced),
    )
    ordered = tuple(sorted(unplaced))
    idle = (
        *map(units.kustomization, _limiting_bases(repository_layout, brought, readings)),
        *(
            root.parts[0].rendering
            for root, _ in unapplied_roots
            if root.parts and _limits_anything(root.parts[0].rendering)
        ),
        *(root.parts[0].rendering for root in placement.replaced if _limits_anything(root.parts[0].rendering)),
        *_denied_limits(placed_roots),
    )
    return View(
        repository_layout,
        placement.environments,
        discovery,
        ordered,
        tuple(unseen_of_skipped(ordered, unreadable, files, repository_layout)),
        tuple(_apart_environments(place_objects(rendering, discovery, settings.namespace_of) for rendering in idle)),
        deployed_folders,
    )


def kustomization_alone(folder: str, settings: Settings) -> Rendering | None:
    """The rendering of one kustomization, without overlays and deployers; None if the folder has none."""
    tree = Tree(settings.repository, {}, vendored=vendored_in(_vendored_folders(settings)))
    charts = Charts(tree, settings.kube_version, settings.renderers.helm)
    look = Look(tree, None)
    units = Units(tree, partial(renderer_of, look, charts, settings), {}, ())
    if not tree.kustomizations(folder):
        return None
    return units.kustomization(folder)


_DEFINITION = "CustomResourceDefinition"
_REPLACED = "each environment that it is for has an overlay of its own instead"


def _limits_anything(rendering: Rendering) -> bool:
    return any(obj.kind in ("ResourceQuota", "LimitRange") for obj in rendering.objects)


def _denied_limits(applied: Iterable[Root]) -> Iterator[Rendering]:
    """Denied objects of renderings that contain quotas or LimitRanges."""
    for root in applied:
        for part in filter(lambda part: part.rendering.denied, root.parts):
            without = part.rendering._replace(objects=part.rendering.denied, problems=(), unseen=(), denied=())
            if _limits_anything(without):
                yield without


def _apart_environments(renderings: Iterable[Rendering]) -> Iterator[Environment]:
    """As few environments as possible, in each of which every object occurs once."""
    groups: list[tuple[set[Ref], list[Rendering]]] = []
    for rendering in renderings:
        refs = {obj.ref for obj in rendering.objects}
        free = next((group for group in groups if refs.isdisjoint(group[0])), None)
        if free is None:
            groups.append((refs, [rendering]))
        else:
            free[0].update(refs)
            free[1].append(rendering)
    for _, together in groups:
        yield Environment("", tuple(together), ())


def _vendored_folders(settings: Settings) -> tuple[tuple[str, str], ...]:
    """The folders that replace URLs in the settings, named as in reports."""
    return tuple((url, join_path(_configuration_folder(settings), folder)) for url, folder in settings.sources)


def _clusters_in_report(settings: Settings) -> tuple[ConfiguredCluster, ...]:
    """The clusters in the settings, with the folders of their Argo CD instances named as in reports."""
    named = ((cluster, join_path(_configuration_folder(settings), cluster.instance)) for cluster in settings.clusters)
    return tuple(cluster._replace(instance=folder if cluster.instance else "") for cluster, folder in named)


def _configuration_folder(settings: Settings) -> str:
    return os.path.relpath(settings.root).replace(os.sep, "/")


def _own_renderings(repository_layout: Layout, units: Units) -> Iterator[Rendering]:
    yield from map(units.kustomization, repository_layout.roots)
    yield from map(units.plain_folder, sorted(repository_layout.plain))


def _with_templates_processed(root: Root) -> Root:
    from quotalint.gitops.openshift_templates import process_templates

    parts = (part._replace(rendering=process_templates(part.rendering)) for part in root.parts)
    return root._replace(parts=tuple(parts))


def _placed_root(discovery: Discovery, settings: Settings, root: Root) -> Root:
    """A root with namespaces set on its objects."""
    renderings = [place_objects(part.rendering, discovery, settings.namespace_of) for part in root.parts]
    if all(placed is part.rendering for part, placed in zip(root.parts, renderings, strict=True)):
        return root
    return root._replace(
        parts=tuple(part._replace(rendering=placed) for part, placed in zip(root.parts, renderings, strict=True))
    )


def _definitions_of(root: Root) -> tuple[Object, ...]:
    return tuple(obj for part in root.parts for obj in part.rendering.objects if obj.kind == _DEFINITION)


def _custom_definitions(readings: Mapping[str, Reading]) -> Iterator[Object]:
    """The CustomResourceDefinitions of all files, applied or not."""
    are_defining = recalled_each("defining", tuple(readings.values()), (), _defines_kinds)
    for name, reading in compress(readings.items(), are_defining):
        for document in reading.documents:
            if mapping(document.value).get("kind") == _DEFINITION:
                yield from objects(document.value, Place(name, document.index))


def _defines_kinds(reading: Reading) -> bool:
    return any(mapping(document.value).get("kind") == _DEFINITION for document in reading.documents)


def _configured_releases(settings: Settings, charts: Charts) -> Iterator[Root]:
    """The roots of chart releases in the settings."""
    if not settings.renderers.releases:
        return
    from quotalint.gitops.helm import Release

    here = _configuration_folder(settings)
    for configured_release in settings.renderers.releases:
        release = Release(
            join_path(here, configured_release.chart),
            configured_release.release,
            configured_release.namespace,
            tuple(join_path(here, name) for name in configured_release.values),
        )
        rendering = charts.render_chart(
            release, Place(settings.file or "", 0, ("renderers", "helm", configured_release.chart))
        )
        yield Root(
            release.chart,
            (DeployedPart(rendering, configured_release.environment, is_deployed=False),),
            is_kustomization=False,
        )


def _limiting_bases(repository_layout: Layout, brought: Set[str], readings: Mapping[str, Reading]) -> Iterator[str]:
    """The bases that are not applied and define a quota or LimitRange in their own files."""
    for folder in repository_layout.unused:
        names = () if folder in brought else repository_layout.kustomizations[folder].files
        documents = (document for name in names if name in readings for document in readings[name].documents)
        if any(mapping(document.value).get("kind") in ("ResourceQuota", "LimitRange") for document in documents):
            yield folder
