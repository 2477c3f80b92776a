"""What the API server demands of an object that runs pods or deploys others: without it, it is a patch for one."""

from __future__ import annotations

from quotalint.kube.objects import Object

_POD = ("spec", "template", "spec")
_POD_SPEC = ("pod spec", (_POD,))
# Where there must be the spec of a pod (pkg/apis/{core,apps,batch}/validation), and what the definitions of Flux
# (kustomize-controller, api/v1/kustomization_types.go; helm-controller, api/v2/helmrelease_types.go) and the
# controller of Argo CD (util/argo/argo.go, ValidateRepo) cannot do without: one of these fields.
_REQUIRED = {
    ("", "Pod"): ("pod spec", (("spec",),)),
    ("", "ReplicationController"): _POD_SPEC,
    ("apps", "DaemonSet"): _POD_SPEC,
    ("apps", "Deployment"): _POD_SPEC,
    ("apps", "ReplicaSet"): _POD_SPEC,
    ("apps", "StatefulSet"): _POD_SPEC,
    ("argoproj.io", "Application"): (
        "source",
        (("spec", "source"), ("spec", "sources"), ("spec", "sourceHydrator")),
    ),
    ("batch", "CronJob"): ("pod spec", (("spec", "jobTemplate", *_POD),)),
    ("batch", "Job"): _POD_SPEC,
    ("helm.toolkit.fluxcd.io", "HelmRelease"): ("chart", (("spec", "chart"), ("spec", "chartRef"))),
    ("kustomize.toolkit.fluxcd.io", "Kustomization"): ("source", (("spec", "sourceRef"), ("spec", "path"))),
}


def missing_field(obj: Object) -> str:
    """What there must be and is not: `pod spec`; empty where nothing is missing, or where that cannot be told."""
    if (obj.group, obj.kind) not in _REQUIRED:
        return ""
    words, paths = _REQUIRED[obj.group, obj.kind]
    return words if all(_is_missing(obj.body, path) for path in paths) else ""


def _is_missing(value: object, path: tuple[str, ...]) -> bool:
    for key in path:
        if not isinstance(value, dict):
            return False  # a placeholder may stand for all of it
        value = value.get(key)
        if value is None:
            return True
    return False
