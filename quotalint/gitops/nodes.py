"""The deployment graph: renderings with their clusters, and the roots that nothing else deploys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quotalint.gitops.rendering import Rendering
from quotalint.named_tuples import NamedTuple
from quotalint.unknowns.unseen import Skipped

if TYPE_CHECKING:
    from quotalint.gitops.deployer import DeployingKind


class Node(NamedTuple):
    """A rendering and its cluster: a folder, a chart, a release, or what an Application applies."""

    rendering: Rendering
    destination: str
    """The cluster; empty: the one to which the root is applied."""
    is_deployed: bool = True
    """Whether another program deploys it; else it is applied by hand with the root."""
    deployer: DeployingKind | None = None
    """The kind of object that deploys it; None if no object does."""


class Root(NamedTuple):
    """A folder that is applied, and everything that its objects deploy."""

    folder: str
    nodes: tuple[Node, ...]
    """Its own objects first, unless it deploys them itself."""
    is_kustomization: bool
    is_stated: bool = False
    """Whether a file for this purpose states that it is applied, such as a helmfile."""
    is_own: bool = False
    """Whether a program applies it that no object in the repository starts, such as Terraform."""

    @property
    def renders_anything(self) -> bool:
        """Whether it renders any object, or may."""
        renderings = (node.rendering for node in self.nodes)
        return any(built.objects or built.problems or built.unseen or built.denied for built in renderings)

    @property
    def deployed_names(self) -> frozenset[str]:
        """The folders and files that its objects deploy."""
        if len(self.nodes) == 1 and not self.nodes[0].is_deployed:  # true of nearly all roots
            return frozenset()
        deployed = (node.rendering for node in self.nodes if node.is_deployed)
        return frozenset(name for rendering in deployed for name in (*rendering.folders, *rendering.files))


class FoundRoots(NamedTuple):
    """The roots that a deployer finds in files."""

    roots: tuple[Root, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    """The files that it would read and that cannot be read."""
    files: frozenset[str] = frozenset()
    """The files that it reads, which are reported with it."""


NO_ROOTS = FoundRoots()
