"""The cache folder: it belongs to the user, nobody else can write to it, and no repository contains it.

An entry has a digest of the question as its key. It is written completely or not at all, and checked when it is read.
If the folder grows too large, the entries that were unused longest are removed. An invalid entry counts as missing.
"""

from __future__ import annotations

import os
import stat
import sys

from quotalint.runtime.transcript import DIGEST, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE = "QUOTALINT_CACHE_DIR"
MOST_BYTES = 128 << 20
"""The largest size of the cache; above it, entries are removed down to three quarters."""
KEY = 48
"""The number of hexadecimal digits of a key."""
_LARGEST = 32 << 20  # bytes of one entry
_HEAD = b"quotalint cache 2\n"
_MARKER = "CACHEDIR.TAG"
_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# Made by quotalint; all of it may be deleted.\n"
ANSWER = ".answer"


def cache_folder() -> str:
    """The cache folder, existing or not; empty if the environment names none."""
    named = os.environ.get(VARIABLE, "")
    if named:
        return os.path.abspath(named)
    if sys.platform == "win32":
        return _join_absolute(os.environ.get("LOCALAPPDATA", ""), "quotalint", "cache")
    if os.path.isabs(os.environ.get("XDG_CACHE_HOME", "")):
        return os.path.join(os.environ["XDG_CACHE_HOME"], "quotalint")
    return _join_absolute(os.environ.get("HOME", ""), *_OF_A_HOME, "quotalint")


_OF_A_HOME = ("Library", "Caches") if sys.platform == "darwin" else (".cache",)


def _join_absolute(folder: str, *names: str) -> str:
    return os.path.join(folder, *names) if os.path.isabs(folder) else ""


def is_trusted(folder: str) -> bool:
    """Whether a folder exists and only this user can write to it."""
    try:
        status = os.lstat(folder)
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(status.st_mode) and _is_own(status)


def _is_own(status: os.stat_result) -> bool:
    # Windows has no such bits; a user's folders belong to the user there.
    return not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)


def entry(folder: str, key: str) -> bytes | None:
    """The body of the entry with this key; None if there is none."""
    path = os.path.join(folder, key + ANSWER)
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        file = os.open(path, flags)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(file)
        if not (stat.S_ISREG(status.st_mode) and _is_own(status) and status.st_size <= _LARGEST):
            return None
        data = b""
        while more := os.read(file, status.st_size + 1 - len(data)):
            data += more
    except OSError:
        return None
    finally:
        os.close(file)
    body, noted = data[len(_HEAD) + DIGEST :], data[len(_HEAD) : len(_HEAD) + DIGEST]
    if data[: len(_HEAD)] != _HEAD or noted != digest(body):
        return None
    try:  # the time of its last use
        os.utime(path)
    except OSError:
        return body
    return body


def keep(folder: str, key: str, body: bytes) -> None:
    """Writes an entry; errors are ignored."""
    data = b"".join((_HEAD, digest(body), body))
    if len(data) > _LARGEST:
        return
    from quotalint.text.files import put_file

    try:
        if not os.path.isdir(folder):
            os.makedirs(folder, 0o700, exist_ok=True)
        if not is_trusted(folder):
            return
        if not os.path.lexists(os.path.join(folder, _MARKER)):
            put_file(os.path.join(folder, _MARKER), _TAG, mode=0o600)
        put_file(os.path.join(folder, key + ANSWER), data, mode=0o600)
        _drop_oldest(folder)
    except (OSError, ValueError):
        return


def _drop_oldest(folder: str) -> None:
    entries = sorted(kept_entries(folder))
    total = sum(size for _, size, _ in entries)
    if total <= MOST_BYTES:
        return
    for _, size, path in entries:
        os.unlink(path)
        total -= size
        if total <= MOST_BYTES * 3 // 4:
            return


def kept_entries(folder: str) -> Iterator[tuple[int, int, str]]:
    """For each entry: the time of its last use (in nanoseconds), its size in bytes and its path."""
    try:
        with os.scandir(folder) as listing:
            entries = [entry for entry in listing if _is_entry_name(entry.name)]
    except OSError:
        return
    for entry in entries:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode):
            yield status.st_mtime_ns, status.st_size, entry.path


def _is_entry_name(name: str) -> bool:
    """Whether a file is named like an entry: the folder may contain other files."""
    key, kind = name[:KEY], name[KEY:]
    return kind == ANSWER and len(key) == KEY and not key.strip("0123456789abcdef")


def clear(folder: str) -> int:
    """Removes every entry and returns their number; other files stay."""
    removed = 0
    for _, _, path in list(kept_entries(folder)):
        try:
            os.unlink(path)
            removed += 1
        except OSError:  # noqa: PERF203  # another run may have removed it
            continue
    return removed
