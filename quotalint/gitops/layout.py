"""Classifies files: plain manifests, Helm charts, kustomizations and their inputs.

References decide, not content: bases, components and patches look like objects.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial
from itertools import compress

from quotalint.gitops.unapplied_bases import reached_folders, unapplied_bases
from quotalint.kube.fields import Body, text
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import recalled, recalled_each, same_as_before
from quotalint.snapshots.snapshot_header import is_snapshot
from quotalint.text.chart_files import folders_above
from quotalint.text.documents import Reading
from quotalint.text.tree import KUSTOMIZATION_NAMES, is_within

_KUSTOMIZE_GROUP = "kustomize.config.k8s.io"
STAGES = frozenset({"overlays", "environments", "envs", "clusters", "stages"})


class KustomizationFile(NamedTuple):
    """A kustomization file and its references to files in view."""

    name: str
    body: Body
    files: tuple[str, ...]
    """Manifests and patches."""
    data: tuple[str, ...]
    """Files for ConfigMaps, Secrets or Helm values; they are not manifests."""
    directories: tuple[str, ...]


def find_kustomizations(
    bodies: Mapping[str, Body], readings: Mapping[str, Reading], real: Callable[[str], str]
) -> dict[str, KustomizationFile]:
    """The kustomizations by folder, among the files that look like one."""
    # Kustomize takes the first name in its order of precedence and ignores all others.
    names = tuple(bodies)
    named, folder_of_each = recalled("named kustomizations", (), names, partial(_named_kustomizations, names))
    folders = same_as_before("kustomized folders", frozenset(folder_of_each))
    file_of = {id(bodies[name]): name for name in named}
    if len(file_of) < len(named):  # links to one file have different targets
        of_each = [_kustomization_of(name, bodies[name], readings.keys(), folders, real) for name in named]
    else:
        of_each = [
            *recalled_each(
                "kustomizations",
                [bodies[name] for name in named],
                (same_as_before("names of files", tuple(readings)), folders, same_as_before("real names", real)),
                lambda body: _kustomization_of(file_of[id(body)], body, readings.keys(), folders, real),
            )
        ]
    return dict(zip(folder_of_each, of_each, strict=True))


def _named_kustomizations(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """The kustomization files by name, the effective one last for each folder; and their folders."""
    named = sorted(filter(_is_named, names), key=_name_precedence, reverse=True)
    return named, list(map(posixpath.dirname, named))


class Layout(NamedTuple):
    """The role of each file."""

    kustomized: frozenset[str]
    """Kustomization files, and the manifests and patches that they reference."""
    data: frozenset[str]
    """The other files that they reference."""
    kustomizations: Mapping[str, KustomizationFile]
    """All kustomizations, by folder."""
    roots: tuple[str, ...]
    """The folders of kustomizations that no other builds on."""
    unused: tuple[str, ...]
    """Roots that are not applied (`unapplied_bases`)."""
    unlisted: tuple[str, ...]
    """Manifests that a kustomization in their folder, or in one above whose files it lists, leaves out; they are not
    applied."""
    plain: Mapping[str, tuple[str, ...]]
    """Plain manifests by folder."""
    idle: frozenset[str] = frozenset()
    """Files of folders that are not applied, and broken files that their folder's kustomization leaves out."""
    fixtures: frozenset[str] = frozenset()
    """The idle files that belong to tests and examples."""
    snapshots: tuple[str, ...] = ()
    """Files written by `quotalint snapshot`; they show the cluster and are not applied."""
    deployed_unread: frozenset[str] = frozenset()
    """Manifests that cannot be read but are deployed as they are."""


