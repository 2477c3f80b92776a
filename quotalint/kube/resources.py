"""Properties of resource names.

Source: Kubernetes 1.34, pkg/apis/core/helper/helpers.go and pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from quotalint.kube.names import qualified_errors

COMPUTE = frozenset({"cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"})
"""podComputeQuotaResources; also the resources that a quota requires of every container (validationSet in the pod
evaluator)."""

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
"""integerResources: resources counted in whole numbers."""

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
"""standardQuotaResources: the keys of `hard` without a slash, besides huge pages."""

STANDARD = STANDARD_QUOTA | {"storage"}
"""standardResources: all resource names without a slash, besides huge pages."""

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
"""Names of `hard` and the name that is always charged the same amount."""


DEVICES_OF_CLASS = ".deviceclass.resource.k8s.io/devices"
"""ResourceClaimsPerClass: the suffix of the names that count the devices of ResourceClaims."""

IMPLICIT_EXTENDED = "deviceclass.resource.kubernetes.io/"
"""ResourceDeviceClassPrefix: before the name of a DeviceClass, the resource that containers request without an extended
resource."""

IMPLICIT_EXTENDED_QUOTA = f"requests.{IMPLICIT_EXTENDED}"
"""ResourceImplicitExtendedClaimsPerClass: its spelling in quotas, since 1.35."""


def is_quota_huge_page(name: str) -> bool:
    """Whether a quota entry limits huge pages (IsQuotaHugePageResourceName)."""
    return name.startswith(("hugepages-", "requests.hugepages-"))


def is_standard_quota(name: str) -> bool:
    """Whether it is a standard name in a quota (IsStandardQuotaResourceName)."""
    return name in STANDARD_QUOTA or is_quota_huge_page(name)


def is_standard_container(name: str) -> bool:
    """Whether it is a standard name in a container (IsStandardContainerResourceName)."""
    return name in STANDARD_CONTAINER or name.startswith("hugepages-")


def is_native(name: str) -> bool:
    """Whether it has no slash or is in `*kubernetes.io/` (IsNativeResource)."""
    return "/" not in name or "kubernetes.io/" in name


def is_extended(name: str) -> bool:
    """Whether containers request it as the resource of a device plugin (IsExtendedResourceName)."""
    return not is_native(name) and not name.startswith("requests.") and not qualified_errors("requests." + name)


def is_extended_quota(name: str) -> bool:
    """Whether it is the only spelling under which a quota counts an extended resource
    (isExtendedResourceNameForQuota)."""
    return name.startswith("requests.") and (not is_native(name) or name.startswith(IMPLICIT_EXTENDED_QUOTA))


def is_device(name: str) -> bool:
    """Whether a quota charges it with the prefix `requests.` (IsDRAExtendedResourceName)."""
    return is_extended(name) or name.startswith(IMPLICIT_EXTENDED)


def is_integer(name: str) -> bool:
    """Whether its amounts must be integers (IsIntegerResourceName)."""
    return name in INTEGER or is_extended(name)


def is_pod_level(name: str) -> bool:
    """Whether it is allowed at pod level (IsSupportedPodLevelResource, component-helpers/resource/helpers.go)."""
    return name in ("cpu", "memory") or name.startswith("hugepages-")


def may_overcommit(name: str) -> bool:
    """Whether its requests may be lower than its limits (IsOvercommitAllowed)."""
    return is_native(name) and not name.startswith("hugepages-")


def alias(name: str) -> str:
    """The common name of all names with equal charges: `cpu` and `requests.cpu` are both `requests.cpu`."""
    if name.startswith("hugepages-"):
        return "requests." + name
    return ALIASES.get(name, name)


def resource_name_errors(name: str) -> tuple[str, ...]:
    """Why a name is no resource (validateResourceName); empty if it is one."""
    errors = qualified_errors(name)
    if errors:
        return errors
    if "/" not in name and name not in STANDARD and not is_quota_huge_page(name):  # IsStandardResourceName
        return ("must be a standard resource type or fully qualified",)
    return ()


def quota_name_errors(name: str) -> tuple[str, ...]:
    """Why a key of `hard` is refused (ValidateResourceQuotaResourceName); empty if it is accepted."""
    errors = resource_name_errors(name)
    if "/" not in name and not is_standard_quota(name):
        errors += ("must be a standard resource for quota",)
    return errors


def container_name_errors(name: str) -> tuple[str, ...]:
    """Why a container, or a LimitRange for one, must not name this resource (validateContainerResourceName)."""
    errors = resource_name_errors(name)
    if "/" not in name:
        if not is_standard_container(name):
            errors += ("must be a standard resource for containers",)
    elif not is_native(name) and not is_extended(name):
        errors += ("doesn't follow extended resource name standard",)
    return errors
