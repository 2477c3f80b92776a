"""The JSON schemas for a chart's values, and their references to files and servers."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator

from quotalint.gitops.helm.packed_charts import packed_files
from quotalint.text.disk import entries_of, open_file
from quotalint.text.lazy_patterns import lazy_pattern

NAME = "values.schema.json"
MAX_SCHEMA = 4 * 1024 * 1024
"""The largest part of a schema that is read, in bytes."""

# Schemas built into the library (santhosh-tekuri/jsonschema, draft.go).
_KNOWN = lazy_pattern(r"https?://json-schema\.org/(draft-0[467]|draft/(2019-09|2020-12))/schema#?")


def outer_reference(path: str) -> str:
    """A reference of a schema to a file or server; empty if there is none.

    Raises OSError.
    """
    with open_file(path) as file:
        return _reference_in(file.read(MAX_SCHEMA + 1))


def archived_reference(path: str, most: int) -> str:
    """An external reference of the schemas in a packed chart and its packed subcharts; empty if there is none. At most
    `most` bytes are unpacked. Raises PackedChartError and OSError."""
    with open_file(path) as packed:
        for name, data in packed_files(packed, most):
            reference = _reference_in(data) if posixpath.basename(name) == NAME else ""
            if reference:
                return reference
    return ""


def outer_references(folder: str) -> Iterator[str]:
    """The external references of all schemas below a folder. Raises OSError."""
    pending_paths = [folder]
    while pending_paths:
        for entry in entries_of(pending_paths.pop()):
            if entry.is_dir():
                pending_paths += () if entry.is_symlink() else (entry.path,)
            elif entry.name == NAME:
                yield outer_reference(entry.path)


def _reference_in(data: bytes) -> str:
    if len(data) > MAX_SCHEMA:
        return f"more than {MAX_SCHEMA // 1024 // 1024} MiB"
    try:
        return next(_outer_references_in(json.loads(data)), "")
    except (ValueError, RecursionError):
        return ""  # Helm refuses it as well


def _outer_references_in(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            if isinstance(value, str) and (
                (key in ("$ref", "$dynamicRef", "$recursiveRef") and not value.startswith("#"))
                or (key == "$schema" and not _KNOWN.fullmatch(value))
            ):
                yield value
            yield from _outer_references_in(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _outer_references_in(value)
