"""Files that came or went → those that are to be judged; nothing where more may depend on what files there are."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping, Sequence

from quotalint.slices.edits import Edits, FileChanges
from quotalint.slices.kept import Slices
from quotalint.slices.outline import DECIDING_NAMES, inflates_charts, is_kustomization, is_plain
from quotalint.slices.quiet_templates import is_in_chart, is_quiet_template
from quotalint.slices.tree_notes import are_unasked, tree_note
from quotalint.slices.verdict import holds_limits
from quotalint.text.files import content
from quotalint.text.guards import MAX_BYTES
from quotalint.text.reading import File, read_all
from quotalint.text.sources import PACKAGE_FOLDERS, Source, counts, find

_SPECIAL = (*DECIDING_NAMES, "pyvenv.cfg", "values")
"""How the names of files begin, in small letters, of which it may matter that they are there."""


def with_new_files(edits: Edits, slices: Slices, changes: FileChanges, *, is_judged: bool) -> Edits | None:
    """The edits, with what comes and goes with files: the working directory has what there is now. None where more may
    depend on what files there are."""
    if not slices.tree:
        return None
    here = os.getcwd()
    came, went, folders = (_names(paths, here) for paths in (changes.came, changes.went, changes.folders))
    if came is None or went is None or folders is None:
        return None
    note = tree_note(slices.tree)
    came, went = ([name for name in names if not is_quiet_template(name, note)] for names in (came, went))
    if not all(map(_is_ordinary, (*came, *went))):
        return None
    numbers = {name: number for number, name in enumerate(slices.files.names)}
    gone = {numbers[name] for name in went if name in numbers}
    plain = [name for name in (*came, *went) if not counts(posixpath.basename(name)) and name not in numbers]
    if not are_unasked(plain, folders, note):
        return None
    if any(counts(posixpath.basename(name)) and name not in numbers for name in went):
        return None
    if not is_judged and any(number in slices.files.repaired or slices.files.texts[number].lines for number in gone):
        return None
    new = _read_new_files([name for name in came if counts(posixpath.basename(name))], slices)
    if new is None:
        return None
    return edits._replace(
        came=_by_name((*edits.came.values(), *new)),
        went=edits.went | gone,
        folders=frozenset(folders),
        texts=frozenset(plain).intersection(came),
    )


def with_rewritten_files(
    edits: Edits, rewritten: Mapping[int, File], slices: Slices, *, is_judged: bool
) -> Edits | None:
    """The edits, with files in which objects come, go, or have another name: each goes with what it held and comes with
    what it holds. None where more may depend on them than their objects."""
    if not slices.tree:
        return None
    for number, file in rewritten.items():
        if slices.files.users[number] or not _is_ordinary(file.source.name) or not _is_of_objects(file, slices):
            return None
        if not is_judged and slices.files.texts[number].lines:
            return None
    return edits._replace(came=_by_name(rewritten.values()), went=frozenset(rewritten))


def _by_name(files: Iterable[File]) -> dict[str, File]:
    """Files in the order in which they are applied."""
    return {file.source.name: file for file in sorted(files, key=lambda file: file.source.name)}


def _names(paths: Iterable[str], here: str) -> list[str] | None:
    """What files and folders are called from here; None where one lies elsewhere."""
    inside = os.path.join(here, "")
    if not all(path.startswith(inside) for path in paths):
        return None
    return sorted(path.removeprefix(inside).replace(os.sep, "/") for path in paths)


def _is_ordinary(name: str) -> bool:
    """Whether nothing looks for a file of this name without asking, and it is no part of a chart."""
    *above, own = name.split("/")
    if own.lower().startswith(_SPECIAL) or any(part.startswith(".") or part in PACKAGE_FOLDERS for part in above):
        return False
    if own.startswith(".") or (counts(own) and not own.endswith((".yaml", ".yml", ".json"))):
        return False
    return not is_in_chart(above)


def _read_new_files(names: Sequence[str], slices: Slices) -> list[File] | None:
    """What is in new manifests; None where it cannot be read, or asks for anything by comments."""
    sources: list[Source] = []
    for folder in {posixpath.dirname(name) for name in names}:
        sources_there = find([folder or "."], slices.settings.root, slices.settings.exclude, ignoring=False).sources
        sources += (source for source in sources_there if source.name in names)
    if len(sources) != len(names):
        return None
    files = read_all(sorted(sources), bytes, 1)
    read = [file for file in files if isinstance(file, File) and _is_of_objects(file, slices)]
    return read if len(read) == len(files) else None


def _is_of_objects(file: File, slices: Slices) -> bool:
    """Whether nothing is made of a file but the objects that are written in it."""
    if not is_plain(file) or (file.limiting and holds_limits(file, slices.settings)):
        return False
    if is_kustomization(file):
        return not inflates_charts(file)  # which not all build
    return b"argoproj.io/" not in (content(file.source.path, MAX_BYTES) or b"")
