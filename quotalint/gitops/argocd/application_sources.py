"""The sources of an Application by type: Helm chart, kustomization, or directory of plain manifests.

Source: argo-cd 3.x, reposerver/repository/repository.go (helmTemplate, findManifests), util/kustomize/kustomize.go.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from quotalint.gitops.argocd.source_options import ChartFileLookup, build_environment, filled_in, find_chart_files
from quotalint.gitops.deployer import Context, not_in_view
from quotalint.gitops.helm import Parameter, Release
from quotalint.gitops.kustomize.kustomization import GROUP, Kustomization, kustomization
from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, mapping_of, with_child
from quotalint.gitops.rendering import Rendering
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.text.digits import whole_number
from quotalint.text.documents import read
from quotalint.text.glob_dialects import gobwas
from quotalint.text.globs import covers
from quotalint.text.place import Place
from quotalint.text.tree import relative_path
from quotalint.unknowns.problems import AS_OBJECT, BELOW, MISSING, Problem


def helm_source(
    obj: Object, source: Body, place: Place, path: str, references: Mapping[str, Body], context: Context
) -> Rendering:
    """The rendering of a chart with an Application's Helm options."""
    helm = mapping(source.get("helm"))
    namespace = text(helm.get("namespace")) or text(dig(obj.spec, "destination", "namespace")) or "default"
    environment = build_environment(obj, source)
    given = find_chart_files(obj, helm, ChartFileLookup(path, references, environment), context)
    values, unread = _inline_values(helm)
    release = Release(
        chart=path,
        name=text(helm.get("releaseName")) or obj.name,
        namespace=text(helm.get("namespace")) or namespace,
        values_files=given.values,
        values=values,
        values_place=place.at("helm", "valuesObject" if helm.get("valuesObject") else "values"),
        parameters=tuple(
            Parameter(
                text(parameter.get("name")),
                filled_in(text(parameter.get("value")), environment),
                parameter.get("forceString") is True,
                place.at("helm", "parameters", number),
            )
            for number, parameter in enumerate(map(mapping, sequence(helm.get("parameters"))))
        ),
        file_parameters=given.parameters,
        kube_version=text(helm.get("kubeVersion")),
        api_versions=tuple(map(text, sequence(helm.get("apiVersions")))),
        skip_schema=helm.get("skipSchemaValidation") is True,
        skip_crds=helm.get("skipCrds") is True,
        without_cluster=True,
        lacks_values=any(str(key).startswith(_IMAGE_UPDATER) for key in mapping(obj.metadata.get("annotations"))),
    )
    if given.hidden or unread:
        # Rendered with incomplete values, the numbers would be guesses.
        why = "; ".join((*given.hidden, *unread))
        rendering = not_in_view(obj, why, namespace)
        return rendering._replace(folders=frozenset({path}), folder=path)
    rendering = context.charts.render_chart(release, place)
    if release.namespace == namespace:
        return rendering
    # Objects without a namespace go to the Application's destination, not to the release's namespace.
    unseen = (*rendering.unseen, *(part._replace(namespace=namespace) for part in rendering.unseen))
    return rendering._replace(namespace=namespace or "default", unseen=unseen)


# Argo CD Image Updater may write parameters into the Application in the cluster (write-back-method argocd, the
# default).
_IMAGE_UPDATER = "argocd-image-updater.argoproj.io/"


def _inline_values(helm: Body) -> tuple[dict[str, object] | None, list[str]]:
    """The inline values: `valuesObject`, else the string `values`; and why they cannot be read."""
    values_object = helm.get("valuesObject")
    if isinstance(values_object, dict) and values_object:
        return dict(values_object), []
    written = helm.get("values")
    if not isinstance(written, str) or not written.strip():
        return None, []
    reading = read(written.encode("utf-8", "surrogatepass"))
    if reading.failures or not reading.documents:
        return None, ["its `values` cannot be read"]
    return dict(mapping(reading.documents[0].value)) or None, []


