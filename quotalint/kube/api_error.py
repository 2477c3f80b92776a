"""Errors with which the API server refuses an object."""

from __future__ import annotations

from enum import Enum

from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path


class Wrong(Enum):
    """The part of an object that the API server refuses."""

    NAME = "its name"
    RESOURCE = "the name of a resource"
    AMOUNT = "an amount that cannot be read"
    NEGATIVE = "an amount below zero"
    FRACTION = "a count that is not whole"
    SCOPE = "the name of a scope"
    CONFLICT = "two scopes that exclude each other"
    NOT_IN_SCOPE = "a resource that a scope does not admit"
    OPERATOR = "the operator of a scope"
    VALUES = "the values of a scope"
    LIMITS = "anything in a LimitRange"
    ELSEWHERE = "what stands around amounts and scopes"
    TYPE = "a value of a wrong type, for which nothing else is looked at"


class ApiError(NamedTuple):
    """One reason why the API server refuses an object."""

    wrong: Wrong
    field: str
    """The field path as the API server writes it: `spec.hard[requests.cpu]`."""
    path: Path
    """The path in the object."""
    detail: str
    """The API server's message."""
    value: str = ""
    """The value that was found."""
    subject: str = ""
    """The subject if it is not the value: the resource of a scope conflict."""


UNDECODABLE = ApiError(Wrong.TYPE, "", (), "")
"""The error of an object that does not decode; its schema gives details (`kube/schema.py`)."""


def field_path(path: Path, *, keyed: tuple[str, ...] = ()) -> str:
    """A path in the form of Go's `field.Path`; children of the fields in `keyed` are map keys."""
    shown = ""
    parent = ""
    for step in path:
        if isinstance(step, int) or parent in keyed:
            shown += f"[{step}]"
        else:
            shown += f".{step}" if shown else step
        parent = str(step)
    return shown
