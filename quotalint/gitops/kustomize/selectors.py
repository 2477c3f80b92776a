"""Which resources a patch or replacement is for (api/types/selector.go, resWrangler.Select)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quotalint.gitops.kustomize.kustomize_resource import GroupVersionKind, Resource
from quotalint.gitops.kustomize.selector_text import labels_match, matches_whole
from quotalint.kube.fields import Body, mapping, text


def selected_resources(resources: Sequence[Resource], target: Body) -> list[Resource]:
    """The resources that a `target` selects. Raises SelectorError."""
    return [resource for resource in resources if target_selects(target, resource)]


def target_selects(target: Body, resource: Resource) -> bool:
    """Whether a `target` selects a resource, by its original or its present name. Raises SelectorError."""
    namespaces = {
        _shown_namespace(resource.original_id.effective_namespace),
        _shown_namespace(resource.id.effective_namespace),
    }
    names = {resource.original_id.name, resource.id.name}
    kind = GroupVersionKind(*(text(target.get(field)) for field in ("group", "version", "kind")))
    return (
        _matches_any(text(target.get("namespace")), namespaces)
        and _matches_any(text(target.get("name")), names)
        and all(_matches_any(wanted, {have}) for wanted, have in zip(kind, resource.id.kind, strict=True))
        and labels_match(text(target.get("labelSelector")), mapping(resource.metadata.get("labels")))
        and labels_match(text(target.get("annotationSelector")), mapping(resource.metadata.get("annotations")))
    )


def _shown_namespace(namespace: str) -> str:
    return "_non_namespaceable_" if namespace == "\0" else namespace


def _matches_any(written: str, values: Iterable[str]) -> bool:
    return not written or any(matches_whole(written, value) for value in values)
