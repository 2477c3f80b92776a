"""The kinds that a cluster serves, as far as they are known: built-in ones and those that the repository defines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from quotalint.kube import kinds
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.kinds import Kind
from quotalint.kube.objects import Object
from quotalint.kube.releases import release
from quotalint.named_tuples import NamedTuple

# Cluster-scoped kinds of well-known add-ons, so that no namespace is guessed if their definition is unknown.
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
        "operator.autoscaling.openshift.io": "ClusterResourceOverride",
        "operator.tigera.io": "APIServer Goldmane ImageSet Installation TigeraStatus Whisker",
        "pkg.crossplane.io": "Configuration DeploymentRuntimeConfig Function Provider",
        "policies.kyverno.io": "DeletingPolicy GeneratingPolicy ImageValidatingPolicy MutatingPolicy ValidatingPolicy",
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
"""(group, kind). Source: `scope: Cluster` in the CustomResourceDefinitions of these projects."""
EVERY_KIND: frozenset[str] = frozenset({"constraints.gatekeeper.sh"})
"""Groups with only cluster-scoped kinds: Gatekeeper creates a kind for each ConstraintTemplate."""


KNOWN, MISSING, UNKNOWN = "known", "missing", "unknown"


class Discovery(NamedTuple):
    """The kinds of one cluster."""

    by_kind: Mapping[tuple[str, str], Kind]
    """The custom kinds, by group and kind."""
    by_plural: Mapping[tuple[str, str], Kind]
    groups: frozenset[str]
    """The groups of custom kinds that are applied here."""
    kube_version: str


def discover_kinds(objects: Iterable[Object], kube_version: str, unapplied: Iterable[Object] = ()) -> Discovery:
    """The kinds that these objects define, in a cluster of this release.

    Definitions that nothing here applies may be applied elsewhere: their kinds count as known too. But they do not
    prove that other kinds of their group are missing.
    """
    applied = tuple(_defined_kinds(objects))
    known_kinds = (*_defined_kinds(unapplied), *applied)
    return Discovery(
        {(kind.group, kind.kind): kind for kind in known_kinds},
        {(kind.group, kind.plural): kind for kind in known_kinds},
        frozenset(kind.group for kind in applied),
        kube_version,
    )


def _defined_kinds(objects: Iterable[Object]) -> Iterator[Kind]:
    for obj in objects:
        if (obj.group, obj.kind) != ("apiextensions.k8s.io", "CustomResourceDefinition"):
            continue
        names = mapping(obj.spec.get("names"))
        group, kind, plural = text(obj.spec.get("group")), text(names.get("kind")), text(names.get("plural"))
        if group and kind and plural:
            others = (text(names.get("singular")), *map(text, sequence(names.get("shortNames"))))
            is_namespaced = dig(obj.spec, "scope") != "Cluster"
            yield Kind(group, kind, plural, is_namespaced, other_names=" ".join(filter(None, others)).lower())


def kind_of(discovery: Discovery, group: str, kind: str) -> Kind | None:
    """The kind of an object; None if its definition is unknown."""
    return kinds.by_kind(group, kind) or discovery.by_kind.get((group, kind))


def count_name(discovery: Discovery, group: str, kind: str) -> str | None:
    """The name under which objects of a kind are counted, guessed if the definition is unknown; None for kinds that
    quotas do not count."""
    known_kind = kind_of(discovery, group, kind)
    plural = guessed_plural(kind) if known_kind is None else known_kind.plural
    resource = f"{plural}.{group}" if group else plural
    if known_kind is not None and (not known_kind.namespaced or resource in kinds.VIRTUAL):
        return None
    return f"count/{resource}"


def is_cluster_scoped(discovery: Discovery, group: str, kind: str) -> bool:
    """Whether objects of the kind are known to be cluster-scoped."""
    known_kind = kind_of(discovery, group, kind)
    if known_kind is not None:
        return not known_kind.namespaced
    return (group, kind) in kinds.CLUSTER_SCOPED or (group, kind) in CLUSTER_SCOPED or group in EVERY_KIND


def is_scope_known(discovery: Discovery, group: str, kind: str) -> bool:
    """Whether the scope of a kind is known; kinds of unknown scope are treated as namespaced."""
    well_known = any((group, kind) == (openshift_kind.group, openshift_kind.kind) for openshift_kind in kinds.OPENSHIFT)
    return well_known or kind_of(discovery, group, kind) is not None or is_cluster_scoped(discovery, group, kind)


def resolve(discovery: Discovery, name: str) -> str:
    """KNOWN, MISSING or UNKNOWN for the part of a `hard` key after `count/`.

    UNKNOWN is a group that neither Kubernetes nor the repository defines; the cluster may have it. But no cluster has
    the singular of a well-known resource.
    """
    if name in kinds.VIRTUAL:
        return MISSING
    plural, _, group = name.partition(".")
    kind = kinds.by_plural(group, plural)
    if kind is not None:
        return KNOWN if kind.namespaced and _is_served(kind, discovery) else MISSING
    if group in discovery.groups:
        custom = discovery.by_plural.get((group, plural))
        return KNOWN if custom is not None and custom.namespaced else MISSING
    # apiextensions-apiserver/pkg/apis/apiextensions/validation: a group of one word is refused, "should be a domain
    # with at least one dot".
    is_versioned = kinds.by_plural(kinds.without_version(group), plural) is not None
    if group in kinds.builtin_groups() or (group, plural) in kinds.GONE or "." not in group or is_versioned:
        return MISSING
    if name != name.lower():  # names of resources have no capitals
        return MISSING
    from quotalint.kube.custom_resources import meant_plural

    return MISSING if meant_plural(group, plural) else UNKNOWN


def is_unserved(discovery: Discovery, name: str) -> bool:
    """Whether the part of a `hard` key after `count/` is a built-in namespaced kind that this release does not serve by
    default."""
    plural, _, group = name.partition(".")
    kind = kinds.by_plural(group, plural)
    return kind is not None and kind.namespaced and not _is_served(kind, discovery)


def _is_served(kind: Kind, discovery: Discovery) -> bool:
    return kind.served and release(discovery.kube_version).has(kind.since, kind.until)


def guessed_plural(kind: str) -> str:
    """The guessed plural of a kind without a known definition (apimachinery/pkg/api/meta/restmapper.go,
    UnsafeGuessKindToResource)."""
    singular = kind.lower()
    if singular.endswith("s"):
        return singular + "es"
    return singular[:-1] + "ies" if singular.endswith("y") else singular + "s"
