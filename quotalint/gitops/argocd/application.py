"""Renders an Argo CD Application: the objects it applies (argo-cd 3.x, reposerver/repository/repository.go)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from quotalint.gitops.argocd.application_sources import (
    HELM,
    KUSTOMIZE,
    directory_source,
    helm_source,
    kustomize_source,
    stated_types,
)
from quotalint.gitops.argocd.projects import find_denial
from quotalint.gitops.argocd.source_options import vendored_repository
from quotalint.gitops.deployer import Context, locate_path, not_in_view
from quotalint.gitops.folders import join_renderings
from quotalint.gitops.kustomize.traced import Traced, child, mapping_of, with_child
from quotalint.gitops.origins import argo_origin, is_of_another, is_open, why_elsewhere, with_rename_hint
from quotalint.gitops.remote_sources import locate_chart
from quotalint.gitops.rendering import IN_CLUSTER, Rendering, as_resumed, with_owners
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.hooks import runs_at_sync
from quotalint.kube.objects import Object
from quotalint.text.place import Derivation, Place
from quotalint.text.tree import Tree, is_within, join_path
from quotalint.text.words import join_with_and
from quotalint.unknowns.causes import ABSENT_FOLDER, PLUGIN, REMOTE_CHART, TEMPLATED_PATH, Reason
from quotalint.unknowns.problems import DENIED, Problem

_OWN_SERVER = "https://kubernetes.default.svc"
_DRY_SOURCE = ("sourceHydrator", "drySource")
_SKIPPED = "argocd.argoproj.io/skip-reconcile"


def application(obj: Object, context: Context) -> Rendering:
    """The rendering of an Application."""
    sources = sequence(obj.spec.get("sources"))
    if sources:
        places = [obj.at("spec", "sources", number) for number in range(len(sources))]
    else:
        # Hydrated manifests are generated from the dry source.
        field = ("source",) if obj.spec.get("source") or "sourceHydrator" not in obj.spec else _DRY_SOURCE
        sources, places = [dig(obj.spec, *field)], [obj.at("spec", *field)]
    references = {
        text(mapping(source).get("ref")): source for source in map(mapping, sources) if text(source.get("ref"))
    }
    parts = [
        _render_source(obj, mapping(source), place, references, context)
        for source, place in zip(sources, places, strict=True)
        if not (mapping(source).get("ref") and not mapping(source).get("path") and not mapping(source).get("chart"))
    ]
    rendering = parts[0] if len(parts) == 1 else join_renderings(parts, "")
    objects = tuple(filter(runs_at_sync, rendering.objects))
    namespace = text(dig(obj.spec, "destination", "namespace"))
    origins = [argo_origin(source) for source in map(mapping, sources) if source.get("path")]
    rendering = rendering._replace(
        objects=(*objects, *managed_namespaces(obj, objects)),
        namespace=namespace,
        destination=_destination_cluster(obj, context),
        origin=origins[0] if origins else context.above.origin,
        deployer=f"Application {obj.name}",
    )
    if mapping(obj.metadata.get("annotations")).get(_SKIPPED) == "true":
        rendering = as_resumed(rendering, f"Application {obj.name}", "left alone by Argo CD (skip-reconcile)")
    denial = find_denial(obj, objects, context)
    if denial is not None:
        # A denied Application certainly applies nothing, so its sums are known.
        subject = f"Application {obj.name}"
        place = obj.at(*denial.path)
        problem = Problem(place, f"{subject} is not applied: {denial.why}", DENIED, subject=subject)
        rendering = rendering._replace(objects=(), problems=(problem,), unseen=(), denied=objects)
    return with_owners(rendering, ("Application", "", obj.name))


def _destination_cluster(obj: Object, context: Context) -> str:
    """The name of the destination cluster, else its address; empty if it is Argo CD's own cluster."""
    name = text(dig(obj.spec, "destination", "name"))
    if is_open(name) or is_open(text(dig(obj.spec, "destination", "server"))):
        return ""
    server = text(dig(obj.spec, "destination", "server")).rstrip("/")
    if name in ("", IN_CLUSTER) and server in ("", _OWN_SERVER):
        return IN_CLUSTER if name or server else ""
    cluster_names = {cluster.server.rstrip("/"): cluster.name for cluster in context.clusters if cluster.server}
    known_name = name or cluster_names.get(server) or _name_in_project(obj, server, context)
    return known_name or _name_in_secret(obj, server, context) or server


