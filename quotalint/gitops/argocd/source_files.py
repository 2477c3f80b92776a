"""`.argocd-source.yaml` and `.argocd-source-<application>.yaml`, which Argo CD merges over the source of an Application
(argo-cd 3.x, reposerver/repository/repository.go, mergeSourceParameters)."""

from __future__ import annotations

from quotalint.gitops.kustomize.traced import Traced, child, with_child
from quotalint.gitops.tree import Tree, join
from quotalint.kube.fields import mapping
from quotalint.text.place import Place

_KEPT = ("chart", "path", "repoURL", "targetRevision")


def with_source_files(source: Traced, folder: str, application: str, tree: Tree) -> Traced | str:
    """The source as the files in its folder change it; or why it cannot be known."""
    for name in (".argocd-source.yaml", f".argocd-source-{application}.yaml"):
        file = join(folder, name)
        reading = tree.reading(file) if tree.is_file(file) else None
        if reading is None:
            continue
        if reading.failures:
            return f"{file} cannot be read: {reading.failures[0].message}"
        for document in reading.documents[:1]:
            patch = Traced(document.value, Place(file, document.index))
            for key in mapping(document.value):
                if key not in _KEPT:
                    source = with_child(source, key, _merged(child(source, key), child(patch, key)))
    return source


def _merged(old: Traced | None, new: Traced | None) -> Traced | None:
    """A JSON merge patch (RFC 7396): null takes away, and only mappings are merged."""
    if new is None or new.value is None:
        return None
    if not isinstance(new.value, dict):
        return new
    result = old if old is not None and isinstance(old.value, dict) else Traced({}, new.place)
    for key in new.value:
        result = with_child(result, key, _merged(child(result, key), child(new, key)))
    return result
