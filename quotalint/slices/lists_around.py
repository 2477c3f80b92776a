"""What kustomizations list, before a change and since → whether the same files around them are applied."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from quotalint.slices.remaking import RemadeUnit
from quotalint.slices.tree_notes import folder_of
from quotalint.text.disk import names_in
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
