"""What a Flux Kustomization applies (fluxcd/pkg, kustomize/kustomize_generator.go)."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Sequence

from quotalint.gitops.deployer import Context, not_in_view
from quotalint.gitops.flux.applied_objects import apply_common_metadata, as_resumed, with_reconcile_guesses
from quotalint.gitops.flux.flux_sources import SourcePath, cluster_of, resolve_source_path
from quotalint.gitops.flux.post_build import substitute_variables
from quotalint.gitops.folders import Folders, join_renderings
from quotalint.gitops.kustomize.kustomization import Kustomization, kustomization
from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, mapping_of, with_child
from quotalint.gitops.origins import is_open
from quotalint.gitops.rendering import Rendering, with_owners
from quotalint.kube.fields import mapping, text
from quotalint.kube.guess import MEMBERSHIP, Guess
from quotalint.kube.objects import Object
from quotalint.text.tree import Tree, join_path, relative_path
from quotalint.unknowns.causes import ABSENT_FOLDER, TEMPLATED_PATH, Reason
from quotalint.unknowns.problems import LOAD, REFUSED, Problem

_REPLACED = {"targetNamespace": "namespace", "namePrefix": "namePrefix", "nameSuffix": "nameSuffix"}
_ADDED = ("patches", "components", "patchesStrategicMerge", "patchesJson6902")
_IMAGES = "images"


def flux_kustomization(obj: Object, context: Context) -> Rendering:
    """The objects that a Flux Kustomization applies."""
    spec = obj.spec
    source = resolve_source_path(obj, mapping(spec.get("sourceRef")), text(spec.get("path")), context)
    namespace = text(spec.get("targetNamespace"))
    why = source.why_not or _why_not_built(source, context)
    if why:
        missing = not_in_view(obj, why, namespace)._replace(destination=cluster_of(obj))
        return with_owners(missing, ("Kustomization", obj.namespace, obj.name))
    built = _without_helm(_build_source(obj, source, context), context.folders.tree)
    rendering = substitute_variables(obj, built, context)
    # Flux has no load restrictions.
    problems = tuple(problem for problem in rendering.problems if problem.kind != LOAD)
    rendering = rendering._replace(
        problems=problems, destination=cluster_of(obj), folder=source.name, origin=source.origin
    )
    rendering = apply_common_metadata(obj, with_reconcile_guesses(rendering))
    return with_owners(as_resumed(obj, rendering), ("Kustomization", obj.namespace, obj.name))


def _why_not_built(source: SourcePath, context: Context) -> str:
    tree = context.folders.tree
    if not tree.is_folder(source.name):
        if is_open(source.name):
            return Reason(f"its path {source.name} is a template", TEMPLATED_PATH, source.name)
        return Reason(f"there is no folder {source.name} in this repository", ABSENT_FOLDER, source.name)
    if any(map(source.ignored, tree.kustomizations(source.name))):
        return f"the kustomization of {source.name} is left out of its source, which ignores it"
    return ""


def _without_helm(rendering: Rendering, tree: Tree) -> Rendering:
    """The rendering, with a problem and a guess if it uses `helmCharts`: Flux builds without plugins and Helm, so it
    refuses them (fluxcd/pkg, kustomize/kustomize_generator.go, `Build`)."""
    folders = sorted(rendering.folders - tree.given_names)  # contains files too
    with tree.recording_reads():  # without charts these reads affect nothing, so they are not recorded
        built = [kustomization(tree, folder)[0] for folder in folders if tree.kustomizations(folder)]
    charts = [entry for own in built if own is not None for entry in own.entries(*_CHARTS)]
    if not charts:
        return rendering
    problem = Problem(charts[0].place, "Flux builds kustomizations without Helm, so it refuses `helmCharts`", REFUSED)
    guessed = rendering.with_guess(
        Guess(
            MEMBERSHIP,
            f"Flux refuses the `helmCharts` of {charts[0].place.file}; they are counted as though it did not",
            "install the chart with a HelmRelease",
        )
    )
    return guessed._replace(problems=(*rendering.problems, problem))


_CHARTS = ("helmCharts", "helmChartInflationGenerator")


def _build_source(obj: Object, source: SourcePath, context: Context) -> Rendering:
    folders, path = context.folders, source.name
    changes = any(obj.spec.get(field) for field in (*_REPLACED, *_ADDED, _IMAGES))
    if folders.is_kustomization(path):
        own_kustomization = kustomization(folders.tree, path)[0] if changes else None
        if own_kustomization is None:
            return folders.kustomization(path)
        return folders.overlay(_with_flux_fields(obj, own_kustomization, path, folders.tree), path)
    names, subfolders = folders.folders_below(path)
    names = tuple(name for name in names if not name.endswith(".json"))
    unignored_names = tuple(name for name in names if not source.ignored(name))
    subfolders = tuple(
        folder for folder in subfolders if not any(map(source.ignored, folders.tree.kustomizations(folder)))
    )
    rendering = _without_kustomization(obj, unignored_names, subfolders, path, folders, changes=changes)
    # Files that the source ignores are not applied by hand either.
    return rendering._replace(files=rendering.files | set(names))


def _without_kustomization(
    obj: Object, names: Sequence[str], subfolders: Sequence[str], path: str, folders: Folders, *, changes: bool
) -> Rendering:
    """The rendering of a folder without kustomization: Flux generates one."""
    if not changes:
        return join_renderings([folders.plain_files(names, path), *map(folders.kustomization, subfolders)], path)
    listed = [relative_path(name, path) for name in (*names, *subfolders)]
    at = obj.at("spec", "path").real
    generated = mapping_of(at, [("resources", Traced(listed, at))])
    rendering = folders.overlay(
        _with_flux_fields(obj, Kustomization(obj.place.file, generated), path, folders.tree), path
    )
    return rendering._replace(folders=rendering.folders | {posixpath.dirname(name) for name in names})


def _with_flux_fields(obj: Object, kustomization: Kustomization, path: str, tree: Tree) -> Kustomization:
    """The kustomization with the fields that Flux adds to it."""
    traced = kustomization.traced
    for field, name in _REPLACED.items():
        if text(obj.spec.get(field)):
            traced = with_child(traced, name, _traced_field(obj, field))
    for field in _ADDED:
        if obj.spec.get(field):
            more = list(map(_as_texts, elements(_traced_field(obj, field))))
            if field == "components" and obj.spec.get("ignoreMissingComponents") is True:
                more = [component for component in more if tree.is_folder(join_path(path, text(component.value)))]
            traced = _with_more(traced, field, more)
    images = elements(_traced_field(obj, _IMAGES)) if obj.spec.get(_IMAGES) else []
    if images:
        names = {text(mapping(image.value).get("name")) for image in images}
        old = child(traced, _IMAGES)
        untouched = (
            [element for element in elements(old) if text(mapping(element.value).get("name")) not in names]
            if old
            else []
        )
        traced = with_child(traced, _IMAGES, list_of(images[0].place, [*untouched, *images]))
    return kustomization._replace(traced=traced)


def _as_texts(entry: Traced) -> Traced:
    """An entry with the patch in it as Kustomize has it, a text: the fields before `patches` hold objects and lists."""
    if isinstance(entry.value, dict) and "kind" in entry.value:
        return Traced(f"{json.dumps(entry.value)}\n", entry.place)
    patch = child(entry, "patch")
    if patch is not None and isinstance(patch.value, list):
        return with_child(entry, "patch", Traced(json.dumps(patch.value), patch.place))
    return entry


def _traced_field(obj: Object, field: str) -> Traced:
    return Traced(obj.spec[field], obj.at("spec", field).origin)


def _with_more(traced: Traced, field: str, more: Iterable[Traced]) -> Traced:
    old = child(traced, field)
    before = elements(old) if old is not None else []
    items = [*before, *more]
    return with_child(traced, field, list_of(items[0].place, items)) if items else traced
