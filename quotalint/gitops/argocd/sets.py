"""Renders an Argo CD ApplicationSet: its Applications and the objects they apply."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from quotalint.gitops.argocd.application import application
from quotalint.gitops.deployer import Context
from quotalint.gitops.origins import RepositoryOrigin, argo_origin, is_of_another, is_open, why_elsewhere
from quotalint.gitops.rendering import Rendering
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.guess import MEMBERSHIP, Guess
from quotalint.kube.objects import Object, objects
from quotalint.named_tuples import NamedTuple
from quotalint.text.globs import Glob, Sign, Star, Term, covers, glob_of
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Derivation
from quotalint.text.tree import join_path, relative_path
from quotalint.unknowns.causes import ABSENT_FOLDER, CLUSTERS, LISTED_ELSEWHERE, cause_of
from quotalint.unknowns.problems import FAILING, MISSING, Problem

if TYPE_CHECKING:
    from quotalint.gitops.argocd.generated_applications import ExpandedSet, RepositoryFiles


def application_set(obj: Object, context: Context) -> tuple[Rendering, ...]:
    """One rendering per Application, and one for what is unknown."""
    from quotalint.gitops.argocd.generated_applications import expand_set

    if _asks_for_clusters(obj.spec):
        from quotalint.gitops.argocd.cluster_secrets import registered_clusters

        context = context._replace(clusters=registered_clusters(obj, context))
    repository = _repository_of(context)
    expansion = expand_set(obj.body, repository, context.clusters)
    renderings = [
        _with_name_of_cluster(application(application_object, context), parameters)
        for application_object, parameters in _application_objects(obj, expansion)
    ]
    causes = [cause_of(reason) for reason in expansion.unknown]
    if any(cause is not None and cause.family == CLUSTERS for cause in causes):
        renderings = [rendering.with_guess(_KNOWN_BY_NAME) for rendering in renderings if not _is_absent(rendering)]
    if expansion.failures:
        renderings = [rendering.with_guess(_as_though_it_did_not_fail(obj)) for rendering in renderings]
    if expansion.unknown:
        renderings.append(_render_unknown(obj, expansion, repository, context))
    return tuple(renderings)


def _with_name_of_cluster(rendering: Rendering, parameters: Mapping[str, object]) -> Rendering:
    """A rendering with the cluster's name from the parameters, if the Application has only its address."""
    if "://" not in rendering.destination:
        return rendering
    written = [parameters.get(key) for key in _CLUSTER_KEYS]
    names = [text(value.get("name")) if isinstance(value, dict) else text(value) for value in written]
    return rendering._replace(called=next(filter(None, names), ""))


_CLUSTER_KEYS = ("cluster", "cluster.name", "clusterName", "cluster_name")


def _asks_for_clusters(spec: Body) -> bool:
    return any(isinstance(generator.get("clusters"), dict) for generator in _generators(spec))


def _is_of_previews(spec: Body, namespace: str) -> bool:
    """Whether all Applications are previews of pull requests, in namespaces named after them: `preview-{{number}}`."""
    entries = sequence(spec.get("generators"))
    of_previews = [any("pullRequest" in inner for inner in _generators({"generators": [entry]})) for entry in entries]
    return bool(of_previews) and all(of_previews) and bool(_FILLED_IN.sub("", namespace).strip("-"))


_FILLED_IN = lazy_pattern(r"\{\{[^}]*\}\}")


def _listed_repositories(spec: Body) -> Sequence[str]:
    """The repository URLs in which git generators list folders and files."""
    urls = (text(mapping(generator.get("git")).get("repoURL")) for generator in _generators(spec))
    return tuple(filter(None, urls))


def _generators(above: Body) -> Iterator[Body]:
    """All generators, including those nested in matrix and merge generators."""
    for generator in map(mapping, sequence(above.get("generators"))):
        yield generator
        yield from _generators(mapping(generator.get("matrix")))
        yield from _generators(mapping(generator.get("merge")))


