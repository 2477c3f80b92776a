"""What the admission plugins of each namespace go by, and what those fill in that need no more than a name: the class
of a pod, the class of a claim.

Source: Kubernetes 1.34, plugin/pkg/admission/priority/admission.go (admitPod),
storage/storageclass/setdefault/admission.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from quotalint.cluster import Cluster
from quotalint.kube.amounts import Listed, amounts
from quotalint.kube.claim import Claim
from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.limit_range import LimitRange
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.releases import release
from quotalint.named_tuples import NamedTuple

_DEFAULT_STORAGE_CLASS = (
    "storageclass.kubernetes.io/is-default-class",
    "storageclass.beta.kubernetes.io/is-default-class",
)


class Plugins(NamedTuple):
    """What the admission plugins of a namespace go by."""

    limit_ranges: tuple[LimitRange, ...]
    """Those of one namespace, by name; of none before it is chosen."""
    default_priority_class: str
    """The class marked `globalDefault`; empty where none is in view."""
    overheads: Mapping[str, Listed]
    """The overhead of each RuntimeClass in view."""
    default_storage_class: str
    """Empty where none is in view."""
    pod_level_resources: bool
    """Whether this release knows `spec.resources` of pods."""
    sidecars: bool
    """Whether it knows init containers that keep running."""
    extended_names: Mapping[str, str] | None = None
    """The extended resource of each DeviceClass in view; None where this release charges no claim by it."""
    by_namespace: Mapping[str, Sequence[LimitRange]] = MappingProxyType({})

    def within(self, namespace: str) -> Plugins:
        """Those of one namespace: with its LimitRanges only."""
        return self._replace(limit_ranges=tuple(self.by_namespace.get(namespace, ())))


def cluster_plugins(cluster: Cluster, limit_ranges: Iterable[LimitRange], kube_version: str) -> Plugins:
    """Those of a cluster of this release; `limit_ranges` are the ones that the API server accepts."""
    facts = release(kube_version)
    by_namespace: dict[str, list[LimitRange]] = {}
    for limits in sorted(limit_ranges, key=lambda limits: limits.name):
        by_namespace.setdefault(limits.namespace, []).append(limits)
    return Plugins(
        limit_ranges=(),
        default_priority_class=_first_name(
            sorted(cluster.of("scheduling.k8s.io", "PriorityClass"), key=lambda obj: not obj.foreign),
            _is_global_default,
        ),
        overheads={obj.name: _pod_overhead(obj) for obj in cluster.of("node.k8s.io", "RuntimeClass")},
        default_storage_class=_first_name(
            reversed(tuple(cluster.of("storage.k8s.io", "StorageClass"))), _is_default_storage_class
        ),
        pod_level_resources=facts.pod_level_resources,
        sidecars=facts.sidecars,
        extended_names={
            obj.name: text(obj.spec.get("extendedResourceName")) for obj in cluster.of("resource.k8s.io", "DeviceClass")
        }
        if facts.extended_resource_claims
        else None,
        by_namespace=by_namespace,
    )


def _pod_overhead(obj: Object) -> Listed:
    # It becomes `spec.overhead` of the pod.
    return amounts(dig(obj.body, "overhead", "podFixed"), ("spec", "overhead"))


# Without creation times the order of paths stands for them, behind what the cluster has already. Beside a default
# PriorityClass no second one is accepted (plugin/pkg/admission/priority, validatePriorityClass); of several default
# StorageClasses a cluster takes the newest.
def _first_name(classes: Iterable[Object], is_default: Callable[[Object], bool]) -> str:
    return next((obj.name for obj in classes if is_default(obj)), "")


def _is_global_default(obj: Object) -> bool:
    return obj.body.get("globalDefault") is True


def _is_default_storage_class(obj: Object) -> bool:
    annotations = mapping(obj.metadata.get("annotations"))
    return any(annotations.get(key) == "true" for key in _DEFAULT_STORAGE_CLASS)


BUILTIN_PRIORITY_CLASSES = frozenset({"system-cluster-critical", "system-node-critical"})
"""Priority classes that every cluster has (pkg/apis/scheduling/v1/helpers.go, SystemPriorityClasses)."""


def fill_priority(pod: Pod, default_class: str) -> Pod:
    """The pod with its priority class; `default_class` is empty where no class is marked `globalDefault`."""
    return pod if pod.priority_class or not default_class else pod._replace(priority_class=default_class)


def fill_class(claim: Claim, default_class: str) -> Claim:
    """The claim with its class; `default_class` is empty where no class in view is the default."""
    return (
        claim if claim.storage_class is not None or not default_class else claim._replace(storage_class=default_class)
    )
