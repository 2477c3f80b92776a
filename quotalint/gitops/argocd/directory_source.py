"""A source of Argo CD whose files are applied as they are (argo-cd 3.x, reposerver/repository/repository.go:
findManifests)."""

from __future__ import annotations

import posixpath

from quotalint.gitops.context import Context
from quotalint.gitops.kustomize.kustomization import GROUP
from quotalint.gitops.kustomize.problems import AS_OBJECT, MISSING, Problem
from quotalint.gitops.rendering import Rendering, Unseen
from quotalint.gitops.tree import relative_path
from quotalint.kube.fields import Body, dig, mapping, text
from quotalint.kube.objects import Object
from quotalint.text.glob_dialects import gobwas
from quotalint.text.globs import covers
from quotalint.text.place import Place

_MANIFESTS = (".yaml", ".yml", ".json")
_SKIP = b"+argocd:skip-file-rendering"


def is_directory(source: Body) -> bool:
    """Whether the source says that it is a directory, whatever lies in that: Argo CD looks for a kustomization only
    where it does not (ApplicationSource.ExplicitType, after util/argo: NormalizeSource took away what says nothing)."""
    options = mapping(source.get("directory"))
    says = options.get("recurse") is True or text(options.get("include")) or text(options.get("exclude"))
    return bool(says or any(mapping(options.get("jsonnet")).values()))


def directory_source(obj: Object, source: Body, place: Place, path: str, context: Context) -> Rendering:
    """The objects of the files of a folder, of all below it with `recurse`."""
    options = mapping(source.get("directory"))
    recurse = options.get("recurse") is True
    tree = context.units.tree
    include, exclude = text(options.get("include")), text(options.get("exclude"))
    everything = tree.files(path, lambda name: name.endswith((*_MANIFESTS, ".jsonnet")), lambda _: recurse)
    names = [name for name in everything if _is_wanted(relative_path(name, path), include, exclude)]
    plain = [name for name in names if name.endswith(_MANIFESTS) and not tree.mentions(name, _SKIP)]
    plain = context.units.not_excluded(plain, path)
    rendering = context.units.plain_files(plain, path)
    # What the Application leaves out, nobody applies by hand either.
    rendering = rendering._replace(
        units=rendering.units | {posixpath.dirname(name) for name in plain}, used=rendering.used | set(everything)
    )
    jsonnet = [name for name in names if name.endswith(".jsonnet")]
    if jsonnet:
        reason = f"{jsonnet[0]} is Jsonnet, which is not rendered"
        rendering = rendering._replace(
            problems=(Problem(place, reason, MISSING),), unseen=(Unseen("", f"{place.file}: {reason}"),)
        )
    return _without_kustomizations(rendering, obj, path, context)


def _without_kustomizations(rendering: Rendering, obj: Object, path: str, context: Context) -> Rendering:
    """What is meant by a directory with kustomizations in it: the one at its path is built. Argo CD takes each for an
    object, and no sync succeeds, as no cluster has such a kind (gitops-engine, sync_context.go: getSyncTasks)."""
    taken = [mine for mine in rendering.objects if mine.group == GROUP]
    if not taken:
        return rendering
    at_path = next((mine for mine in taken if posixpath.dirname(mine.place.file) == path), None)
    file = (at_path or taken[0]).place.file
    subject = f"Application {obj.name}"
    reason = f"{subject} says that {path} is a `directory`, so Argo CD takes {file} for an object"
    namespace = text(dig(obj.spec, "destination", "namespace"))
    problem = Problem(obj.place, reason, AS_OBJECT, namespace=namespace, subject=subject)
    if at_path is not None:
        rendering = context.units.kustomization(path)
    return rendering._replace(
        objects=tuple(mine for mine in rendering.objects if mine.group != GROUP),
        problems=(*rendering.problems, problem),
    )


def _is_wanted(name: str, include: str, exclude: str) -> bool:
    return not (exclude and _is_covered(exclude, name)) and (not include or _is_covered(include, name))


def _is_covered(pattern: str, name: str) -> bool:
    """What gobwas/glob refuses covers nothing."""
    glob = gobwas(pattern)
    return glob is not None and covers(glob, name)
