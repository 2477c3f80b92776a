"""Files that may be changed, and how one is: as a whole or not at all."""

from __future__ import annotations

import os
import stat


def refusal(path: str, repository: str) -> str:
    """Why a file is not to be changed; nothing where it is. Symbolic links count as what they lead to."""
    if not path or path == "<stdin>":
        return "standard input cannot be changed"
    real = os.path.realpath(path)
    inside = os.path.realpath(repository).rstrip(os.sep) + os.sep
    if not real.startswith(inside):
        return "the file lies outside the repository"
    if not os.path.isfile(real):
        return "it is no file"
    return "" if os.access(real, os.W_OK) else "the file is write-protected"


def replace(path: str, data: bytes) -> str:
    """Give a file other bytes, by way of a new file beside it with the same mode; why that failed, or nothing. A
    symbolic link stays one."""
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name[:64]}.{os.getpid()}.tmp")
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode)
        with open(temporary, "xb") as file:
            file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except OSError as error:
        if os.path.lexists(temporary) and not isinstance(error, FileExistsError):
            os.unlink(temporary)
        return error.strerror or str(error)
    return ""
