"""Finds the files that a Flux object takes from its source (source-controller, api/v1)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from functools import lru_cache

from quotalint.gitops.deployer import Context, locate_path
from quotalint.gitops.object_index import every_object
from quotalint.gitops.origins import RepositoryOrigin, git_origin, is_of_another, why_elsewhere, with_rename_hint
from quotalint.gitops.remote_sources import locate_repository
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.patterns import Patterns, compile_patterns
from quotalint.text.tree import Tree, is_within, join_path, relative_path
from quotalint.unknowns.causes import ARTIFACT, Reason


class SourcePath(NamedTuple):
    """A path in a source."""

    name: str
    """The name of the file or folder in the tree."""
    top: str
    """The root of the source."""
    why_not: str = ""
    """Why it is not in view; empty if it is."""
    origin: RepositoryOrigin | None = None
    ignored: Ignored = lambda _: False


def cluster_of(obj: Object) -> str:
    """The name of the Secret or ConfigMap with the access to another cluster (kustomize-controller, api/v1, and
    helm-controller, api/v2: KubeConfig); empty if the object applies to its own cluster."""
    access = mapping(obj.spec.get("kubeConfig"))
    references = (mapping(access.get(field)) for field in ("secretRef", "configMapRef"))
    return next(filter(None, (text(reference.get("name")) for reference in references)), "")


def registry_address(source: Object | None) -> str:
    """The URL of a HelmRepository or OCIRepository; `oci+http` for a registry without TLS (`insecure`)."""
    url = text(source.spec.get("url")).rstrip("/") if source is not None else ""
    is_insecure = source is not None and source.spec.get("insecure") is True
    return f"oci+http{url[3:]}" if is_insecure and url.startswith("oci://") else url


def resolve_source_path(obj: Object, reference: Body, path: str, context: Context) -> SourcePath:
    """The file or folder at a path in the source that an object refers to."""
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    if kind == EXTERNAL_ARTIFACT:
        here = path_in_repository(obj, name, path, context)
        source_folder = locate_path(here or "", obj, context)
        why = "" if here else Reason(f"its source is the {kind} {name}", ARTIFACT, name)
        return SourcePath(source_folder, context.top, why, context.above.origin)
    source = context.find(obj, kind, text(reference.get("namespace")) or obj.namespace, name) if name else None
    url = text(source.spec.get("url")) if source is not None else ""
    folder = context.vendored(url)
    if folder is not None:
        return _folder_below(folder, path, source, context)
    if kind and kind != "GitRepository":
        return SourcePath(
            "", "", Reason(f"its source is the {kind} {name}{f' ({url})' if url else ''}", ARTIFACT, url or name)
        )
    included = _included_folder(obj, source, path, context)
    if included is not None:
        return included
    if source is not None and is_of_another(url, context.above, context.is_here):
        found = locate_repository(url, _written_revision(source), context.folders.tree)
        if found:
            return _folder_below(found, path, source, context, why=found if isinstance(found, Reason) else "")
    source_folder = locate_path(path, obj, context)
    origin = git_origin(source) if source is not None else context.above.origin
    applies_itself = is_within(posixpath.dirname(obj.place.file), source_folder)
    why = (
        why_elsewhere(origin, context.above, context.is_here, applies_itself=applies_itself)
        if source is not None and origin
        else ""
    )
    why = with_rename_hint(why, source_folder, context.above, is_here=context.folders.tree.is_folder(source_folder))
    return SourcePath(source_folder, context.top, why, origin, _ignored_files(source, context.top, context))


def _written_revision(source: Object) -> str:
    """The revision of a GitRepository for the lock: a commit, a full name, a constraint for tags; empty: the default
    branch. The precedence is as in `git_origin`."""
    reference = mapping(source.spec.get("ref"))
    for field, prefix in (
        ("commit", ""),
        ("name", ""),
        ("semver", ""),
        ("tag", "refs/tags/"),
        ("branch", "refs/heads/"),
    ):
        if text(reference.get(field)):
            return prefix + text(reference.get(field))
    return ""


def _folder_below(folder: str, path: str, source: Object | None, context: Context, why: str = "") -> SourcePath:
    """A path in the folder that stands for the source."""
    target = join_path(folder, path.lstrip("/") or ".")
    return SourcePath(target, folder, why, context.above.origin, _ignored_files(source, folder, context))


def _ignored_files(source: Object | None, top: str, context: Context) -> Ignored:
    written = text(source.spec.get("ignore")) if source is not None else ""
    return ignored_in(context.folders.tree, top, written)


def _included_folder(obj: Object, source: Object | None, path: str, context: Context) -> SourcePath | None:
    """A path in a folder that another GitRepository fills (`spec.include`); None if none fills it."""
    wanted = posixpath.normpath(path.lstrip("/") or ".")
    for included in map(mapping, sequence(source.spec.get("include")) if source is not None else ()):
        name = text(mapping(included.get("repository")).get("name"))
        target = posixpath.normpath(text(included.get("toPath")).lstrip("/") or name or ".")
        if target != "." and is_within(wanted, target):
            inside = posixpath.join(text(included.get("fromPath")) or ".", posixpath.relpath(wanted, target))
            namespace = source.namespace if source is not None else ""
            other = {"kind": "GitRepository", "name": name, "namespace": namespace}
            return resolve_source_path(obj, other, inside, context)
    return None


# Files that source-controller leaves out of an artifact (fluxcd/pkg, sourceignore/sourceignore.go; the matcher is
# go-git's). Unlike git it does not stop at an ignored folder: the last line that matches the file or a folder above it
# decides.
Ignored = Callable[[str], bool]
"""Whether a file, named as in the tree, is left out."""

_FILE = ".sourceignore"
_DEFAULTS = compile_patterns(
    (
        *(".git/", ".gitignore", ".gitmodules", ".gitattributes"),
        *("*.jpg", "*.jpeg", "*.gif", "*.png", "*.wmv", "*.flv", "*.tar.gz", "*.zip"),
        *(".github/", ".circleci/", ".travis.yml", ".gitlab-ci.yml", "appveyor.yml", ".drone.yml", "cloudbuild.yaml"),
        *("codeship-services.yml", "codeship-steps.yml", "**/.goreleaser.yml", "**/.sops.yaml", "**/.flux.yaml"),
    )
)


def ignored_in(tree: Tree, top: str, written: str) -> Ignored:
    """A predicate: whether a file of a source is left out. `top` is its root; `written` is `spec.ignore`, which has
    precedence."""

    def patterns(folder: str) -> Patterns:
        data = tree.data(join_path(folder, _FILE)) or b""
        return _compiled_patterns(data.decode("utf-8", "surrogateescape"))

    def is_ignored(name: str) -> bool:
        path = relative_path(name, top)
        verdict = _last_verdict(_compiled_patterns(written), path)
        if verdict is not None:
            return verdict
        for folder, below in _folders_around(path):
            verdict = _last_verdict(patterns(join_path(top, folder)), below)
            if verdict is not None:
                return verdict
        return _last_verdict(_DEFAULTS, path) is True

    return is_ignored


@lru_cache
def _compiled_patterns(lines: str) -> Patterns:
    """The compiled patterns; cached because many objects use the same source."""
    return compile_patterns(lines.splitlines())


def _folders_around(path: str) -> Iterator[tuple[str, str]]:
    """The folders around a file, the nearest first, and the way from each to the file."""
    folder = posixpath.dirname(path)
    while True:
        yield folder, posixpath.relpath(path, folder or ".")
        if not folder:
            return
        folder = posixpath.dirname(folder)


def _last_verdict(patterns: Patterns, path: str) -> bool | None:
    parts = path.split("/")
    entries = [("/".join(parts[:number]), part) for number, part in enumerate(parts)]
    for step in patterns:
        for number, (way, name) in enumerate(entries, 1):
            entry = name if number == len(parts) else f"{name}/"
            if step.matches(entry, f"{way}/{entry}" if way else entry):
                return step.ignores
    return None


# Artifacts that Flux makes from parts of a repository: ExternalArtifact, ArtifactGenerator (fluxcd/source-watcher).
EXTERNAL_ARTIFACT = "ExternalArtifact"


def path_in_repository(obj: Object, artifact: str, path: str, context: Context) -> str | None:
    """The path in this repository that an ArtifactGenerator copies to a path of an artifact; None if no generator in
    view does."""
    inside = posixpath.normpath(path.lstrip("/") or ".")
    for generator in context.nearest(obj, "ArtifactGenerator", every_object):
        here = {
            text(source.get("alias"))
            for source in map(mapping, sequence(generator.spec.get("sources")))
            if source.get("kind") == "GitRepository"
        }
        for artifact_body in map(mapping, sequence(generator.spec.get("artifacts"))):
            if text(artifact_body.get("name")) == artifact:
                return _origin_of_copy(artifact_body, inside, here)
    return None


def _origin_of_copy(artifact_body: Body, inside: str, here: set[str]) -> str | None:
    """The path in the source of the last copy into a folder, because that one overwrites the others."""
    for copy in reversed([mapping(copied) for copied in sequence(artifact_body.get("copy"))]):
        alias, _, folder = text(copy.get("from")).lstrip("@").partition("/")
        root, _, to = text(copy.get("to")).partition("/")
        if alias not in here or root != "@artifact" or not folder.endswith("**"):
            continue
        target = posixpath.normpath(to or ".")
        path_in_target = posixpath.relpath(inside, target)
        if not path_in_target.startswith(".."):
            return posixpath.normpath(posixpath.join(folder.removesuffix("**"), path_in_target))
    return None
