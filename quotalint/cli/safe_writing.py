"""Writes files below one folder: all or none, and none through a symbolic link."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from quotalint.named_tuples import NamedTuple
from quotalint.reports.proposed_yaml import Sheet
from quotalint.text.files import LED_OUT, content, lies_in, write_whole

_OURS = b"# Proposed by quotalint suggest"
_MOST = 1 << 24  # bytes of a file of ours


class Target(NamedTuple):
    """The folder to write to."""

    folder: str
    """Its real path."""
    shown: str
    """Its path as the user gave it."""
    in_repository: bool
    """Existing files are edited; elsewhere all manifests are new."""
    leads_out: bool = False
    """The path is inside the repository, but a symbolic link leads out of it."""

    @staticmethod
    def of(folder: str | None, repository: str) -> Target | None:
        """The folder of a path; None if it is not a folder."""
        if folder is None:
            return None
        real, top = os.path.realpath(folder), os.path.realpath(repository)
        named = any(lies_in(os.path.abspath(folder), start) for start in (os.path.abspath(repository), top))
        return Target(real, folder, lies_in(real, top), named and not lies_in(real, top))

    def path_of(self, sheet: Sheet) -> str:
        """The path of a namespace's file, below the folder as given."""
        return os.path.normpath(os.path.join(self.shown, *_sheet_path(sheet)))

    def lies_below(self, path: str) -> bool:
        """Whether a path is below the folder, without a symbolic link on the way."""
        real = os.path.join(os.path.realpath(os.path.dirname(self.folder)), os.path.basename(self.folder))
        full = os.path.abspath(path)
        return lies_in(os.path.realpath(full), real) and os.path.realpath(full) != real and not _is_linked(full, real)


def _sheet_path(sheet: Sheet) -> tuple[str, ...]:
    parts = (sheet.environment, sheet.namespace) if sheet.environment else (sheet.namespace,)
    *folders, last = (_plain_step(part) for part in parts)
    return (*folders, f"{last}.yaml")


def _plain_step(name: str) -> str:
    """A name as one safe path component."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", name).lstrip(".")[:200] or "_"


def _is_linked(path: str, folder: str) -> bool:
    """Whether a component between the folder and a path is a symbolic link."""
    while len(path) > len(folder) and path != os.path.dirname(path):
        if os.path.islink(path):
            return True
        path = os.path.dirname(path)
    return False


Edited = tuple[str, str, bytes, bytes]
"""The file name in reports, its path, its bytes, and the new bytes."""


def write_below(target: Target, edits: Sequence[Edited], sheets: Iterable[Sheet]) -> tuple[str, ...]:
    """Write all files, or none; the failures, a line each."""
    wanted = [(name, path, before, after) for name, path, before, after in edits]
    for sheet in sheets:
        path = os.path.join(target.folder, *_sheet_path(sheet))
        before = _present_bytes(path)
        data = _OURS + b"\n" + sheet.text.encode("utf-8", "backslashreplace")
        wanted.append((target.path_of(sheet), path, before, data))
    failures = tuple(_write_refusals(target, wanted))
    if failures:
        return failures
    done: list[tuple[str, str, bytes]] = []
    new_folders: list[str] = []
    for name, path, before, after in wanted:
        failure = _make_folders(os.path.dirname(path), new_folders)
        if not failure and not target.lies_below(path):
            failure = f"it is no longer in {target.shown}"
        failure = failure or write_whole(path, after, new=not before)
        if failure:
            return (f"{name}: {failure}", *_undo_writes(done, new_folders))
        done.append((name, path, before))
    return ()


def _present_bytes(path: str) -> bytes:
    try:
        return content(path, _MOST, follow=False) or b""
    except (OSError, ValueError):
        return b""


def _write_refusals(target: Target, wanted: Iterable[Edited]) -> Iterator[str]:
    if target.leads_out:
        yield f"{target.shown}: {LED_OUT}"
        return
    if os.path.lexists(target.folder) and not os.path.isdir(target.folder):
        yield f"{target.shown}: not a folder"
        return
    for name, path, before, after in wanted:
        if not target.lies_below(path):
            yield f"{name}: it is not below {target.shown}, or reached through a symbolic link"
        elif _present_bytes(path) != before:
            yield f"{name}: it has been changed meanwhile"
        elif after.startswith(_OURS) and os.path.lexists(path) and not before.startswith(_OURS):
            yield f"{name}: something else is there already"


def _make_folders(folder: str, new_folders: list[str]) -> str:
    """Make a folder and its parents; the failure, or None."""
    missing = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    try:
        for path in reversed(missing):
            os.mkdir(path)
            new_folders.append(path)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _undo_writes(done: Iterable[tuple[str, str, bytes]], new_folders: Sequence[str]) -> list[str]:
    """Put back what was there; the failures, a line each."""
    failures = []
    for name, path, before in done:
        failure = ""
        try:
            if before:
                failure = write_whole(path, before)
            else:
                os.unlink(path)
        except OSError as error:
            failure = error.strerror or str(error)
        if failure:
            failures.append(f"{name}: it is written, and cannot be made as it was: {failure}")
    for folder in reversed(new_folders):
        with suppress(OSError):  # somebody put something in it
            os.rmdir(folder)
    return failures
