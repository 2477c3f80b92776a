"""Reads a document's text into plain values, like Kubernetes."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path
from quotalint.text.plain_scalars import DeclinedError
from quotalint.text.plain_yaml import plain_value


class Trouble(NamedTuple):
    """Why a text cannot be read, and the position: line and column count from 0."""

    message: str
    line: int
    column: int


class Repeat(NamedTuple):
    """A repeated key of a mapping, and its position; lines and columns count from 0 within the text.

    A key from a merge (`<<`) is no repetition.
    """

    path: Path
    """The path of the mapping."""
    key: str
    line: int
    column: int
    first_line: int


class Loaded(NamedTuple):
    """The value of a text."""

    value: object
    repeats: tuple[Repeat, ...] = ()
    dropped: int | None = None
    """The first line, from 0, of content after the end of the document, which Go ignores."""
    is_common: bool = False
    """See `documents.Reading`."""


LARGE = 1_000_000
"""In bytes; the smallest text that may have too many entries (`guards`)."""


def load(
    text: bytes, *, merges_first: bool = False, first_keys: bool = False, is_declined: bool = False
) -> Loaded | Trouble:
    """The value of the first document of `text` for Kubernetes; None if it is empty.

    A merge overrides what precedes it in its mapping. With `merges_first` the mapping's own keys always win, as in the
    YAML specification and Kustomize (go.yaml.in/yaml/v3). The last of repeated keys wins; with `first_keys` the first.
    `is_declined`: the text is known not to be plain.
    """
    if len(text) <= LARGE and not is_declined:
        try:
            value, is_common = plain_value(text)
            return Loaded(value, is_common=is_common)
        except DeclinedError:
            pass
    from quotalint.text.node_values import load_nodes

    return load_nodes(text, merges_first=merges_first, first_keys=first_keys)
