"""What quotas know in one release of Kubernetes and not in another: the one table of it.

A feature counts as there from the release whose API server has it on by default, since a feature gate cannot be seen
from a repository. Kinds come and go by `since` and `until` of `kinds.py`. `docs/kubernetes-versions.md` tells where
each line was read.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from quotalint.kube.resources import DEVICES_OF_CLASS, IMPLICIT_EXTENDED_QUOTA

SINCE: Mapping[str, str] = MappingProxyType(
    {
        # pkg/features/kube_features.go, SidecarContainers: alpha and off in 1.28, beta and on in 1.29, stable in 1.33.
        "sidecars": "1.29",
        # core/v1/types.go, ResourceClaimsPerClass; pkg/quota/v1/evaluator/core/resource_claims.go: both new in 1.31.
        # DynamicResourceAllocation is off by default until 1.34, but then there are no claims to count either.
        "device_quota": "1.31",
        # core/v1/types.go, ResourceQuotaScopeVolumeAttributesClass: new in 1.33; kube_features.go,
        # VolumeAttributesClass: off by default until it is stable in 1.34. IsStandardResourceQuotaScope asks the gate.
        "volume_attributes_class_scope": "1.34",
        # kube_features.go, PodLevelResources: alpha and off in 1.32, beta and on in 1.34. Huge pages are among them in
        # all of these (component-helpers/resource/helpers.go, IsSupportedPodLevelResource, since 1.33).
        "pod_level_resources": "1.34",
        # core/v1/types.go, ResourceImplicitExtendedClaimsPerClass: new in 1.35; pods.go, isExtendedResourceNameForQuota
        # and podComputeUsageHelper, which ask no gate.
        "implicit_extended_resources": "1.35",
        # kube_features.go, DRAExtendedResource: alpha and off in 1.34, beta and on in 1.36, stable in 1.37;
        # resource_claims.go asks it.
        "extended_resource_claims": "1.36",
    }
)
"""Fact of `Release` → the first release of which it is true."""


class Release(NamedTuple):
    """What is true of one release."""

    version: str
    """Such as "1.34"."""
    sidecars: bool
    """An init container with `restartPolicy: Always` keeps running; before, the API server drops the field."""
    device_quota: bool
    """`<class>.deviceclass.resource.k8s.io/devices` is counted."""
    volume_attributes_class_scope: bool
    """A quota may have the scope VolumeAttributesClass."""
    pod_level_resources: bool
    """Pods have `spec.resources`; before, the API server drops the field."""
    implicit_extended_resources: bool
    """`requests.deviceclass.resource.kubernetes.io/<class>` is counted, by the requests of pods."""
    extended_resource_claims: bool
    """ResourceClaims are charged under such names too, and under the `extendedResourceName` of their DeviceClass."""

    def has(self, since: str, until: str) -> bool:
        """Whether something is there that came with one release and went with another; empty: before or after all."""
        return (not since or _minor(self.version) >= _minor(since)) and (
            not until or _minor(self.version) < _minor(until)
        )

    def counts(self, name: str) -> bool:
        """False for an entry of `hard` that only later releases count."""
        return "deviceclass" not in name or self.has(counted_since(name), "")  # asked of every charge


FIRST, LAST = "1.28", "1.37"
"""The oldest and the newest release that anything is known of."""


@lru_cache
def release(kube_version: str) -> Release:
    """The facts of a release such as "1.34"; of the nearest one that is known, where none is of it."""
    minor = min(max(_minor(kube_version), _minor(FIRST)), _minor(LAST))
    return Release(f"1.{minor}", **{fact: minor >= _minor(since) for fact, since in SINCE.items()})


def counted_since(name: str) -> str:
    """The first release that counts an entry of `hard`; empty where every supported one does, or none."""
    if name.endswith(DEVICES_OF_CLASS):
        return SINCE["device_quota"]
    return SINCE["implicit_extended_resources"] if name.startswith(IMPLICIT_EXTENDED_QUOTA) else ""


def _minor(version: str) -> int:
    return int(version.split(".")[1])
