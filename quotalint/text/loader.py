"""A document's text as plain values, read as Kubernetes reads it."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path
from quotalint.text.plain_scalars import DeclinedError
from quotalint.text.plain_yaml import plain_value


class Trouble(NamedTuple):
    """Why a text cannot be read, and where in it: lines and columns count from 0."""

    message: str
    line: int
    column: int


class Repeat(NamedTuple):
    """A key that a mapping gives again, and where; lines and columns count from 0 within the text.

    What a merge (`<<`) brings as well is no repeat: it is what merges are for.
    """

    path: Path
    """The way to the mapping."""
    key: str
    line: int
    column: int
    first_line: int


class Loaded(NamedTuple):
    """What a text says."""

    value: object
    repeats: tuple[Repeat, ...] = ()
    dropped: int | None = None
    """The first line, from 0, of what stands behind the end of the document, where Go does not look."""
    is_common: bool = False
    """See `documents.Reading`."""


LARGE = 1_000_000
"""Bytes, as few as a document may have entries (`guards`)."""


def load(
    text: bytes, *, merges_first: bool = False, first_keys: bool = False, is_declined: bool = False
) -> Loaded | Trouble:
    """What the first document of `text` means to Kubernetes; None if it is empty.

    A merge overrides what precedes it in its mapping, unless `merges_first`: then what the mapping itself gives
    always counts, as in YAML's own description of merges and in Kustomize (go.yaml.in/yaml/v3). Of a key that is given
    twice the last one counts, unless `first_keys`. What `is_declined` is known not to be plain.
    """
    if len(text) <= LARGE and not is_declined:
        try:
            value, is_common = plain_value(text)
            return Loaded(value, is_common=is_common)
        except DeclinedError:
            pass
    from quotalint.text.node_values import load_nodes

    return load_nodes(text, merges_first=merges_first, first_keys=first_keys)
