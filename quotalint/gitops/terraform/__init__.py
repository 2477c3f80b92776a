"""Terraform and OpenTofu: what root modules declare for Kubernetes, and what their plans say.

Nothing is executed, and no state is read. Values that the repository does not state are unknown.
"""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.gitops.deployer import Deployer, Sources
from quotalint.gitops.nodes import NO_ROOTS, FoundRoots, Root
from quotalint.kube.fields import mapping
from quotalint.text.reading import File


def _find_roots(sources: Sources, _: Sequence[Root]) -> FoundRoots:
    names = [name for name, words in sources.templates.items() if words.terraform]
    plans = [file for file in sources.files if _may_be_plan(file)]
    if not names and not plans:
        return NO_ROOTS
    from quotalint.gitops.terraform.root_modules import find_root_modules, root_of_plan

    found = find_root_modules(sources, names) if names else NO_ROOTS
    of_plans = tuple(root_of_plan(file.source.name, file.reading) for file in plans)
    folders = {root.folder for root in of_plans}
    return found._replace(roots=(*(root for root in found.roots if root.folder not in folders), *of_plans))


def _may_be_plan(file: File) -> bool:
    """Whether a file may be what `terraform show -json` prints."""
    if file.source.path and not file.source.name.endswith(".json"):
        return False
    return any("format_version" in mapping(document.value) for document in file.reading.documents)


TERRAFORM = Deployer("Terraform", find_roots=_find_roots)
