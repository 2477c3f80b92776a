"""The .gitignore files that apply to a folder, and their combined result (gitignore(5), prep_exclude in dir.c)."""

from __future__ import annotations

import os
from collections.abc import Collection

from quotalint.named_tuples import NamedTuple
from quotalint.text.disk import is_there
from quotalint.text.files import content
from quotalint.text.patterns import Patterns, compile_patterns, verdict


class IgnoreLayer(NamedTuple):
    """The patterns of one file, and the path from its folder to the current folder."""

    patterns: Patterns
    folder_path: str
    """Empty, or ends with `/`."""


Layers = tuple[IgnoreLayer, ...]
"""The layers for a folder; the nearest file first, because the first match decides."""


def layers_above(folder: str) -> Layers:
    """The layers for a folder (a real, absolute path) from its parents up to the root of its repository, and the
    repository's `info/exclude`. Empty outside a repository."""
    root = os.path.dirname(folder)
    while not is_there(os.path.join(root, ".git")):
        if root == os.path.dirname(root):
            return ()
        root = os.path.dirname(root)
    layers = layers_within((), root, (".git", ".gitignore"))
    *names, last = os.path.relpath(folder, root).split(os.sep)
    for name in names:
        root = os.path.join(root, name)
        layers = layers_within(layers_below(layers, name), root, (".gitignore",))
    return layers_below(layers, last)


def layers_within(layers: Layers, folder: str, names: Collection[str]) -> Layers:
    """The layers for the entries of a folder with these names."""
    if ".git" in names:  # a nested repository, where the outer patterns do not apply
        layers = _layers_of_file(os.path.join(shared_git_folder(os.path.join(folder, ".git")), "info", "exclude"))
    if ".gitignore" in names:  # git does not follow a symbolic link here
        layers = _layers_of_file(os.path.join(folder, ".gitignore"), follow=False) + layers
    return layers


def layers_below(layers: Layers, name: str) -> Layers:
    """The layers for a subfolder of that name."""
    return tuple([IgnoreLayer(layer.patterns, f"{layer.folder_path}{name}/") for layer in layers])


def ignores_entry(layers: Layers, entry: str) -> bool:
    """Whether an entry is ignored; the name of a folder ends with `/`."""
    for patterns, folder_path in layers:
        is_ignored = verdict(patterns, folder_path, entry)
        if is_ignored is not None:
            return is_ignored
    return False


LARGEST = 1 << 20
"""In bytes; a larger file of patterns is taken as a mistake and not applied."""


def _layers_of_file(path: str, *, follow: bool = True) -> Layers:
    try:
        data = content(path, LARGEST, follow=follow)
    except (OSError, ValueError):  # like git; reading too much hides nothing
        return ()
    if data is None or len(data) > LARGEST:
        return ()
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    patterns = compile_patterns(line.removesuffix("\r") for line in text.split("\n"))
    return (IgnoreLayer(patterns, ""),) if patterns else ()


def git_folder(git: str) -> str:
    """The folder that `.git` is or names: in submodules and additional work trees it is a file."""
    return _follow_pointer(git, b"gitdir:", git)


def shared_git_folder(git: str) -> str:
    """The git folder that all work trees of a repository share (gitrepository-layout(5))."""
    folder = git_folder(git)
    return _follow_pointer(os.path.join(folder, "commondir"), b"", folder)


def _follow_pointer(pointer: str, prefix: bytes, otherwise: str) -> str:
    try:
        data = content(pointer, LARGEST)
    except (OSError, ValueError):
        return otherwise
    if data is None or not data.startswith(prefix):
        return otherwise
    return os.path.join(os.path.dirname(pointer), os.fsdecode(data.removeprefix(prefix).strip()))
