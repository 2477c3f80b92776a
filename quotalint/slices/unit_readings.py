"""What a unit reads, before a change and since → whether nothing but the unit depends on what is different in that."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping

from quotalint.deployed import DATA, KUSTOMIZATION_NAMES, STAGES, base_folder, join_path, named_paths
from quotalint.slices.edits import Edits
from quotalint.slices.kept import Slices, unpack_unit
from quotalint.slices.outline import holds_no_object
from quotalint.slices.remaking import RemadeUnit


def bases_of_others(
    of: RemadeUnit,
    applied: Collection[int],
    users: Mapping[str, Collection[int]],
    remade: Mapping[int, RemadeUnit],
    slices: Slices,
) -> set[str]:
    """Those of the folders that a unit builds on only before the change, or only since, on which other units build in
    both states: these are applied, and `users` are the units that read a file."""
    folders = (name for name in set(of.read).symmetric_difference(of.unit.read) if name.endswith("/"))
    return {name for name in folders if _is_base_of(name.rstrip("/"), applied, users, remade, slices)}


def _is_base_of(
    folder: str,
    applied: Collection[int],
    users: Mapping[str, Collection[int]],
    remade: Mapping[int, RemadeUnit],
    slices: Slices,
) -> bool:
    """Whether any of these units builds on a folder in both states. That it is built by itself does not count, nor one
    among bases itself: it is applied as long as nothing else takes any from there."""
    readers = {number for name in KUSTOMIZATION_NAMES for number in users.get(posixpath.join(folder, name), ())}
    lasting = (number for number in readers if number not in remade or f"{folder}/" in remade[number].read)
    packed = (slices.files.units[number] for number in lasting if number in applied)
    names = (unpack_unit(unit).recipe[0] for unit in packed if unit)
    return any(name != folder and not base_folder(name) for name in names)


def reads_known_files(
    remade: RemadeUnit,
    bases: Collection[str],
    users: Mapping[str, Collection[int]],
    read_still: Collection[str],
    slices: Slices,
    edits: Edits,
) -> bool:
    """Whether what a unit reads now, and what it no longer reads, is nothing by itself: new, or gone, or read by other
    units too: `users` did before, and what is `read_still` is by any; other units build on `bases`."""
    before, now = set(remade.unit.read), set(remade.read)
    gone = {slices.files.names[at] for at in edits.went}
    folders = ({name for name in names if name.endswith("/") and name not in bases} for names in (before, now))
    enclosing = [{base_folder(name.rstrip("/")) for name in names} for names in folders]
    if enclosing[0] != enclosing[1]:
        return False
    data = set(_data_of(edits))
    for name in now - before:
        if name.endswith("/"):
            # What lies beside it is applied as well, though one builds on the other.
            folder = name.rstrip("/")
            if _is_stage(folder) or not (folder in edits.folders or name in bases):
                return False
        elif name in data:
            if not (name in edits.texts or (name in edits.came and holds_no_object(edits.came[name]))):
                return False
        elif name not in edits.came and not users.get(name):
            return False
    for name in before - now:
        if name.endswith("/"):
            if _is_stage(name.rstrip("/")) or name not in bases:
                return False
        elif not (name in gone or name in read_still):
            return False
    return True


def _data_of(edits: Edits) -> Iterator[str]:
    """The files of which edited or new kustomizations make ConfigMaps and Secrets."""
    for file in (*(edits.files[number] for number in edits.relisted), *edits.came.values()):
        for document in file.reading.documents if posixpath.basename(file.source.name) in KUSTOMIZATION_NAMES else ():
            for path in (named.path for named in named_paths(document.value) if named.leads_to == DATA):
                yield join_path(posixpath.dirname(file.source.name), path)


def _is_stage(folder: str) -> bool:
    return posixpath.basename(posixpath.dirname(folder)) in STAGES
