"""The folder with the vendored sources, and the lock beside it, on the disk."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

from quotalint.lockfile.lock import LockedSource, LockError, RemoteSource, digest_of, lock_text, locked_sources
from quotalint.lockfile.stored_files import files_below
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Settings
from quotalint.text.documents import MAX_BYTES, read
from quotalint.text.files import content, drop_leftovers, make_temporary, remove_path, write_whole

_ATTRIBUTES = "* -text linguist-generated\n"
"""For git: line ends stay as they are, because digests cover them."""


class Store(NamedTuple):
    """Where a repository keeps its vendored sources."""

    lock: str
    """The path of the lock."""
    folder: str

    def entries(self) -> dict[RemoteSource, LockedSource]:
        """The entries of the lock. Raises LockError."""
        try:
            data = content(self.lock, MAX_BYTES)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise LockError(f"cannot be read: {error}") from error
        return locked_sources(read(data or b""))

    def holds(self, entry: LockedSource) -> bool:
        """Whether the folder has exactly the content of an entry."""
        top = os.path.join(self.folder, entry.folder)
        try:
            return not os.path.islink(top) and digest_of(files_below(top)) == entry.digest
        except OSError:
            return False

    def put(self, entry: LockedSource, files: Mapping[str, bytes]) -> None:
        """Write the files of an entry, as a whole or not at all. Raises OSError."""
        os.makedirs(self.folder, exist_ok=True)
        attributes = os.path.join(self.folder, ".gitattributes")
        if not os.path.lexists(attributes):
            _write_file(attributes, _ATTRIBUTES.encode())
        temporary, _ = make_temporary(self.folder, os.mkdir)
        try:
            new, target = os.path.join(temporary, "new"), os.path.join(self.folder, entry.folder)
            for path, data in files.items():
                at = os.path.join(new, *path.split("/"))
                os.makedirs(os.path.dirname(at), exist_ok=True)
                with open(at, "xb") as file:
                    file.write(data)
            try:
                if os.path.lexists(target):
                    os.rename(target, os.path.join(temporary, "old"))
                os.rename(new, target)
            except OSError:
                if not self.holds(entry):  # another run may have written the same
                    raise
        finally:
            remove_path(temporary)

    def write_lock(self, entries: Mapping[RemoteSource, LockedSource]) -> None:
        """Write the lock, if it changes. Raises OSError."""
        drop_leftovers(self.folder)
        text = lock_text(entries.values()).encode()
        with suppress(FileNotFoundError):
            if content(self.lock, MAX_BYTES) == text:
                return
        _write_file(self.lock, text)


def _write_file(path: str, data: bytes) -> None:
    failure = write_whole(path, data)
    if failure:
        raise OSError(0, failure, path)


def store_of(settings: Settings) -> Store:
    """The store of a repository."""
    return Store(settings.lock_path, settings.store_path)
