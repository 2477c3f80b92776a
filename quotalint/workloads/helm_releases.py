"""Flux's HelmRelease: Helm keeps each revision of a release in a Secret.

Source: helm-controller 1.2, api/v2/helmrelease_types.go (`maxHistory` is 5 where it is not written, 0 is no limit);
Helm 3.16, pkg/storage/driver/secrets.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import integer, text
from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Numbers, Surroundings, demand_of_itself, implied_objects

_KEPT = 5


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The HelmRelease, and the Secrets of its revisions where they are kept beside it."""
    yield demand_of_itself(obj)
    written = integer(obj.spec.get("maxHistory"))
    revisions = _KEPT if written is None else written
    if text(obj.spec.get("storageNamespace")) in ("", obj.namespace):
        secrets = implied_objects(obj, "", "Secret", Numbers(1, 2, 1, max(2, revisions)))
        if revisions <= 0:
            reason = f"{obj.kind} {obj.name}: `maxHistory: 0` lets Helm keep every revision in a Secret"
            secrets = secrets._replace(size=secrets.size._replace(unknowns=(reason,)))
        yield secrets
