"""Renders what Rancher's Fleet deploys: bundles below the paths of GitRepos, and folders with a `fleet.yaml` whose
GitRepo is not in view (rancher/fleet, internal/bundlereader).

Manifests and kustomizations are rendered; charts are unknown. Customisations per cluster are not applied: the bundle is
rendered without them, and its sums there are unknown.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from quotalint.gitops.deployer import Context, locate_path, not_in_view
from quotalint.gitops.fleet import BUNDLE_FILES
from quotalint.gitops.folders import Folders
from quotalint.gitops.nodes import Node, Root
from quotalint.gitops.origins import RepositoryOrigin, why_elsewhere
from quotalint.gitops.rendering import Rendering, as_resumed, with_owners
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.guess import MEMBERSHIP, Guess
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Place
from quotalint.text.tree import Tree, is_within, join_path, relative_path
from quotalint.unknowns.causes import CUSTOMISED, Reason
from quotalint.unknowns.problems import MISSING, UNRENDERED, Problem

_MANIFESTS = (".yaml", ".yml", ".json")
_TELLING = frozenset(
    ("defaultNamespace", "dependsOn", "diff", "helm", "kustomize", "namespace", "targetCustomizations")
)
"""Keys of a bundle. A `fleet.yaml` in the root folder may be another file, such as quotalint's list of repositories."""
_CUSTOMISED = ("targets", "overrideTargets", "yaml")


class Bundle(NamedTuple):
    """A folder that Fleet deploys."""

    folder: str
    file: str
    """Its fleet.yaml; empty if it has none."""
    body: Body


def git_repo(obj: Object, context: Context) -> tuple[Rendering, ...]:
    """The renderings of a GitRepo's bundles, once per named cluster."""
    target = text(obj.spec.get("targetNamespace"))
    origin = RepositoryOrigin(text(obj.spec.get("repo")), text(obj.spec.get("branch")))
    # Without paths it is the root folder (internal/bundlereader, CreateBundles).
    paths = [text(path) for path in sequence(obj.spec.get("paths"))] or ["."]
    why = why_elsewhere(origin, context.above, context.is_here)
    is_open = any(set("*?[") & set(path) for path in paths)
    if not why and (is_open or not (all(path.strip("./") for path in paths) or _is_surely_here(origin.url, context))):
        why = "its folders are not worked out here"
    if why:
        return (not_in_view(obj, why, target),)
    tree = context.folders.tree
    renderings: list[Rendering] = []
    for path in paths:
        folder = locate_path(path, obj, context)
        if not tree.is_folder(folder):
            renderings.append(not_in_view(obj, f"there is no folder {folder} in this repository", target))
        for bundle in _bundles_below(folder, tree):
            if not path.strip("./") and bundle.folder == folder and not bundle.file and _holds_more(bundle, tree):
                renderings.append(not_in_view(obj, "bundles in a repository's root folder are not worked out", target))
                continue
            whole = with_owners(rendered_bundle(bundle, context.folders, target), ("GitRepo", obj.namespace, obj.name))
            # The GitRepo itself is omitted: the target clusters do not have its kind.
            others = tuple(other for other in whole.objects if (other.kind, other.name) != (obj.kind, obj.name))
            # Bundles are deployed independently, in no order.
            deployer = f"the bundle {bundle.folder or '.'}"
            whole = whole._replace(origin=origin, objects=others, deployer=deployer)
            if obj.spec.get("paused") is True:
                whole = as_resumed(whole, f"GitRepo {obj.name}", "paused")
            renderings += _to_clusters(whole, obj, bundle)
    return tuple(renderings)


def _is_surely_here(url: str, context: Context) -> bool:
    """Whether a URL is certainly this repository. If its remotes are unknown, any URL may be."""
    return context.is_here(url) and not context.is_here(f"{url}-or-another")


def _holds_more(bundle: Bundle, tree: Tree) -> bool:
    """Whether a bundle has kustomizations or charts in subfolders that are not bundles; Fleet applies their files
    individually."""
    if tree.kustomizations(bundle.folder):
        return False
    nested = [inner.folder for inner in _bundles_below(bundle.folder, tree) if inner.file]
    own = (here for here in tree.folders(bundle.folder) if not any(is_within(here, other) for other in nested))
    return any(
        here != bundle.folder and (tree.kustomizations(here) or tree.is_file(join_path(here, "Chart.yaml")))
        for here in own
    )


def _to_clusters(whole: Rendering, obj: Object, bundle: Bundle) -> Iterator[Rendering]:
    targets = [mapping(target) for target in sequence(obj.spec.get("targets"))]
    names = [text(target.get("clusterName")) for target in targets]
    if names and all(names):
        yield from (_for_cluster(name, whole._replace(destination=name), bundle) for name in dict.fromkeys(names))
    elif not targets and obj.namespace == "fleet-local":
        yield _for_cluster("", whole, bundle)
    else:
        reason = f"GitRepo {obj.name} chooses its clusters by their labels, so it is counted once"
        yield _for_cluster("", whole, bundle).with_guess(
            Guess(MEMBERSHIP, reason, "name the clusters as `clusterName` under `targets`")
        )


