"""What `quotalint vendor` fetched, for the two states of a comparison. The lock of each state decides for it."""

from __future__ import annotations

import os
from contextlib import suppress

from quotalint.diff.trees import Side
from quotalint.settings import Settings
from quotalint.text.disk import is_there
from quotalint.text.documents import MAX_BYTES, Reading, read
from quotalint.text.files import content
from quotalint.text.place import Place


def add_vendored(base: Side, was: Settings, head: Side, now: Settings, here: str) -> tuple[tuple[Place, str], ...]:
    """Add what the locks name and git does not have, as where CI keeps the sources in a cache. Returns the sources
    whose content the change replaces without a new version, with their places in the lock."""
    before, after = _reading_of_lock(base, was), _reading_of_lock(head, now)
    for side, settings, reading in ((base, was, before), (head, now, after)):
        if reading is not None:
            _add_sources(side, settings, reading)
    if before is None or after is None:
        return ()
    from quotalint.lockfile.lock import replaced_contents

    lock = os.path.relpath(now.lock_path, head.stand_in(here)).replace(os.sep, "/")
    replaced = replaced_contents(before, after)
    return tuple((Place(lock, 0, ("sources", number)), entry.source.words) for number, entry in replaced)


def _reading_of_lock(side: Side, settings: Settings) -> Reading | None:
    """The lock of a state; None if there is none."""
    try:
        with side.laid_out():
            return read(content(settings.lock_path, MAX_BYTES) or b"")
    except (OSError, ValueError):
        return None


def _add_sources(side: Side, settings: Settings, lock: Reading) -> None:
    from quotalint.lockfile.lock import LockError, locked_sources
    from quotalint.lockfile.stored_files import files_below

    try:
        entries = locked_sources(lock)
    except LockError:  # the sources tell it
        return
    for folder in {entry.folder for entry in entries.values()}:
        at = os.path.join(settings.store_path, folder)
        with side.laid_out():
            is_known = is_there(at)
        if not is_known:
            # Digests are compared at each reading, so a part of a source is as good as none.
            with suppress(OSError, ValueError):
                for path, file in files_below(at.removeprefix(side.top)):
                    side.put_file(os.path.join(at, *path.split("/")), file)
