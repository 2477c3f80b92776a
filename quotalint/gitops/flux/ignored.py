"""What source-controller leaves out of an artifact (fluxcd/pkg, sourceignore/sourceignore.go; the matcher is go-git's).

Unlike git it does not stop at an ignored folder: the last line decides that means a file or a folder above it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from functools import lru_cache

from quotalint.gitops.tree import Tree, join_path, relative_path
from quotalint.text.patterns import Patterns, compile_patterns

Ignored = Callable[[str], bool]
"""Whether a file, named as in the tree, is left out."""

_FILE = ".sourceignore"
_DEFAULTS = compile_patterns(
    (
        *(".git/", ".gitignore", ".gitmodules", ".gitattributes"),
        *("*.jpg", "*.jpeg", "*.gif", "*.png", "*.wmv", "*.flv", "*.tar.gz", "*.zip"),
        *(".github/", ".circleci/", ".travis.yml", ".gitlab-ci.yml", "appveyor.yml", ".drone.yml", "cloudbuild.yaml"),
        *("codeship-services.yml", "codeship-steps.yml", "**/.goreleaser.yml", "**/.sops.yaml", "**/.flux.yaml"),
    )
)


def ignored_in(tree: Tree, top: str, written: str) -> Ignored:
    """Which files of a source are left out: `top` is its root, `written` what `spec.ignore` says, which wins."""

    def patterns(folder: str) -> Patterns:
        data = tree.data(join_path(folder, _FILE)) or b""
        return _compiled_patterns(data.decode("utf-8", "surrogateescape"))

    def is_ignored(name: str) -> bool:
        path = relative_path(name, top)
        verdict = _last_verdict(_compiled_patterns(written), path)
        if verdict is not None:
            return verdict
        for folder, below in _folders_around(path):
            verdict = _last_verdict(patterns(join_path(top, folder)), below)
            if verdict is not None:
                return verdict
        return _last_verdict(_DEFAULTS, path) is True

    return is_ignored


@lru_cache
def _compiled_patterns(lines: str) -> Patterns:
    """Many objects name one source, and of most of these no file is asked for."""
    return compile_patterns(lines.splitlines())


def _folders_around(path: str) -> Iterator[tuple[str, str]]:
    """The folders around a file, the nearest first, and the way from each to the file."""
    folder = posixpath.dirname(path)
    while True:
        yield folder, posixpath.relpath(path, folder or ".")
        if not folder:
            return
        folder = posixpath.dirname(folder)


def _last_verdict(patterns: Patterns, path: str) -> bool | None:
    parts = path.split("/")
    entries = [("/".join(parts[:number]), part) for number, part in enumerate(parts)]
    for step in patterns:
        for number, (way, name) in enumerate(entries, 1):
            entry = name if number == len(parts) else f"{name}/"
            if step.matches(entry, f"{way}/{entry}" if way else entry):
                return step.ignores
    return None