def _for_cluster(cluster: str, whole: Rendering, bundle: Bundle) -> Rendering:
    """The rendering of a bundle for a cluster, with a problem if it is customised there; an empty name means any
    cluster. A bundle without objects stays as it is."""
    field = _customised_field(bundle.body, cluster)
    if not field or not whole.objects:
        return whole
    subject = f"the bundle {bundle.folder or '.'} of Fleet"
    reason = Reason(f"`{field}` makes {subject} different in each cluster", CUSTOMISED, bundle.folder or ".")
    namespace = text(bundle.body.get("namespace")) or text(bundle.body.get("defaultNamespace"))
    problem = Problem(
        Place(bundle.file, 0, (field,)),
        reason,
        UNRENDERED,
        namespace=namespace,
        shared=reason.cause,
        subject=subject,
        may_lower=True,
    )
    return whole.lacking(problem)


def _customised_field(body: Body, cluster: str) -> str:
    """The field that customises a bundle for a cluster (rancher/fleet, internal/cmd/controller/target/matcher)."""
    for customisation in map(mapping, sequence(body.get("targetCustomizations"))):
        name = text(customisation.get("clusterName"))
        if not (cluster and name and name != cluster):
            return "targetCustomizations"
    return next((field for field in _CUSTOMISED if body.get(field)), "")


def undeployed_bundles(names: Sequence[str], roots: Iterable[Root], folders: Folders) -> Iterator[Root]:
    """The roots of bundles that no GitRepo in view deploys; `names` are files that may be bundle files."""
    deployed = frozenset[str]().union(*(root.deployed_names for root in roots))
    for name in sorted(names):
        folder, base = posixpath.split(name)
        reading = folders.tree.reading(name)
        if base not in BUNDLE_FILES or name in deployed or reading is None or not reading.documents:
            continue
        body = reading.documents[0].value
        if not isinstance(body, dict) or "kind" in body or not (folder or body.keys() & _TELLING):
            continue
        reason = f"{name} is a bundle of Fleet, and no GitRepo in view says which clusters it goes to"
        guess = Guess(MEMBERSHIP, reason, "put the GitRepo beside it, or write `environments` into .quotalint.yaml")
        bundle = Bundle(folder, name, body)
        rendering = _for_cluster("", rendered_bundle(bundle, folders, ""), bundle).with_guess(guess)
        yield Root(rendering.folder, (Node(rendering, ""),), is_kustomization=False)


def _bundles_below(folder: str, tree: Tree) -> Iterator[Bundle]:
    for here in tree.folders(folder):
        bundle = _bundle_of(here, tree)
        if bundle.file or here == folder:
            yield bundle


def _bundle_of(folder: str, tree: Tree) -> Bundle:
    for base in BUNDLE_FILES:
        name = join_path(folder, base)
        reading = tree.reading(name) if tree.is_file(name) else None
        if reading is not None:
            return Bundle(folder, name, mapping(reading.documents[0].value) if reading.documents else {})
    return Bundle(folder, "", {})


def rendered_bundle(bundle: Bundle, folders: Folders, target: str) -> Rendering:
    """The rendering of a bundle without customisations; its GitRepo's `target` namespace applies to everything."""
    tree, body = folders.tree, bundle.body
    forced = target or text(body.get("namespace"))
    nested = [
        inner_bundle.folder
        for inner_bundle in _bundles_below(bundle.folder, tree)
        if inner_bundle.folder != bundle.folder
    ]
    below = [
        name
        for name in tree.files(bundle.folder, lambda name: name.endswith(_MANIFESTS), lambda here: here not in nested)
        if posixpath.basename(name) not in BUNDLE_FILES
    ]
    here = frozenset(
        folder for folder in tree.folders(bundle.folder) if not any(is_within(folder, other) for other in nested)
    )
    used_files = frozenset((*below, *filter(None, (bundle.file,))))
    why = _why_not(bundle, tree)
    if why:
        place = Place(bundle.file or join_path(bundle.folder, "."), 0)
        subject = f"the bundle {bundle.folder or '.'} of Fleet"
        where = forced or text(body.get("defaultNamespace"))
        problem = Problem(place, f"{subject} is not rendered: {why}", MISSING, namespace=where, subject=subject)
        return Rendering(folders=here, files=used_files, folder=bundle.folder).lacking(problem)
    root = text(dig(body, "kustomize", "dir"))
    built = join_path(bundle.folder, root) if root else bundle.folder
    if root or folders.is_kustomization(built):
        built_rendering = folders.kustomization(built)
    else:
        # `overlays/` contains customisations for single clusters.
        own_files = [name for name in below if not relative_path(name, bundle.folder).startswith("overlays/")]
        built_rendering = folders.plain_files(folders.not_excluded(own_files, bundle.folder), bundle.folder)
    objects = built_rendering.objects
    if forced:
        objects = tuple(obj._replace(namespace=forced) for obj in objects)
    if body.get("paused") is True:
        built_rendering = as_resumed(built_rendering._replace(objects=objects), bundle.file, "paused")
        objects = built_rendering.objects
    return built_rendering._replace(
        objects=objects,
        namespace=forced or text(body.get("defaultNamespace")) or "default",
        folders=built_rendering.folders | here,
        files=built_rendering.files | used_files,
        folder=bundle.folder,
    )


def _why_not(bundle: Bundle, tree: Tree) -> str:
    # For manifests, `helm` only sets the name and options of their release.
    helm = mapping(bundle.body.get("helm"))
    if helm.get("chart") or helm.get("repo") or tree.is_file(join_path(bundle.folder, "Chart.yaml")):
        return "it is a chart, which Fleet installs with values of its own"
    return ""
