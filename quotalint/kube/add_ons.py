"""Kinds of well-known add-ons that live in no namespace, so that nobody guesses one where their definition is not in
view."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "apiextensions.crossplane.io": "CompositeResourceDefinition Composition CompositionRevision EnvironmentConfig",
        "aquasecurity.github.io": "ClusterComplianceReport ClusterConfigAuditReport ClusterRbacAssessmentReport",
        "argoproj.io": "ClusterAnalysisTemplate ClusterWorkflowTemplate",
        "capsule.clastix.io": "CapsuleConfiguration GlobalTenantResource Tenant",
        "cert-manager.io": "ClusterIssuer",
        "cilium.io": "CiliumCIDRGroup CiliumClusterwideEnvoyConfig CiliumClusterwideNetworkPolicy "
        "CiliumLoadBalancerIPPool CiliumL2AnnouncementPolicy CiliumBGPClusterConfig CiliumBGPPeeringPolicy CiliumNode",
        "cluster.open-cluster-management.io": "ManagedCluster ManagedClusterSet",
        "config.openshift.io": "APIServer Authentication Build ClusterOperator ClusterVersion Console DNS FeatureGate "
        "Image ImageContentPolicy ImageDigestMirrorSet ImageTagMirrorSet Infrastructure Ingress Network Node OAuth "
        "OperatorHub Project Proxy Scheduler",
        "console.openshift.io": "ConsoleCLIDownload ConsoleExternalLogLink ConsoleLink ConsoleNotification "
        "ConsolePlugin ConsoleQuickStart ConsoleSample ConsoleYAMLSample",
        "crd.projectcalico.org": "BGPConfiguration BGPPeer ClusterInformation FelixConfiguration GlobalNetworkPolicy "
        "GlobalNetworkSet HostEndpoint IPPool",
        "external-secrets.io": "ClusterExternalSecret ClusterPushSecret ClusterSecretStore",
        "gateway.networking.k8s.io": "GatewayClass",
        "generators.external-secrets.io": "ClusterGenerator",
        "imageregistry.operator.openshift.io": "Config ImagePruner",
        "karpenter.azure.com": "AKSNodeClass",
        "karpenter.k8s.aws": "EC2NodeClass",
        "karpenter.sh": "NodeClaim NodePool NodeOverlay",
        "keda.sh": "ClusterTriggerAuthentication",
        "kro.run": "ResourceGraphDefinition",
        "kueue.x-k8s.io": "AdmissionCheck ClusterQueue Cohort MultiKueueCluster MultiKueueConfig "
        "ProvisioningRequestConfig ResourceFlavor Topology WorkloadPriorityClass",
        "kyverno.io": "ClusterCleanupPolicy ClusterPolicy GlobalContextEntry",
        "machineconfiguration.openshift.io": "ContainerRuntimeConfig ControllerConfig KubeletConfig MachineConfig "
        "MachineConfigPool",
        "mutations.gatekeeper.sh": "Assign AssignImage AssignMetadata ModifySet",
        "nfd.k8s-sigs.io": "NodeFeatureRule",
        "nvidia.com": "ClusterPolicy NVIDIADriver",
        "oauth.openshift.io": "OAuthClient",
        "olm.operatorframework.io": "ClusterCatalog ClusterExtension",
        "operator.tigera.io": "APIServer Goldmane ImageSet Installation TigeraStatus Whisker",
        "pkg.crossplane.io": "Configuration DeploymentRuntimeConfig Function Provider",
        "projectcalico.org": "BGPConfiguration BGPPeer FelixConfiguration GlobalNetworkPolicy GlobalNetworkSet "
        "HostEndpoint IPPool",
        "redhatcop.redhat.io": "GroupConfig NamespaceConfig UserConfig",
        "scheduling.volcano.sh": "Queue",
        "snapshot.storage.k8s.io": "VolumeSnapshotClass VolumeSnapshotContent",
        "tekton.dev": "ClusterTask",
        "templates.gatekeeper.sh": "ConstraintTemplate",
        "triggers.tekton.dev": "ClusterInterceptor ClusterTriggerBinding",
        "trust.cert-manager.io": "Bundle",
        "user.openshift.io": "Group Identity User UserIdentityMapping",
        "wgpolicyk8s.io": "ClusterPolicyReport",
    }
)
CLUSTER_SCOPED: frozenset[tuple[str, str]] = frozenset(
    (group, kind) for group, kinds in _KINDS.items() for kind in kinds.split()
)
"""(group, kind). Sources: `scope: Cluster` in the CustomResourceDefinitions that these projects publish."""
EVERY_KIND: frozenset[str] = frozenset({"constraints.gatekeeper.sh"})
"""Groups of which no kind lives in a namespace: Gatekeeper makes one of each ConstraintTemplate."""
