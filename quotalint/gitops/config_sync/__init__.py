"""Google's Config Sync. What a RootSync or RepoSync applies is not followed.

`kube/config_sync.py` knows its annotations that select clusters and namespaces.
"""

from __future__ import annotations

from quotalint.gitops.deployer import OWN_NAMESPACE, Deployer, DeployingKind

CONFIG_SYNC = Deployer(
    "Config Sync",
    (
        DeployingKind("configsync.gke.io", "RepoSync", namespaces=(OWN_NAMESPACE,), deploys_folders=False),
        DeployingKind("configsync.gke.io", "RootSync", deploys_folders=False),
    ),
)
