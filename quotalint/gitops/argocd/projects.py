"""Checks an Application against its AppProject; Argo CD applies nothing of a denied Application.

Source: argo-cd 3.x, pkg/apis/application/v1alpha1/app_project_types.go (IsSourcePermitted, IsDestinationPermitted,
IsGroupKindNamePermitted).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.gitops.deployer import Context
from quotalint.gitops.origins import is_open
from quotalint.gitops.rendering import IN_CLUSTER
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.kinds import by_kind
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.glob_dialects import gobwas
from quotalint.text.globs import covers
from quotalint.text.place import Path

_OWN_SERVER = "https://kubernetes.default.svc"


class Denial(NamedTuple):
    """Why an AppProject denies an Application."""

    why: str
    """The reason, as a clause."""
    path: Path
    """The field of the Application that is denied."""


def find_denial(obj: Object, objects: Iterable[Object], context: Context) -> Denial | None:
    """Why an Application's project denies it; None if it does not, or if the project is not in view."""
    project = context.find(obj, "AppProject", obj.namespace, text(obj.spec.get("project")) or "default")
    if project is None:
        return None
    repositories = [text(pattern) for pattern in sequence(project.spec.get("sourceRepos"))]
    for url, place in _source_urls(obj):
        if not _is_permitted(url, repositories):
            return Denial(f"AppProject {project.name} does not allow its source {url}", place)
    wanted = mapping(obj.spec.get("destination"))
    listed = [mapping(destination) for destination in sequence(project.spec.get("destinations"))]
    if not any(map(is_open, map(text, wanted.values()))) and _surely_elsewhere(wanted, listed, context):
        where = " ".join(
            filter(None, (text(wanted.get("name")) or text(wanted.get("server")), _namespace_words(wanted)))
        )
        return Denial(
            f"AppProject {project.name} does not allow its destination {where.strip()}", ("spec", "destination")
        )
    refused = next(filter(None, (_refused_words(applied, project, wanted, context) for applied in objects)), "")
    # An Application without a project belongs to `default`.
    path: Path = ("spec", "project") if obj.spec.get("project") else ("spec",)
    return Denial(f"AppProject {project.name} does not allow {refused}", path) if refused else None


def _refused_words(applied: Object, project: Object, destination: Body, context: Context) -> str:
    """The object that a project surely denies, in words, with its namespace if that is the reason; empty if none
    (controller/sync.go, `validateSyncPermissions`).

    The scope of custom kinds is unknown here. Global projects may allow more to projects selected by label; Argo CD's
    settings define them (util/argo, `GetGlobalProjects`).
    """
    is_extended = bool(mapping(project.metadata.get("labels")))
    if refuses_kind(applied, project.spec, is_extended=is_extended):
        return f"{applied.kind} {applied.name}"
    known_kind = by_kind(applied.group, applied.kind)
    if known_kind is None or is_extended:
        return ""
    where = {**destination, "namespace": applied.namespace}
    if (
        not known_kind.namespaced
        or applied.namespace in ("", destination.get("namespace"))
        or any(map(is_open, map(text, where.values())))
    ):
        return ""
    destinations = [mapping(listed) for listed in sequence(project.spec.get("destinations"))]
    is_elsewhere = _surely_elsewhere(where, destinations, context)
    return f"{applied.kind} {applied.name} in namespace {applied.namespace}" if is_elsewhere else ""


def refuses_kind(applied: Object, project: Body, *, is_extended: bool = False) -> bool:
    """Whether a project's lists surely deny the kind of an object; `is_extended`: a global project may allow more."""
    known_kind = by_kind(applied.group, applied.kind)
    scope = "namespace" if known_kind is None or known_kind.namespaced else "cluster"
    if _is_listed(applied, project.get(f"{scope}ResourceBlacklist")):
        return True
    if known_kind is None or is_extended:
        return False
    allowed = project.get(f"{scope}ResourceWhitelist")
    # Cluster-scoped kinds are denied unless a list allows them.
    return (allowed is not None or scope == "cluster") and not _is_listed(applied, allowed)