def _name_in_secret(obj: Object, server: str, context: Context) -> str:
    if context.clusters:
        return ""
    from quotalint.gitops.argocd.cluster_secrets import registered_clusters

    clusters = registered_clusters(obj, context)
    return next((cluster.name for cluster in clusters if cluster.server.rstrip("/") == server), "")


def _name_in_project(obj: Object, server: str, context: Context) -> str:
    """The name that an Application's project gives to the cluster at an address."""
    project = context.find(obj, "AppProject", obj.namespace, text(obj.spec.get("project")) or "default")
    destinations = map(mapping, sequence(project.spec.get("destinations")) if project is not None else ())
    names = {
        text(destination.get("name"))
        for destination in destinations
        if text(destination.get("server")).rstrip("/") == server
    }
    names = {name for name in names if name and "*" not in name}
    return names.pop() if len(names) == 1 else ""


def _render_source(
    obj: Object, written: Body, place: Place, references: dict[str, Body], context: Context
) -> Rendering:
    namespace = text(dig(obj.spec, "destination", "namespace"))
    path, why = _source_folder(obj, written, context)
    merged = with_source_files(Traced(written, place.origin), path, obj.name, context.folders.tree)
    why = why or (merged if isinstance(merged, str) else "")
    if why or isinstance(merged, str):
        missing = not_in_view(obj, why, namespace)
        url = text(written.get("repoURL"))
        is_ours = context.vendored(url) is not None or not is_of_another(url, context.above, context.is_here)
        if not is_ours or not context.folders.tree.is_folder(path) or written.get("chart"):
            return missing  # a folder of the same path here belongs to another repository
        # A folder for a plugin is not applied as plain manifests.
        below = context.folders.tree.files(path, lambda _: bool(written.get("plugin")), lambda _: True)
        return missing._replace(folders=frozenset({path}), files=frozenset(below), folder=path)
    source = mapping(merged.value)
    types = stated_types(source) or _found_types(path, context)
    if len(types) > 1:
        why = f"its source is of the types {join_with_and(types)}, and Argo CD refuses more than one"
        return not_in_view(obj, why, namespace)
    if types == [HELM]:
        return helm_source(obj, source, place, path, references, context)
    if types == [KUSTOMIZE]:
        return kustomize_source(obj, merged, path, context)
    return directory_source(obj, source, place, path, context)


def _found_types(path: str, context: Context) -> list[str]:
    """The detected source types of a folder (util/app/discovery, `Discover`). It takes the last matching file by name,
    and kustomization names sort after Chart.yaml."""
    if context.folders.is_kustomization(path):
        return [KUSTOMIZE]
    return [HELM] if context.charts.is_chart(path) else []


def _source_folder(obj: Object, source: Body, context: Context) -> tuple[str, str]:
    """The folder of a source, and why it is not in view; the reason is empty if it is."""
    url, chart = text(source.get("repoURL")), text(source.get("chart"))
    if chart:
        folder = locate_chart(url, chart, text(source.get("targetRevision")), context.folders.tree)
        if isinstance(folder, Reason):
            return "", folder
        return folder, "" if folder else Reason(f"the chart {chart} of {url} is remote", REMOTE_CHART, chart)
    vendored = vendored_repository(source, context)
    if isinstance(vendored, Reason):
        return "", vendored
    path = text(source.get("path"))
    path = locate_path(path, obj, context) if vendored is None else join_path(vendored, path.lstrip("/") or ".")
    return path, _why_not_here(obj, source, path, is_vendored=vendored is not None, context=context)


