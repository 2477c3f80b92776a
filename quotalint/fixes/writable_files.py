"""Which files may be changed."""

from __future__ import annotations

import os

from quotalint.text.disk import is_file, real_path, stand_in_at
from quotalint.text.files import lies_in


def refusal_to_change(path: str, repository: str) -> str:
    """Why a file is not to be changed; nothing where it is. Symbolic links count as what they lead to."""
    if not path or path == "<stdin>":
        return "standard input cannot be changed"
    real = real_path(path)
    if not lies_in(real, real_path(repository)):
        return "the file lies outside the repository"
    if not is_file(real):
        return "it is not a file"
    return "" if stand_in_at(real) or os.access(real, os.W_OK) else "the file is write-protected"
