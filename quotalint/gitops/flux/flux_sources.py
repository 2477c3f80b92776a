"""Where the files lie that an object of Flux takes from its source (source-controller, api/v1)."""

from __future__ import annotations

import posixpath

from quotalint.gitops.context import Context, at_home
from quotalint.gitops.flux.artifacts import EXTERNAL_ARTIFACT, path_in_repository
from quotalint.gitops.flux.ignored import Ignored, ignored_in
from quotalint.gitops.origins import RepositoryOrigin, git_origin, why_elsewhere
from quotalint.gitops.tree import join_path
from quotalint.gitops.units import is_within
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple


class Taken(NamedTuple):
    """A path of a source."""

    name: str
    """Of the file or folder in the tree."""
    top: str
    """The root of the source."""
    why_not: str = ""
    """Why it is not in view; empty where it is."""
    origin: RepositoryOrigin | None = None
    ignored: Ignored = lambda _: False


def taken_folder(obj: Object, reference: Body, path: str, context: Context) -> Taken:
    """What a path leads to in the source that an object refers to."""
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    if kind == EXTERNAL_ARTIFACT:
        here = path_in_repository(obj, name, path, context)
        source_folder = at_home(here or "", obj, context)
        return Taken(
            source_folder, context.top, "" if here else f"its source is the {kind} {name}", context.above.origin
        )
    source = context.find(obj, kind, text(reference.get("namespace")) or obj.namespace, name) if name else None
    url = text(source.spec.get("url")) if source is not None else ""
    folder = context.vendored(url)
    if folder is not None:
        return _folder_below(folder, path, source, context)
    if kind and kind != "GitRepository":
        return Taken("", "", f"its source is the {kind} {name}{f' ({url})' if url else ''}")
    included = _included_folder(obj, source, path, context)
    if included is not None:
        return included
    source_folder = at_home(path, obj, context)
    origin = git_origin(source) if source is not None else context.above.origin
    applies_itself = is_within(posixpath.dirname(obj.place.real.source), source_folder)
    why = (
        why_elsewhere(origin, context.above, context.is_here, applies_itself=applies_itself)
        if source is not None and origin
        else ""
    )
    return Taken(source_folder, context.top, why, origin, _ignored_files(source, context.top, context))


def _folder_below(folder: str, path: str, source: Object | None, context: Context) -> Taken:
    """In a folder that stands for the source."""
    target = join_path(folder, path.lstrip("/") or ".")
    return Taken(target, folder, "", context.above.origin, _ignored_files(source, folder, context))


def _ignored_files(source: Object | None, top: str, context: Context) -> Ignored:
    written = text(source.spec.get("ignore")) if source is not None else ""
    return ignored_in(context.units.tree, top, written)


def _included_folder(obj: Object, source: Object | None, path: str, context: Context) -> Taken | None:
    """What another GitRepository puts there (`spec.include`); None where none does."""
    wanted = posixpath.normpath(path.lstrip("/") or ".")
    for included in map(mapping, sequence(source.spec.get("include")) if source is not None else ()):
        name = text(mapping(included.get("repository")).get("name"))
        target = posixpath.normpath(text(included.get("toPath")).lstrip("/") or name or ".")
        if target != "." and is_within(wanted, target):
            inside = posixpath.join(text(included.get("fromPath")) or ".", posixpath.relpath(wanted, target))
            namespace = source.namespace if source is not None else ""
            other = {"kind": "GitRepository", "name": name, "namespace": namespace}
            return taken_folder(obj, other, inside, context)
    return None
