"""What Flux does not look after for now."""

from __future__ import annotations

from quotalint.gitops.rendering import Rendering, with_guess
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object


def as_resumed(obj: Object, found: Rendering) -> Rendering:
    """What a Kustomization or HelmRelease applies; where it is suspended, as though it were not."""
    if obj.spec.get("suspend") is not True:
        return found
    reason = f"{obj.kind} {obj.name} is suspended, and counted as though it were not: what runs may be older"
    return with_guess(found, Guess(CONTENT, reason, "resume it, or give a snapshot of the cluster with `--with`"))
