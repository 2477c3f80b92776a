"""Symbolic links of the repository, in the way of a path that the workflow names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from action.inputs import Inputs


def astray(wanted: Inputs, start: str, environ: Mapping[str, str]) -> str:
    """What is wrong with the paths in the inputs; empty where nothing is.

    A pull request can put a link where the workflow expects a file of the repository: what quotalint reads there would
    be shown, and what it writes there would take the place of a file of the runner.
    """
    root = os.path.realpath(start)
    # The workspace may be named by way of a link as well.
    roots = (root, os.path.normpath(environ.get("GITHUB_WORKSPACE") or root))
    for name, path in _named(wanted):
        full = os.path.join(root, path)
        if any(_inside(os.path.normpath(full), one) for one in roots) and _leaves(full, root):
            return f"{name}: {path} leads out of the repository by a symbolic link"
    return ""


def _named(wanted: Inputs) -> Iterator[tuple[str, str]]:
    yield from (("paths", one) for one in wanted.paths)
    yield from (("formats", one.file) for one in wanted.extras if one.named)
    if wanted.config:
        yield "config", wanted.config


def _leaves(path: str, root: str) -> bool:
    real = os.path.realpath(path)
    if real == os.path.normpath(path):
        return False
    # In git's own folder stand credentials, and programs that git is to start.
    return not _inside(real, root) or ".git" in os.path.relpath(real, root).lower().split(os.sep)


def _inside(path: str, folder: str) -> bool:
    return (os.path.normcase(path) + os.sep).startswith(os.path.normcase(folder).rstrip(os.sep) + os.sep)
