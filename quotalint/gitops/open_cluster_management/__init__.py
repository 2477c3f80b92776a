"""Open Cluster Management. What its objects apply is not followed: a hub deploys to clusters that placements choose."""

from __future__ import annotations

from quotalint.gitops.deployer import OWN_NAMESPACE, Deployer, DeployingKind

_WORK = "work.open-cluster-management.io"

OPEN_CLUSTER_MANAGEMENT = Deployer(
    "Open Cluster Management",
    (
        DeployingKind(
            "apps.open-cluster-management.io", "Subscription", namespaces=(OWN_NAMESPACE,), deploys_folders=False
        ),
        DeployingKind(_WORK, "ManifestWork", chooses_clusters=True, deploys_folders=False),
        DeployingKind(_WORK, "ManifestWorkReplicaSet", chooses_clusters=True, deploys_folders=False),
    ),
)
