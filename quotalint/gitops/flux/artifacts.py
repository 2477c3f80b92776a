"""Artifacts that Flux cuts out of a repository: ExternalArtifact and ArtifactGenerator (fluxcd/source-watcher)."""

from __future__ import annotations

import posixpath

from quotalint.gitops.context import Context
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import Object

EXTERNAL_ARTIFACT = "ExternalArtifact"


def path_in_repository(obj: Object, artifact: str, path: str, context: Context) -> str | None:
    """Which path of this repository stands at a path of an artifact; None where nothing in view says so."""
    inside = posixpath.normpath(path.lstrip("/") or ".")
    for generator in context.nearest(obj, "ArtifactGenerator"):
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
    """The last copy that fills a folder counts."""
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