def _why_not_here(obj: Object, source: Body, path: str, context: Context, *, is_vendored: bool) -> str:
    url = text(source.get("repoURL"))
    if is_open(path):
        return Reason(f"its path {path} is a template", TEMPLATED_PATH, path)
    applies_itself = is_within(posixpath.dirname(obj.place.file), path)
    elsewhere = why_elsewhere(argo_origin(source), context.above, context.is_here, applies_itself=applies_itself)
    if elsewhere and not is_vendored:
        return with_rename_hint(elsewhere, path, context.above, is_here=context.folders.tree.is_folder(path))
    if source.get("plugin") and context.folders.tree.is_folder(path):
        return Reason("its source is rendered by a plugin, which is not run", PLUGIN, "a plugin of Argo CD")
    there = f" (its source is {url})" if url else ""
    if context.folders.tree.is_folder(path):
        return ""
    return Reason(f"there is no folder {path} in this repository{there}", ABSENT_FOLDER, path)


_KEPT = ("chart", "path", "repoURL", "targetRevision")


def with_source_files(source: Traced, folder: str, application: str, tree: Tree) -> Traced | str:
    """The source after the `.argocd-source` files in its folder are merged; or why that fails."""
    for name in (".argocd-source.yaml", f".argocd-source-{application}.yaml"):
        file = join_path(folder, name)
        reading = tree.reading(file) if tree.is_file(file) else None
        if reading is None:
            continue
        if reading.failures:
            return f"{file} cannot be read: {reading.failures[0].message}"
        for document in reading.documents[:1]:
            patch = Traced(document.value, Place(file, document.index))
            for key in mapping(document.value):
                if key not in _KEPT:
                    source = with_child(source, key, _merge_patch(child(source, key), child(patch, key)))
    return source


def _merge_patch(old: Traced | None, new: Traced | None) -> Traced | None:
    """The result of a JSON merge patch (RFC 7396): null removes, only mappings are merged."""
    if new is None or new.value is None:
        return None
    if not isinstance(new.value, dict):
        return new
    result = old if old is not None and isinstance(old.value, dict) else Traced({}, new.place)
    for key in new.value:
        result = with_child(result, key, _merge_patch(child(result, key), child(new, key)))
    return result


# The namespace that Argo CD creates for an Application, with the configured labels and annotations.
#
# argo-cd 3.x: controller/sync.go (WithNamespaceModifier, syncNamespace), gitops-engine/pkg/sync/sync_context.go
# (autoCreateNamespace). It needs `CreateNamespace=true`, and no such Namespace among the Application's objects.
_OPTION = "CreateNamespace=true"
_FIELDS = ("spec", "syncPolicy", "managedNamespaceMetadata")


def managed_namespaces(application: Object, brought: Iterable[Object]) -> tuple[Object, ...]:
    """The Namespace that Argo CD creates with `managedNamespaceMetadata`; empty without such metadata. `brought` holds
    the objects that the Application applies."""
    metadata = mapping(dig(application.body, *_FIELDS))
    name = text(dig(application.spec, "destination", "namespace"))
    options = sequence(dig(application.spec, "syncPolicy", "syncOptions"))
    if not metadata or not name or is_open(name) or _OPTION not in options:
        return ()
    if any((obj.group, obj.kind, obj.name) == ("", "Namespace", name) for obj in brought):
        return ()
    place = application.at(*_FIELDS)
    named = Traced(name, application.at("spec", "destination", "namespace").origin)
    given = [
        (field, Traced(dict(mapping(metadata[field])), place.at(field).origin))
        for field in ("labels", "annotations")
        if mapping(metadata.get(field))
    ]
    header = [("apiVersion", Traced("v1", place)), ("kind", Traced("Namespace", place))]
    made = mapping_of(place, [*header, ("metadata", mapping_of(place, [("name", named), *given]))])
    where = Place(place.source, place.document, place.path, Derivation(made.origin, len(place.path)))
    return (Object("", "v1", "Namespace", "", name, mapping(made.value), where),)
