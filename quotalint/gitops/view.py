"""Renders a repository into a View: files in, environments out."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import chain, compress
from types import MappingProxyType
from typing import TYPE_CHECKING

from quotalint.gitops.by_hand.entry_points import FIXTURES, file_name
from quotalint.gitops.charts import Charts
from quotalint.gitops.default_namespaces import place_objects
from quotalint.gitops.deployer import Context, Sources
from quotalint.gitops.deployment_graph import DeploymentGraph, Walk, build_graph
from quotalint.gitops.environments import place_in_environments
from quotalint.gitops.folders import Folders
from quotalint.gitops.layout import Layout, layout_of
from quotalint.gitops.look import Look, begin_look, renderer_of
from quotalint.gitops.nodes import Root
from quotalint.gitops.object_index import ObjectIndex
from quotalint.gitops.origins import is_url_of, vendored_in
from quotalint.gitops.rendering import Environment, Rendering, View
from quotalint.gitops.skipped_files import (
    unlisted_files,
    unread_files,
    unseen_of_skipped,
    update_layout,
    without_fragments,
)
from quotalint.gitops.unapplied_bases import why_unapplied
from quotalint.kube.discovery import Discovery, discover_kinds
from quotalint.kube.fields import mapping
from quotalint.kube.objects import Object, Ref, objects
from quotalint.runtime.recall import Memory, recalled_each, same_as_before
from quotalint.settings import LOCK, ConfiguredCluster, Settings
from quotalint.text.documents import Reading
from quotalint.text.place import Place
from quotalint.text.progress import Tell, tell_nobody
from quotalint.text.reading import File
from quotalint.text.sources import NOTHING_FOUND, Found, Unreadable
from quotalint.text.tree import Tree, join_path, shown_folder
from quotalint.unknowns.causes import UNDEPLOYED_CHART
from quotalint.unknowns.unseen import CHART, UNAPPLIED, Skipped

if TYPE_CHECKING:
    from quotalint.text.template_words import TemplateWords


def view_repository(
    files: Sequence[File],
    unreadable: Sequence[Unreadable],
    charts: Sequence[str],
    skipped: Iterable[Skipped],
    settings: Settings,
    shown: Sequence[Object] = (),
    tell: Tell = tell_nobody,
    files_found: Found = NOTHING_FOUND,
    templates: Mapping[str, TemplateWords] = MappingProxyType({}),
) -> View:
    """The rendered repository, with what could not be rendered. `shown` are snapshot objects, which may define kinds;
    `files_found` are the searched files; `templates` has the words of those in other languages."""
    readings = {file.source.name: file.reading for file in files}
    explicit = frozenset(file.source.name for file in files if file.source.explicit)
    look = begin_look(settings, readings, vendored_in(_vendored_folders(settings)), files_found)
    _add_remote_sources(look.tree, settings)
    layout = layout_of(readings, explicit, look.tree.canonical_name)
    limited = frozenset(obj.namespace for obj in shown if obj.kind == "ResourceQuota")
    sources = _sources_of(look, tuple(files), readings, charts, layout, settings, tell)._replace(limited=limited)
    if templates:
        names = tuple(template.name for template in files_found.templates)
        sources = sources._replace(templates=templates, templates_found=names)
    graph = build_graph(sources, files_found.folders, explicit)
    roots = tuple(map(_with_templates_processed, graph.roots)) if settings.templates else graph.roots
    roots, fragments = without_fragments(roots)
    discovery = discover_kinds(
        (*shown, *chain.from_iterable(recalled_each("definitions of roots", roots, (), _definitions_of))),
        settings.kube_version,
        _custom_definitions(readings),
    )
    discovery = same_as_before("kinds in view", discovery)
    decisive = discovery, same_as_before("settings of the view", settings)
    placed_roots = tuple(recalled_each("at home", roots, decisive, partial(_placed_root, *decisive)))
    layout = update_layout(_with_unapplied(layout, graph, sources), files, roots)
    # Folders with values or settings also name environments, but nothing is applied from them.
    giving = tuple(root for root in placed_roots if root.renders_anything)
    if settings.environment_aliases:
        giving = tuple(_with_aliases(root, settings) for root in giving)
    placement = place_in_environments(giving, settings.environments_of, files_found.folders)
    rendered_folders = frozenset(folder for root in roots for node in root.nodes for folder in node.rendering.folders)
    deployed_folders = frozenset(
        folder for root in roots for node in root.nodes if node.is_deployed for folder in node.rendering.folders
    )
    known_charts = deployed_folders | sources.deployed_charts()
    all_skipped = (
        *skipped,
        *_undeployed_charts((chart for chart in charts if chart not in known_charts), graph),
        *_skipped_kustomizations(layout, graph, rendered_folders),
        *unread_files(files, layout, graph.files, placed_roots),
        *graph.skipped,
        *unlisted_files(layout, readings),
        *(Skipped(name, "a snapshot of a cluster, for --with") for name in layout.snapshots),
        *fragments,
        *(Skipped(file_name(root.nodes[0].rendering), _REPLACED, UNAPPLIED) for root in placement.replaced),
    )
    ordered = tuple(sorted(all_skipped))
    unapplied_roots = (*(root for root, _ in graph.unapplied), *placement.replaced)
    idle = (
        *map(sources.folders.kustomization, _limiting_bases(layout, rendered_folders, readings)),
        *(root.nodes[0].rendering for root in unapplied_roots if root.nodes),
        *_denied_renderings(placed_roots),
    )
    return View(
        layout,
        placement.environments,
        discovery,
        ordered,
        tuple(unseen_of_skipped(ordered, unreadable, files, layout)),
        tuple(
            _apart_environments(
                place_objects(rendering, discovery, settings.namespace_of)
                for rendering in filter(_limits_anything, idle)
            )
        ),
        deployed_folders,
        tuple(sorted(look.tree.asked)),
    )


def _add_remote_sources(tree: Tree, settings: Settings) -> None:
    """Let the tree find what `quotalint vendor` fetched."""
    root = shown_folder(settings.sources_root)
    tree.lock, tree.store, tree.asked = join_path(root, LOCK), join_path(root, settings.vendor), {}


def _sources_of(
    look: Look,
    files: tuple[File, ...],
    readings: Mapping[str, Reading],
    chart_folders: Sequence[str],
    layout: Layout,
    settings: Settings,
    tell: Tell,
) -> Sources:
    tree = look.tree
    charts = Charts(tree, settings.kube_version, settings.renderers.helm, tell=tell)
    searched = tuple(set(recalled_each("folders of files", tuple(readings), (), posixpath.dirname)))
    folders = Folders(tree, partial(renderer_of, look, charts, settings), layout.plain, searched, tell)
    repository = ObjectIndex(lambda: tuple(_own_renderings(layout, folders)))

    def context() -> Context:  # not called if nothing deploys anything
        return Context(
            folders,
            charts,
            "" if look.name == "." else look.name,
            repository.find,
            repository.nearest,
            Memory(),
            is_url_of(tree.root),
            _clusters_in_report(settings),
            tree.vendored,
        )

    def deployed_charts() -> frozenset[str]:
        return frozenset(charts.deployed_charts) | (look.builds.asked_charts if look.builds else frozenset())

    return Sources(files, layout, chart_folders, folders, charts, settings, Walk(context, repository), deployed_charts)


def _with_unapplied(layout: Layout, graph: DeploymentGraph, sources: Sources) -> Layout:
    """The layout with the files of folders that are not applied."""
    files_by_reason = [(root.nodes[0].rendering.files, why) for root, why in graph.unapplied]
    idle = frozenset(name for names, _ in files_by_reason for name in names)
    return layout._replace(
        kustomized=layout.kustomized - (idle & sources.templated),
        idle=idle,
        fixtures=frozenset(name for names, why in files_by_reason if why in FIXTURES for name in names),
    )


def _with_aliases(root: Root, settings: Settings) -> Root:
    """A root whose environments have the names that the settings give them here."""
    return root._replace(
        nodes=tuple(
            node._replace(destination=settings.environment_aliases.get(node.destination, node.destination))
            for node in root.nodes
        )
    )


def _undeployed_charts(charts: Iterable[str], graph: DeploymentGraph) -> Iterator[Skipped]:
    for chart in charts:
        # Unless the repository states what is applied, a chart may be deployed by hand.
        yield Skipped(posixpath.join(chart, "Chart.yaml"), UNDEPLOYED_CHART, CHART, anywhere=not graph.is_stated)


def _skipped_kustomizations(layout: Layout, graph: DeploymentGraph, rendered_folders: Set[str]) -> Iterator[Skipped]:
    for folder in graph.lists:
        yield Skipped(layout.kustomizations[folder].name, "it only lists what is deployed one by one")
    for folder in layout.unused:
        if folder not in rendered_folders:
            yield Skipped(layout.kustomizations[folder].name, why_unapplied(folder))
    for root, reason in graph.unapplied:
        if root.nodes and (root.is_kustomization or root.nodes[0].rendering.objects):
            yield Skipped(file_name(root.nodes[0].rendering), reason, UNAPPLIED)


def kustomization_alone(folder: str, settings: Settings) -> Rendering | None:
    """The rendering of one kustomization, without overlays and deployers; None if the folder has none."""
    tree = Tree(settings.repository, {}, vendored=vendored_in(_vendored_folders(settings)))
    _add_remote_sources(tree, settings)
    charts = Charts(tree, settings.kube_version, settings.renderers.helm)
    look = Look(tree, None)
    folders = Folders(tree, partial(renderer_of, look, charts, settings), {}, ())
    if not tree.kustomizations(folder):
        return None
    return folders.kustomization(folder)


_DEFINITION = "CustomResourceDefinition"
_REPLACED = "each environment that it is for has an overlay of its own instead"


def _limits_anything(rendering: Rendering) -> bool:
    return any(obj.kind in ("ResourceQuota", "LimitRange") for obj in rendering.objects)


def _denied_renderings(applied: Iterable[Root]) -> Iterator[Rendering]:
    """The objects that deployers are not permitted to apply."""
    for root in applied:
        for node in filter(lambda node: node.rendering.denied, root.nodes):
            yield node.rendering._replace(objects=node.rendering.denied, problems=(), unseen=(), denied=())


def _apart_environments(renderings: Iterable[Rendering]) -> Iterator[Environment]:
    """As few environments as possible; each has every object at most once."""
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
    return tuple((url, join_path(shown_folder(settings.root), folder)) for url, folder in settings.sources)


def _clusters_in_report(settings: Settings) -> tuple[ConfiguredCluster, ...]:
    """The clusters in the settings, with the folders of their Argo CD instances named as in reports."""
    named = ((cluster, join_path(shown_folder(settings.root), cluster.instance)) for cluster in settings.clusters)
    return tuple(cluster._replace(instance=folder if cluster.instance else "") for cluster, folder in named)


def _own_renderings(repository_layout: Layout, folders: Folders) -> Iterator[Rendering]:
    yield from map(folders.kustomization, repository_layout.roots)
    yield from map(folders.plain_folder, sorted(repository_layout.plain))


def _with_templates_processed(root: Root) -> Root:
    from quotalint.gitops.openshift_templates import process_templates

    nodes = (node._replace(rendering=process_templates(node.rendering)) for node in root.nodes)
    return root._replace(nodes=tuple(nodes))


def _placed_root(discovery: Discovery, settings: Settings, root: Root) -> Root:
    """A root with namespaces set on its objects."""
    renderings = [place_objects(node.rendering, discovery, settings.namespace_of) for node in root.nodes]
    if all(placed is node.rendering for node, placed in zip(root.nodes, renderings, strict=True)):
        return root
    return root._replace(
        nodes=tuple(node._replace(rendering=placed) for node, placed in zip(root.nodes, renderings, strict=True))
    )


def _definitions_of(root: Root) -> tuple[Object, ...]:
    return tuple(obj for node in root.nodes for obj in node.rendering.objects if obj.kind == _DEFINITION)


def _custom_definitions(readings: Mapping[str, Reading]) -> Iterator[Object]:
    """The CustomResourceDefinitions of all files, applied or not."""
    are_defining = recalled_each("defining", tuple(readings.values()), (), _defines_kinds)
    for name, reading in compress(readings.items(), are_defining):
        for document in reading.documents:
            if mapping(document.value).get("kind") == _DEFINITION:
                yield from objects(document.value, Place(name, document.index))


def _defines_kinds(reading: Reading) -> bool:
    return any(mapping(document.value).get("kind") == _DEFINITION for document in reading.documents)


def _limiting_bases(repository_layout: Layout, brought: Set[str], readings: Mapping[str, Reading]) -> Iterator[str]:
    """The bases that are not applied and define a quota or LimitRange in their own files."""
    for folder in repository_layout.unused:
        names = () if folder in brought else repository_layout.kustomizations[folder].files
        documents = (document for name in names if name in readings for document in readings[name].documents)
        if any(mapping(document.value).get("kind") in ("ResourceQuota", "LimitRange") for document in documents):
            yield folder
