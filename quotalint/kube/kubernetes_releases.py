"""Which releases of Kubernetes are known, and what came with which: written by .ci/make-releases out of
kube/kubernetes.json, not by hand."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

VERSIONS = ("1.28", "1.29", "1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37")
"""The supported releases, the oldest first."""

DEFAULT = "1.36"
"""The newest release whose source was read in full and whose API server was compared."""

SINCE: Mapping[str, str] = MappingProxyType(
    {
        # pkg/features/kube_features.go, SidecarContainers: alpha and off in 1.28, beta and on in 1.29, stable in
        # 1.33.
        "sidecars": "1.29",
        # core/v1/types.go, ResourceClaimsPerClass; pkg/quota/v1/evaluator/core/resource_claims.go: both new in 1.31.
        # DynamicResourceAllocation is off by default until 1.34, but then there are no claims to count either.
        "device_quota": "1.31",
        # kube_features.go, JobManagedBy: alpha and off in 1.30, beta and on in 1.32, stable in 1.35;
        # pkg/registry/batch/job/strategy.go (PrepareForCreate) drops the field without it.
        "managed_jobs": "1.32",
        # apiserver, pkg/admission/config.go and pkg/admission/plugin/resourcequota/config.go: serializer.EnableStrict
        # is new in 1.32 in both.
        "strict_configurations": "1.32",
        # kube_features.go, InPlacePodVerticalScaling: alpha and off in 1.27, beta and on in 1.33, stable in 1.35;
        # pkg/api/pod/util.go drops `resizePolicy` without it.
        "in_place_resize": "1.33",
        # core/v1/types.go, ResourceQuotaScopeVolumeAttributesClass: new in 1.33; kube_features.go,
        # VolumeAttributesClass: off by default until it is stable in 1.34. IsStandardResourceQuotaScope asks the
        # gate.
        "volume_attributes_class_scope": "1.34",
        # kube_features.go, PodLevelResources: alpha and off in 1.32, beta and on in 1.34. Huge pages are among them
        # in all of these (component-helpers/resource/helpers.go, IsSupportedPodLevelResource, since 1.33).
        "pod_level_resources": "1.34",
        # kube_features.go, DynamicResourceAllocation: off until 1.33, on in 1.34;
        # dropDisabledDynamicResourceAllocationFields in pkg/api/pod/util.go drops `resourceClaims` and `claims`
        # without it.
        "resource_claims": "1.34",
        # pkg/apis/apps/validation/validation.go, ValidatePodTemplateSpecForStatefulSet: validates the pod template of
        # a new StatefulSet since 1.34 (kubernetes/kubernetes#131790).
        "stateful_set_templates": "1.34",
        # kube_features.go, ContainerRestartRules: alpha and off in 1.34, beta and on in 1.35; pkg/api/pod/util.go
        # (dropContainerRestartRules) drops the field without it. Until 1.33 validateContainers refuses it.
        "container_restart_policies": "1.34",
        # core/v1/types.go, ResourceImplicitExtendedClaimsPerClass: new in 1.35; pods.go,
        # isExtendedResourceNameForQuota and podComputeUsageHelper, which ask no gate.
        "implicit_extended_resources": "1.35",
        # kube_features.go, DRAExtendedResource: alpha and off in 1.34, beta and on in 1.36, stable in 1.37;
        # resource_claims.go asks it.
        "extended_resource_claims": "1.36",
    }
)
"""The first release with each feature of `kube/releases.py`."""
