"""Deployers that are not followed: what their objects deploy is unknown.

The list is open-ended. An object of a kind that is missing here counts as a plain object.
"""

from __future__ import annotations

from quotalint.gitops.deployer import OWN_NAMESPACE, Deployer, DeployingKind, Field


def _unfollowed(group: str, kind: str, *namespaces: Field) -> DeployingKind:
    return DeployingKind(group, kind, namespaces=namespaces, deploys_folders=False)


def _elsewhere(group: str, kind: str) -> DeployingKind:
    return DeployingKind(group, kind, chooses_clusters=True, deploys_folders=False)


_TARGET = ("spec", "targetNamespace")
_OF_PROVIDER = ("spec", "forProvider", "namespace")
_OF_MANIFEST = ("spec", "forProvider", "manifest", "metadata", "namespace")

OTHER_DEPLOYERS = (
    Deployer(
        "Cluster API",
        (
            _elsewhere("addons.cluster.x-k8s.io", "ClusterResourceSet"),
            _elsewhere("addons.cluster.x-k8s.io", "HelmChartProxy"),
        ),
    ),
    Deployer(
        "Crossplane",
        (
            _unfollowed("helm.crossplane.io", "Release", _OF_PROVIDER),
            _unfollowed("helm.m.crossplane.io", "Release", _OF_PROVIDER),
            _unfollowed("kubernetes.crossplane.io", "Object", _OF_MANIFEST),
            _unfollowed("kubernetes.m.crossplane.io", "Object", _OF_MANIFEST),
        ),
    ),
    Deployer("EKS Anywhere", (_unfollowed("packages.eks.amazonaws.com", "Package", _TARGET, OWN_NAMESPACE),)),
    Deployer("Helm Operator", (_unfollowed("helm.fluxcd.io", "HelmRelease", _TARGET, OWN_NAMESPACE),)),
    Deployer("K3s", (_unfollowed("helm.cattle.io", "HelmChart", _TARGET, OWN_NAMESPACE),)),
    Deployer(
        "kapp-controller",
        (
            _unfollowed("kappctrl.k14s.io", "App", OWN_NAMESPACE),
            _unfollowed("packaging.carvel.dev", "PackageInstall", OWN_NAMESPACE),
        ),
    ),
    Deployer("kluctl", (_unfollowed("gitops.kluctl.io", "KluctlDeployment"),)),
    Deployer(
        "Kubermatic",
        (_unfollowed("apps.kubermatic.k8c.io", "ApplicationInstallation", ("spec", "namespace", "name")),),
    ),
    Deployer("KubeVela", (_unfollowed("core.oam.dev", "Application", OWN_NAMESPACE),)),
    # A hub deploys to clusters that placements choose.
    Deployer(
        "Open Cluster Management",
        (
            _unfollowed("apps.open-cluster-management.io", "Subscription", OWN_NAMESPACE),
            _elsewhere("work.open-cluster-management.io", "ManifestWork"),
            _elsewhere("work.open-cluster-management.io", "ManifestWorkReplicaSet"),
        ),
    ),
    Deployer(
        "Operator Lifecycle Manager",
        (_unfollowed("olm.operatorframework.io", "ClusterExtension", ("spec", "namespace")),),
    ),
    Deployer(
        "Sveltos",
        (
            _elsewhere("config.projectsveltos.io", "ClusterProfile"),
            _elsewhere("config.projectsveltos.io", "Profile"),
        ),
    ),
    Deployer("Tanka", (_unfollowed("tanka.dev", "Environment", ("spec", "namespace")),)),
)
