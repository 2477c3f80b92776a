"""What a deployer is: a program, or a person, that applies what a repository holds to clusters.

Each deployer has a folder in `gitops/`. Its `__init__.py` describes the deployer: the kinds of objects that tell it
what to apply, how to render what they deploy, and the files that it reads without such an object. `deployers.py` lists
all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from quotalint.gitops.origins import Above, RepositoryOrigin
from quotalint.gitops.rendering import Rendering
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import dig, lacks, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import Memory
from quotalint.settings import ConfiguredCluster, Settings
from quotalint.text.tree import join_path, relative_path
from quotalint.unknowns.causes import cause_of
from quotalint.unknowns.problems import MISSING, Problem

if TYPE_CHECKING:
    from quotalint.gitops.charts import Charts
    from quotalint.gitops.folders import Folders
    from quotalint.gitops.layout import Layout
    from quotalint.gitops.nodes import FoundRoots, Node, Root
    from quotalint.text.reading import File
    from quotalint.text.template_words import TemplateWords

Field = tuple[str, ...]
"""The keys that lead to a field of an object."""

OWN_NAMESPACE: Field = ("metadata", "namespace")

ONLY_FILES, EVERYTHING = "files", "everything"
"""What a deployer reads of the folders below one that it deploys: only files of plain manifests, or everything."""


class DeployingKind(NamedTuple):
    """A kind of object that tells a deployer what to apply."""

    group: str
    kind: str
    render: Callable[[Object, Context], Sequence[Rendering]] | None = None
    """Renders what an object of this kind deploys; None: it is not followed, so what it deploys is unknown."""
    needs: tuple[Field, ...] = ()
    """An object needs at least one of these fields. Without any it is a patch, which deploys nothing."""
    needs_called: str = "source"
    """What these fields state, in a word."""
    folder: Field = ()
    """The field with the repository's folder that it deploys; empty if no single field states it."""
    namespaces: tuple[Field, ...] = ()
    """If it is not followed: the fields that may state its target namespace, the most decisive first."""
    chooses_clusters: bool = False
    """If it is not followed: whether it deploys to clusters that it chooses, and nothing to its own."""
    deploys_folders: bool = True
    """Whether it deploys folders of this repository, so that it shows which folders are applied."""
    lists_folders: bool = False
    """Whether it generates the list of folders, so that its failing hides some of them."""
    needs_others: str = ""
    """The kind, if in use, that applies objects of this kind; without it they are applied by hand."""
    reads_below: str = ""
    """What it reads of the folders below one that it deploys: ONLY_FILES or EVERYTHING; empty: unknown."""
    applies_as_written: bool = False
    """Whether it applies files as they are written, without rendering templates first."""

    def is_whole(self, obj: Object) -> bool:
        """Whether an object has a field that states what to deploy."""
        return not self.needs or not all(lacks(obj.body, field) for field in self.needs)


class Deployer(NamedTuple):
    """A program, or a person, that applies what a repository holds."""

    name: str
    kinds: tuple[DeployingKind, ...] = ()
    file_names: tuple[str, ...] = ()
    """How the names of the files begin that it reads without an object."""
    find_roots: Callable[[Sources, Sequence[Root]], FoundRoots] | None = None
    """find_roots(sources, roots of deployers that are listed before): what such files deploy; None: it reads none."""
    sources_named: Callable[[Object], Iterable[RepositoryOrigin]] | None = None
    """The repositories and revisions that an object of this deployer names as sources."""


class Sources(NamedTuple):
    """The read repository, for deployers that read files of their own."""

    files: tuple[File, ...]
    layout: Layout
    chart_folders: Sequence[str]
    folders: Folders
    charts: Charts
    settings: Settings
    follow: Callable[[Rendering], tuple[Node, ...]]
    """The nodes of a rendering: itself, and everything that its objects deploy."""
    deployed_charts: Callable[[], frozenset[str]]
    """The folders of the charts that something deploys, rendered or not, as far as is known so far."""
    limited: frozenset[str] = frozenset()
    """The namespaces with a quota in snapshots."""
    templates: Mapping[str, TemplateWords] = {}
    """The words of files in other languages, by name, if they write anything of interest."""
    templates_found: Sequence[str] = ()
    """The names of all such files."""

    @property
    def templated(self) -> frozenset[str]:
        """The files that are not YAML until they are rendered."""
        return frozenset(file.source.name for file in self.files if file.templated and file.reading.failures)


class Context(NamedTuple):
    """The repository, as seen by an object that deploys from it."""

    folders: Folders
    charts: Charts
    top: str
    """The repository's root folder."""
    find: Callable[[Object, str, str, str], Object | None]
    """find(asking object, kind, namespace, name): an object of the repository."""
    nearest: Callable[[Object, str, Callable[[Object], bool]], Sequence[Object]]
    """nearest(asking object, kind, predicate): the objects of a kind, nearest folders first. The predicate is a
    module-level function, because it is a cache key."""
    once: Memory
    """Caches results by the identity of their inputs."""
    is_here: Callable[[str], bool]
    """Whether a URL is that of this repository."""
    clusters: tuple[ConfiguredCluster, ...] = ()
    """The clusters in the settings."""
    vendored: Callable[[str], str | None] = lambda _: None
    """The folder that replaces a URL in the settings; None if there is none."""
    above: Above = Above()
    """The source from which the deploying object itself was taken."""


def locate_path(path: str, obj: Object, context: Context) -> str:
    """The name in the tree of a path relative to the repository root of an object.

    The object may be in a copy of another repository, stored in a folder of this one. Of the folders above it, the
    outermost that contains the path is used.
    """
    tree = context.folders.tree
    path = path.lstrip("/") or "."
    whole = join_path(context.top, path)
    if tree.is_folder(whole) or tree.is_file(whole):
        return tree.canonical_name(whole)
    segments = relative_path(obj.place.file, context.top).split("/")
    for number in range(1, len(segments)):
        name = join_path(context.top, "/".join((*segments[:number], path)))
        if tree.is_folder(name) or tree.is_file(name):
            return tree.canonical_name(name)
    return whole


def not_in_view(obj: Object, why: str, namespace: str) -> Rendering:
    """The rendering of an object whose content is not in view, with the reason as a clause. An empty or placeholder
    namespace means any."""
    target = "" if is_placeholder(namespace) else namespace
    subject = f"{obj.kind} {obj.name}"
    reason = f"{subject} is not rendered: {why}"
    problem = Problem(obj.place, reason, MISSING, namespace=target, shared=cause_of(why), subject=subject)
    return Rendering().lacking(problem)


def stated_namespace(obj: Object, fields: Iterable[Field]) -> str:
    """The first namespace that one of these fields states; empty if none does."""
    namespaces = (obj.namespace if field == OWN_NAMESPACE else text(dig(obj.body, *field)) for field in fields)
    return next(filter(None, namespaces), "")
