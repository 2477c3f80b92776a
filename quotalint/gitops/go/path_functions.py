"""sprig's functions on paths with slashes: Go's package path."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from quotalint.gitops.go.values import Implementation


def _base_name(path: str) -> str:
    if not path:
        return "."
    return path.rstrip("/").rpartition("/")[2] or "/"


def _directory_name(path: str) -> str:
    return _clean_path(path.rpartition("/")[0] + ("/" if "/" in path else ""))


def _clean_path(path: str) -> str:
    return re.sub("^//", "/", posixpath.normpath(path)) if path else "."


def _file_extension(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :] if "." in name else ""


FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {
    "base": ("s", _base_name),
    "dir": ("s", _directory_name),
    "clean": ("s", _clean_path),
    "ext": ("s", _file_extension),
    "isAbs": ("s", lambda path: path.startswith("/")),
}
