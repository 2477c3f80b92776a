"""`postRenderers` of a HelmRelease: Kustomize patches and images for the rendered chart (helm-controller, api/v2)."""

from __future__ import annotations

from quotalint.gitops.kustomize import patches, transformers
from quotalint.gitops.kustomize.field_specs import field_specs
from quotalint.gitops.kustomize.kustomize_resource import Resource, resource_of
from quotalint.gitops.kustomize.selector_text import SelectorError
from quotalint.gitops.kustomize.traced import Traced, child, elements, follow_keys
from quotalint.gitops.rendering import Rendering, object_of
from quotalint.kube.fields import mapping
from quotalint.kube.objects import Object
from quotalint.unknowns.problems import REFUSED, Problem


def post_rendered(rendering: Rendering, obj: Object) -> Rendering:
    """A chart's rendering after the HelmRelease's post-renderers."""
    resources = list(map(resource_of_object, rendering.objects))
    problems: list[Problem] = []
    for entry in elements(Traced(obj.spec.get("postRenderers"), obj.at("spec", "postRenderers").origin)):
        kustomize = follow_keys(entry, "kustomize")
        for patch in _entries_of(kustomize, "patches"):
            # A HelmRelease cannot refer to patch files.
            resources, wrong = patches.apply_to_resources(
                resources, patches.from_entry(patch, lambda *_: None), partial=False
            )
            problems += wrong
        for image in _entries_of(kustomize, "images"):
            try:
                resources = transformers.with_image(resources, mapping(image.value), image.place, field_specs("images"))
            except SelectorError as error:  # noqa: PERF203 - a wrong image does not stop the others
                problems.append(Problem(image.place, f"the image is not changed: {error}", REFUSED))
    return rendering._replace(objects=tuple(map(object_of, resources)), problems=(*rendering.problems, *problems))


def resource_of_object(obj: Object) -> Resource:
    """The Kustomize resource of a rendered object."""
    derivation = obj.place.made
    patched = resource_of(Traced(obj.body, obj.place.origin))
    return patched if derivation is None else patched._replace(via=derivation.via, patches=derivation.patches)


def _entries_of(parent: Traced | None, field: str) -> list[Traced]:
    field_value = child(parent, field) if parent is not None else None
    return elements(field_value) if field_value is not None else []