_KNOWN_BY_NAME = Guess(
    MEMBERSHIP,
    "Argo CD is assumed to know these clusters, since list elements of ApplicationSets name them",
    "write the clusters that Argo CD knows under `clusters` in .quotalint.yaml",
)


def _as_though_it_did_not_fail(obj: Object) -> Guess:
    """The guess for Applications that can be filled in although the set fails (applicationset_controller.go,
    `Reconcile`)."""
    reason = f"ApplicationSet {obj.name} fails, so that Argo CD makes and changes none of its Applications"
    return Guess(
        MEMBERSHIP, f"{reason}; those that do not fail are counted all the same", "correct what QL003 says of it"
    )


def _is_absent(rendering: Rendering) -> bool:
    """Whether a rendering's folder does not exist: another Argo CD instance then has the cluster."""
    return any(problem.shared is not None and problem.shared.family == ABSENT_FOLDER for problem in rendering.problems)


def _application_objects(obj: Object, expansion: ExpandedSet) -> Iterator[tuple[Object, Mapping[str, object]]]:
    """The generated Applications as objects, each with its parameters."""
    # The place of an Application's field is that of the template.
    template = obj.at("spec", "template")
    for application_body in expansion.applications:
        body = {**application_body.body, "apiVersion": "argoproj.io/v1alpha1", "kind": "Application"}
        derivation = Derivation(template.origin, len(template.path), template.made.via if template.made else ())
        for application_object in objects(body, template._replace(made=derivation)):
            yield application_object._replace(namespace=obj.namespace), application_body.parameters


def _render_unknown(obj: Object, expansion: ExpandedSet, repository: RepositoryFiles, context: Context) -> Rendering:
    namespace = text(dig(obj.spec, "template", "spec", "destination", "namespace"))
    if not _is_of_previews(obj.spec, namespace):
        namespace = "" if is_placeholder(namespace) or "{{" in namespace else namespace
    problems: list[Problem] = []
    for reason in expansion.unknown:
        place, subject = obj.at("spec", "generators"), f"ApplicationSet {obj.name}"
        fails = reason in expansion.failures
        message = f"{subject} fails: {reason}" if fails else f"{subject} is only partly rendered: {reason}"
        shared = cause_of(reason)
        if shared is not None and shared.family == CLUSTERS:
            shared = shared._replace(name=", ".join(cluster_names(obj, repository.folders)))
        cause = FAILING if fails else ""
        problems.append(
            Problem(place, message, MISSING, namespace=namespace, cause=cause, shared=shared, subject=subject)
        )
    return Rendering(origin=_local_origin(obj, expansion.unknown, context)).lacking(*problems)


def _local_origin(obj: Object, reasons: tuple[str, ...], context: Context) -> RepositoryOrigin | None:
    """The Applications' source that may be a folder of this repository. None if all sources are elsewhere, or if
    another system lists them."""
    spec = mapping(dig(obj.spec, "template", "spec"))
    sources = [mapping(source) for source in (spec.get("source"), *sequence(spec.get("sources")))]
    families = {cause.family for cause in map(cause_of, reasons) if cause is not None}
    if CLUSTERS not in families:
        listed = tuple(map(context.is_here, _listed_repositories(obj.spec)))
        listed_elsewhere = not families.isdisjoint(LISTED_ELSEWHERE) or not all(listed)
        sources = [
            source
            for source in sources
            if not is_open(text(source.get("repoURL")))
            and _names_folders(text(source.get("path")), listed_here=bool(listed), listed_elsewhere=listed_elsewhere)
        ]
    origins = (argo_origin(source) for source in sources if source.get("path") and not source.get("chart"))
    return next((origin for origin in origins if not is_of_another(origin.url, context.above, context.is_here)), None)


def _names_folders(path: str, *, listed_here: bool, listed_elsewhere: bool) -> bool:
    """Whether a path restricts which folders it can mean. A path that is only a template may mean any folder and would
    hide them all from the checks."""
    if not is_open(path):
        return True
    return not listed_elsewhere and (listed_here or bool(path.partition("{{")[0].strip("./")))


