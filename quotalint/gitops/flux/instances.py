"""Renders a FluxInstance of the Flux Operator: Flux and the cluster's root Kustomization (internal/builder)."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.gitops.deployer import Context
from quotalint.gitops.flux.flux_kustomization import flux_kustomization
from quotalint.gitops.kustomize import patches
from quotalint.gitops.kustomize.kustomize_resource import Resource, resource_of
from quotalint.gitops.kustomize.traced import Traced, elements, follow_keys, mapping_of
from quotalint.gitops.rendering import Rendering, object_of
from quotalint.kube.fields import Body, mapping, text
from quotalint.kube.objects import Object
from quotalint.text.place import Place
from quotalint.unknowns.problems import Problem
from quotalint.unknowns.unseen import Unseen


def flux_instance(obj: Object, context: Context) -> tuple[Rendering, ...]:
    """The renderings of the source and of the generated Kustomization, both after the instance's patches."""
    sync = mapping(obj.spec.get("sync"))
    reason = f"FluxInstance {obj.name} installs the controllers of Flux, which are not in view"
    unseen = (Unseen(obj.namespace, f"{obj.place.file}: {reason}"),)
    if not sync:
        return (Rendering(unseen=unseen),)
    resources = list(_sync_resources(obj, sync))
    problems: list[Problem] = []
    written = follow_keys(Traced(obj.body, obj.place.origin), "spec", "kustomize", "patches")
    for entry in elements(written) if written is not None else []:
        patch = patches.from_entry(entry, lambda *_: None)
        changed, wrong = patches.apply_to_resources(resources, patch, partial=False)
        # A patch without a target names its object, usually a controller's Deployment.
        if patch.target is not None or not wrong:
            resources = changed
            problems += wrong
    source, root = map(object_of, resources)

    def find(asking: Object, kind: str, namespace: str, name: str) -> Object | None:
        is_source = (kind, name) == (source.kind, source.name)
        return source if is_source else context.find(asking, kind, namespace, name)

    own = Rendering((source,), tuple(problems), unseen)
    return own, flux_kustomization(root, context._replace(find=find))


def _sync_resources(obj: Object, sync: Body) -> Iterator[Resource]:
    kind, name = text(sync.get("kind")) or "GitRepository", text(sync.get("name")) or obj.namespace
    place = obj.at("spec", "sync")
    reference = text(sync.get("ref"))
    ref = {"GitRepository": {"name": reference}, "OCIRepository": {"tag": reference}}.get(kind, {})
    source: Body = {"url": sync.get("url"), "ref": ref}
    path: Body = {"path": sync.get("path"), "sourceRef": {"kind": kind, "name": name}}
    for group, of_kind, spec in (
        ("source.toolkit.fluxcd.io/v1", kind, source),
        ("kustomize.toolkit.fluxcd.io/v1", "Kustomization", path),
    ):
        metadata = {"name": name, "namespace": obj.namespace}
        yield resource_of(_written_object(group, of_kind, metadata, spec, place.real))


def _written_object(group: str, kind: str, metadata: Body, spec: Body, place: Place) -> Traced:
    parts = {"apiVersion": group, "kind": kind, "metadata": metadata, "spec": spec}
    return mapping_of(place, [(key, Traced(value, place)) for key, value in parts.items()])
