"""What somebody applies by hand, with `kubectl apply` or `helm install`, because no program in the repository does."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.gitops.deployer import Deployer, Sources
from quotalint.gitops.nodes import FoundRoots, Root


def _find_roots(sources: Sources, _: Sequence[Root]) -> FoundRoots:
    from quotalint.gitops.by_hand.roots import find_folder_roots

    return find_folder_roots(sources)


BY_HAND = Deployer("by hand", file_names=("kustomization", "Kustomization"), find_roots=_find_roots)
