"""Renders the folders of a repository: kustomizations or plain manifests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from quotalint.gitops.layout import is_kustomization
from quotalint.gitops.rendering import Rendering
from quotalint.kube.limited_resources import FILE_GROUPS
from quotalint.kube.objects import Object, objects
from quotalint.runtime.recall import memory_in_use, recalled
from quotalint.text.documents import Reading
from quotalint.text.place import Place
from quotalint.text.progress import Tell, tell_nobody
from quotalint.text.sources import OWN_FOLDER, PACKAGE_FOLDERS
from quotalint.text.tree import Tree, is_within, join_path

if TYPE_CHECKING:
    from quotalint.gitops.kustomize.kustomization import Kustomization
    from quotalint.gitops.renderer import Renderer

_MANIFESTS = (".yaml", ".yml", ".json")
_UNSEARCHED = PACKAGE_FOLDERS | {OWN_FOLDER}


class Folders:
    """The folders of one repository, each rendered once."""

    def __init__(
        self,
        tree: Tree,
        renderer: Callable[[], Renderer],
        plain: Mapping[str, Sequence[str]],
        view: Sequence[str],
        tell: Tell = tell_nobody,
    ) -> None:
        """`renderer` is called on first use. `plain` holds plain manifests by folder. `view` are the searched folders;
        files of other folders are searched on demand."""
        self.tree = tree
        self._make = renderer
        self._made: Renderer | None = None
        self._plain = plain
        self._view = frozenset(view)
        self._tell = tell
        self._plain_names = frozenset(name for files in plain.values() for name in files)
        self._rendered: dict[str, Rendering] = {}
        self._below: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def is_kustomization(self, folder: str) -> bool:
        """Whether the folder has a kustomization."""
        for name in self.tree.kustomizations(folder):
            # Only the kind is read here, so it is not recorded.
            with self.tree.recording_reads():
                reading = self.tree.reading(name)
            if reading is not None and is_kustomization(name, reading):
                return True
        return False

    def kustomization(self, folder: str) -> Rendering:
        """The rendering of a folder's kustomization."""
        if folder not in self._rendered:
            self._tell(f"rendering {folder or '.'}")
            self._rendered[folder] = self._renderer.kustomization(folder)
        return self._rendered[folder]

    def overlay(self, over: Kustomization, folder: str) -> Rendering:
        """The rendering of a kustomization that is not a file."""
        return self._renderer.overlay(over, folder)

    @property
    def _renderer(self) -> Renderer:
        if self._made is None:
            self._made = self._make()
        return self._made

    def plain_folder(self, folder: str) -> Rendering:
        """The rendering of a folder's plain manifests."""
        return self.plain_files(self._plain.get(folder, ()), folder)

    def plain_files(self, names: Iterable[str], folder: str) -> Rendering:
        """The rendering of these files, as `kubectl apply -f` would apply them."""
        names = tuple(names)
        with self.tree.recording_reads():  # the result depends on their documents only
            readings = tuple(map(self.tree.reading, names))
        return recalled("plain folder", readings, (names, folder), partial(_plain_rendering, names, readings, folder))

    def any_folder(self, folder: str) -> Rendering:
        """The rendering of a folder: of its kustomization, else of all manifests below it."""
        if self.is_kustomization(folder):
            return self.kustomization(folder)
        return self.plain_files(self.tree.files(folder, lambda name: name.endswith(_MANIFESTS), lambda _: True), folder)

    def folders_below(self, folder: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What Flux finds below a folder: plain manifests, and folders of kustomizations, which are not searched
        further."""
        if folder not in self._below:
            self._below[folder] = self._found_below(folder)
        return self._below[folder]

    def _found_below(self, folder: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        tops: list[str] = []
        names = self.tree.files(
            folder, lambda name: name.endswith(_MANIFESTS), lambda below: not self._stops_at(below, tops)
        )
        return tuple(self._without_patches(names, folder)), tuple(tops)

    def not_excluded(self, names: Sequence[str], folder: str) -> list[str]:
        """The files below a folder without those that the settings exclude."""
        return [name for name in names if name in self.tree.given_names] if self._in_view(folder) else list(names)

    def _without_patches(self, names: Sequence[str], folder: str) -> list[str]:
        """The files without excluded ones and patches."""
        return [name for name in names if name in self._plain_names] if self._in_view(folder) else list(names)

    def _in_view(self, folder: str) -> bool:
        if not _UNSEARCHED.isdisjoint(folder.split("/")) or (self.tree.store and is_within(folder, self.tree.store)):
            return False  # not searched, but a deployer applies everything in it
        return folder in self._view or any(
            is_within(folder, viewed) or is_within(viewed, folder) for viewed in self._view
        )

    def _stops_at(self, folder: str, tops: list[str]) -> bool:
        if self.is_kustomization(folder):
            tops.append(folder)
            return True
        return self.tree.is_file(join_path(folder, "Chart.yaml"))


def _plain_rendering(names: Sequence[str], readings: Sequence[Reading | None], folder: str) -> Rendering:
    objects_of = _objects_in if memory_in_use() is None else _recalled_objects
    written_objects: list[Object] = []
    for name, reading in zip(names, readings, strict=True):
        if reading is not None:
            written_objects += objects_of(reading, name)
    return Rendering(tuple(written_objects), folders=frozenset({folder}), files=frozenset(names), folder=folder)


def _recalled_objects(reading: Reading, name: str) -> tuple[Object, ...]:
    return recalled("objects", (reading,), name, partial(_objects_in, reading, name))


def _objects_in(reading: Reading, name: str) -> tuple[Object, ...]:
    written_objects: list[Object] = []
    for document in reading.documents:
        written_objects += objects(document.value, Place(name, document.index))
    return tuple(obj for obj in written_objects if obj.group not in FILE_GROUPS)


def join_renderings(renderings: Iterable[Rendering], folder: str) -> Rendering:
    """Several renderings joined into one."""
    renderings = tuple(renderings)
    return Rendering(
        tuple(obj for rendering in renderings for obj in rendering.objects),
        tuple(problem for rendering in renderings for problem in rendering.problems),
        tuple(unseen for rendering in renderings for unseen in rendering.unseen),
        frozenset({folder, *(unit for rendering in renderings for unit in rendering.folders)}),
        frozenset(name for rendering in renderings for name in rendering.files),
        folder=folder,
    )
