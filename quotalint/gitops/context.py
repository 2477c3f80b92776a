"""What an object that deploys others may refer to."""

from __future__ import annotations

from collections.abc import Callable

from quotalint.gitops.charts import Charts
from quotalint.gitops.kustomize.problems import MISSING, Problem
from quotalint.gitops.origins import Above
from quotalint.gitops.rendering import Rendering, Unseen
from quotalint.gitops.tree import join_path, relative_path
from quotalint.gitops.units import Units
from quotalint.gitops.unseen_causes import cause_of, with_place
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.settings import ConfiguredCluster


class Context(NamedTuple):
    """The repository, as one that deploys from it sees it."""

    units: Units
    charts: Charts
    top: str
    """The name of the repository's root folder."""
    find: Callable[[Object, str, str, str], Object | None]
    """(who asks, kind, namespace, name) → an object of the repository."""
    nearest: Callable[[Object, str], list[Object]]
    """(who asks, kind) → the objects of a kind in the repository, the nearest in the folders first."""
    is_here: Callable[[str], bool]
    """Whether a URL is that of this repository."""
    clusters: tuple[ConfiguredCluster, ...] = ()
    """The clusters that the configuration names."""
    vendored: Callable[[str], str | None] = lambda _: None
    """(URL) → the folder that the configuration says stands for it."""
    above: Above = Above()
    """Where the object that deploys was taken from itself."""


def at_home(path: str, obj: Object, context: Context) -> str:
    """The name of what an object calls by its path from the root of the repository.

    The object may stand in a copy of a repository that is a folder of this one: of the folders around it, the
    outermost counts in which there is such a path.
    """
    path = path.lstrip("/") or "."
    whole = join_path(context.top, path)
    if context.units.tree.is_folder(whole) or context.units.tree.is_file(whole):
        return context.units.tree.canonical_name(whole)
    parts = relative_path(obj.place.file, context.top).split("/")
    for number in range(1, len(parts)):
        name = join_path(context.top, "/".join((*parts[:number], path)))
        if context.units.tree.is_folder(name) or context.units.tree.is_file(name):
            return context.units.tree.canonical_name(name)
    return whole


def not_in_view(obj: Object, why: str, namespace: str) -> Rendering:
    """What an object deploys and is not in view, with the reason as a clause. An empty namespace, or one that is a
    placeholder, may be any."""
    target = "" if is_placeholder(namespace) else namespace
    subject = f"{obj.kind} {obj.name}"
    reason = f"{subject} is not rendered: {why}"
    problem = Problem(obj.place, reason, MISSING, namespace=target, shared=cause_of(why), subject=subject)
    return Rendering(problems=(problem,), unseen=(Unseen(target, with_place(obj.place.file, reason, problem.shared)),))
