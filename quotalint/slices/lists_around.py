"""What kustomizations list, before a change and since → whether the same files and folders around them are applied."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Mapping

from quotalint.deployed import KUSTOMIZATION_NAMES, is_for_production
from quotalint.slices.edits import Edits
from quotalint.slices.kept import Slices
from quotalint.slices.remaking import RemadeUnit
from quotalint.slices.tree_notes import TreeNote, folder_of
from quotalint.text.disk import is_file, names_in
from quotalint.text.sources import counts


def leaves_files_applied(remade: RemadeUnit, users: Mapping[str, Collection[int]], read_now: Collection[str]) -> bool:
    """Whether no file is applied by itself, or no longer, by what a unit lists: in a folder below, nobody applies those
    that lie beside some that a kustomization lists. `users` read a file before, and what is `read_now` is by any."""
    names = {*remade.unit.read, *remade.read}
    built = {name for name in names if name.endswith("/")}
    changed = filter(counts, set(remade.unit.read).symmetric_difference(remade.read) - built)
    folders = {folder_of(name) for name in changed} - built
    for folder in folders:
        if any(above == "/" or folder.startswith(above) for above in built):
            near = (f"{folder}{own}" for own in names_in(os.path.abspath(folder.rstrip("/"))) if counts(own))
            if any(not (users.get(name) or name in read_now) for name in near):
                return False
    return True


def leaves_overviews(edits: Edits, slices: Slices, note: TreeNote) -> bool:
    """Whether what kustomizations list surely decides of none whether it only shows what its overlays build on: such a
    one lists nothing else, lies above these, and one of them is for production."""
    relisted = {posixpath.dirname(slices.files.names[number]) for number in edits.relisted}
    folders = {posixpath.dirname(name) for name in slices.files.names if _is_kustomization(name)}
    folders.update(part.folder for root in note.roots for part in root.parts)
    around = {above for folder in filter(is_for_production, folders) for above in _folders_above(folder)}
    return not any(
        above in around and any(is_file(os.path.abspath(posixpath.join(above, name))) for name in KUSTOMIZATION_NAMES)
        for folder in relisted
        for above in (folder, *_folders_above(folder))
    )


def _is_kustomization(name: str) -> bool:
    return posixpath.basename(name) in KUSTOMIZATION_NAMES


def _folders_above(folder: str) -> list[str]:
    """From the innermost to the working directory, which is empty."""
    names = folder.split("/")
    return ["/".join(names[:depth]) for depth in range(len(names) - 1, -1, -1)] if folder else []
