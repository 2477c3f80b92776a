"""What Flux does not look after for now."""

from __future__ import annotations

from quotalint.gitops.rendering import Rendering
from quotalint.gitops.rendering import as_resumed as resumed
from quotalint.kube.fields import mapping
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object

_UNTOUCHED = (("kustomize.toolkit.fluxcd.io/reconcile", "disabled"), ("kustomize.toolkit.fluxcd.io/ssa", "Ignore"))


def as_reconciled(rendering: Rendering) -> Rendering:
    """What a Kustomization applies, with what an annotation keeps it from applying: as though it did."""
    return rendering._replace(objects=tuple(map(_as_touched, rendering.objects)))


def _as_touched(obj: Object) -> Object:
    annotations = mapping(obj.metadata.get("annotations"))
    annotation = next((name for name, value in _UNTOUCHED if annotations.get(name) == value), "")
    if not annotation:
        return obj
    reason = f"Flux leaves {obj.kind} {obj.name} alone ({annotation}); it is counted as written here"
    guess = Guess(CONTENT, reason, "pass a snapshot of the cluster with `--with`")
    return obj._replace(guesses=(*obj.guesses, guess))


def as_resumed(obj: Object, rendering: Rendering) -> Rendering:
    """What a Kustomization or HelmRelease applies; where it is suspended, as though it were not."""
    suspended = obj.spec.get("suspend") is True
    return resumed(rendering, f"{obj.kind} {obj.name}", "suspended") if suspended else rendering
