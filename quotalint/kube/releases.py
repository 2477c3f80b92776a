"""What quotas know in one release of Kubernetes and not in another.

A feature counts as there from the release whose API server has it on by default, since a feature gate cannot be seen
from a repository. Which release that is stands in `kubernetes.json`, with the source; kinds come and go by `since` and
`until` of `kinds.py`.
"""

from __future__ import annotations

from functools import lru_cache

from quotalint.kube.kubernetes_releases import SINCE, VERSIONS
from quotalint.kube.resources import DEVICES_OF_CLASS, IMPLICIT_EXTENDED_QUOTA
from quotalint.named_tuples import NamedTuple


class KubernetesRelease(NamedTuple):
    """What is true of one release."""

    version: str
    """Such as "1.34"."""
    sidecars: bool
    """An init container with `restartPolicy: Always` keeps running; before, the API server drops the field."""
    device_quota: bool
    """`<class>.deviceclass.resource.k8s.io/devices` is counted."""
    managed_jobs: bool
    """A Job may be left to another controller (`managedBy`); before, the API server drops the field."""
    strict_configurations: bool
    """With a field that it does not know in its configuration of admission the API server does not start."""
    volume_attributes_class_scope: bool
    """A quota may have the scope VolumeAttributesClass."""
    pod_level_resources: bool
    """Pods have `spec.resources`; before, the API server drops the field."""
    resource_claims: bool
    """Containers may name `resourceClaims` of their pod; before, the API server drops both."""
    container_restart_policies: bool
    """Containers that are no init containers may have a `restartPolicy`; before, the API server refuses it."""
    implicit_extended_resources: bool
    """`requests.deviceclass.resource.kubernetes.io/<class>` is counted, by the requests of pods."""
    extended_resource_claims: bool
    """ResourceClaims are charged under such names too, and under the `extendedResourceName` of their DeviceClass."""

    def has(self, since: str, until: str) -> bool:
        """Whether something is there that came with one release and went with another; empty: before or after all."""
        return (not since or _minor_version(self.version) >= _minor_version(since)) and (
            not until or _minor_version(self.version) < _minor_version(until)
        )

    def counts_entry(self, name: str) -> bool:
        """False for an entry of `hard` that only later releases count."""
        return "deviceclass" not in name or self.has(counted_since(name), "")  # asked of every charge


@lru_cache
def release(kube_version: str) -> KubernetesRelease:
    """The facts of a release such as "1.34"; of the nearest one that is known, where none is of it."""
    minor = min(max(_minor_version(kube_version), _minor_version(VERSIONS[0])), _minor_version(VERSIONS[-1]))
    return KubernetesRelease(f"1.{minor}", **{fact: minor >= _minor_version(since) for fact, since in SINCE.items()})


def counted_since(name: str) -> str:
    """The first release that counts an entry of `hard`; empty where every supported one does, or none."""
    if name.endswith(DEVICES_OF_CLASS):
        return SINCE["device_quota"]
    return SINCE["implicit_extended_resources"] if name.startswith(IMPLICIT_EXTENDED_QUOTA) else ""


def _minor_version(version: str) -> int:
    return int(version.split(".")[1])
