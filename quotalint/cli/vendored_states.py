"""What `quotalint vendor` fetched, for the two states of a comparison. The lock of each state decides for it."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from quotalint.cli import printing
from quotalint.diff.trees import Side
from quotalint.settings import LOCK, Settings
from quotalint.text.disk import is_there
from quotalint.text.documents import MAX_BYTES, read
from quotalint.text.files import content

if TYPE_CHECKING:
    from quotalint.lockfile.lock import LockedSource, RemoteSource


def add_vendored(base: Side, was: Settings, head: Side, now: Settings) -> None:
    """Add what the locks name and git does not have, as where CI keeps the sources in a cache. Say which contents the
    change replaces without a new version."""
    before, after = _locked(base, was), _locked(head, now)
    for source, entry in after.items():
        old = before.get(source)
        if old is not None and old.resolved == entry.resolved and old.digest != entry.digest:
            same = f"and the same version {entry.resolved}".rstrip()
            printing.tell(f"quotalint: {LOCK}: {source.words} has another content than in {base.name}, {same}")


def _locked(side: Side, settings: Settings) -> dict[RemoteSource, LockedSource]:
    """The entries of a state's lock, after their files are added to the state; none if there is no lock, or a broken
    one, which its sources tell."""
    lock = os.path.join(settings.sources_root, LOCK)
    try:
        with side.laid_out():
            data = content(lock, MAX_BYTES)
    except (OSError, ValueError):
        return {}
    from quotalint.lockfile.lock import LockError, locked_sources
    from quotalint.lockfile.stored_files import files_below

    try:
        entries = locked_sources(read(data or b""))
    except LockError:
        return {}
    for folder in {entry.folder for entry in entries.values()}:
        at = os.path.join(settings.sources_root, *settings.vendor.split("/"), folder)
        with side.laid_out():
            is_known = is_there(at)
        if not is_known:
            # Whoever reads a file verifies its digest. A part of a source is as good as none.
            with suppress(OSError, ValueError):
                for path, file in files_below(at.removeprefix(side.top)):
                    side.put_file(os.path.join(at, *path.split("/")), file)
    return entries
