"""Files and objects that are not counted: unreadable files, which may affect sums, and fragments of objects. A fragment
is for example a patch without reference, which the API server would refuse."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from quotalint.gitops.deployers import DEPLOYING_KINDS
from quotalint.gitops.layout import Layout
from quotalint.gitops.nodes import Root
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, dig, lacks
from quotalint.kube.objects import Object, objects
from quotalint.kube.pod_specs import OF_TEMPLATE, POD_SPECS
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import recalled_each
from quotalint.text.documents import Reading
from quotalint.text.place import Place
from quotalint.text.reading import File, is_sops, sops_kinds
from quotalint.text.sources import Unreadable
from quotalint.text.tree import KUSTOMIZATION_NAMES
from quotalint.unknowns.unseen import TEMPLATE, Skipped, Unseen


def unread_files(
    files: Iterable[File], repository_layout: Layout, reported_files: Set[str], roots: Iterable[Root]
) -> Iterator[Skipped]:
    """Skipped entries for unparsable files that do not claim to be manifests and are not reported otherwise."""
    named_files = repository_layout.kustomized | reported_files | repository_layout.deployed_unread
    unlisted = {*repository_layout.unlisted}
    unread = [
        file
        for file in files
        if file.reading.failures and not file.source.explicit and file.source.name not in named_files
        if file.source.name not in unlisted
    ]
    if not unread:
        return
    nearby = nearby_namespaces([file.source.name for file in unread if file.encrypted], roots)
    for file in unread:
        if file.encrypted:
            program = "SOPS" if is_sops(file.reading) else "git-crypt"
            name, kinds = file.source.name, sops_kinds(file.reading)
            yield Skipped(name, f"encrypted with {program}", namespaces=nearby[name], kinds=kinds)
        elif file.templated:
            yield Skipped(file.source.name, "a template, not a manifest", TEMPLATE)
        elif not file.claims:
            yield Skipped(file.source.name, "not readable as YAML, and does not claim to be a manifest")


def unlisted_files(repository_layout: Layout, readings: Mapping[str, Reading]) -> Iterator[Skipped]:
    """Skipped entries for manifests that their folder's kustomization does not list. If that cannot be read, such as a
    template, the list is unknown."""
    for name in repository_layout.unlisted:
        kustomization = repository_layout.kustomizations.get(posixpath.dirname(name))
        is_unread = kustomization is not None and readings[kustomization.name].failures
        yield Skipped(name, f"the kustomization of its folder {'cannot be read' if is_unread else 'does not list it'}")


def update_layout(repository_layout: Layout, files: Iterable[File], roots: Sequence[Root]) -> Layout:
    """The layout after it is known what is deployed. Unlisted files that something else deploys are no longer unlisted,
    and unreadable templates deployed as they are become known.

    Broken manifests among the unlisted files are not applied, but are reported as broken.
    """
    nodes = [node for root in roots for node in root.nodes]
    deployed_files = {name for node in nodes if node.is_deployed for name in node.rendering.files}
    unlisted = [name for name in repository_layout.unlisted if name not in deployed_files]
    not_listed = frozenset(unlisted)
    broken = frozenset(
        file.source.name
        for file in files
        if file.reading.failures and file.claims and not file.templated and not file.encrypted
        if file.source.name in not_listed
    )
    repository_layout = repository_layout._replace(
        unlisted=tuple(name for name in unlisted if name not in broken), idle=repository_layout.idle | broken
    )
    unread = {
        name
        for file in files
        if file.reading.failures and file.claims and file.templated and not file.encrypted
        if (name := file.source.name) in repository_layout.plain.get(posixpath.dirname(name), ())
    }
    if not unread:
        return repository_layout
    as_written = (node for node in nodes if node.deployer is not None and node.deployer.applies_as_written)
    return repository_layout._replace(
        deployed_unread=frozenset(name for node in as_written for name in node.rendering.files & unread)
    )


def links_to_data(unreadable: Iterable[Unreadable], files: Iterable[File]) -> tuple[Unreadable, ...]:
    """Broken links named like JSON in folders without manifests. Programs write such links to their latest results, and
    they are ignored."""
    links = tuple(broken for broken in unreadable if broken.is_link and broken.name.lower().endswith(".json"))
    if not links:
        return ()
    manifests = (file for file in files if (file.reading.failures and file.claims) or holds_objects(file))
    manifest_folders = {posixpath.dirname(manifest.source.name) for manifest in manifests}
    return tuple(link for link in links if posixpath.dirname(link.name) not in manifest_folders)


def with_broken_manifests(files: tuple[File, ...]) -> tuple[File, ...]:
    """The files. An unreadable file in a folder with only manifests counts as a broken manifest, because it would be
    applied. In folders with a kustomization that decides."""
    doubtful = {file.source.name for file in files if file.reading.failures and _may_be_broken(file)}
    if not doubtful:
        return files
    neighbours: dict[str, list[File]] = {posixpath.dirname(name): [] for name in doubtful}
    for file in files:
        folder = posixpath.dirname(file.source.name)
        if folder in neighbours and _is_yaml(file) and file.source.name not in doubtful:
            neighbours[folder].append(file)
    of_manifests = {
        folder for folder, others in neighbours.items() if len(others) >= _FEW and all(map(_is_object, others))
    }
    broken = {name for name in doubtful if posixpath.dirname(name) in of_manifests}
    return tuple(file._replace(claims=True) if file.source.name in broken else file for file in files)


_FEW = 2  # a folder with fewer manifests is no folder of manifests


def _is_yaml(file: File) -> bool:
    name = posixpath.basename(file.source.name)
    return name.lower().endswith((".yaml", ".yml")) or name in KUSTOMIZATION_NAMES


def _may_be_broken(file: File) -> bool:
    """Whether the purpose of an unreadable file is unknown. A file that fails at its first byte is no text."""
    if not _is_yaml(file) or file.claims or file.templated or file.encrypted:
        return False
    first = file.reading.failures[0]
    return (first.line, first.column) != (1, 1) and not posixpath.basename(file.source.name).startswith(".")


def _is_object(file: File) -> bool:
    return posixpath.basename(file.source.name) not in KUSTOMIZATION_NAMES and holds_objects(file)


def holds_objects(file: File) -> bool:
    """Whether a file contains an object with apiVersion and kind."""
    place = Place(file.source.name)
    return any(True for document in file.reading.documents for _ in objects(document.value, place))


def unseen_of_skipped(
    skipped: Iterable[Skipped], unreadable: Iterable[Unreadable], files: Iterable[File], repository_layout: Layout
) -> Iterator[Unseen]:
    """The Unseen values of files that could not be read or rendered and may add to sums."""
    for skipped_source in skipped:
        if skipped_source.anywhere:
            yield Unseen("", f"{skipped_source.name}: {skipped_source.reason}")
        for namespace in skipped_source.namespaces:
            yield Unseen(namespace, f"{skipped_source.name}: {skipped_source.reason}", skipped_source.kinds)
    for broken in unreadable:
        yield Unseen("", f"{broken.name}: {broken.reason}")
    passed_over = {skipped_source.name for skipped_source in skipped}
    for file in files:
        if not file.reading.failures:
            continue
        # A kustomization reports its own files; files that are not applied are not missed.
        elsewhere = file.source.name in repository_layout.kustomized or file.source.name in repository_layout.idle
        elsewhere = elsewhere or (file.encrypted and file.source.name in passed_over)
        is_template = file.templated and file.source.name not in repository_layout.deployed_unread
        if file.claims and not is_template and not elsewhere:
            yield Unseen("", f"{file.source.name} could not be read")


def without_fragments(roots: Iterable[Root]) -> tuple[tuple[Root, ...], tuple[Skipped, ...]]:
    """The roots without fragments of objects, and Skipped entries for the files with fragments."""
    whole_roots: list[Root] = []
    fragments: dict[tuple[str, str], dict[str, None]] = {}
    """By file and missing field, the names of the fragments."""
    for whole_root, fragments_of_root in recalled_each("whole", tuple(roots), (), _split_fragments):
        whole_roots.append(whole_root)
        for fragment in fragments_of_root:
            fragments.setdefault((fragment.file, fragment.words), {})[fragment.name] = None
    return tuple(whole_roots), tuple(
        Skipped(file_name, _why_fragments([*names], words)) for (file_name, words), names in fragments.items()
    )


class _Fragment(NamedTuple):
    """An incomplete object, which is probably a patch."""

    file: str
    words: str
    """The missing field, in words."""
    name: str
    """The kind and name of the object."""


def _split_fragments(root: Root) -> tuple[Root, tuple[_Fragment, ...]]:
    """A root without its fragments, and the fragments."""
    fragments = tuple(
        _Fragment(obj.place.file, words, f"{obj.kind} {obj.name}".rstrip())
        for node in root.nodes
        for obj in node.rendering.objects
        if (words := missing_field(obj))
    )
    return _without_fragments(root) if fragments else root, fragments


def _why_fragments(names: Sequence[str], words: str) -> str:
    if len(names) == 1:
        return f"{names[0]} has no {words}, like a patch that nothing refers to"
    return f"{len(names)} objects, such as {names[0]}, have no {words}, like patches that nothing refers to"


def _without_fragments(root: Root) -> Root:
    nodes = []
    for node in root.nodes:
        whole_objects = tuple(obj for obj in node.rendering.objects if not missing_field(obj))
        nodes.append(node._replace(rendering=node.rendering._replace(objects=whole_objects)))
    return root._replace(nodes=tuple(nodes))


def nearby_namespaces(names: Iterable[str], roots: Iterable[Root]) -> dict[str, tuple[str, ...]]:
    """The namespaces of objects in each file's folder; without any, the folder's name."""
    folders = {name: posixpath.dirname(name) for name in names}
    namespaces_by_folder: dict[str, set[str]] = {}
    for root in roots if folders else ():
        for node in root.nodes:
            for obj in node.rendering.objects:
                own = obj.name if obj.kind == "Namespace" else obj.namespace
                if own:
                    namespaces_by_folder.setdefault(posixpath.dirname(obj.place.file), set()).add(own)
    return {
        name: tuple(sorted(namespaces_by_folder.get(folder) or {posixpath.basename(folder)} - {""}))
        for name, folder in folders.items()
    }


# One of these fields must exist: the pod spec (pkg/apis/{core,apps,batch}/validation), or what a deployer needs.
_REQUIRED = {
    **{kind: ("pod spec", (path,)) for kind, path in POD_SPECS.items()},
    **{name: (kind.needs_called, kind.needs) for name, kind in DEPLOYING_KINDS.items() if kind.needs},
}


_SELECTOR = ("spec", "selector")
_CONTAINERS = (*OF_TEMPLATE, "containers")


def missing_field(obj: Object) -> str:
    """The missing required field in words, such as `pod spec`; empty if none is missing, or if that is unknown."""
    if (obj.group, obj.kind) not in _REQUIRED:
        return ""
    words, paths = _REQUIRED[obj.group, obj.kind]
    if all(lacks(obj.body, path) for path in paths):
        return words
    # apps/v1 requires a selector, and each container an image (pkg/apis/apps/validation, pkg/apis/core/validation). An
    # object without both is a patch; without one of them it is a faulty object.
    is_patch = obj.group == "apps" and lacks(obj.body, _SELECTOR) and not _may_have_image(obj.body)
    return "selector and no image" if is_patch else ""


def _may_have_image(body: Body) -> bool:
    if lacks(body, _CONTAINERS):
        return False
    containers = dig(body, *_CONTAINERS)
    if not isinstance(containers, list):
        return True  # a placeholder may stand for the whole list
    return any("image" in item if isinstance(item, dict) else is_placeholder(item) for item in containers)
