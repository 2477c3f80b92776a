"""What the project of an Application does not allow: Argo CD applies nothing of such an Application.

Source: argo-cd 3.x, pkg/apis/application/v1alpha1/app_project_types.go (IsSourcePermitted, IsDestinationPermitted,
IsGroupKindNamePermitted).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.gitops.context import Context
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
    """Why the project of an Application refuses it."""

    why: str
    """A clause."""
    path: Path
    """The field of the Application that it is about."""


def find_denial(obj: Object, objects: Iterable[Object], context: Context) -> Denial | None:
    """Why the project of an Application refuses it; None where it does not, or where its project is not in view."""
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
    # One that names no project belongs to `default`.
    path: Path = ("spec", "project") if obj.spec.get("project") else ("spec",)
    return Denial(f"AppProject {project.name} does not allow {refused}", path) if refused else None


def _refused_words(applied: Object, project: Object, destination: Body, context: Context) -> str:
    """One object of an Application that a project surely refuses (controller/sync.go, `validateSyncPermissions`), with
    the namespace where that is why; empty where it does not.

    What a custom kind lives in is not known here. A global project allows more to those that it chooses by their labels
    (util/argo, `GetGlobalProjects`), and which these are, the settings of Argo CD say."""
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
    """Whether the lists in what a project says surely refuse the kind of an object, where a global project may allow
    more or not."""
    known_kind = by_kind(applied.group, applied.kind)
    scope = "namespace" if known_kind is None or known_kind.namespaced else "cluster"
    if _is_listed(applied, project.get(f"{scope}ResourceBlacklist")):
        return True
    if known_kind is None or is_extended:
        return False
    allowed = project.get(f"{scope}ResourceWhitelist")
    # Of the kinds that live in no namespace nothing is allowed that no list names.
    return (allowed is not None or scope == "cluster") and not _is_listed(applied, allowed)


def _is_listed(applied: Object, listed: object) -> bool:
    """Whether a list of kinds has that of an object; one of the cluster's kinds may have names as well."""
    return any(
        fits_pattern(text(item.get("group")), applied.group)
        and fits_pattern(text(item.get("kind")), applied.kind)
        and (not item.get("name") or fits_pattern(text(item.get("name")), applied.name))
        for item in map(mapping, sequence(listed))
    )


def _source_urls(obj: Object) -> Iterator[tuple[str, Path]]:
    """The repositories that an Application names, as far as they are filled in, and where."""
    sources: list[tuple[Path, object]] = [(("spec", "source"), obj.spec.get("source"))]
    sources += [(("spec", "sources", index), source) for index, source in enumerate(sequence(obj.spec.get("sources")))]
    for path, source in sources:
        url = text(mapping(source).get("repoURL"))
        if url and not is_open(url):
            yield url, (*path, "repoURL")


def _is_permitted(url: str, patterns: list[str]) -> bool:
    """Whether a project may allow a repository. In its patterns `*` ends at a slash, which is not looked at: what is
    refused here is refused surely."""
    wanted = _normal_url(url)
    if wanted in {_normal_url(pattern[1:]) for pattern in patterns if pattern.startswith("!")}:
        return False
    return not patterns or any(
        pattern.startswith("!") or is_open(pattern) or fits_pattern(_normal_url(pattern), wanted)
        for pattern in patterns
    )


def _normal_url(url: str) -> str:
    """util/git/git.go, NormalizeGitURL: `git@host:team/repo.git` and `ssh://git@host/team/repo` are one."""
    url = url.strip().lower()
    if "@" in url and "://" not in url:
        url = url.replace(":", "/", 1)
    return url.removeprefix("ssh://").rstrip("/").removesuffix(".git")


def _namespace_words(destination: Body) -> str:
    return f"namespace {text(destination.get('namespace'))}" if destination.get("namespace") else ""


def _surely_elsewhere(wanted: Body, listed: list[Body], context: Context) -> bool:
    """Whether no destination of a project can be the one that is wanted; a cluster may be known by a name and by an
    address, of which the other one may not be in view."""
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
        # Of a cluster that is known by the one and asked for by the other nothing is sure.
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
    """What the cluster that is asked for is known by: the one that is written, and the other where it is in view."""
    name, server = text(wanted.get("name")), text(wanted.get("server")).rstrip("/")
    clusters = [
        (IN_CLUSTER, _OWN_SERVER),
        *((cluster.name, cluster.server.rstrip("/")) for cluster in context.clusters if cluster.server),
    ]
    names = {name} if name else {cluster_name for cluster_name, address in clusters if address == server}
    servers = {server} if server else {address for registered_name, address in clusters if registered_name == name}
    return names, servers


def fits_pattern(pattern: str, value: str) -> bool:
    """util/glob with `!` for anything else; a pattern that gobwas/glob refuses fits nothing."""
    if pattern.startswith("!"):
        return not fits_pattern(pattern[1:], value)
    glob = gobwas(pattern.rstrip("/") if "://" in pattern else pattern)
    return glob is not None and covers(glob, value)
