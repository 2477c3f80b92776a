"""Hooks: objects that are created temporarily during a sync or upgrade.

Source: Argo CD 3.2, gitops-engine/pkg/sync/hook/hook.go (IsHook, Types) and hook/helm/type.go; Helm 4.0,
pkg/release/v1/hook.go (HookEvent, HookDeletePolicy).
"""

from __future__ import annotations

from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object

ARGO_CD, HELM = "argocd.argoproj.io/hook", "helm.sh/hook"

_AT_SYNC = frozenset(("PreSync", "Sync", "PostSync"))
_TYPES = _AT_SYNC | {"Skip", "SyncFail", "PreDelete", "PostDelete"}
_HELM_AT_SYNC = frozenset(("pre-install", "pre-upgrade", "post-install", "post-upgrade"))
_NO_HOOK = frozenset(("crd-install",))  # of Helm 2; Argo CD does not treat it as a hook
_DELETED_ON_SUCCESS = frozenset(("hook-succeeded", "HookSucceeded"))


def runs_at_sync(obj: Object) -> bool:
    """Whether Argo CD creates an object during a successful sync, as a hook or not."""
    annotations = mapping(obj.metadata.get("annotations"))
    types = _listed_names(annotations.get(ARGO_CD)) & _TYPES
    if types:
        return not types.isdisjoint(_AT_SYNC)
    helm = _listed_names(annotations.get(HELM))
    if helm and helm != _NO_HOOK:  # Argo CD maps it to its own hooks
        return not helm.isdisjoint(_HELM_AT_SYNC)
    return ARGO_CD not in annotations


def hook_annotation(obj: Object) -> str:
    """The annotation that makes an object a hook of a sync, install or upgrade; empty if there is none."""
    annotations = mapping(obj.metadata.get("annotations"))
    types = _listed_names(annotations.get(ARGO_CD)) & _TYPES
    if types:
        return "" if types.isdisjoint(_AT_SYNC) else ARGO_CD
    helm = _listed_names(text(annotations.get(HELM)).lower())
    return "" if helm.isdisjoint(_HELM_AT_SYNC) else HELM


def is_deleted_on_success(obj: Object) -> bool:
    """Whether a hook is deleted after it succeeded; else it stays until the next run."""
    annotations = mapping(obj.metadata.get("annotations"))
    policies = (f"{annotation}-delete-policy" for annotation in (ARGO_CD, HELM))
    return any(not _DELETED_ON_SUCCESS.isdisjoint(_listed_names(annotations.get(policy))) for policy in policies)


def _listed_names(value: object) -> frozenset[str]:
    if value is None:  # the common case
        return frozenset()
    return frozenset(name.strip() for name in text(value).split(",") if name.strip())