_REPLACED = ("namePrefix", "nameSuffix", "namespace")
_MAPS = ("commonAnnotations",)
_LISTS = ("patches", "components")


def kustomize_source(obj: Object, source: Traced, path: str, context: Context) -> Rendering:
    """The rendering of a kustomization with an Application's Kustomize options."""
    asked = child(source, "kustomize") or Traced({}, source.place)
    options = mapping(asked.value)
    if not any(value for field, value in options.items() if field != "version"):
        return context.folders.kustomization(path)
    own_kustomization, _ = kustomization(context.folders.tree, path)
    if own_kustomization is None:
        reason = f"there is no kustomization in {path}"
        missing = not_in_view(obj, reason, text(dig(obj.spec, "destination", "namespace")))
        below = context.folders.tree.files(path, lambda _: True, lambda _: False)
        return missing._replace(folders=frozenset({path}), files=frozenset(below), folder=path)
    environment = build_environment(obj, mapping(source.value))
    return context.folders.overlay(_edit_kustomization(own_kustomization, asked, environment), path)


def _edit_kustomization(kustomization: Kustomization, asked: Traced, environment: Mapping[str, str]) -> Kustomization:
    traced = kustomization.traced
    options = mapping(asked.value)
    for field in _REPLACED:
        new = child(asked, field)
        if new is not None and text(new.value):
            traced = with_child(traced, field, new)
    for field in _MAPS:
        if mapping(options.get(field)):
            traced = _with_merged_mapping(traced, field, asked)
    traced = _with_labels(traced, asked)
    for field in _LISTS:
        new = child(asked, field)
        if new is not None and elements(new):
            traced = _with_more_entries(traced, field, elements(new))
    for field, key in (("images", "name"), ("replicas", "name")):
        new = child(asked, field)
        if new is not None and elements(new):
            items = [
                _image_entry(element, environment) if field == "images" else _replica_entry(element)
                for element in elements(new)
            ]
            names = {text(mapping(item.value).get(key)) for item in items}
            old = child(traced, field)
            untouched = (
                [element for element in elements(old) if text(mapping(element.value).get(key)) not in names]
                if old
                else []
            )
            traced = with_child(traced, field, list_of(items[0].place, [*untouched, *items]))
    return kustomization._replace(traced=traced)


def _with_labels(traced: Traced, asked: Traced) -> Traced:
    labels = child(asked, "commonLabels")
    if labels is None or not mapping(labels.value):
        return traced
    options = mapping(asked.value)
    if options.get("labelWithoutSelector") is not True:
        return _with_merged_mapping(traced, "commonLabels", asked)
    parts = [("pairs", labels)]
    if options.get("labelIncludeTemplates") is True:
        parts.append(("includeTemplates", Traced(value=True, origin=labels.place)))
    return _with_more_entries(traced, "labels", [mapping_of(labels.place, parts)])


def _with_merged_mapping(traced: Traced, field: str, asked: Traced) -> Traced:
    new = child(asked, field)
    if new is None:
        return traced
    old = child(traced, field) or Traced({}, new.place)
    for key in mapping(new.value):
        old = with_child(old, key, child(new, key))
    return with_child(traced, field, old)


def _with_more_entries(traced: Traced, field: str, more: list[Traced]) -> Traced:
    old = child(traced, field)
    return with_child(traced, field, list_of(more[0].place, [*(elements(old) if old else []), *more]))


def _replica_entry(traced: Traced) -> Traced:
    """The entry with an integer count; Argo CD also accepts it as a string (IntOrString)."""
    count = child(traced, "count")
    number = whole_number(count.value) if count is not None and isinstance(count.value, str) else None
    if count is None or number is None:
        return traced
    return with_child(traced, "count", Traced(number, count.origin))


def _image_entry(traced: Traced, environment: Mapping[str, str]) -> Traced:
    """An entry of `images` for an image written as in `kustomize edit set image`: `name=new:tag`."""
    written = filled_in(text(traced.value), environment)
    name, equals, new = written.partition("=")
    new = new if equals else name
    target, at, digest = new.partition("@")
    before, colon, tag = target.rpartition(":")
    if not colon or "/" in tag:
        before, tag = target, ""
    entry = {"name": name if equals else before, "newName": before}
    if tag:
        entry["newTag"] = tag
    if at:
        entry["digest"] = digest
    return Traced(entry, traced.place)


