"""How entries of folders are spoken of: their names, what they are, and why they cannot be read."""

from __future__ import annotations

import errno
import os
import re
import stat


def why_broken(error: OSError) -> str:
    """Why a symbolic link leads nowhere, as a clause."""
    if error.errno == errno.ELOOP:
        return "is a symbolic link that leads back to itself"
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return "is a symbolic link to nothing"
    return f"is a symbolic link that cannot be followed: {error_words(error)}"


def kind_of_entry(mode: int) -> str:
    """What an entry of this mode is that is neither file nor folder."""
    if stat.S_ISFIFO(mode):
        return "a named pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device" if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) else "no regular file"


def error_words(error: Exception) -> str:
    """What the system says of it."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def printable_name(name: str) -> str:
    """A name that can be written anywhere: bytes that are not UTF-8 become U+FFFD, control characters escapes."""
    if name.isprintable():
        return name
    try:
        text = os.fsencode(name).decode("utf-8", "replace")
    except UnicodeEncodeError:  # a surrogate that stands for no byte
        text = name.encode("utf-8", "replace").decode()
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", lambda match: ascii(match[0])[1:-1], text)