def _repository_of(context: Context) -> RepositoryFiles:
    tree, top = context.folders.tree, context.top

    def read_file(path: str) -> object | None:
        reading = tree.reading(join_path(top, path)) if tree.is_file(join_path(top, path)) else None
        if reading is None or reading.failures:
            return None
        return reading.documents[0].value if reading.documents else {}

    from functools import lru_cache

    from quotalint.gitops.argocd.generated_applications import RepositoryFiles

    # Cached: a matrix may call this ten thousand times.
    return RepositoryFiles(
        folders=lru_cache(lambda: _relative_paths(tree.folders(top), top)),
        files=lru_cache(lambda: _relative_paths(tree.files(top, lambda _: True, lambda _: True), top)),
        read=read_file,
        is_here=context.is_here,
        why_elsewhere=lambda url, revision: why_elsewhere(
            argo_origin({"repoURL": url, "targetRevision": revision}), context.above, context.is_here
        ),
    )


def _relative_paths(names: list[str], top: str) -> list[str]:
    paths = (relative_path(name, top) for name in names)
    return sorted("" if path == "." else path for path in paths)


_PIECE = lazy_pattern(r"\{\{-?\s*\.?(?P<name>[A-Za-z_.]*)[^}]*\}\} | (?P<slash>/) | (?P<plain>[^/{]+|\{)", re.VERBOSE)
_OF_A_CLUSTER = frozenset(
    {"name", "nameNormalized", "cluster", "clusterName", "values.cluster", "metadata.labels.cluster"}
)
_SHARED = frozenset({"base", "bases", "common", "components", "default"})


class _Segment(NamedTuple):
    """One segment of a path, as a pattern."""

    glob: Glob
    names_cluster: bool


def cluster_names(obj: Object, folders: Callable[[], Sequence[str]]) -> tuple[str, ...]:
    """The cluster names in folder paths that match an ApplicationSet's path template. `folders` lists the repository's
    folders, relative to its root."""
    source = mapping(dig(obj.spec, "template", "spec", "source"))
    sources = [source, *map(mapping, sequence(dig(obj.spec, "template", "spec", "sources")))]
    patterns = [pattern for source in sources if (pattern := _path_segments(text(source.get("path"))))]
    names = {name for pattern in patterns for folder in folders() if (name := _cluster_in(folder, pattern))}
    return tuple(sorted(name for name in names if name.lower() not in _SHARED and not name.startswith(".")))


def _cluster_in(folder: str, pattern: Sequence[_Segment]) -> str:
    parts = folder.split("/")
    if len(parts) != len(pattern) or not all(
        covers(segment.glob, part) for segment, part in zip(pattern, parts, strict=True)
    ):
        return ""
    return next(part for segment, part in zip(pattern, parts, strict=True) if segment.names_cluster)


def _path_segments(path: str) -> list[_Segment]:
    """The path's segments as patterns, with parameters as wildcards. Empty if no whole segment is a cluster name, or if
    the path begins with a parameter."""
    if path.lstrip("/").startswith("{{"):
        return []
    segments: list[_Segment] = []
    terms: list[Term] = []
    names_cluster = False
    at = 0
    path = path.strip("/")
    for match in _PIECE.finditer(path):
        if match["slash"]:
            segments.append(_Segment(glob_of(terms), names_cluster))
            terms, names_cluster = [], False
        elif match["plain"]:
            terms.append(match["plain"])
        else:
            whole = path[at - 1 : at] in ("", "/") and path[match.end() : match.end() + 1] in ("", "/")
            names_cluster = (
                whole and match["name"] in _OF_A_CLUSTER and not any(segment.names_cluster for segment in segments)
            )
            terms += (Sign((), negated=True), Star(stops=True))
        at = match.end()
    segments.append(_Segment(glob_of(terms), names_cluster))
    return segments if any(segment.names_cluster for segment in segments) else []
