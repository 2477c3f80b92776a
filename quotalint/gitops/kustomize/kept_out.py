"""Files that are not in a repository on purpose: passwords that a generator reads where it is applied."""

from __future__ import annotations

import posixpath

from quotalint.gitops.tree import Tree, join_path
from quotalint.text.patterns import compile_patterns, verdict


def is_kept_out(tree: Tree, name: str) -> bool:
    """Whether a .gitignore in the folders around an absent file speaks of it; the nearest one decides (gitignore(5)).
    What is said of the folders on the way is not considered."""
    folder, entry = posixpath.split(name)
    way = ""
    while True:
        data = tree.data(join_path(folder, ".gitignore")) if tree.is_file(join_path(folder, ".gitignore")) else None
        if data:
            is_ignored = verdict(compile_patterns(data.decode("utf-8", "replace").splitlines()), way, entry)
            if is_ignored is not None:
                return is_ignored
        if not folder:
            return False
        folder, last = posixpath.split(folder)
        way = f"{last}/{way}"
