"""What is done once, when all is put together (makeCustomizedResMap in api/internal/target/kusttarget.go)."""

from __future__ import annotations

from quotalint.gitops.kustomize import generators
from quotalint.gitops.kustomize.built import Built
from quotalint.gitops.kustomize.name_references import with_references
from quotalint.gitops.kustomize.resources import Resource
from quotalint.gitops.kustomize.traced import Traced, child, with_child
from quotalint.kube.fields import mapping, text

_LOCAL = "config.kubernetes.io/local-config"
_INTERNAL = frozenset(
    (
        *(
            f"internal.config.kubernetes.io/{name}"
            for name in (
                "annotations-migration-resource-id",
                "generatorBehavior",
                "id",
                "index",
                "needsHashSuffix",
                "path",
                "prefixes",
                "previousKinds",
                "previousNames",
                "previousNamespaces",
                "refBy",
                "seqindent",
                "suffixes",
            )
        ),
        "alpha.config.kubernetes.io/transformations",
        "config.k8s.io/id",
        "config.kubernetes.io/index",
        "config.kubernetes.io/origin",
        "config.kubernetes.io/path",
    )
)


def finished(built: Built) -> Built:
    """With hashes in names, references to names, and without what stays in the repository."""
    resources = with_references([generators.with_hash(one) for one in built.resources])
    kept = [plain for one in resources if not _is_local(plain := _plain(one))]
    return built._replace(resources=tuple(kept))


def _is_local(one: Resource) -> bool:
    annotations = mapping(one.metadata.get("annotations"))
    return _LOCAL in annotations and text(annotations[_LOCAL]) != "false"


def _plain(one: Resource) -> Resource:
    """Without the annotations that Kustomize keeps for itself, and the others as text (RemoveBuildAnnotations)."""
    annotations = one.metadata.get("annotations")
    if annotations is None:
        return one
    kept = {key: text(value) for key, value in mapping(annotations).items() if key not in _INTERNAL}
    if kept and kept == annotations:
        return one
    metadata = child(one.traced, "metadata") or one.traced
    old = child(metadata, "annotations") or metadata
    new = with_child(metadata, "annotations", Traced(kept, old.origin) if kept else None)
    return one.changed(with_child(one.traced, "metadata", new))
