"""Hooks: objects that are created for a moment of each sync or upgrade.

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
_NO_HOOK = frozenset(("crd-install",))  # of Helm 2: no hook to Argo CD
_GOES = frozenset(("hook-succeeded", "HookSucceeded"))


def runs_at_sync(obj: Object) -> bool:
    """Whether Argo CD creates an object at a sync that succeeds, as a hook or not."""
    annotations = mapping(obj.metadata.get("annotations"))
    types = _listed_names(annotations.get(ARGO_CD)) & _TYPES
    if types:
        return not types.isdisjoint(_AT_SYNC)
    helm = _listed_names(annotations.get(HELM))
    if helm and helm != _NO_HOOK:  # which Argo CD maps to its own
        return not helm.isdisjoint(_HELM_AT_SYNC)
    return ARGO_CD not in annotations


def hook_annotation(obj: Object) -> str:
    """The annotation that makes an object a hook of a sync, an install or an upgrade; empty where none does."""
    annotations = mapping(obj.metadata.get("annotations"))
    types = _listed_names(annotations.get(ARGO_CD)) & _TYPES
    if types:
        return "" if types.isdisjoint(_AT_SYNC) else ARGO_CD
    helm = _listed_names(text(annotations.get(HELM)).lower())
    return "" if helm.isdisjoint(_HELM_AT_SYNC) else HELM


def goes_when_it_succeeds(obj: Object) -> bool:
    """Whether a hook is deleted once it has ended well; else it stays until the next one of its name."""
    annotations = mapping(obj.metadata.get("annotations"))
    policies = (f"{annotation}-delete-policy" for annotation in (ARGO_CD, HELM))
    return any(not _GOES.isdisjoint(_listed_names(annotations.get(policy))) for policy in policies)


def _listed_names(value: object) -> frozenset[str]:
    if value is None:  # as nearly everywhere
        return frozenset()
    return frozenset(name.strip() for name in text(value).split(",") if name.strip())
