"""The fields without which an object that runs pods or deploys others is only a patch."""

from __future__ import annotations

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, dig
from quotalint.kube.objects import Object
from quotalint.kube.pod_specs import OF_TEMPLATE, POD_SPECS

# One of these fields must exist: the pod spec (pkg/apis/{core,apps,batch}/validation); for Flux, those required by its
# CRDs (kustomize-controller, api/v1/kustomization_types.go; helm-controller, api/v2/helmrelease_types.go); for Argo CD,
# those required by its controller (util/argo/argo.go, ValidateRepo).
_REQUIRED = {
    **{kind: ("pod spec", (path,)) for kind, path in POD_SPECS.items()},
    ("argoproj.io", "Application"): (
        "source",
        (("spec", "source"), ("spec", "sources"), ("spec", "sourceHydrator")),
    ),
    ("helm.toolkit.fluxcd.io", "HelmRelease"): ("chart", (("spec", "chart"), ("spec", "chartRef"))),
    ("kustomize.toolkit.fluxcd.io", "Kustomization"): ("source", (("spec", "sourceRef"), ("spec", "path"))),
}


_SELECTOR = ("spec", "selector")
_CONTAINERS = (*OF_TEMPLATE, "containers")


def missing_field(obj: Object) -> str:
    """The missing required field in words, such as `pod spec`; empty if none is missing, or if that is unknown."""
    if (obj.group, obj.kind) not in _REQUIRED:
        return ""
    words, paths = _REQUIRED[obj.group, obj.kind]
    if all(_is_missing(obj.body, path) for path in paths):
        return words
    # apps/v1 requires a selector, and each container an image (pkg/apis/apps/validation, pkg/apis/core/validation). An
    # object without both is a patch; without one of them it is a faulty object.
    is_patch = obj.group == "apps" and _is_missing(obj.body, _SELECTOR) and not _may_have_image(obj.body)
    return "selector and no image" if is_patch else ""


def _may_have_image(body: Body) -> bool:
    if _is_missing(body, _CONTAINERS):
        return False
    containers = dig(body, *_CONTAINERS)
    if not isinstance(containers, list):
        return True  # a placeholder may stand for the whole list
    return any("image" in item if isinstance(item, dict) else is_placeholder(item) for item in containers)


def _is_missing(value: object, path: tuple[str, ...]) -> bool:
    for key in path:
        if not isinstance(value, dict):
            return False  # a placeholder may stand for the whole mapping
        value = value.get(key)
        if value is None:
            return True
    return False
