"""Quota features that differ between Kubernetes releases.

A feature counts from the first release that enables it by default, because a repository does not show feature gates.
`kubernetes.json` has these releases with their sources; for kinds see `since` and `until` in `kinds.py`.
"""

from __future__ import annotations

from functools import lru_cache

from quotalint.kube.kubernetes_releases import SINCE, VERSIONS
from quotalint.kube.resources import DEVICES_OF_CLASS, IMPLICIT_EXTENDED_QUOTA
from quotalint.named_tuples import NamedTuple


class KubernetesRelease(NamedTuple):
    """The features of one release."""

    version: str
    """The version, such as "1.34"."""
    sidecars: bool
    """Init containers with `restartPolicy: Always` keep running; earlier releases drop the field."""
    device_quota: bool
    """`<class>.deviceclass.resource.k8s.io/devices` is counted."""
    managed_jobs: bool
    """A Job may be managed by another controller (`managedBy`); earlier releases drop the field."""
    strict_configurations: bool
    """The API server does not start with an unknown field in its admission configuration."""
    in_place_resize: bool
    """Containers have a `resizePolicy`; earlier releases drop the field."""
    volume_attributes_class_scope: bool
    """A quota may have the scope VolumeAttributesClass."""
    pod_level_resources: bool
    """Pods have `spec.resources`; earlier releases drop the field."""
    resource_claims: bool
    """Containers may name `resourceClaims` of their pod; earlier releases drop both."""
    stateful_set_templates: bool
    """The pod template of a StatefulSet is validated; earlier releases refuse only its pods."""
    container_restart_policies: bool
    """Containers other than init containers may have a `restartPolicy`; earlier releases refuse it."""
    implicit_extended_resources: bool
    """`requests.deviceclass.resource.kubernetes.io/<class>` is counted for the requests of pods."""
    extended_resource_claims: bool
    """ResourceClaims are charged under these names too, and under the `extendedResourceName` of their DeviceClass."""

    def has(self, since: str, until: str) -> bool:
        """Whether this release has something that was added in one release and removed in another; empty: before or
        after all."""
        return (not since or minor_version(self.version) >= minor_version(since)) and (
            not until or minor_version(self.version) < minor_version(until)
        )

    def counts_entry(self, name: str) -> bool:
        """False for an entry of `hard` that only later releases count."""
        return "deviceclass" not in name or self.has(counted_since(name), "")  # called for every charge


@lru_cache
def release(kube_version: str) -> KubernetesRelease:
    """The features of a release such as "1.34"; of the nearest known release if it is unknown."""
    minor = min(max(minor_version(kube_version), minor_version(VERSIONS[0])), minor_version(VERSIONS[-1]))
    return KubernetesRelease(f"1.{minor}", **{fact: minor >= minor_version(since) for fact, since in SINCE.items()})


def counted_since(name: str) -> str:
    """The first release that counts an entry of `hard`; empty if every supported release does, or none."""
    if name.endswith(DEVICES_OF_CLASS):
        return SINCE["device_quota"]
    return SINCE["implicit_extended_resources"] if name.startswith(IMPLICIT_EXTENDED_QUOTA) else ""


def minor_version(version: str) -> int:
    """34 for "1.34"."""
    return int(version.split(".")[1])
