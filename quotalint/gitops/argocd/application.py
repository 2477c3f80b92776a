"""What an Argo CD Application applies (argo-cd 3.x, reposerver/repository/repository.go)."""

from __future__ import annotations

import posixpath

from quotalint.gitops.argocd.globs import covers
from quotalint.gitops.argocd.helm_source import helm_source
from quotalint.gitops.argocd.kustomize_source import kustomize_source
from quotalint.gitops.context import Context, at_home, nowhere
from quotalint.gitops.kustomize.problems import MISSING, Problem
from quotalint.gitops.rendering import IN_CLUSTER, Rendering, Unseen
from quotalint.gitops.tree import relative
from quotalint.gitops.units import joined
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.text.place import Place

_OWN_SERVER = "https://kubernetes.default.svc"
_MANIFESTS = (".yaml", ".yml", ".json")
_SKIP = b"+argocd:skip-file-rendering"


def application(obj: Object, context: Context) -> Rendering:
    """The objects that an Application applies."""
    sources = sequence(obj.spec.get("sources"))
    if sources:
        places = [obj.at("spec", "sources", number) for number in range(len(sources))]
    else:
        sources, places = [obj.spec.get("source")], [obj.at("spec", "source")]
    references = {
        text(mapping(source).get("ref")): source for source in map(mapping, sources) if text(source.get("ref"))
    }
    parts = [
        _source(obj, mapping(source), place, references, context)
        for source, place in zip(sources, places, strict=True)
        if not (mapping(source).get("ref") and not mapping(source).get("path") and not mapping(source).get("chart"))
    ]
    found = parts[0] if len(parts) == 1 else joined(parts, "")
    objects = tuple(one for one in found.objects if not _is_skipped(one))
    namespace = text(dig(obj.spec, "destination", "namespace"))
    return found._replace(objects=objects, namespace=namespace, destination=_destination(obj, context))


def _is_skipped(one: Object) -> bool:
    """Argo CD leaves it out (gitops-engine pkg/sync/hook/hook.go, Skip)."""
    return "Skip" in text(dig(one.metadata, "annotations", "argocd.argoproj.io/hook")).split(",")


def _destination(obj: Object, context: Context) -> str:
    """The name of the cluster, else its address; empty where it is the one that Argo CD runs in."""
    name = text(dig(obj.spec, "destination", "name"))
    if _is_open(name) or _is_open(text(dig(obj.spec, "destination", "server"))):
        return ""
    server = text(dig(obj.spec, "destination", "server")).rstrip("/")
    if name in ("", IN_CLUSTER) and server in ("", _OWN_SERVER):
        return IN_CLUSTER if name or server else ""
    known = {one.server.rstrip("/"): one.name for one in context.clusters if one.server}
    return name or known.get(server, server)


def _is_open(value: str) -> bool:
    return "{{" in value or is_placeholder(value)


def _source(obj: Object, source: Body, place: Place, references: dict[str, Body], context: Context) -> Rendering:
    namespace = text(dig(obj.spec, "destination", "namespace"))
    path = at_home(text(source.get("path")), obj, context)
    why = _why_not_here(source, path, context)
    if why:
        missing = nowhere(obj, f"Application {obj.name} is not rendered: {why}", namespace)
        # What a plugin makes of a folder, nobody applies as it is.
        below = context.units.tree.files(path, lambda _: bool(source.get("plugin")), lambda _: True)
        return missing._replace(units=frozenset({path}), used=frozenset(below), folder=path)
    if source.get("helm") or context.charts.is_chart(path):
        return helm_source(obj, source, place, path, references, context)
    if source.get("kustomize") or context.units.is_kustomization(path):
        return kustomize_source(obj, source, place, path, context)
    return _directory(source, place, path, context)


def _why_not_here(source: Body, path: str, context: Context) -> str:
    url = text(source.get("repoURL"))
    if source.get("chart"):
        return f"the chart {text(source.get('chart'))} of {url} is remote"
    if "{{" in path or is_placeholder(path):
        return f"its path {path} is a template"
    if url and "{{" not in url and not is_placeholder(url) and not context.is_here(url):
        return f"its source is the repository {url}"
    if source.get("plugin") and context.units.tree.is_folder(path):
        return "its source is rendered by a plugin, which is not run"
    there = f" (its source is {url})" if url else ""
    return "" if context.units.tree.is_folder(path) else f"there is no folder {path} in this repository{there}"


def _directory(source: Body, place: Place, path: str, context: Context) -> Rendering:
    options = mapping(source.get("directory"))
    recurse = options.get("recurse") is True
    tree = context.units.tree
    include, exclude = text(options.get("include")), text(options.get("exclude"))
    names = [
        name
        for name in tree.files(path, lambda name: name.endswith((*_MANIFESTS, ".jsonnet")), lambda _: recurse)
        if _is_wanted(relative(name, path), include, exclude)
    ]
    plain = [name for name in names if name.endswith(_MANIFESTS) and _SKIP not in (tree.data(name) or b"")]
    plain = context.units.not_excluded(plain, path)
    found = context.units.files(plain, path)
    found = found._replace(units=found.units | {posixpath.dirname(name) for name in plain})
    jsonnet = [name for name in names if name.endswith(".jsonnet")]
    if jsonnet:
        reason = f"{jsonnet[0]} is Jsonnet, which is not rendered"
        found = found._replace(
            problems=(Problem(place, reason, MISSING),), unseen=(Unseen("", f"{place.real.source}: {reason}"),)
        )
    return found


def _is_wanted(name: str, include: str, exclude: str) -> bool:
    return not (exclude and covers(exclude, name)) and (not include or covers(include, name))
