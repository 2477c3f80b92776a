"""Which files the plugins of a kustomization work on: generators that decrypt files or wrap them into others."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from quotalint.gitops.tree import Tree, join_path
from quotalint.kube.fields import Body, sequence, text
from quotalint.text.documents import Reading, read

if TYPE_CHECKING:
    from quotalint.gitops.layout import KustomizationFile

PLUGIN_FIELDS = ("generators", "transformers", "validators")
# How the fields end that hold paths, in the configurations of known plugins: ksops, PolicyGenerator, those built in.
_CALLED = ("path", "paths", "file", "files", "dir", "directory", "envs")


def plugin_paths(kustomization: Body, reading: Callable[[str], Reading | None]) -> Iterator[str]:
    """The paths in the configurations of the plugins, which lead on from the folder of the kustomization. `reading`
    gives what the file at such a path says."""
    for field in PLUGIN_FIELDS:
        for entry in map(text, sequence(kustomization.get(field))):
            configuration = read(entry.encode("utf-8", "surrogatepass")) if "\n" in entry else reading(entry)
            for document in configuration.documents if configuration is not None else ():
                yield from _configured_paths(document.value)


def gives_folders(kustomizations: Iterable[KustomizationFile], tree: Tree) -> bool:
    """Whether any of these gives all that lies in a folder to a plugin."""
    for file in kustomizations:
        if any(field in file.body for field in PLUGIN_FIELDS):
            here = posixpath.dirname(file.name)
            with tree.listening():
                paths = [*plugin_paths(file.body, partial(_reading_from, here, tree))]
                if any(tree.is_folder(join_path(here, path)) for path in paths):
                    return True
    return False


def _reading_from(folder: str, tree: Tree, path: str) -> Reading | None:
    return tree.reading(join_path(folder, path))


def _configured_paths(configuration: object) -> Iterator[str]:
    """The texts that are paths, or `name=path`, going by what their fields are called."""
    waiting = [(configuration, "")]
    while waiting:
        value, field = waiting.pop()
        if isinstance(value, dict):
            waiting += [(below, str(key)) for key, below in value.items() if key != "fieldSpecs"]
        elif isinstance(value, list):
            waiting += [(below, field) for below in value]
        elif isinstance(value, str) and value and field.lower().endswith(_CALLED):
            yield value.partition("=")[2] or value
