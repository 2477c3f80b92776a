"""Terraform and OpenTofu: what root modules declare for Kubernetes, and what their plans say.

Nothing is executed, and no state is read. Values that the repository does not state are unknown.
"""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.gitops.deployer import Deployer, Sources
from quotalint.gitops.nodes import NO_ROOTS, FoundRoots, Root


def _find_roots(sources: Sources, _: Sequence[Root]) -> FoundRoots:
    names = [name for name, words in sources.templates.items() if words.terraform]
    if not names:
        return NO_ROOTS
    from quotalint.gitops.terraform.root_modules import find_root_modules

    return find_root_modules(sources, names)


TERRAFORM = Deployer("Terraform", find_roots=_find_roots)
