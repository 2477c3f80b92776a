"""The folders that are applied by hand: kustomizations, and folders of plain manifests, that nothing else deploys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial

from quotalint.gitops.by_hand.alternative_files import without_alternatives
from quotalint.gitops.deployer import Sources
from quotalint.gitops.deployers import is_deployer
from quotalint.gitops.layout import KustomizationFile
from quotalint.gitops.nodes import FoundRoots, Node, Root
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.unapplied_bases import only_lists
from quotalint.runtime.recall import recalled
from quotalint.text.place import Place
from quotalint.text.tree import is_within, join_path, shown_folder
from quotalint.unknowns.unseen import UNAPPLIED, Skipped


def find_folder_roots(sources: Sources) -> FoundRoots:
    """The roots of all folders, and of the chart releases in the settings."""
    layout, folders = sources.layout, sources.folders
    kustomized = [
        followed_root(folders.kustomization(folder), sources, is_kustomization=True) for folder in layout.roots
    ]
    skipped: list[Skipped] = []
    plain: list[Root] = []
    for folder in sorted(layout.plain):
        rendering, alternatives = without_alternatives(folders.plain_folder(folder))
        plain.append(followed_root(rendering, sources, is_kustomization=False))
        skipped += (Skipped(name, f"an alternative to {kept}", UNAPPLIED) for name, kept in alternatives.items())
    return FoundRoots((*kustomized, *plain, *_configured_releases(sources)), tuple(skipped))


def without_deployed(
    roots: Sequence[Root], others: Sequence[Root], sources: Sources
) -> tuple[tuple[Root, ...], tuple[str, ...]]:
    """The roots of folders without what another root deploys, with the `others`; and the folders of kustomizations that
    only list objects deployed one by one."""
    layout = sources.layout
    deployed = [root.deployed_names for root in roots]
    deployed_by = Counter(name for names in (*deployed, *(root.deployed_names for root in others)) for name in names)
    listing_folders = cache(partial(_listing_folders, roots))
    top_roots: list[Root] = []
    cut_off: list[Root] = []
    lists: list[str] = []
    for root, own_names in zip(roots, deployed, strict=True):

        def is_brought(name: str, own_names: frozenset[str] = own_names) -> bool:
            """Whether another root deploys it."""
            return deployed_by[name] > (name in own_names)

        def is_listed(name: str, folder: str = root.folder) -> bool:
            """Whether another root deploys it, or a kustomization in a folder above lists it."""
            around = (other for other in listing_folders().get(name, ()) if other != folder)
            return is_brought(name) or any(is_within(folder, other) for other in around)

        if root.is_kustomization and is_brought(root.folder):
            cut_off.append(root)
        elif root.is_kustomization and _only_lists(layout.kustomizations[root.folder], is_brought, is_listed, root):
            lists.append(root.folder)
        elif root.is_kustomization:
            top_roots.append(root)
        else:
            names = layout.plain[root.folder]
            left = [name for name in names if not is_brought(name)]
            if len(left) < len(names):
                cut_off.append(root)
                rendering, _ = without_alternatives(sources.folders.plain_files(left, root.folder))
                root = followed_root(rendering, sources, is_kustomization=False)
            if left:
                top_roots.append(root)
    top_roots += others
    return (*top_roots, *(_first_of_each_cycle(top_roots, cut_off) if cut_off else ())), tuple(lists)


def _first_of_each_cycle(top_roots: Sequence[Root], cut_off: Sequence[Root]) -> list[Root]:
    """The first root of each group of roots that deploy each other."""
    reached = {name for root in top_roots for name in root.deployed_names}
    first_of_cycles = []
    for root in cut_off:
        own = root.nodes[0].rendering
        if root.folder not in reached and not own.files <= reached:
            first_of_cycles.append(root)
            reached |= root.deployed_names | own.folders | own.files
    return first_of_cycles


def _listing_folders(roots: Iterable[Root]) -> Mapping[str, Sequence[str]]:
    """By file with deploying objects: the folders of the kustomizations that list it."""
    folders: dict[str, list[str]] = {}
    for root in roots:
        if root.is_kustomization and not root.nodes[0].is_deployed:
            for name in {obj.place.file for obj in root.nodes[0].rendering.objects if is_deployer(obj)}:
                folders.setdefault(name, []).append(root.folder)
    return folders


def _only_lists(
    kustomization: KustomizationFile, is_brought: Callable[[str], bool], is_listed: Callable[[str], bool], root: Root
) -> bool:
    """Whether a kustomization only lists folders and deployers that other roots apply, so that it adds no objects."""
    directories, files = kustomization.directories, kustomization.files
    return (
        bool(directories or files)
        and only_lists(kustomization.body)
        and all(map(is_brought, directories))
        and (not files or all(map(is_deployer, root.nodes[0].rendering.objects)))
        and all(map(is_listed, files))
    )


def followed_root(own: Rendering, sources: Sources, *, is_kustomization: bool) -> Root:
    """The root of a folder, with everything that its objects deploy."""
    nodes = sources.follow(own)
    return recalled("root", (own, nodes), is_kustomization, partial(_root_of, own, nodes, is_kustomization))


def _root_of(own: Rendering, nodes: tuple[Node, ...], is_kustomization: bool) -> Root:
    root = Root(own.folder, nodes, is_kustomization)
    if len(root.nodes) == 1:
        return root
    # A root that deploys its own folder and itself is bootstrapped by hand once; afterwards the deployed objects count.
    brought = root.deployed_names
    if own.folder in brought and own.files <= brought | {own.folder} and _deploys_itself(root):
        return root._replace(nodes=root.nodes[1:])
    deployed = {obj.ref for node in root.nodes if node.is_deployed for obj in node.rendering.objects}
    objects_by_hand = tuple(
        obj
        for obj in own.objects
        if obj.place.file not in brought or not (obj.place.made is None or obj.ref in deployed)
    )
    return root._replace(nodes=(Node(own._replace(objects=objects_by_hand), "", is_deployed=False), *root.nodes[1:]))


def _deploys_itself(root: Root) -> bool:
    """Whether the root deploys one of its own deployer objects again, under the same name."""
    deployed = {obj.ref for node in root.nodes if node.is_deployed for obj in node.rendering.objects}
    own = [obj.ref for node in root.nodes[:1] for obj in node.rendering.objects if is_deployer(obj)]
    return not own or not deployed.isdisjoint(own)


def _configured_releases(sources: Sources) -> Iterator[Root]:
    """The roots of chart releases in the settings."""
    settings = sources.settings
    if not settings.renderers.releases:
        return
    from quotalint.gitops.helm import Release

    here = shown_folder(settings.root)
    for configured_release in settings.renderers.releases:
        release = Release(
            join_path(here, configured_release.chart),
            configured_release.release,
            configured_release.namespace,
            tuple(join_path(here, name) for name in configured_release.values),
        )
        rendering = sources.charts.render_chart(
            release, Place(settings.file or "", 0, ("renderers", "helm", configured_release.chart))
        )
        yield Root(
            release.chart,
            (Node(rendering, configured_release.environment, is_deployed=False),),
            is_kustomization=False,
            is_stated=True,
        )
