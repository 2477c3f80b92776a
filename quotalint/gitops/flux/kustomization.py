"""What a Flux Kustomization applies (fluxcd/pkg, kustomize/kustomize_generator.go)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from quotalint.gitops.context import Context, at_home, nowhere
from quotalint.gitops.flux.artifacts import EXTERNAL_ARTIFACT, path_in_repository
from quotalint.gitops.flux.variables import substituted
from quotalint.gitops.kustomize.kustomization import Kustomization, kustomization
from quotalint.gitops.kustomize.problems import LOAD
from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, mapping_of, with_child
from quotalint.gitops.rendering import Rendering, Unseen
from quotalint.gitops.tree import Tree, join, relative
from quotalint.gitops.units import joined
from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.objects import Object

_REPLACED = {"targetNamespace": "namespace", "namePrefix": "namePrefix", "nameSuffix": "nameSuffix"}
_ADDED = ("patches", "components", "patchesStrategicMerge", "patchesJson6902")
_IMAGES = "images"


def flux_kustomization(obj: Object, context: Context) -> Rendering:
    """The objects that a Flux Kustomization applies."""
    spec = obj.spec
    path = at_home(_path(obj, context), obj, context)
    namespace = text(spec.get("targetNamespace"))
    why = _why_not_here(obj, path, context)
    if why:
        return nowhere(obj, f"Kustomization {obj.name} is not rendered: {why}", namespace)
    found = substituted(obj, _built(obj, path, context), context)
    unseen = found.unseen
    if spec.get("suspend") is True:
        reason = f"Kustomization {obj.name} is suspended, so what runs may be older than what is written here"
        unseen = (*unseen, Unseen(namespace, reason))
    # Flux has no load restrictions.
    problems = tuple(one for one in found.problems if one.kind != LOAD)
    destination = text(dig(spec, "kubeConfig", "secretRef", "name"))
    return found._replace(problems=problems, unseen=unseen, destination=destination, folder=path)


def _path(obj: Object, context: Context) -> str:
    written = text(obj.spec.get("path"))
    source = mapping(obj.spec.get("sourceRef"))
    if source.get("kind") != EXTERNAL_ARTIFACT:
        return written
    return path_in_repository(obj, text(source.get("name")), written, context) or ""


def _why_not_here(obj: Object, path: str, context: Context) -> str:
    kind, name = (text(dig(obj.spec, "sourceRef", field)) for field in ("kind", "name"))
    if kind == EXTERNAL_ARTIFACT and _path(obj, context):
        return "" if context.units.tree.is_folder(path) else f"there is no folder {path} in this repository"
    if kind and kind != "GitRepository":
        return f"its source is the {kind} {name}"
    source = context.find(obj, kind, text(dig(obj.spec, "sourceRef", "namespace")) or obj.namespace, name)
    url = text(source.spec.get("url")) if source is not None else ""
    if url and not context.is_here(url):
        return f"its source is the repository {url}"
    return "" if context.units.tree.is_folder(path) else f"there is no folder {path} in this repository"


def _built(obj: Object, path: str, context: Context) -> Rendering:
    units = context.units
    changes = any(obj.spec.get(field) for field in (*_REPLACED, *_ADDED, _IMAGES))
    if units.is_kustomization(path):
        found, _ = kustomization(units.tree, path)
        if not changes or found is None:
            return units.kustomization(path)
        return units.overlay(_changed(obj, found, path, units.tree), path)
    names, folders = units.below(path)
    names = tuple(name for name in names if not name.endswith(".json"))
    if not changes:
        return joined([units.files(names, path), *map(units.kustomization, folders)], path)
    listed = [relative(name, path) for name in (*names, *folders)]
    at = obj.at("spec", "path").real
    generated = mapping_of(at, [("resources", Traced(listed, at))])
    found_here = units.overlay(_changed(obj, Kustomization(obj.place.real.source, generated), path, units.tree), path)
    return found_here._replace(units=found_here.units | {posixpath.dirname(name) for name in names})


def _changed(obj: Object, found: Kustomization, path: str, tree: Tree) -> Kustomization:
    """The kustomization with what Flux writes into it."""
    traced = found.traced
    for field, name in _REPLACED.items():
        if text(obj.spec.get(field)):
            traced = with_child(traced, name, _field(obj, field))
    for field in _ADDED:
        if obj.spec.get(field):
            more = elements(_field(obj, field))
            if field == "components" and obj.spec.get("ignoreMissingComponents") is True:
                more = [one for one in more if tree.is_folder(join(path, text(one.value)))]
            traced = _with_more(traced, field, more)
    images = elements(_field(obj, _IMAGES)) if obj.spec.get(_IMAGES) else []
    if images:
        names = {text(mapping(one.value).get("name")) for one in images}
        old = child(traced, _IMAGES)
        kept = [one for one in elements(old) if text(mapping(one.value).get("name")) not in names] if old else []
        traced = with_child(traced, _IMAGES, list_of(images[0].place, [*kept, *images]))
    return found._replace(traced=traced)


def _field(obj: Object, field: str) -> Traced:
    return Traced(obj.spec[field], obj.at("spec", field).origin)


def _with_more(traced: Traced, field: str, more: Iterable[Traced]) -> Traced:
    old = child(traced, field)
    before = elements(old) if old is not None else []
    items = [*before, *more]
    return with_child(traced, field, list_of(items[0].place, items)) if items else traced
