"""sprig's functions on paths with slashes: Go's package path."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from quotalint.gitops.go.values import Implementation


def _base(path: str) -> str:
    if not path:
        return "."
    return path.rstrip("/").rpartition("/")[2] or "/"


def _directory(path: str) -> str:
    return _clean(path.rpartition("/")[0] + ("/" if "/" in path else ""))


def _clean(path: str) -> str:
    return re.sub("^//", "/", posixpath.normpath(path)) if path else "."


def _extension(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :] if "." in name else ""


FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {
    "base": ("s", _base),
    "dir": ("s", _directory),
    "clean": ("s", _clean),
    "ext": ("s", _extension),
    "isAbs": ("s", lambda path: path.startswith("/")),
}
