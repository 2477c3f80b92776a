"""QL410: objects whose API version or kind no API server of the release has.

What a quota does not concern is not reported: an old PodSecurityPolicy in a repository with quotas is refused too, but
that changes no sum. So a removed version is an error in a namespace with a quota or LimitRange, and a warning for
other workloads and for classes that pods and claims of any namespace name. A kind that never existed in its API
version is an error anywhere, because nobody meant to write it.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.accounts.facts import Facts
from quotalint.accounts.unserved_objects import unserved_object
from quotalint.checks.hit import Hit, Note
from quotalint.kube.api_versions import EARLY, GONE, UNKNOWN_KIND
from quotalint.kube.kinds import LIMITING
from quotalint.kube.objects import Object
from quotalint.kube.releases import minor_version
from quotalint.settings import DEFAULT_KUBE_VERSION, KUBE_VERSIONS
from quotalint.workloads import makes_pods

_CLASSES = frozenset({"DeviceClass", "PriorityClass", "RuntimeClass", "StorageClass", "VolumeAttributesClass"})


def unserved_hits(obj: Object, facts: Facts) -> Iterator[Hit]:
    """The hit for one object; none if a server may accept it."""
    refusal = unserved_object(obj, facts.cluster.discovery)
    # QL004 reports quotas and LimitRanges of another version.
    if (
        refusal is None
        or any(obj.kind == kind for _, kind in LIMITING)
        or not (obj.name or "generateName" in obj.metadata)
    ):
        return
    severity = ""
    if refusal.reason in (GONE, EARLY) and not _is_limited(obj, facts):
        if not makes_pods(obj, facts.settings.workloads) and obj.kind not in _CLASSES:
            return
        severity = "warning"
    kubernetes = facts.settings.kube_version
    is_default = kubernetes == DEFAULT_KUBE_VERSION
    origin = "the default; `kubeVersion` sets another" if is_default else "by `kubeVersion` or `--kube-version`"
    notes: tuple[Note, ...] = ()
    if refusal.reason == GONE and minor_version(refusal.release) > minor_version(KUBE_VERSIONS[0]):
        notes = (Note("note", f"the cluster is assumed to have Kubernetes {kubernetes} ({origin})"),)
    values = {
        "kind": obj.kind,
        "name": obj.name,
        "version": obj.api_version,
        "instead": refusal.instead,
        "release": refusal.release,
        "kubernetes": kubernetes,
        "origin": origin,
        "similar": refusal.kind,
    }
    field = "kind" if refusal.reason == UNKNOWN_KIND else "apiVersion"
    variant = refusal.reason
    if refusal.reason == UNKNOWN_KIND and refusal.kind:
        variant = "similar"
    elif refusal.reason == GONE:
        variant = "default"
    yield Hit(obj.at(field), values, obj, field, variant, notes=notes, severity=severity)


def _is_limited(obj: Object, facts: Facts) -> bool:
    """Whether a quota or LimitRange holds in the namespace of the object."""
    return bool(obj.namespace) and (
        obj.namespace in facts.enforced or any(limits.namespace == obj.namespace for limits in facts.limit_ranges)
    )