def _is_listed(applied: Object, listed: object) -> bool:
    """Whether a list contains the kind of an object; entries for cluster-scoped kinds may also have a name."""
    return any(
        fits_pattern(text(item.get("group")), applied.group)
        and fits_pattern(text(item.get("kind")), applied.kind)
        and (not item.get("name") or fits_pattern(text(item.get("name")), applied.name))
        for item in map(mapping, sequence(listed))
    )


def _source_urls(obj: Object) -> Iterator[tuple[str, Path]]:
    """The repository URLs of an Application that contain no template, with their fields."""
    sources: list[tuple[Path, object]] = [(("spec", "source"), obj.spec.get("source"))]
    sources += [(("spec", "sources", index), source) for index, source in enumerate(sequence(obj.spec.get("sources")))]
    for path, source in sources:
        url = text(mapping(source).get("repoURL"))
        if url and not is_open(url):
            yield url, (*path, "repoURL")


def _is_permitted(url: str, patterns: list[str]) -> bool:
    """Whether a project may allow a repository. Here `*` also matches slashes, so a refusal is certain."""
    wanted = _normal_url(url)
    if wanted in {_normal_url(pattern[1:]) for pattern in patterns if pattern.startswith("!")}:
        return False
    return not patterns or any(
        pattern.startswith("!") or is_open(pattern) or fits_pattern(_normal_url(pattern), wanted)
        for pattern in patterns
    )


def _normal_url(url: str) -> str:
    """A git URL normalized as in util/git/git.go, NormalizeGitURL: `git@host:team/repo.git` equals
    `ssh://git@host/team/repo`."""
    url = url.strip().lower()
    if "@" in url and "://" not in url:
        url = url.replace(":", "/", 1)
    return url.removeprefix("ssh://").rstrip("/").removesuffix(".git")


def _namespace_words(destination: Body) -> str:
    return f"namespace {text(destination.get('namespace'))}" if destination.get("namespace") else ""


def _surely_elsewhere(wanted: Body, listed: list[Body], context: Context) -> bool:
    """Whether surely no destination of a project matches. A cluster has a name and a server, and one of them may be
    unknown."""
    names, servers = _names_and_servers(wanted, context)
    namespace = text(wanted.get("namespace"))
    denied = False
    allowed = False
    for destination in listed:
        in_space = fits_pattern(text(destination.get("namespace")), namespace)
        known_destinations = [
            (text(destination.get(field)), have)
            for field, have in (("name", names), ("server", servers))
            if destination.get(field)
        ]
        # If only the other one of name and server is known, nothing is certain.
        here = any(
            not have or any(fits_pattern(pattern, value) for value in have) for pattern, have in known_destinations
        )
        allowed = allowed or (here and in_space)
        denied = denied or any(
            pattern.startswith("!") and have and not any(fits_pattern(pattern, value) for value in have)
            for pattern, have in (*known_destinations, (text(destination.get("namespace")), {namespace}))
        )
    return denied or not allowed


def _names_and_servers(wanted: Body, context: Context) -> tuple[set[str], set[str]]:
    """The names and servers of a destination cluster: the written one, and the other if it is known."""
    name, server = text(wanted.get("name")), text(wanted.get("server")).rstrip("/")
    clusters = [
        (IN_CLUSTER, _OWN_SERVER),
        *((cluster.name, cluster.server.rstrip("/")) for cluster in context.clusters if cluster.server),
    ]
    names = {name} if name else {cluster_name for cluster_name, address in clusters if address == server}
    servers = {server} if server else {address for registered_name, address in clusters if registered_name == name}
    return names, servers


def fits_pattern(pattern: str, value: str) -> bool:
    """Whether a pattern matches a value (util/glob); `!` negates. A pattern that gobwas/glob refuses matches
    nothing."""
    if pattern.startswith("!"):
        return not fits_pattern(pattern[1:], value)
    glob = gobwas(pattern.rstrip("/") if "://" in pattern else pattern)
    return glob is not None and covers(glob, value)
