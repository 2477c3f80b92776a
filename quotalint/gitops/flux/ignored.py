"""What source-controller leaves out of an artifact (fluxcd/pkg, sourceignore/sourceignore.go; the matcher is go-git's).

Unlike git it does not stop at an ignored folder: the last line decides that means a file or a folder above it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from quotalint.gitops.tree import Tree, join, relative
from quotalint.text.patterns import Patterns, compiled

Ignored = Callable[[str], bool]
"""Whether a file, named as in the tree, is left out."""

_FILE = ".sourceignore"
_DEFAULTS = compiled(
    (
        *(".git/", ".gitignore", ".gitmodules", ".gitattributes"),
        *("*.jpg", "*.jpeg", "*.gif", "*.png", "*.wmv", "*.flv", "*.tar.gz", "*.zip"),
        *(".github/", ".circleci/", ".travis.yml", ".gitlab-ci.yml", "appveyor.yml", ".drone.yml", "cloudbuild.yaml"),
        *("codeship-services.yml", "codeship-steps.yml", "**/.goreleaser.yml", "**/.sops.yaml", "**/.flux.yaml"),
    )
)


def ignored_in(tree: Tree, top: str, written: str) -> Ignored:
    """Which files of a source are left out: `top` is its root, `written` what `spec.ignore` says, which wins."""
    own = compiled(written.splitlines())
    files: dict[str, Patterns] = {}

    def patterns(folder: str) -> Patterns:
        if folder not in files:
            data = tree.data(join(folder, _FILE)) or b""
            files[folder] = compiled(data.decode("utf-8", "surrogateescape").splitlines())
        return files[folder]

    def is_ignored(name: str) -> bool:
        path = relative(name, top)
        verdict = _verdict(own, path)
        if verdict is not None:
            return verdict
        for folder, below in _around(path):
            verdict = _verdict(patterns(join(top, folder)), below)
            if verdict is not None:
                return verdict
        return _verdict(_DEFAULTS, path) is True

    return is_ignored


def _around(path: str) -> Iterator[tuple[str, str]]:
    """The folders around a file, the nearest first, and the way from each to the file."""
    folder = posixpath.dirname(path)
    while True:
        yield folder, posixpath.relpath(path, folder or ".")
        if not folder:
            return
        folder = posixpath.dirname(folder)


def _verdict(patterns: Patterns, path: str) -> bool | None:
    parts = path.split("/")
    entries = [("/".join(parts[:number]), part) for number, part in enumerate(parts)]
    for step in patterns:
        for number, (way, name) in enumerate(entries, 1):
            entry = name if number == len(parts) else f"{name}/"
            if step.matches(entry, f"{way}/{entry}" if way else entry):
                return step.ignores
    return None
