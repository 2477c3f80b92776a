"""Finds the files that a kustomization's plugins read: generators that decrypt or wrap files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from quotalint.kube.fields import Body, sequence, text
from quotalint.text.documents import Reading, read

if TYPE_CHECKING:
    pass

PLUGIN_FIELDS = ("generators", "transformers", "validators")
# The endings of fields that hold paths, in known plugins: ksops, PolicyGenerator, built-in ones.
_PATH_ENDINGS = ("path", "paths", "file", "files", "dir", "directory", "envs")


def plugin_paths(kustomization: Body, reading: Callable[[str], Reading | None]) -> Iterator[str]:
    """The paths in plugin configurations, relative to the kustomization's folder. `reading` returns the documents of a
    file."""
    for field in PLUGIN_FIELDS:
        for entry in map(text, sequence(kustomization.get(field))):
            configuration = read(entry.encode("utf-8", "surrogatepass")) if "\n" in entry else reading(entry)
            for document in configuration.documents if configuration is not None else ():
                yield from _configured_paths(document.value)


def _configured_paths(configuration: object) -> Iterator[str]:
    """The strings in fields that hold paths; from `name=path` only the path."""
    waiting = [(configuration, "")]
    while waiting:
        value, field = waiting.pop()
        if isinstance(value, dict):
            waiting += [(below, str(key)) for key, below in value.items() if key != "fieldSpecs"]
        elif isinstance(value, list):
            waiting += [(below, field) for below in value]
        elif isinstance(value, str) and value and field.lower().endswith(_PATH_ENDINGS):
            yield value.partition("=")[2] or value