def layout_of(
    readings: Mapping[str, Reading], explicit: Set[str] = frozenset(), real: Callable[[str], str] = lambda name: name
) -> Layout:
    """The layout of these files; `explicit` files are manifests even if referenced. `real` returns the name of a
    symbolic link's target."""
    are_special = recalled_each("special", tuple(readings.values()), (), _is_special)
    special = dict(compress(readings.items(), are_special))
    bodies = {
        name: body for name, reading in special.items() if (body := _kustomization_body(name, reading)) is not None
    }
    by_folder = find_kustomizations(bodies, readings, real) if bodies else {}
    if by_folder:
        names = _NamesInOrder(readings)
        by_folder = {
            folder: _with_plugins(kustomization, readings, names, real) for folder, kustomization in by_folder.items()
        }
    # Some are recreated in each look, such as empty ones; equal ones have equal references.
    in_view = same_as_before("kustomizations in view", tuple(by_folder.values()))
    uses = recalled("uses of kustomizations", (in_view,), None, partial(_uses_of, in_view))
    snapshots = tuple(name for name, reading in special.items() if name not in explicit and is_snapshot(reading))
    # The rest depends on file names only, not on content.
    names_in_view = same_as_before("names of files", tuple(readings))
    of_names = tuple(bodies), snapshots, frozenset(explicit)
    layout = recalled(
        "layout", (uses, names_in_view), of_names, partial(_layout_by_names, uses, names_in_view, *of_names)
    )
    return layout._replace(kustomizations=by_folder)


def _layout_by_names(
    uses: _Uses,
    names: Sequence[str],
    kustomization_names: Sequence[str],
    snapshots: tuple[str, ...],
    explicit: Set[str],
) -> Layout:
    """The layout without the kustomizations themselves."""
    manifests = uses.files.union(kustomization_names)
    data = uses.data.union(snapshots)
    unlisted: list[str] = []
    plain: dict[str, list[str]] = {}
    for name in names:
        folder = posixpath.dirname(name)
        if name not in explicit:
            if name in manifests or name in data:
                continue
            if folder in uses.folders or folder in uses.listed_folders:
                unlisted.append(name)
                continue
        plain.setdefault(folder, []).append(name)
    return Layout(
        manifests,
        frozenset(data - manifests),
        {},
        uses.roots,
        uses.unused,
        tuple(unlisted),
        {folder: tuple(in_folder) for folder, in_folder in plain.items()},
        snapshots=snapshots,
    )


class _Uses(NamedTuple):
    """The references of all kustomizations."""

    files: frozenset[str]
    data: frozenset[str]
    folders: frozenset[str]
    """The folders of the kustomizations."""
    listed_folders: frozenset[str]
    """The subfolders in which a kustomization lists single files."""
    roots: tuple[str, ...]
    """The folders that no other kustomization builds on."""
    unused: tuple[str, ...]
    """The roots that are not applied."""


def _uses_of(kustomizations: Iterable[KustomizationFile]) -> _Uses:
    by_folder = {posixpath.dirname(kustomization.name): kustomization for kustomization in kustomizations}
    used = {
        folder: {
            other
            for other in kustomization.directories
            if other in by_folder and other != folder and not _is_a_stage_beside(other, folder)
        }
        for folder, kustomization in by_folder.items()
    }
    components = {
        folder for folder, kustomization in by_folder.items() if kustomization.body.get("kind") == "Component"
    }
    roots = tuple(folder for folder in _top_folders(used) if folder not in components) if used else ()
    unused = unapplied_bases(roots, used, by_folder) if roots else ()
    return _Uses(
        frozenset(name for kustomization in by_folder.values() for name in kustomization.files),
        frozenset(name for kustomization in by_folder.values() for name in kustomization.data),
        frozenset(by_folder),
        frozenset(
            below
            for folder, kustomization in by_folder.items()
            for name in kustomization.files
            if is_within(below := posixpath.dirname(name), folder)
        ),
        tuple(folder for folder in roots if folder not in unused),
        unused,
    )


def _is_a_stage_beside(folder: str, other: str) -> bool:
    """Whether a stage builds on a sibling stage, such as `overlays/prod` on `overlays/staging`; both are applied."""
    parent = posixpath.dirname(folder)
    return parent == posixpath.dirname(other) and posixpath.basename(parent) in STAGES


def _top_folders(used: Mapping[str, Set[str]]) -> list[str]:
    """The folders that no other builds on; of a cycle on which no other builds, the first."""
    below = {other for others in used.values() for other in others}
    tops = sorted(folder for folder in used if folder not in below)
    reached = reached_folders(tops, used)
    for folder in sorted(used):
        if folder not in reached:
            tops.append(folder)
            reached |= reached_folders([folder], used)
    return sorted(tops)


