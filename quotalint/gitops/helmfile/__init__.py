"""Reads what helmfile installs, without running helmfile (helmfile 1.x, and common syntax of 0.x).

Nothing is executed: if a template needs a program, a secret or a file outside the repository, its releases are unknown.
"""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.gitops.deployer import Deployer, Sources
from quotalint.gitops.nodes import FoundRoots, Root


class HelmfileError(Exception):
    """helmfile refuses a file, or its result is unknown. The message follows the file's name."""


def _find_roots(sources: Sources, _: Sequence[Root]) -> FoundRoots:
    from quotalint.gitops.helmfile.found_helmfiles import find_helmfiles

    return find_helmfiles(sources)


HELMFILE = Deployer("helmfile", file_names=("helmfile.y",), find_roots=_find_roots)
