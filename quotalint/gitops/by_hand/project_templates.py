"""Folders that a project generator copies to new repositories. Nobody applies their files here.

Sources: copier's `_subdirectory` (copier/_template.py); Backstage's `fetch:template` and `fetch:plain`
(plugins/scaffolder-backend); cookiecutter's folders, whose names hold a placeholder.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from itertools import chain

from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.runtime.recall import recalled_each
from quotalint.text.reading import File
from quotalint.text.tree import join_path

_COPIER_FILES = ("copier.yaml", "copier.yml")
_BACKSTAGE = "scaffolder.backstage.io/"


def is_filled_in_by_generator(folder: str) -> bool:
    """Whether the path of a folder holds a placeholder."""
    return "{{" in folder or "{%" in folder


def project_template_folders(files: Sequence[File]) -> frozenset[str]:
    """The folders that files of generators name as templates."""
    return frozenset(chain.from_iterable(recalled_each("project templates", files, (), _templates_named_by)))


def _templates_named_by(file: File) -> tuple[str, ...]:
    return tuple(_named_folders(file))


def _named_folders(file: File) -> Iterator[str]:
    name = file.source.name
    folder = posixpath.dirname(name)
    is_of_copier = name.endswith(_COPIER_FILES) and posixpath.basename(name) in _COPIER_FILES
    for document in file.reading.documents:
        body = mapping(document.value)
        if is_of_copier:
            yield join_path(folder, text(body.get("_subdirectory")))
        elif text(body.get("apiVersion")).startswith(_BACKSTAGE) and body.get("kind") == "Template":
            yield from (join_path(folder, url) for url in _fetched_folders(body) if "://" not in url)


def _fetched_folders(template: Body) -> Iterator[str]:
    for step in sequence(dig(template, "spec", "steps")):
        if text(mapping(step).get("action")) in ("fetch:plain", "fetch:template"):
            url = text(dig(step, "input", "url"))
            if url and not is_filled_in_by_generator(url):
                yield url