def is_kustomization(name: str, reading: Reading) -> bool:
    """Whether a file is a kustomization of Kustomize; Flux has another kind of that name."""
    return _is_named(name) and _kustomization_body(name, reading) is not None


def _is_named(name: str) -> bool:
    return posixpath.basename(name) in KUSTOMIZATION_NAMES


def _name_precedence(name: str) -> int:
    return KUSTOMIZATION_NAMES.index(posixpath.basename(name))


def _is_special(reading: Reading) -> bool:
    """Whether a file may be something other than manifests, by its content or because it cannot be read."""
    value = reading.documents[0].value if reading.documents else None
    if not isinstance(value, dict):
        return True
    return text(value.get("apiVersion")).partition("/")[0] in ("", _KUSTOMIZE_GROUP) or is_snapshot(reading)


def _kustomization_body(name: str, reading: Reading) -> Body | None:
    value = reading.documents[0].value if reading.documents else None
    if isinstance(value, dict):
        group, kind = text(value.get("apiVersion")).partition("/")[0], text(value.get("kind"))
        by_kind = group == _KUSTOMIZE_GROUP and kind in ("Kustomization", "Component", "")
        return value if by_kind or (not group and _is_named(name)) else None
    # Empty or unreadable; the renderer reports it.
    return {} if _is_named(name) else None


def _kustomization_of(
    name: str, body: Body, file_names: Set[str], folders: Set[str], real: Callable[[str], str]
) -> KustomizationFile:
    from quotalint.gitops.kustomize.kustomization_fields import DATA, SOURCE, named_paths

    folder = posixpath.dirname(name)
    files, directories = [], []
    named = list(named_paths(body))
    for path in (reference.path for reference in named if reference.leads_to == SOURCE):
        target = _join_path(folder, path)
        target = target if target in file_names or target in folders else real(target)
        if target in file_names:
            files.append(target)
        elif target in folders:
            directories.append(target)
    of_data = (_join_path(folder, reference.path) for reference in named if reference.leads_to == DATA)
    data = tuple(target for path in of_data if (target := path if path in file_names else real(path)) in file_names)
    return KustomizationFile(name, body, tuple(files), data, tuple(directories))


class _NamesInOrder:
    """Finds file names below folders. It is a class because they are sorted on first use."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = names
        self._number: dict[str, int] = {}
        self._sorted: list[str] = []

    def names_among(self, names: Iterable[str], folders: Iterable[str]) -> list[str]:
        """The known names among `names`, and those below `folders`, in the original order."""
        if not self._sorted:
            self._number = {name: number for number, name in enumerate(self._names)}
            self._sorted = sorted(self._number)
        chosen = {name for name in names if name in self._number}
        for folder in folders:
            at = bisect_left(self._sorted, f"{folder}/")
            while at < len(self._sorted) and self._sorted[at].startswith(f"{folder}/"):
                chosen.add(self._sorted[at])
                at += 1
        return sorted(chosen, key=self._number.__getitem__)


def _with_plugins(
    kustomization: KustomizationFile, readings: Mapping[str, Reading], names: _NamesInOrder, real: Callable[[str], str]
) -> KustomizationFile:
    """The kustomization with the inputs of its plugins, which are not applied themselves."""
    from quotalint.gitops.plugin_files import PLUGIN_FIELDS, plugin_paths

    if not any(field in kustomization.body for field in PLUGIN_FIELDS):
        return kustomization
    here = posixpath.dirname(kustomization.name)
    named = {
        real(_join_path(here, path))
        for path in plugin_paths(kustomization.body, lambda path: readings.get(_join_path(here, path)))
    }
    if not named:
        return kustomization
    # A folder above the kustomization is not an input of the plugin alone.
    folders = named - readings.keys() - {here, *folders_above(here)}
    plugin_files = names.names_among(named, folders)
    directories = dict.fromkeys(posixpath.dirname(name) for name in plugin_files if _is_named(name))
    return kustomization._replace(
        data=(*kustomization.data, *plugin_files), directories=(*kustomization.directories, *directories)
    )


def _join_path(folder: str, path: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, path))
    return "" if joined == "." else joined
