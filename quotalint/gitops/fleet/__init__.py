"""Rancher's Fleet: bundles below the paths of GitRepos, and folders with a `fleet.yaml` that no GitRepo names."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.gitops.deployer import Context, Deployer, DeployingKind, Sources
from quotalint.gitops.nodes import NO_ROOTS, FoundRoots, Root
from quotalint.gitops.rendering import Rendering
from quotalint.kube.objects import Object

BUNDLE_FILES = ("fleet.yaml", "fleet.yml")
_DEFAULT = ("spec", "defaultNamespace")


def _render_git_repo(obj: Object, context: Context) -> tuple[Rendering, ...]:
    from quotalint.gitops.fleet.bundles import git_repo

    return git_repo(obj, context)


def _find_roots(sources: Sources, roots: Sequence[Root]) -> FoundRoots:
    names = [name for name in sources.folders.tree.given_names if name.endswith(BUNDLE_FILES)]
    if not names:
        return NO_ROOTS
    from quotalint.gitops.fleet.bundles import undeployed_bundles

    return FoundRoots(tuple(undeployed_bundles(names, roots, sources.folders)))


FLEET = Deployer(
    "Fleet",
    (
        DeployingKind("fleet.cattle.io", "GitRepo", _render_git_repo),
        DeployingKind(
            "fleet.cattle.io",
            "Bundle",
            namespaces=(("spec", "namespace"), ("spec", "targetNamespace"), _DEFAULT),
            deploys_folders=False,
        ),
        DeployingKind("fleet.cattle.io", "HelmOp", namespaces=(("spec", "namespace"), _DEFAULT), deploys_folders=False),
    ),
    file_names=("fleet.y",),
    find_roots=_find_roots,
)
