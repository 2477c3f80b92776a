"""What the API server demands of an object that runs pods or deploys others: without it, it is a patch for one."""

from __future__ import annotations

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, dig
from quotalint.kube.objects import Object
from quotalint.kube.pod_specs import OF_TEMPLATE, POD_SPECS

# Where there must be the spec of a pod (pkg/apis/{core,apps,batch}/validation), and what the definitions of Flux
# (kustomize-controller, api/v1/kustomization_types.go; helm-controller, api/v2/helmrelease_types.go) and the
# controller of Argo CD (util/argo/argo.go, ValidateRepo) cannot do without: one of these fields.
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
    """What there must be and is not: `pod spec`; empty where nothing is missing, or where that cannot be told."""
    if (obj.group, obj.kind) not in _REQUIRED:
        return ""
    words, paths = _REQUIRED[obj.group, obj.kind]
    if all(_is_missing(obj.body, path) for path in paths):
        return words
    # apps/v1 demands a selector, and each container an image (pkg/apis/apps/validation, pkg/apis/core/validation).
    # Without either it is a patch for some fields of the pods; who forgets only one of them means the whole.
    is_patch = obj.group == "apps" and _is_missing(obj.body, _SELECTOR) and not _may_have_image(obj.body)
    return "selector and no image" if is_patch else ""


def _may_have_image(body: Body) -> bool:
    if _is_missing(body, _CONTAINERS):
        return False
    containers = dig(body, *_CONTAINERS)
    if not isinstance(containers, list):
        return True  # a placeholder may stand for all of it
    return any("image" in item if isinstance(item, dict) else is_placeholder(item) for item in containers)


def _is_missing(value: object, path: tuple[str, ...]) -> bool:
    for key in path:
        if not isinstance(value, dict):
            return False  # a placeholder may stand for all of it
        value = value.get(key)
        if value is None:
            return True
    return False
