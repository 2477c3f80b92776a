"""One file per tracked kind; every other kind is counted by number."""

from __future__ import annotations

from quotalint.evaluators import persistentvolumeclaims, pods, resourceclaims, services
from quotalint.evaluators.evaluator import Evaluator

EVALUATORS: dict[tuple[str, str], Evaluator] = {
    ("", "Pod"): pods.EVALUATOR,
    ("", "PersistentVolumeClaim"): persistentvolumeclaims.EVALUATOR,
    ("", "Service"): services.EVALUATOR,
    ("resource.k8s.io", "ResourceClaim"): resourceclaims.EVALUATOR,
}
