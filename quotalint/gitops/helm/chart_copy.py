"""Copies a chart for a library that follows symbolic links: regular files of the repository only, with a size limit.
Most charts need no copy."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterable, Iterator

from quotalint.gitops.helm.packed_charts import PackedChartError, packed_files
from quotalint.gitops.helm.values_schemas import NAME, archived_reference, outer_reference
from quotalint.kube.fields import mapping, sequence, text
from quotalint.kube.guess import CONTENT, Guess
from quotalint.programs import MAX_ENTRIES, in_repository, name_in
from quotalint.text.disk import entries_of, is_file, is_folder, real_path, status_of
from quotalint.text.documents import read
from quotalint.text.files import copy, is_as_on_disk, lies_in_repository
from quotalint.text.lazy_patterns import lazy_pattern

MAX_CHART = 64 * 1024 * 1024
"""The largest total size of a chart's files, in bytes."""

_MAX_DEPENDENCIES = 5  # nested levels


class CopyError(Exception):
    """A chart must not be copied. The message completes "the chart … is not rendered: "."""


Locate = Callable[[str, str, str], str]
"""Finds the folder of a vendored chart by repository, name and version; empty if there is none."""


def nothing_vendored(repository: str, name: str, version: str) -> str:
    """A Locate that finds nothing."""
    return ""


def size_in_place(folder: str, locate: Locate = nothing_vendored) -> int | None:
    """The size in bytes of a chart that the library may read in place. None if it needs a copy: it has special files,
    or files must be omitted or added.

    `folder` is a real path. Copying takes longer than rendering, and most charts need none. Raises OSError.
    """
    if not is_as_on_disk(folder) or not folder.isprintable():  # the library accepts UTF-8 names only
        return None
    number = size = 0
    pending_folders = [folder]
    while pending_folders:
        for entry in entries_of(pending_folders.pop()):
            number += 1
            if entry.is_symlink() or entry.name == ".git" or entry.name.endswith(".tgz"):
                return None
            if entry.is_dir():
                pending_folders.append(entry.path)
            elif entry.is_file() and os.access(entry.path, os.R_OK):
                size += entry.stat().st_size
                if entry.name == NAME and outer_reference(entry.path):
                    return None
            else:
                return None
            if number > MAX_ENTRIES or size > MAX_CHART:
                return None
    return None if any(_unvendored_dependencies(folder, folder, locate)) else size


def copy_chart(
    folder: str, root: str, target: str, locate: Locate = nothing_vendored, depth: int = 0
) -> tuple[Guess, ...]:
    """Copy a chart of the repository `root`, with its dependencies that are `file://` or vendored, to a new folder;
    returns the assumptions made.

    Omitted are schemas that refer to files or servers, which the library would fetch, and packed dependencies that are
    also unpacked. Raises CopyError, and OSError if a file cannot be read.
    """
    guesses = _copy_files(folder, root, target)
    guesses += _without_packed_twins(target, name_in(root, folder))
    for name, neighbour in _unvendored_dependencies(target, folder, locate):
        place = os.path.join(target, "charts", name)
        if not in_repository(neighbour, root):
            raise CopyError(f"its dependency {name} ({name_in(root, neighbour)}) lies outside the repository")
        if is_folder(neighbour):
            if depth >= _MAX_DEPENDENCIES:
                raise CopyError(f"its dependency {name} has too many levels below it")
            guesses += copy_chart(neighbour, root, place, locate, depth + 1)
    return guesses


def _copy_files(top: str, root: str, target: str) -> tuple[Guess, ...]:
    start, repository = real_path(top), real_path(root)
    count = size = 0
    guesses: tuple[Guess, ...] = ()
    folders = [(start, target, frozenset({start}))]
    while folders:
        folder, copied, around = folders.pop()
        os.makedirs(copied, exist_ok=True)
        for entry in sorted(entries_of(folder), key=lambda entry: entry.name):
            count += 1
            if count > MAX_ENTRIES:
                raise CopyError(f"it has more than {MAX_ENTRIES} files")
            is_link = entry.is_symlink()
            real = real_path(entry.path) if is_link else entry.path
            if is_link and not lies_in_repository(real, repository):
                raise CopyError(f"what {name_in(root, entry.path)} links to lies outside the repository")
            if real in around:
                raise CopyError(f"{name_in(root, entry.path)} links to a folder that contains it")
            if entry.name == ".git":
                continue
            reference = outer_reference(real) if entry.name == NAME and is_file(real) else ""
            if reference:
                unread = f"{name_in(root, entry.path)} refers to {reference}, which is not fetched"
                reason = f"{unread}: values are assumed to satisfy it"
                guesses += (Guess(CONTENT, reason, "keep the whole schema in the chart"),)
                continue
            if is_folder(real) if is_link else entry.is_dir():
                folders.append((real, os.path.join(copied, entry.name), around | {real}))
            elif is_file(real) if is_link else entry.is_file():
                if entry.name.endswith(".tgz"):
                    _refuse_outer_schema(real, name_in(root, entry.path))
                size += status_of(real).st_size
                if size > MAX_CHART:
                    raise CopyError(f"it has more than {MAX_CHART // 1024 // 1024} MiB")
                copy(real, os.path.join(copied, entry.name))
    return guesses


