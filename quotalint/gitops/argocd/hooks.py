"""Which hooks Argo CD runs when it syncs (gitops-engine, pkg/sync/hook/hook.go, and syncPhases in sync_phase.go)."""

from __future__ import annotations

from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object

_HOOK, _HELM_HOOK = "argocd.argoproj.io/hook", "helm.sh/hook"
_AT_SYNC = frozenset(("PreSync", "Sync", "PostSync"))
_TYPES = _AT_SYNC | {"Skip", "SyncFail", "PreDelete", "PostDelete"}
_HELM_AT_SYNC = frozenset(("pre-install", "pre-upgrade", "post-install", "post-upgrade"))
_NO_HOOK = "crd-install"  # of Helm 2: no hook to Argo CD


def runs_at_sync(obj: Object) -> bool:
    """Whether an object is there after a sync that succeeds, or during it."""
    annotations = mapping(obj.metadata.get("annotations"))
    types = _listed(annotations.get(_HOOK)) & _TYPES
    if types:
        return not types.isdisjoint(_AT_SYNC)
    helm = _listed(annotations.get(_HELM_HOOK))
    if helm and helm != {_NO_HOOK}:  # which Argo CD maps to its own
        return not helm.isdisjoint(_HELM_AT_SYNC)
    return _HOOK not in annotations


def _listed(value: object) -> set[str]:
    return {annotation.strip() for annotation in text(value).split(",") if annotation.strip()}
