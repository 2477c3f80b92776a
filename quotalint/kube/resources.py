"""What the name of a resource says about it.

Source: Kubernetes 1.34, pkg/apis/core/helper/helpers.go and pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from quotalint.kube.names import qualified_errors

COMPUTE = frozenset({"cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"})
"""podComputeQuotaResources; also what a quota makes every container specify (validationSet in the pod evaluator)."""

INTEGER = frozenset(
    {
        "pods",
        "resourcequotas",
        "services",
        "replicationcontrollers",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    }
)
"""integerResources: counted in whole numbers."""

STANDARD_QUOTA = (
    COMPUTE
    | INTEGER
    | {
        "ephemeral-storage",
        "requests.storage",
        "requests.ephemeral-storage",
        "limits.ephemeral-storage",
    }
)
"""standardQuotaResources: what a key of `hard` without a slash may be, besides huge pages."""

STANDARD = STANDARD_QUOTA | {"storage"}
"""standardResources: what a resource name without a slash may be anywhere, besides huge pages."""

STANDARD_CONTAINER = frozenset({"cpu", "memory", "ephemeral-storage"})

ALIASES = {
    "cpu": "requests.cpu",
    "memory": "requests.memory",
    "ephemeral-storage": "requests.ephemeral-storage",
    "configmaps": "count/configmaps",
    "secrets": "count/secrets",
    "replicationcontrollers": "count/replicationcontrollers",
    "resourcequotas": "count/resourcequotas",
    "services": "count/services",
    "persistentvolumeclaims": "count/persistentvolumeclaims",
    "openshift.io/imagestreams": "count/imagestreams.image.openshift.io",
}
"""Two names of `hard` that are always charged the same amount."""


DEVICES_OF_CLASS = ".deviceclass.resource.k8s.io/devices"
"""ResourceClaimsPerClass: the end of the names under which the devices of ResourceClaims are counted."""

IMPLICIT_EXTENDED = "deviceclass.resource.kubernetes.io/"
"""ResourceDeviceClassPrefix: with the name of a DeviceClass, what containers ask for without an extended resource."""

IMPLICIT_EXTENDED_QUOTA = f"requests.{IMPLICIT_EXTENDED}"
"""ResourceImplicitExtendedClaimsPerClass: the spelling of that in quotas, since 1.35."""


def is_quota_huge_page(name: str) -> bool:
    """IsQuotaHugePageResourceName."""
    return name.startswith(("hugepages-", "requests.hugepages-"))


def is_standard_quota(name: str) -> bool:
    """IsStandardQuotaResourceName."""
    return name in STANDARD_QUOTA or is_quota_huge_page(name)


def is_standard_container(name: str) -> bool:
    """IsStandardContainerResourceName."""
    return name in STANDARD_CONTAINER or name.startswith("hugepages-")


def is_native(name: str) -> bool:
    """IsNativeResource: without a slash, or in `*kubernetes.io/`."""
    return "/" not in name or "kubernetes.io/" in name


def is_extended(name: str) -> bool:
    """IsExtendedResourceName: what a device plugin offers, as containers ask for it."""
    return not is_native(name) and not name.startswith("requests.") and not qualified_errors("requests." + name)


def is_extended_quota(name: str) -> bool:
    """isExtendedResourceNameForQuota: the only spelling under which a quota counts an extended resource."""
    return name.startswith("requests.") and (not is_native(name) or name.startswith(IMPLICIT_EXTENDED_QUOTA))


def is_device(name: str) -> bool:
    """IsDRAExtendedResourceName: what is charged to a quota with `requests.` before the name."""
    return is_extended(name) or name.startswith(IMPLICIT_EXTENDED)


def is_integer(name: str) -> bool:
    """IsIntegerResourceName."""
    return name in INTEGER or is_extended(name)


def is_pod_level(name: str) -> bool:
    """IsSupportedPodLevelResource (component-helpers/resource/helpers.go)."""
    return name in ("cpu", "memory") or name.startswith("hugepages-")


def may_overcommit(name: str) -> bool:
    """IsOvercommitAllowed: requests may be lower than limits."""
    return is_native(name) and not name.startswith("hugepages-")


def alias(name: str) -> str:
    """The one name for everything that is charged alike: `cpu` and `requests.cpu` are both `requests.cpu`."""
    if name.startswith("hugepages-"):
        return "requests." + name
    return ALIASES.get(name, name)


def resource_name_errors(name: str) -> tuple[str, ...]:
    """validateResourceName: why a name is no resource; empty when it is one."""
    errors = qualified_errors(name)
    if errors:
        return errors
    if "/" not in name and name not in STANDARD and not is_quota_huge_page(name):  # IsStandardResourceName
        return ("must be a standard resource type or fully qualified",)
    return ()


def quota_name_errors(name: str) -> tuple[str, ...]:
    """ValidateResourceQuotaResourceName: why a key of `hard` is refused; empty when it is accepted."""
    errors = resource_name_errors(name)
    if "/" not in name and not is_standard_quota(name):
        errors += ("must be a standard resource for quota",)
    return errors


def container_name_errors(name: str) -> tuple[str, ...]:
    """validateContainerResourceName: why a container (or a LimitRange for one) may not name this resource."""
    errors = resource_name_errors(name)
    if "/" not in name:
        if not is_standard_container(name):
            errors += ("must be a standard resource for containers",)
    elif not is_native(name) and not is_extended(name):
        errors += ("doesn't follow extended resource name standard",)
    return errors
