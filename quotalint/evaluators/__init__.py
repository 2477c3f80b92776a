"""The evaluators: one module per tracked kind; all other kinds are counted by number.

Source: Kubernetes 1.34, apiserver/pkg/quota/v1/generic/evaluator.go (objectCountEvaluator) and
pkg/quota/v1/evaluator/core/registry.go (legacyObjectCountAliases); for ImageStreams openshift/origin,
pkg/quota/image/imagestream_evaluator.go (imageStreamEvaluator).
"""

from __future__ import annotations

from functools import lru_cache

from quotalint.evaluators import persistentvolumeclaims, pods, resourceclaims, services
from quotalint.evaluators.evaluator import Evaluator, matches_no_scope, nothing_missing
from quotalint.kube import quantity

EVALUATORS: dict[tuple[str, str], Evaluator] = {
    ("", "Pod"): pods.EVALUATOR,
    ("", "PersistentVolumeClaim"): persistentvolumeclaims.EVALUATOR,
    ("", "Service"): services.EVALUATOR,
    ("resource.k8s.io", "ResourceClaim"): resourceclaims.EVALUATOR,
}


ALIASES = {
    "count/configmaps": "configmaps",
    "count/imagestreams.image.openshift.io": "openshift.io/imagestreams",
    "count/replicationcontrollers": "replicationcontrollers",
    "count/resourcequotas": "resourcequotas",
    "count/secrets": "secrets",
}


@lru_cache(maxsize=1024)
def count_evaluator(count_name: str) -> Evaluator:
    """The evaluator of a kind that is counted as `count/<plural>[.<group>]`."""
    names = tuple(name for name in (count_name, ALIASES.get(count_name)) if name)
    charged = {name: quantity.of(1) for name in names}
    return Evaluator(names.__contains__, frozenset(), lambda body: charged, matches_no_scope, nothing_missing)