def _refuse_outer_schema(archive: str, name: str) -> None:
    """Raise CopyError if a packed chart has a schema with external references."""
    try:
        reference = archived_reference(archive, MAX_CHART)
    except PackedChartError as error:
        raise CopyError(f"{name} {error}") from error
    if reference:
        raise CopyError(f"the schema in {name} refers to {reference}")


def _without_packed_twins(chart: str, name: str) -> tuple[Guess, ...]:
    """Delete packed dependencies that are also unpacked from a chart's copy; returns a guess for each that differs."""
    differing: tuple[Guess, ...] = ()
    for folder in (above for above, _, _ in os.walk(chart) if os.path.basename(above) == "charts"):
        for packed, unpacked in packed_twice(os.listdir(folder)).items():
            archive, directory = os.path.join(folder, packed), os.path.join(folder, unpacked)
            if not os.path.isdir(directory):
                continue
            if not is_same_chart(archive, directory, MAX_CHART):
                where = posixpath.join(name, os.path.relpath(folder, chart).replace(os.sep, "/"))
                reason = (
                    f"{where}/ has {unpacked}/ and {packed}, which differ: Helm takes either, here it is the folder"
                )
                differing += (Guess(CONTENT, reason, f"delete {where}/{packed}"),)
            os.remove(archive)
    return differing


def _unvendored_dependencies(chart: str, original: str, locate: Locate) -> Iterator[tuple[str, str]]:
    """The dependencies that are not in the chart, each with the folder that has it."""
    vendored = os.path.join(chart, "charts")
    there = os.listdir(vendored) if os.path.isdir(vendored) else []
    for file in ("Chart.yaml", "requirements.yaml"):
        for entry in map(mapping, sequence(_read_mapping(os.path.join(chart, file)).get("dependencies"))):
            name, repository = text(entry.get("name")), text(entry.get("repository"))
            is_there = name in there or any(
                file_name.startswith(f"{name}-") and file_name.endswith(".tgz") for file_name in there
            )
            if not name or posixpath.basename(name) != name or is_there:
                continue
            if repository.startswith("file://"):
                neighbour = os.path.normpath(os.path.join(original, repository[len("file://") :]))
            else:
                version = _locked_version(chart, file, name) or text(entry.get("version"))
                neighbour = locate(repository, name, version) if "://" in repository else ""
            if neighbour:
                there.append(name)
                yield name, neighbour


def _locked_version(chart: str, file: str, name: str) -> str:
    """The version of a dependency in the chart's own lock, which `helm dependency build` takes."""
    lock = _read_mapping(os.path.join(chart, f"{file.partition('.')[0]}.lock"))
    entries = map(mapping, sequence(lock.get("dependencies")))
    return next((text(entry.get("version")) for entry in entries if entry.get("name") == name), "")


def _read_mapping(path: str) -> dict[str, object]:
    try:
        with open(path, "rb") as file:
            documents = read(file.read()).documents
    except OSError:
        return {}
    return dict(mapping(documents[0].value)) if documents else {}


# Dependencies that a chart has twice, unpacked and packed (`charts/db/` beside `charts/db-1.0.0.tgz`).
#
# Helm reads both and uses either, in random order: its loader iterates over a Go map (3.18, pkg/chart/loader/load.go,
# LoadFiles). The first of each name counts (pkg/chartutil/dependencies.go, processDependencyEnabled).
_PACKED = lazy_pattern(r"(.+)-v?[0-9][^/]*\.tgz")
_DECIDING = ("templates", "crds", "charts")
"""The folders that, with its values, determine what a chart renders."""


def packed_twice(names: Iterable[str]) -> dict[str, str]:
    """The packed charts among the names in a `charts` folder that also exist unpacked, with the unpacked name."""
    names = frozenset(names)
    matches = ((name, _PACKED.fullmatch(name)) for name in sorted(names))
    return {name: match[1] for name, match in matches if match is not None and match[1] in names}


def is_same_chart(archive: str, folder: str, most: int) -> bool:
    """Whether a packed and an unpacked chart render the same. The folder contains only folders and regular files; at
    most `most` bytes are unpacked. Raises OSError."""
    unpaired = _deciding_files(folder)
    try:
        with open(archive, "rb") as packed:
            for name, data in packed_files(packed, most):
                if not _decides(name) or ".tgz/" in name:
                    continue
                if name not in unpaired or data.rstrip() != _bytes_of(os.path.join(folder, name)).rstrip():
                    return False
                unpaired.discard(name)
    except PackedChartError:
        return False
    return not unpaired


def _decides(name: str) -> bool:
    return name == "values.yaml" or name.partition("/")[0] in _DECIDING


def _deciding_files(folder: str) -> set[str]:
    paths = (os.path.join(above, name) for above, _, names in os.walk(folder) for name in names)
    names = (os.path.relpath(path, folder).replace(os.sep, "/") for path in paths)
    return {name for name in names if _decides(name)}


def _bytes_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