_MANIFESTS = (".yaml", ".yml", ".json")
_SKIP = b"+argocd:skip-file-rendering"


HELM, KUSTOMIZE, _DIRECTORY = "Helm", "Kustomize", "Directory"


def stated_types(source: Body) -> list[str]:
    """The source types that an Application states, whatever files the folder has (ApplicationSource.ExplicitType, after
    util/argo: NormalizeSource removed empty options)."""
    directory = mapping(source.get("directory"))
    says = directory.get("recurse") is True or text(directory.get("include")) or text(directory.get("exclude"))
    stated = {
        KUSTOMIZE: any(mapping(source.get("kustomize")).values()),
        HELM: any(mapping(source.get("helm")).values()),
        _DIRECTORY: bool(says or any(mapping(directory.get("jsonnet")).values())),
    }
    return [name for name, is_stated in stated.items() if is_stated]


def directory_source(obj: Object, source: Body, place: Place, path: str, context: Context) -> Rendering:
    """The rendering of a folder's manifests; with `recurse`, subfolders are included."""
    options = mapping(source.get("directory"))
    recurse = options.get("recurse") is True
    tree = context.folders.tree
    include, exclude = text(options.get("include")), text(options.get("exclude"))
    everything = tree.files(path, lambda name: name.endswith((*_MANIFESTS, ".jsonnet")), lambda _: recurse)
    names = [name for name in everything if _is_wanted(relative_path(name, path), include, exclude)]
    plain = [name for name in names if name.endswith(_MANIFESTS) and not tree.mentions(name, _SKIP)]
    plain = context.folders.not_excluded(plain, path)
    rendering = context.folders.plain_files(plain, path)
    # Files that the Application excludes are not applied by hand either.
    rendering = rendering._replace(
        folders=rendering.folders | {posixpath.dirname(name) for name in plain}, files=rendering.files | set(everything)
    )
    jsonnet = [name for name in names if name.endswith(".jsonnet")]
    if jsonnet:
        reason = f"{jsonnet[0]} is Jsonnet, which is not rendered"
        rendering = rendering.lacking(Problem(place, reason, MISSING))
    return _without_kustomizations(rendering, obj, path, context)


def _without_kustomizations(rendering: Rendering, obj: Object, path: str, context: Context) -> Rendering:
    """The rendering of a directory source that contains kustomizations: the one at its path is built, because that was
    probably meant.

    Argo CD itself applies a kustomization as an object. No sync succeeds, because no cluster has that kind
    (gitops-engine, sync_context.go: getSyncTasks).
    """
    taken = [item for item in rendering.objects if item.group == GROUP]
    if not taken:
        return rendering
    at_path = next((item for item in taken if posixpath.dirname(item.place.file) == path), None)
    file = (at_path or taken[0]).place.file
    subject = f"Application {obj.name}"
    reason = f"{subject} sets `directory` for {path}, so Argo CD applies {file} as an object"
    namespace = text(dig(obj.spec, "destination", "namespace"))
    cause = BELOW if at_path is None else ""
    problem = Problem(obj.place, reason, AS_OBJECT, namespace=namespace, cause=cause, subject=subject)
    if at_path is not None:
        rendering = context.folders.kustomization(path)
    return rendering._replace(
        objects=tuple(item for item in rendering.objects if item.group != GROUP),
        problems=(*rendering.problems, problem),
    )


def _is_wanted(name: str, include: str, exclude: str) -> bool:
    return not (exclude and _is_covered(exclude, name)) and (not include or _is_covered(include, name))


def _is_covered(pattern: str, name: str) -> bool:
    """Whether a glob matches a name; a glob that gobwas/glob refuses matches nothing."""
    glob = gobwas(pattern)
    return glob is not None and covers(glob, name)
