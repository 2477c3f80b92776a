"""Finds the repository's helmfiles: what they install, and which cannot be read."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING

from quotalint.gitops.deployer import Sources
from quotalint.gitops.nodes import NO_ROOTS, FoundRoots, Node, Root
from quotalint.gitops.rendering import Rendering
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.runtime.faults import attempt
from quotalint.runtime.recall import recalled_each
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place
from quotalint.text.reading import File
from quotalint.text.words import list_some
from quotalint.unknowns.problems import EXPENSIVE, MISSING, Problem
from quotalint.unknowns.unseen import OTHER, TEMPLATE, Skipped

if TYPE_CHECKING:
    from quotalint.gitops.helmfile.installation import Helmfiles, Installation
    from quotalint.text.tree import Tree

_MANY = 3  # releases named in a message
_NAMESPACE = lazy_pattern(r"""(?m)^[ \t-]*namespace:[ \t]*["']?([^"'#\r\n]*)""")


def find_helmfiles(sources: Sources) -> FoundRoots:
    """The roots of helmfiles (one per helmfile, with a node per release and environment), unreadable ones, and all
    names read."""
    are_likely = recalled_each("helmfiles", sources.files, (), _may_be_helmfile)
    by_name = {file.source.name: file for file in compress(sources.files, are_likely)}
    if not by_name:
        return NO_ROOTS
    from quotalint.gitops.helmfile.installation import Helmfiles, referred_helmfiles

    tree = sources.folders.tree
    # An included file may not be a helmfile on its own.
    referred = attempt("helmfiles", "", lambda: referred_helmfiles(tree, by_name), lambda *_: frozenset[str]())
    reader = Helmfiles(tree, sources.charts, sources.chart_folders, sources.folders.any_folder)
    roots: list[Root] = []
    skipped: list[Skipped] = []
    read_files = set(referred)
    for name, file in by_name.items():
        if name in referred:
            continue
        installed = attempt(
            "helmfiles", name, partial(_read_installation, reader, tree, name), partial(_failed_root, name)
        )
        if isinstance(installed, Root):
            roots.append(installed)
            continue
        if installed is None:
            continue
        read_files |= installed.files
        nodes = tuple(Node(release.rendering, release.environment, is_deployed=False) for release in installed.releases)
        if nodes:
            roots.append(Root(posixpath.dirname(name), nodes, is_kustomization=False, is_stated=True))
        # Users who look for quotas in such a part need to find it in the report.
        of_it = f"a part of the helmfile {name}, rendered with it and not a manifest by itself"
        parts_of_it = sorted(installed.files & by_name.keys() - {name})
        skipped += (Skipped(part, of_it) for part in parts_of_it if by_name[part].reading.failures)
        for environment, reason in installed.failures:
            skipped.append(_unread_helmfile(file, environment, reason, tree.data))
    return FoundRoots(tuple(roots), tuple(skipped), frozenset(read_files))


def _read_installation(reader: Helmfiles, tree: Tree, name: str) -> Installation | None:
    from quotalint.gitops.helmfile.helmfile_states import is_helmfile

    return reader.installation(name) if is_helmfile(tree, name) else None


def _failed_root(name: str, reason: str, is_expensive: bool) -> Root:
    """The root of a helmfile that exceeded the limits, with the reason only."""
    why = f"{reason} (the helmfile {name})"
    problem = Problem(Place(name), why, MISSING, cause=EXPENSIVE if is_expensive else "")
    rendering = Rendering(files=frozenset({name})).lacking(problem)
    return Root(
        posixpath.dirname(name), (Node(rendering, "", is_deployed=False),), is_kustomization=False, is_stated=True
    )


def _may_be_helmfile(file: File) -> bool:
    """Whether a file may be a helmfile: by its name, or because it has releases and only known fields. Its content is
    checked later."""
    name = file.source.name
    if _is_named(name):
        return True
    for document in file.reading.documents:
        body = mapping(document.value)
        if "apiVersion" not in body and any(_release_bodies(body, name)):
            # Other programs also have lists of releases.
            from quotalint.gitops.helmfile.field_names import has_only_known_fields

            return has_only_known_fields(body)
    return False


def _is_named(name: str) -> bool:
    if "helmfile" not in name:
        return False
    folder, base = posixpath.split(name)
    return base.startswith("helmfile") or posixpath.basename(folder) == "helmfile.d"


def _release_bodies(body: Body, name: str) -> Iterator[Body]:
    """The releases of a helmfile, if it looks like one."""
    releases = [mapping(release) for release in sequence(body.get("releases"))]
    if not all(isinstance(release.get("name"), str) for release in releases):
        return
    # A release may inherit its chart from a template.
    if "helmfile" in name or any(release.get("chart") for release in releases):
        yield from releases


def _unread_helmfile(file: File, environment: str, reason: str, content: Callable[[str], bytes | None]) -> Skipped:
    """The Skipped entry of a helmfile that cannot be read for an environment; its releases are not counted."""
    name = file.source.name
    of = f" ({environment})" if environment != "default" else ""
    if file.reading.failures:
        written = [
            namespace.strip() for namespace in _NAMESPACE.findall((content(name) or b"").decode(errors="replace"))
        ]
        why = f"a template of helmfile, whose releases are not rendered{of}: {reason}"
        # What else it installs is as unknown as the output of any other template, which raises no doubt either.
        return _skipped_release(name, why, TEMPLATE, written)._replace(anywhere=False)
    bodies = [mapping(document.value) for document in file.reading.documents]
    releases = [
        (release, body)
        for body in bodies
        for release in _release_bodies(body, name)
        if release.get("installed") is not False
    ]
    named = [text(release.get("name")) for release, _ in releases]
    what = f"helmfile installs {list_some(named, _MANY)}, which is not rendered" if named else "helmfile"
    namespaces = [text(release.get("namespace")) or text(body.get("namespace")) for release, body in releases]
    return _skipped_release(name, f"{what}{of}: {reason}", OTHER, namespaces)


def _skipped_release(name: str, reason: str, kind: str, namespaces: Iterable[str]) -> Skipped:
    """The Skipped entry of releases. Without a namespace, a release goes to the current one when helmfile runs."""
    distinct_namespaces = frozenset(namespaces)
    known_namespaces = tuple(
        sorted(name for name in distinct_namespaces if name and not is_placeholder(name) and "{{" not in name)
    )
    return Skipped(name, reason, kind, known_namespaces, len(known_namespaces) < len(distinct_namespaces))
