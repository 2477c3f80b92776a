"""Which files the plugins of a kustomization work on: generators that decrypt files or wrap them into others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from quotalint.kube.fields import Body, sequence, text
from quotalint.text.documents import Reading, read

if TYPE_CHECKING:
    pass

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
