"""The folder with the vendored sources, and the lock beside it, on the disk."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress

from quotalint.lockfile.lock import LockedSource, LockError, RemoteSource, digest_of, lock_text, locked_sources
from quotalint.lockfile.stored_files import files_below
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Settings
from quotalint.text.documents import MAX_BYTES, read
from quotalint.text.files import content, write_whole

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
        write_whole(os.path.join(self.folder, ".gitattributes"), _ATTRIBUTES.encode(), new=True)
        new = os.path.join(self.folder, f".new-{os.getpid()}")
        shutil.rmtree(new, ignore_errors=True)
        for path, data in files.items():
            at = os.path.join(new, *path.split("/"))
            os.makedirs(os.path.dirname(at), exist_ok=True)
            with open(at, "xb") as file:
                file.write(data)
        target = os.path.join(self.folder, entry.folder)
        if os.path.islink(target) or os.path.isfile(target):
            os.unlink(target)
        elif os.path.isdir(target):
            shutil.rmtree(target)
        os.rename(new, target)

    def write_lock(self, entries: Mapping[RemoteSource, LockedSource]) -> None:
        """Write the lock, if it changes. Raises OSError."""
        text = lock_text(entries.values()).encode()
        with suppress(FileNotFoundError):
            if content(self.lock, MAX_BYTES) == text:
                return
        failure = write_whole(self.lock, text)
        if failure:
            raise OSError(0, failure, self.lock)


def store_of(settings: Settings) -> Store:
    """The store of a repository."""
    return Store(settings.lock_path, settings.store_path)
