"""Roots: folders that nothing else deploys, with everything that they deploy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cache, partial

from quotalint.gitops.deployers import is_deployer
from quotalint.gitops.following import DeployedPart as DeployedPart
from quotalint.gitops.following import Follow
from quotalint.gitops.layout import KustomizationFile, Layout
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.tree import is_within
from quotalint.gitops.unapplied_bases import only_lists
from quotalint.gitops.units import Units
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import recalled


class Root(NamedTuple):
    """A folder that is applied, and everything that its objects deploy."""

    folder: str
    parts: tuple[DeployedPart, ...]
    """Its own objects first, unless it deploys them itself."""
    is_kustomization: bool

    @property
    def renders_anything(self) -> bool:
        """Whether it renders any object, or may."""
        renderings = (part.rendering for part in self.parts)
        return any(built.objects or built.problems or built.unseen or built.denied for built in renderings)

    @property
    def deployed_names(self) -> frozenset[str]:
        """The folders and files that its objects deploy."""
        if len(self.parts) == 1 and not self.parts[0].is_deployed:  # true of nearly all roots
            return frozenset()
        deployed = (part.rendering for part in self.parts if part.is_deployed)
        return frozenset(name for rendering in deployed for name in (*rendering.units, *rendering.used))


def roots_of(layout: Layout, units: Units, follow: Follow) -> tuple[tuple[Root, ...], tuple[str, ...]]:
    """The roots, and the folders of kustomizations that only list objects deployed individually."""
    all_roots = [
        _followed_root(units.kustomization(folder), is_kustomization=True, follow=follow) for folder in layout.roots
    ]
    all_roots += [
        _followed_root(units.plain_folder(folder), is_kustomization=False, follow=follow)
        for folder in sorted(layout.plain)
    ]
    brought = [root.deployed_names for root in all_roots]
    bundles = _bundle_roots(units, frozenset().union(*brought))
    by_anyone = Counter(name for names in (*brought, *(root.deployed_names for root in bundles)) for name in names)
    listing_folders = cache(partial(_listing_folders, all_roots))
    top_roots: list[Root] = []
    cut_off: list[Root] = []
    lists: list[str] = []
    for root, own_names in zip(all_roots, brought, strict=True):

        def is_brought(name: str, own_names: frozenset[str] = own_names) -> bool:
            """Whether another root deploys it."""
            return by_anyone[name] > (name in own_names)

        def is_listed(name: str, folder: str = root.folder) -> bool:
            """Whether another root deploys it, or a kustomization in a folder above lists it."""
            around = (other for other in listing_folders().get(name, ()) if other != folder)
            return is_brought(name) or any(is_within(folder, other) for other in around)

        if not root.is_kustomization:
            not_deployed = [name for name in layout.plain[root.folder] if not is_brought(name)]
            if len(not_deployed) < len(layout.plain[root.folder]):
                cut_off.append(root)
                root = _followed_root(
                    units.plain_files(not_deployed, root.folder), is_kustomization=False, follow=follow
                )
            if not_deployed:
                top_roots.append(root)
        elif is_brought(root.folder):
            cut_off.append(root)
        elif _only_lists(layout.kustomizations[root.folder], is_brought, is_listed, root):
            lists.append(root.folder)
        else:
            top_roots.append(root)
    top_roots += bundles
    return (*top_roots, *(_first_of_each_cycle(top_roots, cut_off) if cut_off else ())), tuple(lists)


def _bundle_roots(units: Units, brought: Set[str]) -> list[Root]:
    """The roots of Fleet bundles that no GitRepo in view deploys."""
    names = [name for name in units.tree.given_names if name.endswith(("fleet.yaml", "fleet.yml"))]
    if not names:
        return []
    from quotalint.gitops.fleet import undeployed_bundles

    readings = {name: reading for name in names if (reading := units.tree.reading(name)) is not None}
    return [
        Root(rendering.folder, (DeployedPart(rendering, "", deployer="fleet.yaml"),), is_kustomization=False)
        for rendering in undeployed_bundles(readings, brought, units)
    ]


def _first_of_each_cycle(top_roots: Sequence[Root], cut_off: Sequence[Root]) -> list[Root]:
    """The first root of each group of roots that deploy each other."""
    reached = {name for root in top_roots for name in root.deployed_names}
    first_of_cycles = []
    for root in cut_off:
        own = root.parts[0].rendering
        if root.folder not in reached and not own.used <= reached:
            first_of_cycles.append(root)
            reached |= root.deployed_names | own.units | own.used
    return first_of_cycles


def _listing_folders(roots: Iterable[Root]) -> Mapping[str, Sequence[str]]:
    """By file with deploying objects: the folders of the kustomizations that list it."""
    folders: dict[str, list[str]] = {}
    for root in roots:
        if root.is_kustomization and not root.parts[0].is_deployed:
            for name in {obj.place.file for obj in root.parts[0].rendering.objects if is_deployer(obj)}:
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
        and (not files or all(map(is_deployer, root.parts[0].rendering.objects)))
        and all(map(is_listed, files))
    )


def _followed_root(own: Rendering, follow: Follow, *, is_kustomization: bool) -> Root:
    parts = follow(own)
    return recalled("root", (own, parts), is_kustomization, partial(_root_of, own, parts, is_kustomization))


def _root_of(own: Rendering, parts: tuple[DeployedPart, ...], is_kustomization: bool) -> Root:
    root = Root(own.folder, parts, is_kustomization)
    if len(root.parts) == 1:
        return root
    # A root that deploys its own folder and itself is bootstrapped by hand once; afterwards the deployed objects count.
    brought = root.deployed_names
    if own.folder in brought and own.used <= brought | {own.folder} and _renews_itself(root):
        return root._replace(parts=root.parts[1:])
    deployed = {obj.ref for part in root.parts if part.is_deployed for obj in part.rendering.objects}
    objects_by_hand = tuple(
        obj
        for obj in own.objects
        if obj.place.file not in brought or not (obj.place.made is None or obj.ref in deployed)
    )
    return root._replace(
        parts=(DeployedPart(own._replace(objects=objects_by_hand), "", is_deployed=False), *root.parts[1:])
    )


def _renews_itself(root: Root) -> bool:
    """Whether one of its deploying objects is itself deployed, under the same name."""
    deployed = {obj.ref for part in root.parts if part.is_deployed for obj in part.rendering.objects}
    own = [obj.ref for part in root.parts[:1] for obj in part.rendering.objects if is_deployer(obj)]
    return not own or not deployed.isdisjoint(own)
