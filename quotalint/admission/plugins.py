"""The settings of the admission plugins in each namespace, and the plugins that only need a name: priority class and
storage class.

Source: Kubernetes 1.34, plugin/pkg/admission/priority/admission.go (admitPod),
storage/storageclass/setdefault/admission.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from quotalint.kube.amounts import Listed, amounts, is_placeholder, is_stand_in
from quotalint.kube.claim import Claim
from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import Body, dig, integer, mapping, text
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.limit_range import LimitRange
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.pod_validation import Invalid
from quotalint.kube.releases import KubernetesRelease, release
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path

if TYPE_CHECKING:
    from quotalint.admission.pod_security import Enforced
    from quotalint.admission.policies import Policies
    from quotalint.kube.pod_security_configuration import SecurityConfiguration

_DEFAULT_STORAGE_CLASS = (
    "storageclass.kubernetes.io/is-default-class",
    "storageclass.beta.kubernetes.io/is-default-class",
)


class Priority(NamedTuple):
    """The values that a PriorityClass sets in a pod."""

    value: int
    preemption_policy: str


class Plugins(NamedTuple):
    """The settings of the admission plugins in a namespace."""

    limit_ranges: tuple[LimitRange, ...]
    """The LimitRanges of the namespace, by name; empty until a namespace is chosen."""
    default_priority_class: str
    """The class with `globalDefault`; empty if none is known."""
    overheads: Mapping[str, Listed]
    """The overhead of each known RuntimeClass."""
    priorities: Mapping[str, Priority]
    """The values of each known or built-in PriorityClass; those of a pod without a class have the empty name."""
    priority_names: frozenset[str]
    """The names of all PriorityClasses; empty if none is in view."""
    shows_priorities: bool
    """Whether a snapshot of the cluster shows them, so that there are no others."""
    node_selectors: Mapping[str, Body]
    """The `scheduling.nodeSelector` of each known RuntimeClass."""
    default_storage_class: str
    """Empty if no default is known."""
    release: KubernetesRelease
    """The features of the Kubernetes release."""
    extended_names: Mapping[str, str] | None = None
    """The extended resource of each known DeviceClass; None if this release charges no claims for it."""
    by_namespace: Mapping[str, Sequence[LimitRange]] = MappingProxyType({})
    policies: Policies | None = None
    """The policies that set amounts or replicas; None if there are none."""
    enforced: Enforced | None = None
    """What Pod Security enforces in the namespace."""
    enforced_levels: Mapping[str, Enforced] = MappingProxyType({})

    def limited_by(self, limit_ranges: Iterable[LimitRange]) -> Plugins:
        """The settings with these LimitRanges, which the API server accepts."""
        by_namespace: dict[str, list[LimitRange]] = {}
        for limits in sorted(limit_ranges, key=lambda limits: limits.name):
            by_namespace.setdefault(limits.namespace, []).append(limits)
        return self._replace(by_namespace=by_namespace)

    def within(self, namespace: str) -> Plugins:
        """The settings of one namespace, with only its LimitRanges."""
        return self._replace(
            limit_ranges=tuple(self.by_namespace.get(namespace, ())), enforced=self.enforced_levels.get(namespace)
        )


def cluster_plugins(
    cluster: Cluster,
    limit_ranges: Iterable[LimitRange],
    kube_version: str,
    security: Sequence[SecurityConfiguration] = (),
) -> Plugins:
    """The settings of a cluster with this release; `limit_ranges` are those that the API server accepts."""
    facts = release(kube_version)
    classes = cluster.of("scheduling.k8s.io", "PriorityClass")
    return Plugins(
        limit_ranges=(),
        default_priority_class=_first_name(
            sorted(classes, key=lambda obj: not obj.foreign),
            _is_global_default,
        ),
        overheads={obj.name: _pod_overhead(obj) for obj in cluster.of("node.k8s.io", "RuntimeClass")},
        priorities={"": _CLASSLESS, **_BUILTIN, **dict(_priorities(classes))},
        priority_names=frozenset((*_BUILTIN, *(obj.name for obj in classes)) if classes else ()),
        shows_priorities=any(obj.foreign for obj in classes),
        node_selectors={
            obj.name: mapping(dig(obj.body, "scheduling", "nodeSelector"))
            for obj in cluster.of("node.k8s.io", "RuntimeClass")
        },
        default_storage_class=_first_name(
            reversed(tuple(cluster.of("storage.k8s.io", "StorageClass"))), _is_default_storage_class
        ),
        release=facts,
        extended_names={
            obj.name: text(obj.spec.get("extendedResourceName")) for obj in cluster.of("resource.k8s.io", "DeviceClass")
        }
        if facts.extended_resource_claims
        else None,
        policies=_policies(cluster),
        enforced_levels=_enforced_levels(cluster, kube_version, security),
    ).limited_by(limit_ranges)


_POLICIES = (
    *(("admissionregistration.k8s.io", kind) for kind in ("MutatingAdmissionPolicy", "MutatingWebhookConfiguration")),
    *(("kyverno.io", kind) for kind in ("ClusterPolicy", "Policy")),
    ("mutations.gatekeeper.sh", "Assign"),
    ("operator.autoscaling.openshift.io", "ClusterResourceOverride"),
    *(("policies.kyverno.io", kind) for kind in ("MutatingPolicy", "NamespacedMutatingPolicy")),
)


def _policies(cluster: Cluster) -> Policies | None:
    if not any(cluster.of(*kind) for kind in _POLICIES):
        return None
    from quotalint.admission.policies import read_policies

    return read_policies(cluster)


def _enforced_levels(
    cluster: Cluster, kube_version: str, security: Sequence[SecurityConfiguration]
) -> Mapping[str, Enforced]:
    key = "pod-security.kubernetes.io/enforce"
    if not security and not any(
        key in mapping(obj.metadata.get("labels")) for obj in (*cluster.of("", "Namespace"), *cluster.live)
    ):
        return {}
    from quotalint.admission.pod_security import enforced_levels

    return enforced_levels(cluster, kube_version, security)


def _pod_overhead(obj: Object) -> Listed:
    # It becomes `spec.overhead` of the pod.
    return amounts(dig(obj.body, "overhead", "podFixed"), ("spec", "overhead"))


# Creation times are unknown, so objects count in the order of paths, after those of the cluster. A second default
# PriorityClass is refused (plugin/pkg/admission/priority, validatePriorityClass); of several default StorageClasses the
# newest wins.
def _first_name(classes: Iterable[Object], is_default: Callable[[Object], bool]) -> str:
    return next((obj.name for obj in classes if is_default(obj)), "")


def _is_global_default(obj: Object) -> bool:
    return obj.body.get("globalDefault") is True


def _is_default_storage_class(obj: Object) -> bool:
    annotations = mapping(obj.metadata.get("annotations"))
    return any(annotations.get(key) == "true" for key in _DEFAULT_STORAGE_CLASS)


_BUILTIN = {
    "system-cluster-critical": Priority(2_000_000_000, "PreemptLowerPriority"),
    "system-node-critical": Priority(2_000_001_000, "PreemptLowerPriority"),
}
_CLASSLESS = Priority(0, "PreemptLowerPriority")
"""The values of a pod without a class where no class is the default (getDefaultPriority)."""
BUILTIN_PRIORITY_CLASSES = frozenset(_BUILTIN)
"""Priority classes that every cluster has (pkg/apis/scheduling/v1/helpers.go, SystemPriorityClasses)."""


def _priorities(classes: Iterable[Object]) -> Iterator[tuple[str, Priority]]:
    for obj in classes:
        value, policy = integer(obj.body.get("value")), obj.body.get("preemptionPolicy", "PreemptLowerPriority")
        if value is not None and isinstance(policy, str) and not is_placeholder(policy):
            yield obj.name, Priority(value, policy)


def priority_errors(body: Body, priority: Priority | None) -> Iterator[Invalid]:
    """Why the plugin refuses a pod that sets the values of its class itself; none if the class is unknown."""
    if priority is None:
        return
    of_priority = priority is _CLASSLESS
    spec = mapping(body.get("spec"))
    value, policy = integer(spec.get("priority")), text(spec.get("preemptionPolicy"))
    words = "must not be provided in pod spec; priority admission controller computed"
    source = "from the given PriorityClass name"
    if value is not None and value != priority.value:
        detail = f"the integer value of priority ({value}) {words} {priority.value} {source}"
        yield Invalid("spec.priority", ("spec", "priority"), detail, "", by_plugin=True, of_priority=of_priority)
    if policy and not is_placeholder(policy) and policy != priority.preemption_policy:
        detail = f"the string value of PreemptionPolicy ({policy}) {words} {priority.preemption_policy} {source}"
        path: Path = ("spec", "preemptionPolicy")
        yield Invalid("spec.preemptionPolicy", path, detail, "", by_plugin=True, of_priority=of_priority)


def missing_class(pod: Pod, by: Plugins) -> str:
    """The PriorityClass of a pod if no class in view has its name, though there are some; else empty."""
    name = pod.priority_class
    is_known = not name or not by.priority_names or name in by.priority_names or is_stand_in(name)
    return "" if is_known else name


def class_doubts(name: str, by: Plugins) -> tuple[Guess, ...]:
    """The guess that pods with a missing class are counted; none if the cluster surely lacks the class."""
    reason = f"the PriorityClass {name} is not in view, and without it pods are refused"
    return () if by.shows_priorities else (Guess(CONTENT, reason, "define it, or show the cluster's with `--with`"),)


def fill_priority(pod: Pod, default_class: str) -> Pod:
    """The pod with its priority class; `default_class` is empty if no class has `globalDefault`."""
    return pod if pod.priority_class or not default_class else pod._replace(priority_class=default_class)


def fill_class(claim: Claim, default_class: str) -> Claim:
    """The claim with its class; `default_class` is empty if no default is known."""
    return (
        claim if claim.storage_class is not None or not default_class else claim._replace(storage_class=default_class)
    )
